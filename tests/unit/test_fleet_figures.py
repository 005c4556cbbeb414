"""A member that lies of its sessions: the others are had, and what is reckoned and shown here ends."""

from __future__ import annotations

import os
import signal
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

pytest.importorskip("distributed")

from tests.conftest import assistant, result, user
from tests.unit.commands import run
from tests.unit.fleeting import RunningFleet, fleet_of, home_at
from tests.unit.lying import Liar, lying, told
from warm_tui.errors import Trouble
from warm_tui.fleet import client, gathering, machines
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.folder import Away
from warm_tui.fleet.gathering import FIELDS, Gatherer, unpacked
from warm_tui.fleet.member_tasks import Echo
from warm_tui.fleet.messages import Answered, HomeThere, encode
from warm_tui.fleet.possible import failures_can_be
from warm_tui.fleet.telling import Told
from warm_tui.library.profiles import RULES
from warm_tui.library.profiling import encode_profile
from warm_tui.reliability.failure_records import WEAKENED, Failure, Fingerprint, LifeFailures, Try, encode_failures
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.elsewhere import Kept, LifeThere, places_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.model import Session

pytestmark = pytest.mark.xdist_group("fleet-figures")
SECONDS, STARTED = 60.0, 1_794_990_000.0
PRINT = Fingerprint("terminal", "exit_code", "make", "no rule …")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFleet]:
    folder = tmp_path_factory.mktemp("fleet")
    homes = {"ada": home_at(folder / "ada")}
    for home in (*homes.values(), home_at(folder / "operator")):
        home.root.mkdir()
        with Archive(home.databases[0]) as archive:
            archive.add_session(id="honest", source="cli", started_at=STARTED)
            rows = [user("a"), assistant(("c1", "terminal", {"command": "ls"})), result("c1"), assistant(content="b")]
            archive.add_messages([{"session_id": "honest", "timestamp": STARTED, **row} for row in rows])
    with fleet_of(folder, homes) as running:
        yield running


@pytest.fixture(scope="module")
def fleet(running: RunningFleet) -> Iterator[Fleet]:
    with Fleet(running.home) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def eve(running: RunningFleet, fleet: Fleet) -> Iterator[Liar]:
    # Ada, who is honest, may still be reading when it is asked first: bounds are of what eve tells.
    Gatherer(running.home, fleet).until_all_is_had()
    with lying(running, "eve", (HomeThere("work", "hermes", "0000000a"),)) as liar:
        yield liar


def life(**lie: Any) -> LifeThere:
    """An honest one, but for what is given."""
    profile = Profile(
        session_id="s", started_at=STARTED, agent="hermes", home="work", tool_call_count=1, failed_calls=1
    )
    failure = Failure(PRINT.id, 0, "c1", STARTED, "terminal", PRINT.words, 0, 1)
    kept = LifeFailures(("terminal",), {PRINT.id: PRINT}, ("a",), (replace(failure, **lie.pop("failure", {})),))
    session = Session(id="s", started_at=STARTED, agent="hermes", home="work")
    session = replace(session, **lie.pop("session", {}))
    made = encode_profile(replace(profile, **lie.pop("profile", {})))
    return replace(LifeThere("s", "1", [session], [2], made, encode_failures(kept)), **lie)


def answered(*lives: LifeThere, **lie: Any) -> Told:
    body = zlib.compress(msgspec.msgpack.encode(list(lives)))
    return replace(Told(body, b"1", FIELDS, RULES, digest=0, at_work=True), **lie)


def deep(levels: int) -> bytes:
    return zlib.compress(b"\x91" * levels + b"\x90")


LIES: dict[str, Callable[[], Any]] = {
    "no struct": lambda: {"lives": 7},
    "no bytes": lambda: b"\xc1" * 1_000,
    "no zlib": lambda: answered(lives=b"no zlib"),
    "a bomb": lambda: answered(lives=zlib.compress(b"\0" * (gathering.LARGEST + 1), 1)),
    "deep": lambda: answered(lives=deep(100_000)),
    "a field of another": lambda: answered(life(), fields=FIELDS[::-1]),
    "too many messages": lambda: answered(life(counts=[2**64 - 1])),
    "no messages told": lambda: answered(life(counts=[])),
    "a moment to come": lambda: answered(life(session={"started_at": 9e12})),
    "no moment": lambda: answered(life(session={"started_at": float("nan")})),
    "a profile to come": lambda: answered(life(profile={"started_at": 9e12})),
    "a long title": lambda: answered(life(session={"title": "a" * 50_000_000})),
    "long words": lambda: answered(life(failure={"reason": "a" * 100_001})),
    "failures of no shape": lambda: answered(life(failure={"shape": 7})),
    "failures of no session": lambda: answered(life(failure={"session": 7})),
    "failures of no family": lambda: answered(life(failure={"family": "none"})),
    "tries of no session": lambda: answered(life(failure={"tries": (Try(0, -3, "c", worked=True),)})),
    "garbled failures": lambda: answered(life(failures=b"\xc1")),
}


