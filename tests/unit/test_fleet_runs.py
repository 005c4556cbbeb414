"""An experiment over a fleet: each run is made once, a pair on one machine, and no credential travels."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

pytest.importorskip("distributed")

from tests.unit import fake_hermes
from tests.unit.commands import at, document
from tests.unit.experimenting import SECRET, begun, found, home, nothing_stays, runs, states, tasks, until
from tests.unit.fleeting import RunningFleet, home_at
from tests.unit.lying import lying
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.runner import run_experiment
from warm_tui.fleet import machines
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.machines import FleetMachines
from warm_tui.library.experiments import Run
from warm_tui.paths import Home
from warm_tui.sessions.readers import open_source

pytestmark = pytest.mark.xdist_group("fleet runs")
__all__ = ["home", "nothing_stays"]

OLD = "0.15.2"
"""The version of Hermes on bob."""
THEIR_KEY = "sk-theMembersOwnKey9876543210"


class Members:
    """A fleet whose members have a stand-in for the agent, and what that was given."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        self.log = fake_hermes.install(folder / "bin")
        homes = {}
        for name in names:
            homes[name] = home_at(folder / name)
            homes[name].root.mkdir()
            (homes[name].root / ".env").write_text(f"OPENAI_API_KEY={THEIR_KEY}\n")
            (homes[name].root / "config.yaml").write_text(f"model:\n  api_key: {THEIR_KEY}\n")
        self.fleet = RunningFleet(folder, homes)
        self.fleet.clocks = {"cyd": 5 * 3_600.0}
        old = _older_agent(folder / "older", self.log.with_name("hermes"))
        self.fleet.own = {"bob": {"PATH": f"{old}{os.pathsep}{self.log.parent}{os.pathsep}{os.environ['PATH']}"}}
        self.fleet.environment = {
            "PATH": f"{self.log.parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(folder / "cache"),
        }

    @property
    def cache(self) -> Path:
        return self.log.parent.parent / "cache" / "warm-tui" / "runs"

    def told(self) -> list[dict[str, Any]]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [msgspec.json.decode(line) for line in lines]

    def let_go(self) -> None:
        (self.log.parent / fake_hermes.GO).touch()

    def hold(self) -> None:
        (self.log.parent / fake_hermes.GO).unlink(missing_ok=True)
        self.log.unlink(missing_ok=True)


def _older_agent(folder: Path, hermes: Path) -> Path:
    """The same, installed as another version. Where its command is."""
    (folder / "bin").mkdir(parents=True)
    packages = folder / "lib" / "python3.11" / "site-packages" / f"hermes_agent-{OLD}.dist-info"
    packages.mkdir(parents=True)
    (packages / "METADATA").write_text(f"Name: hermes-agent\nVersion: {OLD}\n")
    command = folder / "bin" / "hermes"
    command.write_text(f"#!/bin/sh\n: '{folder}/bin/python3'\nexec '{hermes}' \"$@\"\n")
    command.chmod(0o755)
    return command.parent


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    members = Members(tmp_path_factory.mktemp("fleet"), ("ada", "bob", "cyd"))
    try:
        members.fleet.start()
        yield members
    finally:
        members.fleet.end()


