"""An experiment whose warm runs are given nothing is no experiment: it stops at the first of them, and says so."""

from __future__ import annotations

import json
from collections import Counter
from threading import Event

import pytest

from tests.unit import fake_hermes
from tests.unit.experimenting import SECRET, begun, found, runs, tasks, told
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.experiments.plan import Plan
from warm_tui.experiments.probe import PROMPT
from warm_tui.experiments.runner import run_experiment
from warm_tui.paths import Home

SENTENCE = "The template did not reach the model: the first request of a warm run did not hold it."


def test_it_stops_with_a_sentence_and_goes_on_when_that_is_mended(home: Home) -> None:
    cold = home.root.parent / "bin" / fake_hermes.COLD
    cold.touch()
    number = begun(home, Plan("trial", "careful", tasks(4)))
    ended = run_experiment(home, number, Event())
    assert (ended.state, ended.why, ended.verdict) == ("paused", SENTENCE, "")
    assert [each["warm"] for each in told(home)].count(True) == 1
    assert not any(run.state == "ended" and run.arm == "warm" for run in runs(home, number))
    cold.unlink()
    run_experiment(home, number, Event())
    assert found(home, number).state == "done"
    assert Counter(run.state for run in runs(home, number)) == {"ended": 8}


def test_only_until_it_was_seen_an_agent_writes_its_requests_down(home: Home) -> None:
    number = begun(home, Plan("trial", "careful", tasks(4)))
    assert run_experiment(home, number, Event()).state == "done"
    watched = [each["warm"] for each in told(home) if each["watched"]]
    assert watched == [True]


@pytest.mark.parametrize("is_given", [True, False])
def test_where_the_requests_are_not_written_down_a_model_of_our_own_is_asked(
    home: Home, monkeypatch: pytest.MonkeyPatch, is_given: bool
) -> None:
    monkeypatch.setattr("warm_tui.experiments.run.WATCH", {})
    if not is_given:
        (home.root.parent / "bin" / fake_hermes.COLD).touch()
    number = begun(home, Plan("trial", "careful", tasks(2)))
    ended = run_experiment(home, number, Event())
    assert (ended.state, ended.why) == (("done", ended.why) if is_given else ("paused", SENTENCE))
    assert sum(PROMPT in " ".join(each["words"]) for each in told(home)) == 1
    asked = next(each for each in told(home) if PROMPT in " ".join(each["words"]))
    assert SECRET not in json.dumps(asked), "it is given nothing of the operator's"
    assert not any(run.reason for run in runs(home, number) if run.state == "ended")


def test_where_nothing_tells_it_is_said_of_each_warm_run(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.experiments.run.WATCH", {})
    monkeypatch.setattr("warm_tui.experiments.run.reaches_model", lambda *_: None)
    number = begun(home, Plan("trial", "careful", tasks(2, check="test -f made.txt")))
    assert run_experiment(home, number, Event()).state == "done"
    unsure = "Nothing told whether the template reached the model."
    assert {(run.arm, run.reason) for run in runs(home, number)} == {("warm", unsure), ("cold", "")}
