"""Homes on other machines: listed beside those here, as last had; no words of a session travel but when it is read."""

from __future__ import annotations

import shutil
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

pytest.importorskip("distributed")

from tests.conftest import assistant, result, user
from tests.unit.commands import document, run
from tests.unit.fleeting import RunningFleet, fleet_of, home_at, when
from warm_tui.errors import Trouble
from warm_tui.fleet import client, member
from warm_tui.fleet.asking import AskingFleet
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.gathering import FIELDS, Gatherer, Round, bridged, lives_in, unpacked
from warm_tui.fleet.known import known_members
from warm_tui.fleet.member import Here
from warm_tui.fleet.possible import profile_can_be
from warm_tui.fleet.telling import Masking
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import families
from warm_tui.library.profiles import profile_all
from warm_tui.library.profiling import encode_profile
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions import elsewhere
from warm_tui.sessions.elsewhere import SEEN, LastSeen, ask_by, places_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.model import Session
from warm_tui.writing import read_ours, write_whole

pytestmark = pytest.mark.xdist_group("fleet-homes")

SAID = "a quiet planted sentence"
KEY = "AKIA" + "IOSFODNN7" + "PLANTED"
STARTED = 1_794_990_000.0
HOUR = 3_600.0


def rows_of(name: str) -> list[dict[str, Any]]:
    """What a session says: everywhere but in the line that an error is known by."""
    return [
        user(f"{SAID} in a question of {name}"),
        assistant(("c1", "terminal", {"command": f"cat '{SAID}'; export AWS_ACCESS_KEY_ID={KEY}"}), content=SAID),
        result("c1", msgspec.json.encode({"output": f"{SAID} {KEY}", "exit_code": 0}).decode()),
        assistant(("c2", "terminal", {"command": f"python3 report.py '{SAID}'"})),
        result(
            "c2",
            msgspec.json.encode(
                {"output": f"{SAID}\nTraceback (most recent call last):\nKeyError: '{SAID}'", "exit_code": 1}
            ).decode(),
        ),
        assistant(("c3", "terminal", {"command": f"python3 report.py --fixed '{SAID}'"})),
        result("c3"),
        assistant(content=f"{SAID}, done"),
    ]


def clear(home: Home) -> None:
    with closing(sqlite3.connect(home.databases[0], isolation_level=None)) as connection:
        connection.executescript("DELETE FROM messages; DELETE FROM sessions")


def add(home: Home, name: str, started: float, title: str = "") -> None:
    with Archive(home.databases[0]) as archive:
        archive.add_session(id=name, source="cli", started_at=started, title=title or None)
        archive.add_messages(
            [{"session_id": name, "timestamp": started + at, **row} for at, row in enumerate(rows_of(name))]
        )


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFleet]:
    folder = tmp_path_factory.mktemp("fleet")
    homes = {name: home_at(folder / name) for name in ("ada", "bob")}
    for home in (*homes.values(), home_at(folder / "operator")):
        home.root.mkdir()
        with Archive(home.databases[0]):
            pass
    with fleet_of(folder, homes) as running:
        yield running


@pytest.fixture(scope="module")
def connected(started: RunningFleet) -> Iterator[Fleet]:
    with Fleet(started.home) as fleet:
        yield fleet


@pytest.fixture
def running(started: RunningFleet) -> RunningFleet:
    """As if it had just begun."""
    for at, (name, home) in enumerate(started.homes.items()):
        clear(home)
        add(home, "same-id", STARTED + at, f"{SAID} as a title")
        add(home, f"only-{name}", STARTED + 10 + at)
    clear(started.home)
    add(started.home, "here", STARTED + 5)
    shutil.rmtree(started.files.path / "homes", ignore_errors=True)
    return started


@pytest.fixture
def fleet(running: RunningFleet, connected: Fleet) -> Iterator[Fleet]:
    ask_by(lambda: AskingFleet(running.home))
    yield connected
    ask_by(None)


def had(running: RunningFleet, fleet: Fleet) -> Round:
    return Gatherer(running.home, fleet).until_all_is_had()