@pytest.fixture(autouse=True)
def afresh(members: Members, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(machines, "LOOK_SECONDS", 0.1)
    members.hold()
    yield
    members.let_go()


def run_over(members: Members, home: Home, number: int, said: list[str], stop: Event | None = None) -> None:
    plan = Plan("p", "careful", tasks(1))
    with Fleet(members.fleet.home) as fleet, closing(FleetMachines(fleet, plan, said.append)) as over:
        run_experiment(home, number, stop or Event(), tell=said.append, machines=over)


@contextmanager
def going(run: Callable[[Event], None]) -> Iterator[Event]:
    """An experiment beside the test, to its end; where the test fails it is stopped, and waits for nothing."""
    stop = Event()
    driver = Thread(target=run, args=[stop])
    driver.start()
    try:
        yield stop
    except BaseException:
        stop.set()
        raise
    finally:
        driver.join()


def test_each_run_is_made_once_and_a_pair_on_one_machine(members: Members, home: Home, tmp_path: Path) -> None:
    before = set(members.cache.glob("*"))
    (home.root / "config.yaml").write_text(f"model:\n  name: m\n  api_key: {SECRET} # mine: {SECRET}\n")
    (home.root / "skills" / "deploy").mkdir(parents=True)
    (home.root / "skills" / "deploy" / "notes.md").write_text(f"The key is {SECRET}.")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.txt").write_text("a")
    (tmp_path / "shop" / "b.txt").symlink_to("a.txt")
    number = begun(home, Plan("p", "careful", tasks(3, folder=str(tmp_path / "shop"))))
    said: list[str] = []
    began = time.time()
    run_over(members, home, number, said)
    made = runs(home, number)
    moments = [began, *(at for run in made for at in (run.started_at, run.ended_at) if at), time.time()]
    assert (len(moments), min(moments), max(moments)) == (14, began, moments[-1]), "by the clock of whoever asked"
    assert (found(home, number).state, states(made)) == ("done", Counter(ended=6))
    assert Counter(run.machine for run in made).keys() == {"ada", "bob", "cyd"}, said
    versions = {run.machine: run.hermes for run in made}
    assert (versions["bob"], versions["ada"]) == (OLD, versions["cyd"])
    assert len({(run.machine, run.hermes) for run in made}) == 3, "each on one"
    told = document(*at(home), "experiment", "show", str(number))
    assert {(each["machine"], each["hermes"]) for each in told["runs"]} == {*versions.items()}
    for notes in (told["notes"], told["comparison"]["notes"]):
        (sentence,) = [each for each in notes if each.startswith("Hermes was not the same for all runs")]
        assert f"{OLD} made {sum(run.machine == 'bob' for run in made)} runs on bob" in sentence
    for pair in range(3):
        assert len({run.machine for run in made if run.pair == pair}) == 1, "machines are no arms"
    told = members.told()
    assert len(told) == 6
    assert Counter(each["warm"] for each in told) == {True: 3, False: 3}
    assert {tuple(each["folder"]) for each in told} == {("a.txt", "b.txt")}
    assert all(f"api_key: {THEIR_KEY}" in each["config"] and "name: m" in each["config"] for each in told)
    assert not any("skills/deploy/notes.md" in each["home"] for each in told)
    assert "Not sent, since they hold credentials: skills/deploy/notes.md." in said
    with open_source(home.archive) as archive:
        assert {session.id for session in archive.sessions()} == {run.session_id for run in made}
    assert set(members.cache.glob("*")) == before, "nothing of an experiment stays where its runs were made"


def test_who_goes_away_has_its_runs_made_by_others(
    members: Members, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "GONE_SECONDS", 0.5)
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", f"wait for the word {at}") for at in range(3))))
    said: list[str] = []
    with going(partial(run_over, members, home, number, said)):
        until(lambda: len(members.told()) == 6)
        members.fleet.processes["bob"].kill()
        until(lambda: any("bob went away" in sentence for sentence in said))
        members.let_go()
    made = runs(home, number)
    assert states(made) == Counter(ended=6)
    assert {run.machine for run in made} == {"ada", "cyd"}
    assert len(members.told()) == 6 + 2, "those two that it was at are begun again"
    with open_source(home.archive) as archive:
        assert len(archive.sessions()) == 6, "and each has one result"
    members.fleet.start_member("bob")
    assert "is in the fleet" in members.fleet.processes["bob"].line()


def test_who_is_there_and_never_answers_gets_no_more_runs(
    members: Members, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machines, "GONE_SECONDS", 0.5)
    number = begun(home, Plan("p", "careful", tasks(2)))
    said: list[str] = []
    with lying(members.fleet, "aaa") as liar:
        liar.answers("run", lambda _: 7)
        liar.here.standing = msgspec.structs.replace(liar.here.standing, slots=1)
        liar.run(liar.worker.heartbeat())
        run_over(members, home, number, said)
    made = runs(home, number)
    assert (found(home, number).state, states(made)) == ("done", Counter(ended=4))
    assert "aaa" not in {run.machine for run in made}
    assert [each for each in said if each.startswith("aaa is there, and gives no answer: ")], said


def test_a_scheduler_that_ends_ends_no_run(members: Members, home: Home) -> None:
    """What went on meanwhile is asked for again, and not made again."""
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", f"wait for the word {at}") for at in range(2))))
    with going(partial(run_over, members, home, number, [])):
        until(lambda: len(members.told()) == 4)
        members.fleet.processes["scheduler"].kill()
        members.let_go()
        members.fleet.start_scheduler()
    assert states(runs(home, number)) == Counter(ended=4)
    assert len(members.told()) == 4


def test_what_is_stopped_ends_on_every_machine(members: Members, home: Home) -> None:
    """As that of a test which fails is."""
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", f"hang {at}") for at in range(2))))
    before = set(members.cache.glob("*"))

    def fails() -> None:
        with going(partial(run_over, members, home, number, [])):
            until(lambda: len(members.told()) == 4)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fails()
    assert states(runs(home, number)) == Counter(queued=4)
    assert set(members.cache.glob("*")) == before


def test_the_end_of_one_experiment_ends_no_run_of_another(members: Members, home: Home, tmp_path: Path) -> None:
    """Of another operator, who begins from the same."""
    shutil.copytree(home.root, tmp_path / "theirs")
    theirs = home_at(tmp_path / "theirs")
    plan = Plan("p", "careful", tuple(Task(f"t{at}", f"wait for the word {at}") for at in range(3)))
    before = set(members.cache.glob("*-fleet-*"))
    ours, others = begun(home, plan), begun(theirs, plan)
    with going(partial(run_over, members, theirs, others, [])):
        until(lambda: len(members.told()) == 6)
        with going(partial(run_over, members, home, ours, [])) as stop:
            until(lambda: states(runs(home, ours)) == Counter(running=6))
            stop.set()
        members.let_go()
    assert (states(runs(home, ours)), states(runs(theirs, others))) == (Counter(queued=6), Counter(ended=6))
    assert len(members.told()) == 6, "none was ended, and what was ended before its turn never began"
    assert set(members.cache.glob("*-fleet-*")) == before


def test_whoever_goes_on_forgets_what_another_process_had_sent(members: Members, home: Home) -> None:
    before = set(members.cache.glob("*-fleet-*"))
    number = begun(home, Plan("p", "careful", tuple(Task(f"t{at}", f"wait for the word {at}") for at in range(1))))

    def killed(stop: Event) -> None:
        """It does not come to its end: nothing is said to the members."""
        with Fleet(members.fleet.home) as fleet:
            run_experiment(home, number, stop, machines=FleetMachines(fleet, Plan("p", "careful", tasks(1)), len))

    with going(killed) as stop:
        until(lambda: len(members.told()) == 2)
        stop.set()
    assert set(members.cache.glob("*-fleet-*")) > before, "it stands there still"
    members.let_go()
    run_over(members, home, number, [])
    assert states(runs(home, number)) == Counter(ended=2)
    assert set(members.cache.glob("*-fleet-*")) == before


def test_a_plan_names_what_its_machines_have_to_offer(members: Members) -> None:
    said: list[str] = []
    with Fleet(members.fleet.home) as fleet:
        over = FleetMachines(fleet, Plan("p", "careful", tasks(1), where=("docker", "gpu")), said.append)
        assert over.next([]) is None
    assert said == ["No member can make runs (ada has no gpu; bob has no gpu; cyd has no gpu): they are waited for."]


def test_members_with_different_agents_are_told(members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with Fleet(members.fleet.home) as fleet:
        over = FleetMachines(fleet, Plan("p", "careful", tasks(1)), said.append)
        there = {each.name: each for each in fleet.members()}
        older = msgspec.structs.replace(there["bob"].standing, hermes="0.15.2")
        newer = msgspec.structs.replace(older, hermes="0.19.0")
        mixed = [there[name]._replace(standing=newer) for name in ("ada", "cyd")]
        mixed.append(there["bob"]._replace(standing=older))
        monkeypatch.setattr(fleet, "members", lambda: mixed)
        for _ in range(2):
            over.next([])
    assert said == [
        (
            "Hermes is not the same everywhere: 0.15.2 on bob; 0.19.0 on ada, cyd. "
            "Both runs of a pair are made on one member, unless it goes away in between."
        )
    ]


def test_a_pair_waits_for_its_member_a_while(members: Members, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is gone for a moment parts no pair; meanwhile the others go on."""
    monkeypatch.setattr(machines, "LOOK_SECONDS", 0.0)
    half, others = Run(1, "t0", 0, "cold"), [Run(2, "t1", 0, "warm"), Run(3, "t1", 0, "cold")]
    pair = [Run(0, "t0", 0, "warm", "ended", machine="bob"), half]
    with Fleet(members.fleet.home) as fleet:
        over = FleetMachines(fleet, Plan("p", "careful", tasks(1)), len)
        there = {each.name: each for each in fleet.members()}

        def begins(runs: list[Run], *names: str) -> tuple[int, str] | None:
            monkeypatch.setattr(fleet, "members", lambda: [there[name] for name in names])
            following = over.next(runs)
            return following and (following.run.position, following.machine)

        assert begins(pair, "ada", "bob") == (1, "bob")
        assert begins(pair, "ada") is None
        assert begins([*pair, *others], "ada") == (2, "ada")
        assert begins(pair, "ada", "bob") == (1, "bob"), "it is back"
        monkeypatch.setattr(machines, "GONE_SECONDS", -1.0)
        assert begins(pair, "ada") == (1, "ada")
