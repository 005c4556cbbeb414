"""An experiment's queue, worked off with a stand-in for the agent: durable, bounded, and looked at as planned."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from threading import Event, Thread

import msgspec
import pytest

from tests.conftest import Record, user
from tests.unit.experimenting import PATTERN, SECRET, begun, found, let_go, run, runs, states, tasks, told, until
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.agent.processes import end_all
from warm_tui.comparisons.saved import latest_verdicts
from warm_tui.errors import Leaking, Trouble
from warm_tui.experiments import control
from warm_tui.experiments.plan import Budget, Plan, Task
from warm_tui.experiments.progress import complete_pairs, progress_of
from warm_tui.experiments.results import result_of
from warm_tui.experiments.runner import run_experiment
from warm_tui.experiments.starting import checked, leaking, order_of
from warm_tui.experiments.workspace import Workspace
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Run, change_run
from warm_tui.library.uses import usage
from warm_tui.paths import Home
from warm_tui.reliability.session_outcome import Rate
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import Origin

# --- durable ---


def test_the_order_is_drawn_by_the_seed() -> None:
    plan = Plan("p", "t", tasks(20), repeats=2)
    assert order_of(plan, 1) == order_of(plan, 1)
    assert order_of(plan, 1) != order_of(plan, 2)
    order = order_of(plan, 1)
    assert [run.position for run in order] == list(range(80))
    for first, second in zip(order[::2], order[1::2], strict=True):
        assert (first.task, first.repeat) == (second.task, second.repeat)
        assert {first.arm, second.arm} == {"warm", "cold"}
    assert 8 < sum(run.arm == "warm" for run in order[::2]) < 32


def test_what_ended_before_the_kill_is_not_done_again(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(3)))
    run_experiment(home, number, Event())
    done = runs(home, number)
    # As a kill leaves it: one had ended, and only its folder knew; one was cut off.
    with open_library(home.library) as library:
        library.connection.execute("UPDATE experiments SET state = 'running'")
        change_run(library, number, 0, state="running", session_id="", calls=0)
        change_run(library, number, 1, state="running", token="nobody")
    place = Workspace(home, number)
    outcome = {"state": "ended", "reason": "", "session_id": done[0].session_id, "success": None, "ended_at": 9e9}
    place.run(0).mkdir(parents=True)
    (place.run(0) / "outcome.json").write_text(json.dumps(outcome))
    (place.run(0) / "home").mkdir()
    subprocess.run(["cp", home.archive, place.run(0) / "home" / "state.db"], check=True)
    before = len(told(home))
    run_experiment(home, number, Event())
    again = runs(home, number)
    assert len(told(home)) == before + 1
    assert [run.session_id for run in again if run.position != 1] == [r.session_id for r in done if r.position != 1]
    assert states(again) == {"ended": 6}


def test_stopped_by_hand_it_goes_on_later(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(4), parallel=2))
    stop = Event()

    def second(run: Run) -> None:
        if run.finished and run.position >= 1:
            stop.set()

    ended = run_experiment(home, number, stop, second)
    assert (ended.state, ended.why) == ("paused", "It was stopped.")
    assert set(states(runs(home, number))) == {"ended", "queued"}
    assert run_experiment(home, number, Event()).state == "done"
    assert states(runs(home, number)) == {"ended": 8}


def test_pause_go_on_and_cancel_from_elsewhere(home: Home) -> None:
    number = begun(
        home, Plan("p", "careful", tuple(Task(f"t{at}", "wait for the word") for at in range(6)), parallel=2)
    )
    worker = Thread(target=run_experiment, args=(home, number, Event()))
    worker.start()
    until(lambda: states(runs(home, number))["running"] == 2)
    with pytest.raises(Trouble, match="being run already"):
        run_experiment(home, number, Event())
    assert "go on to their end" in control.pause(home, number)
    let_go(home)
    worker.join(300)
    left = states(runs(home, number))
    assert set(left) == {"ended", "queued"}
    assert "is cancelled" in control.cancel(home, number)
    assert states(runs(home, number)) == {"ended": left["ended"], "cancelled": left["queued"]}
    with pytest.raises(Trouble, match="is cancelled already"):
        control.pause(home, number)
    with pytest.raises(Trouble, match="has no result"):
        result_of(home, number)


def test_cancelling_ends_what_goes_on(home: Home) -> None:
    number = begun(home, Plan("p", "careful", (Task("a", "hang"),), parallel=2))
    worker = Thread(target=run_experiment, args=(home, number, Event()))
    worker.start()
    until(lambda: len(told(home)) == 2)
    tokens = [run.token for run in runs(home, number)]
    control.cancel(home, number)
    worker.join(300)
    assert not worker.is_alive()
    assert states(runs(home, number)) == {"cancelled": 2}
    assert [end_all(token, home.root / "elsewhere") for token in tokens] == [0, 0]
    assert not Workspace(home, number).folder.exists()


def test_it_goes_on_in_a_process_of_its_own(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(1)))
    assert "goes on" in control.resume(home, number)
    until(lambda: found(home, number).state == "done")
    assert states(runs(home, number)) == {"ended": 2}
    with pytest.raises(Trouble, match="nothing is left to run"):
        control.resume(home, number)


# --- bounded ---


def test_budgets(home: Home) -> None:
    ended, of_runs = run(home, Plan("p", "careful", tasks(4), budget=Budget(runs=3)))
    assert states(of_runs) == {"ended": 3, "not needed": 5}
    assert (ended.state, ended.why, ended.pairs_told) == ("done", "The budget of 3 runs is used up.", 1)
    ended, of_dollars = run(home, Plan("q", "careful", tasks(4), budget=Budget(dollars=1.0)))
    assert states(of_dollars) == {"ended": 2, "not needed": 6}, "each costs half a dollar"
    ended, of_minutes = run(home, Plan("r", "careful", tasks(4), budget=Budget(minutes=0.001)))
    assert states(of_minutes)["not needed"] > 0
    assert ended.why == "The budget of 0.001 minutes is used up."


def test_a_planned_look_ends_what_is_clear(home: Home) -> None:
    plan = Plan("p", "careful", tasks(24), parallel=4, looks=(0.5,))
    ended, found = run(home, plan)
    assert (ended.state, ended.verdict, ended.pairs_told) == ("done", "warm better", 12)
    assert ended.level == pytest.approx(0.00305, abs=1e-4)
    assert states(found)["not needed"] > 0
    compared = result_of(home, ended.id)
    assert len(compared.comparison.warm) == 12, "only the pairs that the look was planned for"
    assert any("shares the 5 %" in note for note in compared.notes)


def test_before_its_time_there_is_no_result(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(2)))
    with pytest.raises(Trouble, match="has no result yet"):
        result_of(home, number)


def test_the_template_remembers(home: Home) -> None:
    ended, _ = run(home, Plan("p", "careful", tasks(6), parallel=3))
    assert ended.verdict == "warm better"
    assert latest_verdicts(home)["careful"] == "warm better"
    with open_library(home.library) as library:
        assert usage(library)["careful"] == 1


def test_how_far_it_is() -> None:
    plan = Plan("p", "t", tasks(2), parallel=2)
    order = [msgspec.structs.replace(run, state=state) for run, state in zip(
        order_of(plan, 1), ("ended", "crashed", "running", "queued"), strict=True)]  # fmt: skip
    times = [(100.0, 110.0), (100.0, 130.0), (125.0, None), (None, None)]
    found = [msgspec.structs.replace(r, started_at=a, ended_at=b) for r, (a, b) in zip(order, times, strict=True)]
    how = progress_of(plan.parallel, found, now=130.0)
    assert (how.finished, how.total, how.share) == (2, 4, 0.5)
    assert how.seconds_left == (20 + 15) / 2
    assert complete_pairs(found) == 1


def test_how_many_tasks_each_arm_did_is_told_while_it_goes_on() -> None:
    order = order_of(Plan("p", "t", tasks(2), parallel=2), 1)
    said = {"warm": [True, None], "cold": [False, True]}
    found = [msgspec.structs.replace(run, state="ended", success=said[run.arm].pop()) for run in order]
    assert progress_of(2, found, now=0.0).done == {"warm": Rate(1, 0, 1), "cold": Rate(1, 1, 0)}


def test_a_template_that_nobody_heeds_shows_no_difference(home: Home) -> None:
    ended, _ = run(home, Plan("p", "careful", tuple(Task(f"t{at}", "nothing helps") for at in range(6)), parallel=4))
    assert ended.verdict == "no difference shown"
    assert Counter(each["warm"] for each in told(home)) == {True: 6, False: 6}


def test_a_look_that_was_made_is_paid_for_also_after_a_restart(home: Home) -> None:
    plan = Plan("p", "careful", tuple(Task(f"t{at}", "nothing helps") for at in range(8)), parallel=4, looks=(0.5,))
    number = begun(home, plan)
    stop = Event()

    def late(run: Run) -> None:
        if run.finished and run.position >= 10:
            stop.set()

    assert run_experiment(home, number, stop, late).state == "paused"
    ended = run_experiment(home, number, Event())
    assert ended.level == pytest.approx(0.05 - 0.00305, abs=1e-4)


def test_changing_the_template_later_leaves_the_result(home: Home) -> None:
    ended, found = run(home, Plan("p", "careful", tasks(6), parallel=3))
    grown = msgspec.structs.replace(PATTERN, origin=Origin(session_id=found[0].session_id))
    files = TemplateFiles(home)
    files.save(new_template("careful", [PATTERN, grown]), files.load("careful").stamp)
    assert result_of(home, ended.id).comparison.verdict == ended.verdict


# --- leaking ---


def test_tasks_that_the_template_was_made_from_are_refused(home: Home, record: Record) -> None:
    database = record({"s": [user("Please mend the build of the billing service, then write down why it broke.")]})
    other = Home(home.root, (database,))
    pattern = msgspec.structs.replace(PATTERN, origin=Origin(session_id="s"))
    gone = msgspec.structs.replace(
        PATTERN, context="修复今天早上坏掉的构建，然后写下它…", origin=Origin(session_id="gone")
    )
    TemplateFiles(home).save(new_template("made", [pattern, gone]))
    plan = Plan(
        "p", "made",
        (
            Task("same", "please mend the BUILD of the billing service, then write down why it broke!"),
            Task("context", "Look around."),
            Task("other", "Mend the build."),
            Task("cut", "修复今天早上坏掉的构建，然后写下它为什么坏了"),
            Task("within", "It is Monday. Please mend the build of the billing service, then write down why it broke."),
        ),
    )  # fmt: skip
    with Catalog(other) as catalog:
        template = TemplateFiles(home).load("made").template
        assert [task.id for task in leaking(catalog, plan, template)] == ["same", "context", "cut", "within"]
        with pytest.raises(Leaking, match="It knows their answers"):
            checked(catalog, plan)
        left, notes = checked(catalog, plan, without_sources=True)
    assert [task.id for task in left.tasks] == ["other"]
    assert notes == ["Left out, because 'made' was made from it: same, context, cut, within."]


def test_a_template_with_nothing_to_tell_or_with_a_secret_is_refused(home: Home) -> None:
    TemplateFiles(home).save(new_template("empty", []))
    leaky = msgspec.structs.replace(PATTERN, result=f'{{"output": "OPENAI_API_KEY={SECRET}"}}')
    TemplateFiles(home).save(new_template("leaky", [leaky]))
    for name, why in (("empty", "nothing to tell"), ("leaky", "holds 1 secret"), ("none", "not found")):
        with Catalog(home._replace(databases=())) as catalog, pytest.raises(Trouble, match=why):
            checked(catalog, Plan("p", name, tasks(1)))


def test_without_hermes_nothing_begins(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(Trouble, match="Hermes was not found"):
        begun(home, Plan("p", "careful", tasks(1)))
    assert not home.library.exists() or runs(home, 1) == []