def with_places(running: RunningFleet) -> Home:
    return running.home._replace(databases=(*running.home.databases, *places_of(running.files.path)))


def test_all_homes_are_listed_as_one_with_their_machine(running: RunningFleet, fleet: Fleet) -> None:
    assert had(running, fleet)[:3] == (2, 2, 4)
    with Catalog(with_places(running)) as catalog:
        listed = {(each.session_id, each.machine): each for each in catalog.profiles()}
        assert list(listed) == [
            ("only-bob", "bob"), ("only-ada", "ada"), ("here", ""), ("bob/same-id", "bob"), ("same-id", "ada"),
        ]  # fmt: skip
        there, here = listed["only-ada", "ada"], listed["here", ""]
        assert (there.failed_calls, there.tool_call_count, there.course) == (1, 3, here.course)
        assert (there.title, there.first_message, there.families) == (None, "", here.families)
        on_bob = catalog.window(parse_filter("machine:bob home:bob"))
        assert [each.session_id for each in on_bob.profiles] == ["only-bob", "bob/same-id"]
        (family,) = families(catalog).all
        assert (family.count, set(family.homes)) == (5, {"ada", "bob", "operator"})
        assert not catalog.notes


def test_what_nobody_changed_does_not_travel_again(running: RunningFleet, fleet: Fleet) -> None:
    had(running, fleet)
    assert had(running, fleet)[:4] == (2, 2, 0, 0)
    add(running.homes["ada"], "later", STARTED + 100)
    told = had(running, fleet)
    assert (told.lives, 0 < told.bytes < 3_000) == (1, True)
    with closing(sqlite3.connect(running.homes["ada"].databases[0], isolation_level=None)) as connection:
        connection.execute("DELETE FROM messages WHERE session_id = 'later'")
        connection.execute("DELETE FROM sessions WHERE id = 'later'")
    assert had(running, fleet).lives == 0
    with Catalog(with_places(running)) as catalog:
        assert "later" not in {each.session_id for each in catalog.profiles()}


def test_a_session_is_read_where_it_stands_and_masked_there(running: RunningFleet, fleet: Fleet) -> None:
    had(running, fleet)
    with Catalog(with_places(running)) as catalog:
        _, life, calls = catalog.life("bob/same-id")
        assert life.parts[0].first_user == f"{SAID} in a question of same-id"
        assert (len(calls), calls[0][0].result is not None) == (3, True)
        assert KEY not in str(life)
        assert "<secret-" in calls[0][0].arguments
        assert catalog.notes == ["Read from bob, masked there; nothing of it is kept here."]
        assert catalog.with_text(parse_filter('text:"question of only-ada"'))["question of only-ada"] == {
            "only-ada", "hermes/only-ada", "ada/only-ada",
        }  # fmt: skip
    kept = [path for path in running.home.root.rglob("*") if path.is_file() and path.suffix != ".db"]
    assert not [path for path in kept if SAID.encode() in path.read_bytes()]