@pytest.fixture(autouse=True)
def all_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eve's beats come from a thread of the test's own process, which may get no time for seconds."""
    monkeypatch.setattr(client, "AWAY_SECONDS", 86_400.0)


@contextmanager
def telling(eve: Liar, answer: Callable[[], Any]) -> Iterator[None]:
    def answers(_: Any) -> bytes:
        made = answer()
        return made if isinstance(made, bytes) else told(made)

    eve.answers("changed", answers)
    try:
        yield
    finally:
        eve.worker.answers.clear()


@pytest.mark.parametrize("lie", LIES)
def test_whatever_one_tells_the_others_are_had(running: RunningFleet, fleet: Fleet, eve: Liar, lie: str) -> None:
    with telling(eve, LIES[lie]):
        gathered = Gatherer(running.home, fleet).round()
    assert (gathered.machines, gathered.homes) == (2, 2)
    assert len(gathered.troubles) == 1
    assert next(path.parent.name for path in places_of(running.files.path)) == "ada"


def test_what_was_had_of_a_liar_is_listed(running: RunningFleet, fleet: Fleet, eve: Liar) -> None:
    """After all those lies, by the commands that reckon with everything."""
    with telling(eve, lambda: answered(life(), at_work=False)):
        Gatherer(running.home, fleet).round()
    home = ("--home", str(running.home.root))
    for words in (("sessions",), ("overview",), ("failures",), ("fleet", "status")):
        run(*home, *words)


@pytest.mark.parametrize(("bound", "most"), [("MOST_LIVES", 5), ("MOST_BYTES", 500), ("PATIENCE_SECONDS", -1.0)])
def test_one_that_never_ends_is_asked_no_more(
    running: RunningFleet, fleet: Fleet, eve: Liar, monkeypatch: pytest.MonkeyPatch, bound: str, most: float
) -> None:
    monkeypatch.setattr(gathering, bound, most)
    numbers, tellings = count(), []

    def more() -> Told:
        tellings.append(1)
        return answered(life(name=f"s{next(numbers)}"), cursor=f"{next(numbers)}".encode(), more=True)

    with telling(eve, more):
        gatherer = Gatherer(running.home, fleet)
        gathered = gatherer.until_all_is_had(stopped=lambda: len(tellings) > 100)
        assert gatherer.round().troubles == gathered.troubles
    assert gathered.troubles == ("eve tells of sessions of work without end: no more is asked.",)
    assert next(numbers) < 40


def test_why_not_is_a_line_that_no_terminal_obeys(fleet: Fleet, eve: Liar) -> None:
    said = "\x1b]0;owned\x07\x1b[2J\u202eno\n" * 10_000
    eve.answers("echo", lambda _: encode(Answered(trouble=said)))
    with pytest.raises(Trouble, match=r"^eve: no no") as refused:
        fleet.ask("eve", "echo", Echo(), Echo, seconds=SECONDS)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) == len("eve: ") + client.LONGEST_TROUBLE


def test_an_answer_that_is_too_large_is_not_taken(fleet: Fleet, eve: Liar) -> None:
    eve.answers("echo", lambda _: b"\0" * (client.ANSWER_BYTES + 1))
    with pytest.raises(Trouble, match="eve answers more than was asked for: it is not taken"):
        fleet.ask("eve", "echo", Echo(), Echo, seconds=SECONDS)
    assert fleet.ask("ada", "echo", Echo("still"), Echo, seconds=SECONDS).words == "still"


def test_a_beat_that_is_too_large_is_not_taken(running: RunningFleet, fleet: Fleet) -> None:
    with lying(running, "mallory") as mallory:
        mallory.here.standing = replace(mallory.here.standing, hermes="9" * 1_000_000)
        mallory.run(mallory.worker.heartbeat())
        assert fleet.member("ada").name == "ada"
        assert all(len(each.standing.hermes) < 1_000 for each in fleet.members())


@pytest.mark.parametrize("odd", [{"slots": 10**17}, {"offers": {"gpu": float("inf")}}, {"ahead_seconds": float("nan")}])
def test_a_standing_that_cannot_be_is_told_as_none(running: RunningFleet, fleet: Fleet, odd: dict[str, Any]) -> None:
    with lying(running, f"odd-{next(iter(odd)).split('_')[0]}") as liar:
        liar.here.standing = replace(liar.here.standing, **odd)
        liar.here.told = lambda _: msgspec.to_builtins(liar.here.standing)  # type: ignore[method-assign]
        liar.worker.metrics["fleet"] = liar.here.told
        liar.run(liar.worker.heartbeat())
        assert "another version" in {each.standing.version for each in fleet.members()}
        run("--home", str(running.home.root), "fleet", "status")


def test_a_packed_session_is_unpacked_as_far_as_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "LARGEST_SESSION", 1_000)
    assert machines._unpacked(zlib.compress(b"0" * 1_000), "eve") == b"0" * 1_000
    with pytest.raises(Trouble, match="is larger than 1,000 bytes"):
        machines._unpacked(zlib.compress(b"0" * 1_001), "eve")
    with pytest.raises(Trouble, match="cannot be read"):
        machines._unpacked(b"no zlib", "eve")
    with pytest.raises(Trouble, match="too much for one answer"):
        unpacked(zlib.compress(b"\0" * (gathering.LARGEST + 1), 1))


def test_what_is_told_packed_counts_unpacked(
    running: RunningFleet, fleet: Fleet, eve: Liar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "MOST_BYTES", 200_000)
    numbers, tellings = count(), []

    def more() -> Told:
        tellings.append(1)
        name = f"long{next(numbers)}"
        return answered(life(name=name, session={"title": "a" * 50_000}), cursor=name.encode(), more=True)

    with telling(eve, more):
        gathered = Gatherer(running.home, fleet).until_all_is_had(stopped=lambda: len(tellings) > 100)
    assert gathered.troubles == ("eve tells of sessions of work without end: no more is asked.",)
    assert next(numbers) < 10


def test_a_home_that_is_full_takes_no_more(
    running: RunningFleet, fleet: Fleet, eve: Liar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where each breath of its ends in time."""
    numbers = count()
    with telling(eve, lambda: answered(life(name=f"full{next(numbers)}"), cursor=b"%d" % next(numbers))):
        Gatherer(running.home, fleet).round()
        monkeypatch.setattr(gathering, "MOST_KEPT_BYTES", 4_000)
        gathered = Gatherer(running.home, fleet).round()
    assert gathered.troubles == ("eve tells of more than is kept here of work.",)


