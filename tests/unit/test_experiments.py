"""An experiment's queue, worked off with a stand-in for the agent: hermetic, durable, bounded, and looked at as planned."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from tests.conftest import Record, user
from tests.unit import fake_hermes
from warm_tui.agent.hermes_cli import secrets_of
from warm_tui.agent.processes import MARK, end_marked, run_limited
from warm_tui.errors import Trouble
from warm_tui.experiments import control
from warm_tui.experiments.place import Place
from warm_tui.experiments.plan import Budget, Plan, Task
from warm_tui.experiments.results import result_of
from warm_tui.experiments.runner import run_experiment
from warm_tui.experiments.standing import complete_pairs, standing
from warm_tui.experiments.starting import LeakingTasksError, begin, checked, leaking, order_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.comparisons import showed
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Experiment, Run, change_run, experiment, runs_of
from warm_tui.library.uses import usage
from warm_tui.paths import Home
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import Origin, Pattern

PKILL = shutil.which("pkill") or "pkill"
SECRET = "sk-aVerySecretKey0123456789"
PATTERN = Pattern(tool_name="terminal", arguments={"command": "ls"}, result='{"output": "a"}', context="Look around.")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home with a template, a key and some memory; the command `hermes` is a stand-in."""
    root = tmp_path / "home"
    (root / "memories").mkdir(parents=True)
    (root / "memories" / "MEMORY.md").write_text("Short answers.")
    (root / ".env").write_text(f"OPENAI_API_KEY={SECRET}\n")
    (root / "config.yaml").write_text("# Mine.\nmodel: m\nprefill_messages_file: /elsewhere.json\n")
    (root / "state.db").write_text("")
    (root / "sessions").mkdir()
    (root / "sessions" / "old.json").write_text("{}")
    log = fake_hermes.install(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{log.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("SAID", SECRET)
    home = Home(root, (root / "state.db",))
    TemplateFiles(home).save(new_template("careful", [PATTERN]))
    return home


def told(home: Home) -> list[dict[str, Any]]:
    """What the agent was given, run by run."""
    log = home.root.parent / "bin" / "log.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def tasks(count: int, **settings: Any) -> tuple[Task, ...]:
    return tuple(Task(f"t{at}", f"Task {at}.", **settings) for at in range(count))


def begun(home: Home, plan: Plan) -> int:
    with Catalog(home._replace(databases=())) as catalog:
        return begin(catalog, plan)


def run(home: Home, plan: Plan) -> tuple[Experiment, list[Run]]:
    number = begun(home, plan)
    return run_experiment(home, number, Event()), runs(home, number)


def runs(home: Home, number: int) -> list[Run]:
    with open_library(home.library) as library:
        return runs_of(library, number)


def states(found: list[Run]) -> Counter[str]:
    return Counter(run.state for run in found)


# --- hermetic ---


def test_each_run_has_a_fresh_home_and_folder_and_only_warm_ones_the_template(home: Home, tmp_path: Path) -> None:
    start = tmp_path / "start"
    start.mkdir()
    (start / "a.txt").write_text("a")
    plan = Plan("p", "careful", tasks(2, folder=str(start), files={"b/c.txt": "c"}), parallel=2)
    ended, found = run(home, plan)
    assert (ended.state, states(found)) == ("done", {"ended": 4})
    given = told(home)
    assert Counter(one["warm"] for one in given) == {True: 2, False: 2}
    for one in given:
        assert one["folder"] == ["a.txt", "b"], "not what another run made"
        assert set(one["home"]) == {".env", "config.yaml", "memories/MEMORY.md"}, "no sessions, nothing of ours"
        assert "prefill" not in one["config"]
        assert one["words"][:1] == ["chat"]
        assert {"-Q", "--source", "warm-tui"} <= set(one["words"])
    (conversation,) = {one["prefill"] for one in given if one["warm"]}
    assert "Look around." in conversation
    assert not (start / "made.txt").exists()
    assert not Place(home, ended.id).folder.exists(), "nothing of the credentials stays"


def test_no_credential_is_in_what_is_kept(home: Home) -> None:
    _, found = run(home, Plan("p", "careful", (Task("a", "crash"), Task("b", "fine"))))
    kept = [path for path in home.ours.rglob("*") if path.is_file()]
    assert home.archive in kept
    assert [path.name for path in kept if SECRET.encode() in path.read_bytes()] == []
    assert {run.reason for run in found if run.task == "a"} == {
        "Hermes ended with 1: HTTP 401: the key [masked: a credential] is wrong"
    }


def test_what_counts_as_a_credential(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TOKEN=abcdefgh12345678\nDEBUG=true\n")
    (tmp_path / "config.yaml").write_text("model:\n  api_key: zyxwvuts98765432\n  base_url: http://localhost/v1\n")
    (tmp_path / "auth.json").write_text(json.dumps({"p": {"refresh_token": "rrrrrrrr55555555", "name": "me"}}))
    found = secrets_of(tmp_path, {"GITHUB_TOKEN": "gggggggg77777777", "PATH": "/usr/bin"})
    assert set(found) == {"abcdefgh12345678", "zyxwvuts98765432", "rrrrrrrr55555555", "gggggggg77777777"}


def test_a_run_opens_like_any_other_session(home: Home) -> None:
    _, found = run(home, Plan("p", "careful", tasks(1)))
    with Catalog(home.archived) as catalog:
        for one in found:
            profile = catalog.profile(one.session_id)
            assert (profile.source, profile.tool_call_count, profile.failed_calls) == (
                "warm-tui",
                one.calls,
                one.failures,
            )
    assert {run.arm: (run.calls, run.failures) for run in found} == {"warm": (8, 1), "cold": (8, 5)}


# --- outcomes ---


def test_what_can_become_of_a_run(home: Home) -> None:
    plan = Plan(
        "p", "careful",
        (
            Task("fine", "fine", check="test -f made.txt"), Task("undone", "fine", check="exit 7"),
            Task("broken", "fine", check="no-such-command"), Task("crash", "crash", check="true"),
            Task("silent", "no session"), Task("hang", "hang", check="true", minutes=0.01),
            Task("setup", "fine", setup="exit 4"), Task("slow-check", "fine", check="sleep 60", minutes=0.02),
        ),
        parallel=4,
    )  # fmt: skip
    _, found = run(home, plan)
    by_task = {(run.task): run for run in found}
    assert {name: (run.state, run.success) for name, run in by_task.items()} == {
        "fine": ("ended", True), "undone": ("ended", False), "broken": ("ended", None), "crash": ("crashed", False),
        "silent": ("crashed", None), "hang": ("timed out", False), "setup": ("not started", None),
        "slow-check": ("ended", None),
    }  # fmt: skip
    assert by_task["undone"].reason == "The check ended with 7."
    assert by_task["silent"].reason == "Hermes recorded no session."
    assert by_task["setup"].reason == "The setup command ended with 4."
    told = result_of(home, 1)
    assert "Crashed: 2 warm and 2 cold runs." in told.notes
    assert "Not started: 1 warm and 1 cold runs." in told.notes
    assert len(told.comparison.warm) == 7, "a crash without a session counts; what never began does not"


def test_nothing_that_a_run_began_goes_on(tmp_path: Path) -> None:
    token = "a-token-of-its-own"
    environment = {**os.environ, MARK: token}
    ended = run_limited(
        "setsid sleep 300 & setsid setsid sleep 300 & sleep 300",
        folder=tmp_path, environment=environment, seconds=0.3, scratch=tmp_path, stop=Event(),
    )  # fmt: skip
    assert ended.exit_code is None
    assert end_marked(token) == 0


def test_output_without_end_is_read_from_its_end(tmp_path: Path) -> None:
    ended = run_limited(
        "yes | head -c 3000000; echo last", folder=tmp_path, environment=dict(os.environ), seconds=20,
        scratch=tmp_path, stop=Event(),
    )  # fmt: skip
    assert ended.exit_code == 0
    assert len(ended.out) < 10_000
    assert ended.out.endswith("last\n")


def test_a_home_that_cannot_be_copied_is_told(home: Home) -> None:
    (home.root.parent / "cache").write_text("a file where a folder is wanted")
    number = begun(home, Plan("p", "careful", tasks(1)))
    with pytest.raises(Trouble, match="cannot be written"):
        run_experiment(home, number, Event())


def test_hermes_that_goes_missing_is_a_state_of_each_run(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(2), parallel=2))

    command = home.root.parent / "bin" / "hermes"
    run_experiment(home, number, Event(), lambda _: command.unlink(missing_ok=True))
    assert {run.state for run in runs(home, number)} <= {"not started", "crashed", "ended"}
    assert any("No such file" in run.reason for run in runs(home, number))


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
    place = Place(home, number)
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
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", "breathe") for at in range(4)), parallel=2))
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
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", "breathe") for at in range(6)), parallel=2))
    worker = Thread(target=run_experiment, args=(home, number, Event()))
    worker.start()
    until(lambda: states(runs(home, number))["running"] == 2)
    with pytest.raises(Trouble, match="being run already"):
        run_experiment(home, number, Event())
    assert "go on to their end" in control.pause(home, number)
    worker.join(20)
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
    worker.join(20)
    assert not worker.is_alive()
    assert states(runs(home, number)) == {"cancelled": 2}
    assert [end_marked(token) for token in tokens] == [0, 0]
    assert not Place(home, number).folder.exists()


def test_it_goes_on_in_a_process_of_its_own(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(1)))
    assert "goes on" in control.resume(home, number)
    until(lambda: found(home, number).state == "done")
    assert states(runs(home, number)) == {"ended": 2}
    with pytest.raises(Trouble, match="nothing is left to run"):
        control.resume(home, number)


def found(home: Home, number: int) -> Experiment:
    with open_library(home.library) as library:
        return experiment(library, number)


def until(there: Any) -> None:
    for _ in range(400):
        if there():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    subprocess.run([PKILL, "-f", "sleep 300"], check=False)


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
    with open_library(home.library) as library:
        assert showed(library)["careful"].verdict == "warm better"
        assert usage(library)["careful"] == 1


def test_how_far_it_is() -> None:
    plan = Plan("p", "t", tasks(2), parallel=2)
    order = [msgspec.structs.replace(run, state=state) for run, state in zip(
        order_of(plan, 1), ("ended", "crashed", "running", "queued"), strict=True)]  # fmt: skip
    times = [(100.0, 110.0), (100.0, 130.0), (125.0, None), (None, None)]
    found = [msgspec.structs.replace(r, started_at=a, ended_at=b) for r, (a, b) in zip(order, times, strict=True)]
    how = standing(plan, found, now=130.0)
    assert (how.finished, how.total, how.share) == (2, 4, 0.5)
    assert how.seconds_left == (20 + 15) / 2
    assert complete_pairs(found) == 1


# --- leaking ---


def test_tasks_that_the_template_was_made_from_are_refused(home: Home, record: Record) -> None:
    database = record({"s": [user("Please mend the build of the billing service, then write down why it broke.")]})
    other = Home(home.root, (database,))
    pattern = msgspec.structs.replace(PATTERN, origin=Origin(session_id="s"))
    TemplateFiles(home).save(new_template("made", [pattern]))
    plan = Plan(
        "p", "made",
        (
            Task("same", "please mend the BUILD of the billing service, then write down why it broke!"),
            Task("context", "Look around."),
            Task("other", "Mend the build."),
            Task("within", "It is Monday. Please mend the build of the billing service, then write down why it broke."),
        ),
    )  # fmt: skip
    with Catalog(other) as catalog:
        template = TemplateFiles(home).load("made").template
        assert [task.id for task in leaking(catalog, plan, template)] == ["same", "context", "within"]
        with pytest.raises(LeakingTasksError, match="It knows their answers"):
            checked(catalog, plan)
        left, notes = checked(catalog, plan, without_sources=True)
    assert [task.id for task in left.tasks] == ["other"]
    assert notes == ["Left out, because 'made' was made from it: same, context, within."]


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