def test_no_words_of_a_session_travel_with_its_figures(
    running: RunningFleet, fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    travelled: list[bytes] = []
    read = client.decoded

    def taken_down(body: bytes, *given: Any) -> Any:
        travelled.append(body)
        return read(body, *given)

    monkeypatch.setattr(client, "decoded", taken_down)
    shutil.rmtree(running.files.path / "homes", ignore_errors=True)
    assert had(running, fleet).lives == 4
    packed = [read(body, client.Answered, "") for body in travelled[::2]]
    unpacked_too = [zlib.decompress(told.lives) for told in map(_told, packed) if told.lives]
    assert sum(map(len, unpacked_too)) > 2_000
    everything = b"\n".join((*travelled, *unpacked_too))
    for planted in (SAID, KEY, "quiet", "report.py", "question of"):
        assert planted.encode() not in everything, planted
    assert b"KeyError" in everything, "a family is told by the words that make it one"


def _told(answered: client.Answered) -> Any:
    from warm_tui.fleet.telling import Told

    return client.decoded(answered.body, Told, "")


def test_who_is_away_is_told_and_what_was_had_of_them_stays(running: RunningFleet, fleet: Fleet) -> None:
    had(running, fleet)
    running.processes["bob"].kill()
    told = had(running, fleet)
    assert told.machines == 1
    known = {each.name: each.away for each in known_members(running.home, time.time())}
    assert known == {"ada": False, "bob": True}, "as the scheduler says at once"
    seen = msgspec.json.decode(read_ours(running.files.path / SEEN), type=LastSeen).machines
    write_whole(running.files.path / SEEN, msgspec.json.encode(LastSeen(seen | {"bob": seen["bob"] - 7_250})))
    environment = {"HERMES_HOME": str(running.home.root)}
    listed = run("sessions", **environment)
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:-1]] == [
        "only-bob", "only-ada", "here", "bob/same-id", "same-id",
    ]  # fmt: skip
    assert listed.stderr == "1 of 2 homes elsewhere away, last seen 2 h ago.\n"
    assert len(document_with(environment, "sessions", "--filter", "machine:bob")["sessions"]) == 2
    refused = run("outcome", "only-bob", "done", check=False, **environment)
    assert "What came of sessions of bob is said there." in refused.stderr
    refused = run("calls", "only-bob", check=False, **environment)
    assert "bob is not in the fleet just now." in refused.stderr
    running.start_member("bob").line()
    assert had(running, fleet).machines == 2
    assert not [each for each in known_members(running.home, time.time()) if each.away]


def document_with(environment: dict[str, str], *words: str) -> dict[str, Any]:
    return msgspec.json.decode(run(*words, "--json", **environment).stdout)


def test_a_member_of_another_clock_and_zone_is_listed_by_the_moment(running: RunningFleet, fleet: Fleet) -> None:
    running.processes["ada"].kill()
    running.start_member("ada", TZ="Pacific/Auckland").line()
    add(running.homes["ada"], "from-auckland", STARTED + 200)
    had(running, fleet)
    with Catalog(with_places(running)) as catalog:
        newest = catalog.profiles()[0]
    assert (newest.session_id, newest.started_at) == ("from-auckland", STARTED + 200)


def test_clocks_that_are_off_are_told_and_make_nobody_away(running: RunningFleet, fleet: Fleet) -> None:
    """Each member has one session of this moment, as its own clock has it."""
    off, now = {"ada": 5 * HOUR, "bob": -5 * HOUR}, time.time()
    for name, ahead in off.items():
        running.processes[name].kill()
        running.clocks[name] = ahead
        assert "is in the fleet" in running.start_member(name).line()
        add(running.homes[name], f"of-now-{name}", now + ahead)
    when(fleet, lambda members: {name for name in off if members[name].standing.ahead_seconds} == {*off})
    had(running, fleet)
    told = run("--home", str(running.home.root), "fleet", "status").stdout
    for name, word in (("ada", "ahead of"), ("bob", "behind")):
        said = f"The clock of {name} is 5.0 h {word} the scheduler's: the ages of its sessions are off by that.\n"
        assert said in told
    assert [line.split()[1] for line in told.splitlines()[1:3]] == ["there", "there"]
    assert all("just now" in line for line in told.splitlines()[1:3]), "by the clock of whoever looks"
    listed = run("sessions", HERMES_HOME=str(running.home.root)).stdout
    ages = {line.split()[0]: line.split() for line in listed.splitlines()[1:-1]}
    assert "now" in ages["of-now-ada"]
    assert "5h" in ages["of-now-bob"]
    assert list(ages)[:2] == ["of-now-ada", "of-now-bob"]
    for name in off:
        running.processes[name].kill()
        del running.clocks[name]
        assert "is in the fleet" in running.start_member(name).line()


def test_a_home_that_began_since_it_joined_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = home_at(tmp_path)
    here = Here(home, 1, {})
    add(home, "first", STARTED)
    assert not here.told(None)["homes"]
    monkeypatch.setattr(member, "LOOK_SECONDS", -1.0)
    here.told(None)
    here.others.shutdown(wait=True)
    monkeypatch.undo()
    assert [each["agent"] for each in here.told(None)["homes"]] == ["hermes"]


