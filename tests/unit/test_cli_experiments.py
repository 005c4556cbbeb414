"""Experiments by command: what a run came to each time, and what is asked before a plan that can show nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path
from threading import Event

import click
import pytest
from msgspec.structs import replace

from tests.unit import commands
from tests.unit.experimenting import begun, going_down, runs, tasks, told
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.experiments.plan import Plan
from warm_tui.experiments.runner import run_experiment
from warm_tui.library.experiments import Run
from warm_tui.paths import Home
from warm_tui.reports.experiment import rate_of, run_document, run_facts
from warm_tui.reports.lines import lines_of


def test_each_attempt_of_a_run_is_told_with_what_hermes_wrote(home: Home) -> None:
    going_down(home, "API call failed after 3 retries: Connection error.", errors="first\nlast")
    number, stop = begun(home, Plan("p", "careful", tasks(1))), Event()
    run_experiment(home, number, stop, lambda run: stop.set() if run.attempts else None)
    words = ["--home", str(home.root), "experiment", "show", "1"]
    shown = commands.run(*words, "--run", "1").stdout
    assert "Attempt 1: crashed, set aside" in shown
    assert "The model does not answer: it is no result." in shown
    assert "first\nlast" in shown
    facts = commands.document(*words, "--run", "1")
    (attempt,) = facts["attempts"]
    assert (attempt["outage"], attempt["errors"]) == ("model", ["first", "last"])
    whole = commands.document(*words)
    assert whole["runs"][0] == {name: value for name, value in facts.items() if name != "success"}
    assert (whole["set_aside"], whole["waits_for"]) == (1, None)
    missing = commands.run(*words, "--run", "9", check=False)
    assert (missing.returncode, missing.stderr.strip()) == (1, "Experiment 1 has no run 9.")


def test_a_run_of_which_nothing_was_kept_is_not_said_to_wait(home: Home) -> None:
    run = runs(home, begun(home, Plan("p", "careful", tasks(1))))[0]
    told = [lines_of(run_document(one, []), 80)[-1][0][0] for one in (run, replace(run, state="ended"))]
    assert told == ["It was not tried yet.", "Of how it went nothing was kept: an older version ran it."]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_plan_that_can_show_nothing_asks_where_somebody_answers(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    (home.root / "state.db").unlink()
    path = tmp_path / "plan.yaml"
    path.write_text(json.dumps({"name": "p", "template": "careful", "tasks": [{"id": "a", "prompt": "Do it."}]}))
    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: is_there)
    monkeypatch.setattr("sys.stdin", stdin)
    monkeypatch.setattr(click, "confirm", lambda *_, **__: False)
    done = commands.run("--home", str(home.root), "experiment", "run", str(path), check=False)
    assert "! With fewer than 6 tasks nothing can be shown" in done.stderr
    assert ("Nothing was started." in done.stderr) is is_there
    assert len(told(home)) == (0 if is_there else 2)
    if is_there:
        commands.run("--home", str(home.root), "experiment", "run", str(path), "--yes")
        assert len(runs(home, 1)) == 2


def test_without_a_verdict_on_a_call_there_is_no_rate() -> None:
    run = Run(0, "a", 1, "warm", "ended", calls=3, judged=0)
    assert rate_of(run) is None
    assert run_facts(run, [])["error_rate"] is None
    assert rate_of(Run(0, "a", 1, "warm", "ended", calls=4, judged=2, failures=1)) == 0.5
    assert rate_of(Run(0, "a", 1, "warm", "ended", calls=4, failures=1)) == 0.25, "of an older version"
