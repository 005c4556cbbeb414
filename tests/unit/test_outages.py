"""Outages while an experiment goes on: what is no result, what is waited for, and what is done again."""

from __future__ import annotations

import json
from collections import Counter
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.unit import fake_hermes
from tests.unit.experimenting import SECRET, begun, coming_up, found, going_down, run, runs, states, tasks, told, until
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.agent.processes import Ended
from warm_tui.errors import Trouble
from warm_tui.experiments import control, room, waiting
from warm_tui.experiments import run as one_run
from warm_tui.experiments import runner as the_runner
from warm_tui.experiments.crashes import MOST_ATTEMPTS
from warm_tui.experiments.outages import KINDS, outage_in, outage_of_crash
from warm_tui.experiments.plan import Budget, Plan, Task
from warm_tui.experiments.results import result_of
from warm_tui.experiments.run import MOST_LINES
from warm_tui.experiments.runner import run_experiment
from warm_tui.experiments.waiting import model_answers
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Attempt, attempts_of
from warm_tui.paths import Home

DOWN = "API call failed after 3 retries: Connection error."


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waited for seconds is asked at once."""
    for name in ("FIRST_SECONDS", "TRIAL_SECONDS"):
        monkeypatch.setattr(waiting, name, 0.01)


class Going:
    """An experiment that goes on in a thread."""

    def __init__(self, home: Home, plan: Plan) -> None:
        self.home, self.number, self.stop = home, begun(home, plan), Event()
        self.said: list[str] = []
        self.thread = Thread(
            target=run_experiment, args=(home, self.number, self.stop, lambda _: None, self.said.append)
        )
        self.thread.start()

    def waits_for(self, kind: str) -> None:
        until(lambda: found(self.home, self.number).waits_for == kind)

    def ends(self) -> str:
        self.thread.join(300)
        assert not self.thread.is_alive()
        return found(self.home, self.number).state


def attempts(home: Home, number: int = 1) -> dict[int, list[Attempt]]:
    with open_library(home.library) as library:
        return attempts_of(library, number)


# --- what tells an outage ---


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.example], ids=lambda kind: kind.name)
def test_each_kind_is_known_by_its_example(kind) -> None:
    assert outage_in(kind.example) == kind.name


@pytest.mark.parametrize(
    ("code", "last", "kind"),
    [
        (1, "HTTP 500: overloaded", "model"),
        (1, "HTTP 429: Rate limit reached", "model"),
        (1, "HTTP 402: Insufficient credits", "credentials"),
        (1, "HTTP 403: the prompt was flagged", ""),
        (1, "HTTP 400: messages.3: bad role", ""),
        (-9, "", "killed"),
        (137, "", "killed"),
        (127, "", "hermes"),
        (2, "/bin/sh: 0: cannot open /opt/bin/hermes: No such file", "hermes"),
        (2, "python3: can't open file '/opt/bin/hermes': [Errno 2] No such file or directory", "hermes"),
    ],
)
def test_what_hermes_ends_with(code: int, last: str, kind: str) -> None:
    assert outage_of_crash(code, last, "", has_session=True, out=last) == kind


def test_what_a_model_said_is_no_sign_once_there_is_a_session() -> None:
    said = "The log says: Connection error.\nIt is mended."
    assert outage_of_crash(1, "It is mended.", "", has_session=True, out=said) == ""
    unset = "It looks like Hermes isn't configured yet -- no API keys or providers found.\n\nRun: hermes setup"
    assert outage_of_crash(1, "Run: hermes setup", "", has_session=False, out=unset) == "credentials"
    told = one_run._of_agent(Task("a", "Work."), Ended(1, 1.0, unset, ""), "", False)
    assert told.reason.endswith("-- no API keys or providers found.")


# --- waiting, and going on ---


@pytest.mark.parametrize(
    ("says", "errors", "code", "kind", "shown"),
    [
        (DOWN, "", 1, "model", "The model does not answer (Hermes ended with 1: API call failed"),
        ("HTTP 401: Incorrect API key provided", "", 1, "credentials", "The model refuses the credentials"),
        ("", "usage: hermes\nhermes: error: unrecognized arguments: --x", 2, "words", "does not take the words"),
        ("All is done.", "OSError: [Errno 28] No space left on device", 0, "disk", "The disk is full"),
        ("", "", -9, "killed", "The agent was killed (Hermes was ended by signal 9)"),
    ],
)  # fmt: skip
def test_an_outage_is_waited_for_and_costs_no_result(
    home: Home, monkeypatch: pytest.MonkeyPatch, says: str, errors: str, code: int, kind: str, shown: str
) -> None:
    monkeypatch.setattr(waiting, "TRIAL_SECONDS", 1e9)
    monkeypatch.setattr(waiting, "is_room_for_a_run", lambda *_: False)
    going_down(home, says, errors=errors, code=code)
    going = Going(home, Plan("p", "careful", tasks(1), parallel=2))
    going.waits_for(kind)
    assert shown in found(home, 1).why
    assert "goes on by itself" in found(home, 1).why
    until(lambda: set(states(runs(home, 1))) == {"queued"})  # no crash is a result
    assert found(home, 1).state == "paused"
    before = len(told(home))
    coming_up(home)
    assert control.resume(home, 1) == "Experiment 1 goes on."
    assert going.ends() == "done"
    assert states(runs(home, 1)) == {"ended": 2}
    assert len(told(home)) == before + 2
    assert Counter(each.outage for tried in attempts(home).values() for each in tried) == {kind: before, "": 2}
    assert going.said[0] == f"{found(home, 1).why}" or shown in going.said[0]


def test_it_goes_on_by_itself_when_the_model_answers(home: Home) -> None:
    server = HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
    address = f"http://127.0.0.1:{server.server_port}/v1"
    (home.root / "config.yaml").write_text(json.dumps({"model": {"base_url": address}}))
    settings = {"model": {"base_url": address}}
    server.server_close()
    assert model_answers(settings) is False
    assert model_answers({"model": "m"}) is None
    going_down(home, DOWN)
    going = Going(home, Plan("p", "careful", tasks(2)))
    going.waits_for("model")
    coming_up(home)
    with HTTPServer(("127.0.0.1", server.server_port), SimpleHTTPRequestHandler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        assert model_answers(settings) is True, "whatever it answers"
        assert going.ends() == "done"
        server.shutdown()
        thread.join()
    assert states(runs(home, 1)) == {"ended": 4}


def test_settings_that_are_mended_meanwhile_are_taken_over(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "TRIAL_SECONDS", 1e9)
    going_down(home, "HTTP 401: Incorrect API key provided")
    going = Going(home, Plan("p", "careful", tasks(1)))
    going.waits_for("credentials")
    coming_up(home)
    (home.root / "config.yaml").write_text("model: another\nprefill_messages_file: /elsewhere.json\n")
    assert going.ends() == "done"
    assert {"another" in each["config"] for each in told(home)[2:]} == {True}
    assert not any("elsewhere" in each["config"] for each in told(home))
    assert found(home, 1).notes == [
        "config.yaml was changed while runs crashed: the runs after that go by what it says now."
    ]


def test_one_run_shows_whether_it_is_over(home: Home) -> None:
    going_down(home, DOWN)
    going = Going(home, Plan("p", "careful", tasks(4), parallel=4))
    until(lambda: len(told(home)) >= 7)
    coming_up(home)
    assert going.ends() == "done"
    tried = attempts(home)
    assert {len(tried[at]) for at in (4, 5, 6, 7)} == {1}, "the others were not begun"


def test_waiting_is_paused_stopped_and_cancelled_as_anything(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "TRIAL_SECONDS", 1e9)
    going_down(home, DOWN)
    going = Going(home, Plan("p", "careful", tasks(1)))
    going.waits_for("model")
    assert control.phase(home, found(home, 1)) == "paused"
    assert control.pause(home, 1) == "Experiment 1 is paused."
    assert going.ends() == "paused"
    assert (found(home, 1).why, found(home, 1).waits_for) == ("It was paused.", "")
    stop = Event()
    worker = Thread(target=run_experiment, args=(home, 1, stop))
    worker.start()
    until(lambda: found(home, 1).waits_for == "model")
    stop.set()
    worker.join(300)
    assert (found(home, 1).why, found(home, 1).waits_for) == ("It was stopped.", "")
    with open_library(home.library) as library:
        library.connection.execute("UPDATE experiments SET waits_for = 'model'")
    assert control.phase(home, found(home, 1)) == "interrupted", "nobody is there who would go on by itself"


def test_hermes_that_goes_missing_is_waited_for(home: Home) -> None:
    command = home.root.parent / "bin" / "hermes"
    content = command.read_bytes()
    command.write_text("#!/bin/sh\nexit 127\n")
    going = Going(home, Plan("p", "careful", tasks(2), parallel=2))
    going.waits_for("hermes")
    command.unlink()
    assert "Hermes does not start" in found(home, 1).why
    command.with_suffix(".new").write_bytes(
        content.replace(b"prompt =", b"('--version' in sys.argv) and sys.exit()\nprompt =")
    )
    command.with_suffix(".new").chmod(0o755)
    command.with_suffix(".new").rename(command)
    assert going.ends() == "done"
    assert states(runs(home, 1)) == {"ended": 4}


def test_a_full_disk_loses_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive cannot be written: what has ended is written down when there is room."""
    full = Event()
    # The runs are on another disk.
    monkeypatch.setattr(room, "free", lambda of: 0 if full.is_set() and of.is_relative_to(home.root) else 1 << 60)
    adopt = the_runner.Archive.adopt

    def no_room(*given: object) -> object:
        if full.is_set():
            raise OSError(28, "No space left on device")
        return adopt(*given)

    monkeypatch.setattr(the_runner.Archive, "adopt", no_room)
    full.set()
    going = Going(home, Plan("p", "careful", tasks(2), parallel=2))
    going.waits_for("disk")
    until(lambda: len(told(home)) == 2)
    full.clear()
    assert going.ends() == "done"
    assert states(runs(home, 1)) == {"ended": 4}
    assert len(told(home)) == 4, "nothing was done twice"


