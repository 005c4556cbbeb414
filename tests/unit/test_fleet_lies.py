"""A member that lies: it makes no other machine run anything, ends nothing, and fills no memory."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

pytest.importorskip("distributed")

from distributed.comm.core import connect
from distributed.core import send_recv

from tests.unit.commands import run
from tests.unit.fleeting import RunningFleet, fleet_of, home_at
from tests.unit.lying import Liar, Program, certified, lying, programs
from warm_tui.errors import Trouble
from warm_tui.fleet import known
from warm_tui.fleet.client import Fleet, Listed, _member
from warm_tui.fleet.credentials import FleetSecurity
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.member_tasks import Echo
from warm_tui.fleet.messages import Member, Standing
from warm_tui.fleet.wire import MEMBERS, TooMuch, plain, unpacked
from warm_tui.sessions.elsewhere import SEEN, last_seen
from warm_tui.writing import write_whole

pytestmark = pytest.mark.xdist_group("fleet-lies")
SECONDS = 60.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFleet]:
    folder = tmp_path_factory.mktemp("fleet")
    with fleet_of(folder, {"ada": home_at(folder / "ada")}) as running:
        yield running


@pytest.fixture(scope="module")
def fleet(running: RunningFleet) -> Iterator[Fleet]:
    with Fleet(running.home) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def eve(running: RunningFleet) -> Iterator[Liar]:
    with lying(running, "eve") as liar:
        yield liar


@pytest.fixture
def flag(tmp_path: Path, fleet: Fleet) -> Iterator[Path]:
    yield tmp_path / "it-ran"
    assert fleet.ask("ada", "echo", Echo("still"), Echo, seconds=SECONDS).words == "still"
    assert not (tmp_path / "it-ran").exists(), "what a member sent was run"


def test_the_program_would_run(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Program(tmp_path / "it-ran")))
    assert (tmp_path / "it-ran").exists()


@pytest.mark.parametrize("form", programs(Path()))
def test_no_answer_is_run(fleet: Fleet, eve: Liar, flag: Path, form: str) -> None:
    """Neither by the scheduler that hands it on, nor here."""
    eve.answers("echo", lambda _: programs(flag)[form])
    with pytest.raises(Trouble, match="eve"):
        fleet.ask("eve", "echo", Echo(), Echo, seconds=SECONDS)


def said_unasked(flag: Path) -> dict[str, dict[str, Any]]:
    packed = pickle.dumps(Program(flag))
    warning = {"message": packed, "category": packed}
    everything = programs(flag)
    return {
        "event": {"op": "log-event", "topic": "warn", "msg": warning},
        "task": {"op": "task-erred", "key": "k", "exception": packed, "traceback": packed, "stimulus_id": "s"},
        "done": {"op": "task-finished", "key": "k", "type": packed, "metadata": everything["within"]},
        "status": {"op": "worker-status-change", "status": everything["within"]},
        "op": {"op": everything["within"]},
    }


@pytest.mark.parametrize("message", said_unasked(Path()))
def test_nothing_that_is_said_unasked_is_run(running: RunningFleet, fleet: Fleet, flag: Path, message: str) -> None:
    with lying(running, f"eve-{message}") as eve:

        async def say() -> None:
            eve.worker.batched_send(said_unasked(flag)[message])
            await asyncio.sleep(0.1)

        eve.run(say())
    assert "ada" in {each.name for each in fleet.members()}


def asked_of_the_scheduler(flag: Path) -> list[dict[str, Any]]:
    packed = pickle.dumps(Program(flag))
    return [
        {"op": "feed", "function": packed, "setup": packed, "teardown": packed, "interval": "1s"},
        {"op": "run_function", "function": packed, "args": (), "kwargs": {}, "wait": True},
        {"op": "register_scheduler_plugin", "plugin": packed, "name": "p"},
        {"op": "broadcast", "msg": {"op": "run", "function": packed, "args": packed, "kwargs": packed}},
        {"op": "heartbeat_worker", "address": "tls://127.0.0.1:1", "metrics": programs(flag)["within"]},
        {"op": "register-worker", "name": "eve", "address": "tls://127.0.0.1:1", "metrics": {}, **programs(flag)},
        {"op": "ask", "name": "ada", "request": packed, "seconds": 1.0, "most": 1_000},
    ]


async def said_to(security: FleetSecurity, address: str, message: dict[str, Any], asks: str = "scheduler") -> None:
    comm = await connect(address, timeout=10, **{**security.get_connection_args("worker"), "asks": asks})
    try:
        await asyncio.wait_for(send_recv(comm=comm, **message), 2)
    except Exception:
        pass
    finally:
        comm.abort()


def test_no_handler_of_the_engine_is_there(running: RunningFleet, fleet: Fleet, eve: Liar, flag: Path) -> None:
    """Neither the scheduler's, nor another member's, which listens, too."""
    ada = fleet.member("ada").address
    packed = pickle.dumps(Program(flag))
    for message in asked_of_the_scheduler(flag):
        eve.run(said_to(eve.security, running.address, dict(message)))
    for op in ("run", "run_coroutine", "plugin-add", "actor_execute", "upload_file", "perform"):
        told = {"op": op, "function": packed, "plugin": packed, "name": "p", "request": packed}
        eve.run(said_to(eve.security, ada, told, "member"))
        eve.run(said_to(eve.security, ada, {**told, **programs(flag)}, "member"))


@pytest.mark.parametrize("metrics", ["none", None, 7, ["fleet"]])
def test_who_tells_nothing_readable_of_itself_does_not_join(
    running: RunningFleet, fleet: Fleet, metrics: object
) -> None:
    name = f"mute-{type(metrics).__name__.lower()}"
    told = {"op": "register-worker", "name": name, "address": "tls://127.0.0.1:2", "metrics": metrics}
    asyncio.run(said_to(certified(running, name), running.address, told))
    assert name not in {each.name for each in fleet.members()}
    run("--home", str(running.home.root), "fleet", "leave", name)


@pytest.mark.parametrize("metrics", ["none", None, {}, {"fleet": 7}, {"fleet": {"homes": 7}, "cpu": "much"}, [{}]])
def test_a_member_is_told_whatever_it_tells(metrics: object) -> None:
    member = _member(Listed("eve", "tls://a:1", 1.0, metrics), 1.0, 1.0)
    assert (member.name, member.load, member.memory) == ("eve", None, None)


@pytest.mark.parametrize("name", ["../../../outside", "/tmp/outside", "", ".", "Ada", 7, None, ["ada"], "a" * 64])
def test_a_name_that_nobody_signed_is_passed_over(fleet: Fleet, monkeypatch: pytest.MonkeyPatch, name: object) -> None:
    """It would be the name of a folder here, and of an entry in what is known of the machines."""
    told = fleet._told("members")
    odd = {"name": name, "address": "tls://a:1", "last_seen": told["time"], "metrics": {}}
    monkeypatch.setattr(fleet, "_told", lambda _: {**told, "members": [*told["members"], odd]})
    assert {each.name for each in fleet.members()} == {each["name"] for each in told["members"]}


@pytest.mark.parametrize("lie", [{"time": None}, {"time": float("nan")}, {"time": 10**30}, {"members": 7}, 7, None])
def test_a_scheduler_that_lies_is_refused_in_a_sentence(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, lie: object
) -> None:
    told = {**fleet._told("members"), **lie} if isinstance(lie, dict) else lie
    if isinstance(told, dict) and told["time"] is None:
        del told["time"]
    monkeypatch.setattr(fleet, "_told", lambda _: told)
    with pytest.raises(Trouble, match="tells of the members cannot be read: it may run another version"):
        fleet.members()


@pytest.mark.parametrize("lie", [{"last_seen": None}, {"last_seen": float("inf")}, {"address": 7}, {"name": "ada"}])
def test_what_it_says_of_one_costs_none_of_the_others(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, lie: dict[str, object]
) -> None:
    told = fleet._told("members")
    odd = {"name": "odd", "address": "tls://a:1", "last_seen": told["time"], "metrics": {}, **lie}
    monkeypatch.setattr(fleet, "_told", lambda _: {**told, "members": [odd, odd, *told["members"]]})
    assert [each.name for each in fleet.members()] == sorted({each["name"] for each in told["members"]})


def test_what_is_known_of_one_and_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    home = home_at(tmp_path)
    known.note_seen(Folder.of(home), [Member("ada", "tls://a:1", Standing(), None, None, 1.0)])
    seen = last_seen(Folder.of(home).path)
    odd = replace(seen, told={**seen.told, "eve": msgspec.Raw(b"[7]")})
    write_whole(Folder.of(home).path / SEEN, msgspec.json.encode(odd))
    assert [each.name for each in known.known_members(home, 2.0)] == ["ada"]


@pytest.mark.parametrize("mark", ["__Pickled__", "__Serialized__", "__Enum__", "__Set__"])
def test_what_the_engine_would_unpack_is_nothing(mark: str) -> None:
    assert plain({mark: 1, "__module__": "os"}) is None
    assert plain({"a": 1}) == {"a": 1}


MANY = {
    "maps": b"\xdc\x03\xe8" + (b"\xdc\x03\xe8" + b"\x80" * 1_000) * 1_000,
    "a list": b"\xdd\x00\x0f\x42\x40" + b"\xc0" * 1_000_000,
    "a map": b"\xdf\x00\x00\x80\x00" + b"".join(msgspec.msgpack.encode(at) + b"\xc0" for at in range(32_768)),
    "deep": b"\x91" * 200_000 + b"\x90",
    "lists in lists": (b"\xdc\x03\xe8" + b"\x90" * 999) * 200 + b"\x90",
}


@pytest.mark.parametrize("many", MANY)
def test_no_message_of_a_member_has_more_values_than_it_may(many: str) -> None:
    with pytest.raises((TooMuch, ValueError)):
        unpacked(MANY[many], MEMBERS)


def test_an_answer_of_very_many_values_is_not_taken(fleet: Fleet, eve: Liar) -> None:
    eve.answers("echo", lambda _: [{}] * 300_000)
    with pytest.raises(Trouble, match="eve"):
        fleet.ask("eve", "echo", Echo(), Echo, seconds=SECONDS)
    assert unpacked(msgspec.msgpack.encode({"body": b"0" * 5_000_000, "told": [1, [2]]}), MEMBERS)["told"] == (1, (2,))


def test_an_error_is_its_words() -> None:
    """Of a scheduler that lies, too: the engine would unpack the error itself."""
    told = {"status": "uncaught-error", "exception": b"a program", "traceback": b"one", "exception_text": "oh" * 500}
    assert plain(told) == {"status": "uncaught-error", "exception": ("oh" * 500)[:500]}
