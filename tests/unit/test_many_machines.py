"""The first window of the table, where sessions of many machines are listed: no more is read than it shows."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.conftest import NOW
from warm_tui.library import feed
from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import RULES
from warm_tui.library.profiling import encode_profile
from warm_tui.paths import Home
from warm_tui.reliability.profile import unprofiled
from warm_tui.sessions import elsewhere
from warm_tui.sessions.elsewhere import About, Kept, LifeThere
from warm_tui.sessions.model import Session

MACHINES, LIVES, WINDOW = 5, 6, 4


def life(machine: int, at: int) -> LifeThere:
    session = Session(id=f"m{machine}-{at}", source="cli", started_at=NOW + 10 * at + machine, agent="hermes")
    profile = msgspec.structs.replace(unprofiled([session]), machine=f"m{machine}", failed_calls=at)
    return LifeThere(session.id, "stamp", [session], [2], encode_profile(profile), b"")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    places = []
    for machine in range(MACHINES):
        places.append(tmp_path / f"m{machine}.elsewhere")
        with Kept(places[-1], making=True) as kept:
            about = About(f"m{machine}", "default", "hermes", "sign", shape=RULES)
            kept.put(about, [life(machine, at) for at in range(LIVES)])
    return Home(tmp_path, tuple(places))


def test_it_is_of_the_newest_of_all_machines_each_with_its_profile(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "FIRST_WINDOW", WINDOW)
    with Catalog(home) as catalog:
        window = next(feed.feed(catalog, str, bool))
    assert window.total == MACHINES * LIVES
    assert window.rows is not None
    assert window.rows.names == [f"m{machine}-{LIVES - 1}" for machine in (4, 3, 2, 1)]
    assert {profile.failed_calls for profile in window.rows} == {LIVES - 1}
    assert window.pending == set()


def test_profiles_are_read_of_its_own_lives_alone(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    class Counted(Kept):
        def __init__(self, path: Path) -> None:
            opened.append(path)
            super().__init__(path)

    monkeypatch.setattr(feed, "FIRST_WINDOW", WINDOW)
    with Catalog(home) as catalog:
        monkeypatch.setattr(elsewhere, "Kept", Counted)
        next(feed.feed(catalog, str, bool))
    assert len(opened) == MACHINES + WINDOW


def test_a_machine_whose_homes_came_to_nothing_yet_adds_nothing(home: Home, tmp_path: Path) -> None:
    empty = tmp_path / "new.elsewhere"
    with Kept(empty, making=True) as kept:
        kept.put(About("new", "default", "hermes", "sign", shape=RULES), [])
    with Catalog(home._replace(databases=(*home.databases, empty))) as catalog:
        window = next(feed.feed(catalog, str, bool))
    assert window.total == MACHINES * LIVES