@pytest.mark.parametrize("code", [0, 1], ids=["done", "not done"])
def test_what_ends_after_the_disk_was_full_for_a_moment_is_no_result(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """What it recorded meanwhile is not there, however it came out."""
    full, was_full = tmp_path / "full", tmp_path / "was-full"

    def free(_: Path) -> int:
        if not full.exists():
            return 1 << 60
        was_full.touch()
        return 0

    monkeypatch.setattr(room, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(room, "free", free)
    waits = f"while ! test -f {was_full}; do sleep 0.02; done"
    check = f"test -f {was_full} || {{ touch {full}; {waits}; rm {full}; }}; exit {code}"
    _, done = run(home, Plan("p", "careful", (Task("a", "fine", check=check),)))
    assert states(done) == {"ended": 2}
    assert [[each.outage for each in tried] for tried in attempts(home).values()] == [["disk", ""], [""]]


def test_a_run_begins_only_where_there_is_room_for_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Event()
    few.set()
    monkeypatch.setattr(room, "free", lambda _: 2 * room.FULL_BYTES if few.is_set() else 1 << 60)
    going = Going(home, Plan("p", "careful", tasks(2)))
    going.waits_for("disk")
    assert not told(home), "no agent was begun"
    few.clear()
    assert going.ends() == "done"


# --- what comes to nothing by itself ---


def test_a_crash_that_nobody_can_name_is_set_aside_as_a_pair_and_offered_again(home: Home) -> None:
    prompts = ["crash when warm", *(f"Task {at}." for at in range(6))]
    plan = Plan("p", "careful", tuple(Task(f"t{at}", prompt, check="true") for at, prompt in enumerate(prompts)))
    ended, done = run(home, plan)
    assert Counter((run.state, run.success) for run in done) == {("ended", True): 13, ("crashed", None): 1}
    shown = result_of(home, 1)
    assert {"Crashed: 1 warm and 0 cold runs.", "Set aside: 1 pair with a run that came to nothing."} <= {*shown.notes}
    assert (len(shown.comparison.warm), len(shown.comparison.cold)) == (6, 6), "never in one arm only"
    # Asked for, the pair is done again, and what it came to before is kept.
    for name in ("hermes", fake_hermes.GO):
        (home.root.parent / "bin" / name).unlink(missing_ok=True)
    fake_hermes.install(home.root.parent / "bin")
    command = home.root.parent / "bin" / "hermes"
    command.write_text(command.read_text().replace('"crash" in prompt', "False"))
    assert run_experiment(home, 1, Event()).verdict == ended.verdict == "warm better"
    assert states(runs(home, 1)) == {"ended": 14}
    assert sorted(len(tried) for tried in attempts(home).values())[-2:] == [2, 2], "both halves, the same weather"
    assert "1 run that had crashed was done again after there had been a result." in found(home, 1).notes
    with pytest.raises(Trouble, match="nothing is left to run"):
        control.resume(home, 1)


def test_what_crashed_under_an_older_version_is_offered_too(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(6)))
    run_experiment(home, number, Event())
    with open_library(home.library) as library:
        library.connection.execute("DELETE FROM attempts")
        library.connection.execute("UPDATE runs SET state = 'crashed', reason = 'Down.', attempts = 0, success = 0")
    assert run_experiment(home, number, Event()).state == "done"
    assert states(runs(home, 1)) == {"ended": 12}
    assert {tuple(each.reason for each in tried) for tried in attempts(home).values()} == {("Down.", "")}


def test_crashes_that_nobody_can_name_halt_it_until_somebody_comes(home: Home) -> None:
    plan = Plan("p", "careful", tuple(Task(f"t{at}", "crash") for at in range(6)))
    ended, done = run(home, plan)
    assert ended.state == "paused"
    assert "one after the other (Hermes ended with 1: HTTP 400: the key [masked: a credential] is odd)" in ended.why
    assert "does not go on by itself" in ended.why
    assert states(done) == {"crashed": 3, "queued": 9}, "a pair alone may crash for its task"
    assert run_experiment(home, 1, Event()).state == "done", "it is not halted again for what is known"
    assert {run.attempts for run in runs(home, 1)} == {1, 2}


def test_an_agent_that_is_killed_now_and_then_is_tried_three_times(home: Home) -> None:
    going_down(home, "", code=-9)
    ended, done = run(home, Plan("p", "careful", tasks(1)))
    assert (ended.state, ended.verdict) == ("done", "not enough data")
    assert {(run.state, run.outage) for run in done} == {("crashed", "killed")}
    assert sorted(run.attempts for run in done) == [1, MOST_ATTEMPTS], "nor is the other half, once one is given up"


def test_a_model_that_never_answered_is_no_slow_task() -> None:
    late, task = Ended(None, 60.0, "", ""), Task("a", "Work.", check="true", minutes=1)
    silent = one_run._of_agent(task, late, "session", False)
    assert (silent.state, silent.outage, silent.success) == ("crashed", "model", None)
    assert silent.reason == "It had not ended after 1 minute, and the model had not answered once."
    slow = one_run._of_agent(task, late, "session", True)
    assert (slow.state, slow.outage, slow.success) == ("timed out", "", False)


# --- what is kept ---


def test_what_hermes_said_is_kept_with_the_run_and_masked(home: Home) -> None:
    lines = [f"line {at}" for at in range(300)]
    github = "ghp_" + "Ab3dEf7hIj1kLm5nOp9qRs2tUv6wXy0zAb4c"
    going_down(home, DOWN, errors="\n".join([*lines, f"key {SECRET}", f"token {github}", "\x1b[31mred\x1b[0m"]))
    number = begun(home, Plan("p", "careful", tasks(1)))
    stop = Event()
    run_experiment(home, number, stop, lambda run: stop.set() if run.attempts else None)
    (attempt,) = attempts(home)[0]
    kept = attempt.errors.split("\n")
    assert len(kept) == MOST_LINES
    assert kept[0] == "line 103"
    assert "masked" in kept[-3]
    assert kept[-2].startswith("token <secret-")
    assert "red" in kept[-1]
    assert "\x1b" not in attempt.errors
    secrets = (SECRET.encode(), github.encode())
    ours = [path for path in home.ours.rglob("*") if path.is_file()]
    assert [path.name for path in ours for secret in secrets if secret in path.read_bytes()] == []


def test_what_was_spent_on_nothing_counts_against_the_budget(home: Home) -> None:
    plan = Plan("p", "careful", tuple(Task(f"t{at}", "crash when warm") for at in range(2)), budget=Budget(dollars=1.4))
    ended, done = run(home, plan)
    assert ended.state == "done"
    assert ended.why == "The budget of $1.4 is used up."
    assert sum(run.cost_usd or 0.0 for run in done) == 1.5