def test_versions_with_other_fields_tell_what_both_know() -> None:
    profile = Profile(session_id="a", tool_call_count=3, parts=(Profile(session_id="b"), Profile(session_id="c")))
    theirs = (*reversed([each for each in FIELDS if each != "machine"]), "added")

    def reordered(values: list[Any]) -> list[Any]:
        named = dict(zip(FIELDS, values, strict=True)) | {"added": "?"}
        named["parts"] = [reordered(part) for part in named["parts"]]
        return [named[each] for each in theirs]

    raw = msgspec.json.encode(reordered(msgspec.json.decode(encode_profile(profile))))
    assert bridged(raw, theirs) == profile
    for garbled in (b"{}", b"[1", b"[]"):
        with pytest.raises(Trouble, match="cannot be read"):
            bridged(garbled, theirs)
    odd = zlib.compress(msgspec.msgpack.encode([("a", "1", [Session(id="a")], [], b"", b"")]))
    for garbled in (b"no zlib", zlib.compress(b"\xc1"), odd):
        with pytest.raises(Trouble, match="cannot be read"):
            lives_in(unpacked(garbled))


def test_profiles_of_another_version_are_had_anew(running: RunningFleet, fleet: Fleet) -> None:
    had(running, fleet)
    from warm_tui.sessions.elsewhere import Kept

    path = places_of(running.files.path)[0]
    with Kept(path) as kept:
        assert kept.about is not None
        kept.put(msgspec.structs.replace(kept.about, shape=7), [])
    with Catalog(with_places(running)) as catalog, closing(catalog.sources[1]) as source:
        unknown = profile_all(source, catalog.library)
        assert {each.tool_call_count for each in unknown} == {0}
    assert had(running, fleet).lives > 0
    with Catalog(with_places(running)) as catalog:
        assert {each.tool_call_count for each in catalog.profiles()} == {3}


def test_the_command_has_all_that_changed(running: RunningFleet) -> None:
    add(running.homes["bob"], "at-last", STARTED + 300)
    home = ("--home", str(running.home.root), "fleet")
    assert document(*home, "refresh")["lives"] >= 1
    assert run(*home, "refresh").stdout == "0 sessions of 2 homes on 2 machines, 0 bytes.\n"


def test_without_an_operators_certificate_nothing_is_read_elsewhere(
    running: RunningFleet, fleet: Fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    had(running, fleet)
    monkeypatch.setattr(elsewhere, "_asking", [])
    shutil.copytree(running.files.path / "homes", tmp_path / "fleet" / "homes")
    with (
        Catalog(Home(tmp_path, tuple(places_of(tmp_path / "fleet")))) as catalog,
        pytest.raises(Trouble, match="nobody here may ask for them"),
    ):
        catalog.life("only-ada")


def test_a_reason_that_may_quote_a_session_does_not_travel(tmp_path: Path) -> None:
    told = Masking(home_at(tmp_path)).profile(Profile(session_id="s", outcome_reason="“I could not reach Anna.”"), {})
    assert told.outcome_reason == ""


@pytest.mark.parametrize(
    "lie",
    [
        {"failed_calls": 10**30},
        {"failed_calls": -1},
        {"failed_calls": 10**12},
        {"error_rate": 1.5},
        {"cost_usd": float("nan")},
        {"started_at": 9e12},
        {"tool_distribution": {"terminal": 10**18}},
        {"parts": (Profile(session_id="p", failed_calls=-1),)},
        {"input_tokens": 10**18},
        {"title": "a" * 100_001},
        {"families": {"a" * 100_001: 1}},
        {"parts": (Profile(session_id="p", title="a" * 100_001),)},
        {"course": "✓✓", "course_tools": "a"},
        {"course": "✓", "course_tools": "z"},
    ],
)
def test_figures_that_cannot_be_are_not_kept(lie: dict[str, Any]) -> None:
    """What is reckoned with them here would not end, or not come to a figure."""
    honest = Profile(session_id="s", tool_call_count=1, successful_calls=1, tool_distribution={"terminal": 1})
    assert profile_can_be(honest)
    assert not profile_can_be(replace(honest, **lie))