def test_a_member_has_no_more_homes_than_are_kept(
    running: RunningFleet, fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at once, nor by others from one beat to another."""
    monkeypatch.setattr(gathering, "MOST_HOMES", 3)
    homes = tuple(HomeThere("work", "hermes", f"{at:08x}") for at in range(5))
    with lying(running, "many", homes) as many, telling(many, lambda: answered(at_work=False)):
        for _ in range(2):
            gathered = Gatherer(running.home, fleet).round()
            assert "many tells of more than 3 homes: the others are left out." in gathered.troubles
            kept = [each for each in places_of(running.files.path) if each.parent.name == "many"]
            assert len(kept) == 3
            many.here.standing = replace(
                many.here.standing, homes=tuple(HomeThere("other", "hermes", f"{at:08x}") for at in range(9, 12))
            )
            many.run(many.worker.heartbeat())


@pytest.mark.parametrize("damage", ["no database", "no words of whose it is", "a page"])
def test_one_damaged_file_holds_up_none_and_is_had_anew(running: RunningFleet, fleet: Fleet, damage: str) -> None:
    Gatherer(running.home, fleet).until_all_is_had()
    (path,) = [each for each in places_of(running.files.path) if each.parent.name == "ada"]
    if damage == "no database":
        path.write_bytes(b"nothing of a database" * 500)
    elif damage == "a page":
        path.write_bytes(path.read_bytes()[:4_096] + b"\xff" * 40_000)
    else:
        with Kept(path, making=True) as kept:
            kept.connection.execute("UPDATE about SET body = '[7'")
    gathered = Gatherer(running.home, fleet).round()
    assert f"{path} was damaged: it is had anew." in gathered.troubles
    assert not [each for each in Gatherer(running.home, fleet).until_all_is_had().troubles if str(path) in each]
    with Kept(path) as kept:
        assert list(kept.stamps()) == ["honest"]


# --- who is halted ---


@contextmanager
def halted(running: RunningFleet, name: str) -> Iterator[None]:
    os.kill(running.processes[name].pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(running.processes[name].pid, signal.SIGCONT)


def test_a_halted_member_is_away_at_the_deadline(running: RunningFleet, fleet: Fleet) -> None:
    ada = fleet.member("ada")
    with halted(running, "ada"), pytest.raises(Away, match="ada did not answer in time"):
        fleet.submit(ada, "echo", Echo(), Echo, seconds=0.3).answer()
    assert fleet.ask("ada", "echo", Echo("again"), Echo, seconds=SECONDS).words == "again"


def test_a_halted_scheduler_is_away_at_the_deadline(running: RunningFleet, fleet: Fleet) -> None:
    ada = fleet.member("ada")
    with Fleet(running.home) as hurried, halted(running, "scheduler"):
        hurried.patience = 0.3
        asked = hurried.submit(ada, "echo", Echo(), Echo, seconds=0.3)
        with pytest.raises(Away, match="ada did not answer in time"):
            asked.answer()
        with pytest.raises(Away, match="No scheduler answers"):
            hurried.members()
        with pytest.raises(Away, match="No scheduler answers"):
            Fleet(running.home, patience=0.3)
    assert fleet.ask("ada", "echo", Echo("again"), Echo, seconds=SECONDS).words == "again"


@pytest.mark.parametrize(("shape", "possible"), [(0, True), (WEAKENED, True), (WEAKENED - 1, False), (1, False)])
def test_a_try_that_teaches_nothing_can_be(shape: int, possible: bool) -> None:
    kind = Fingerprint("terminal", "exit_code", "make", "no rule")
    failure = Failure(kind.id, 0, "c1", 1.0, "terminal", "no rule", 0, 1, (Try(shape, 0, "c2", True),))
    assert failures_can_be(LifeFailures(("terminal",), {kind.id: kind}, ("make",), (failure,)), 1) is possible
