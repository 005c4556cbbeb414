"""The library is a file of its own: no other program's database is written through it, and damage costs little."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.commands import at, run
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library, set_aside
from warm_tui.library.drafts import Drafts
from warm_tui.library.marks import keep_marks, kept_marks
from warm_tui.library.uses import record_use, usage
from warm_tui.library.verdicts import OwnName, all_own_verdicts, set_verdict
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.model import SessionName


def state_of(home: Home) -> bytes:
    return home.databases[0].read_bytes()


def used(home: Home) -> list[str]:
    """Everything that would write is done; what was said of it is returned."""
    with open_library(home.library) as library:
        set_verdict(library, SessionName("s"), "c", "success")
        keep_marks(library, [{SessionName("s"): "warm"}])
        notes = list(library.notes)
    run(*at(home), "sessions", "--sort", "error_rate")
    return notes


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_the_agents_database_is_not_written(demo: Home, ending: str, link: Callable[..., None]) -> None:
    path = Path(f"{demo.library}{ending}")
    shutil.rmtree(demo.ours)
    demo.ours.mkdir()
    link(demo.databases[0], path)
    before = state_of(demo)
    (note,) = used(demo)
    assert "is not used" in note
    assert "Nothing will be remembered" in note
    assert state_of(demo) == before


def test_the_agents_database_under_our_name_is_not_written(demo: Home) -> None:
    shutil.rmtree(demo.ours)
    demo.ours.mkdir()
    connection = sqlite3.connect(demo.databases[0])
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    shutil.copyfile(demo.databases[0], demo.library)
    (note,) = used(demo)
    assert "another program's database" in note
    assert demo.library.read_bytes() == state_of(demo)


def test_an_archive_that_is_a_link_is_not_written(demo: Home) -> None:
    demo.archive.unlink()
    before = state_of(demo)
    for link in (os.symlink, os.link):
        link(demo.databases[0], demo.archive)
        with pytest.raises(OSError, match="link"):
            Archive(demo.archive)
        demo.archive.unlink()
    assert state_of(demo) == before


def test_a_home_and_a_folder_of_ours_may_be_links(demo: Home, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "link", tmp_path / "elsewhere"
    home.symlink_to(demo.root)
    demo.ours.rename(elsewhere)
    demo.ours.symlink_to(elsewhere)
    assert used(Home(home, (home / "state.db",))) == []


def filled(path: Path) -> None:
    with Library(path) as library:
        set_verdict(library, SessionName("s"), "c", "failure", "as I saw it")
        keep_marks(library, [{SessionName("s"): "warm"}])
        record_use(library, "mine", "written", "")
        Drafts(library).create("a draft", {"name": "a draft", "patterns": [{"tool_name": "t"}]})
        library.connection.execute("PRAGMA journal_mode = DELETE")


def test_what_can_be_read_of_a_damaged_library_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    filled(path)
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE profiles; DROP TABLE draft_parts")
    connection.close()
    with Library(path) as library:
        (note,) = library.notes
        assert "is damaged; it was set aside as library.db.damaged-" in note
        assert "5 of its entries could be taken over, the rest cannot be read." in note
        assert kept_marks(library) == {SessionName("s"): "warm"}
        assert [each.reason for each in all_own_verdicts(library).values()] == ["as I saw it"]
        assert usage(library) == {"mine": 1}
        assert [each.name for each in Drafts(library).all()] == ["a draft"]


def test_a_schema_that_is_no_text_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    filled(path)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"CREATE TABLE", b"CREATE T\xc3BLE").replace(b"CREATE UNIQUE", b"CREATE U\xffIQUE"))
    with Library(path) as library:
        assert "it was set aside" in library.notes[0]


def test_a_schema_of_the_agents_that_is_no_text_is_told(demo: Home) -> None:
    path = demo.databases[0]
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    path.write_bytes(path.read_bytes().replace(b"CREATE ", b"CR\xffATE "))
    told = run(*at(demo), "sessions", check=False)
    assert (told.returncode, "is damaged" in told.stderr) == (1, True)


def test_half_a_character_loses_nothing_else(demo: Home) -> None:
    with Library(demo.library) as library:
        library.connection.execute("INSERT INTO marks (session_id, mark) VALUES (CAST(x'73ff' AS TEXT), 'warm')")
    with Catalog(demo) as catalog:
        assert kept_marks(catalog.library)[SessionName("s�")] == "warm"
        assert not catalog.notes


def test_a_library_that_is_set_aside_is_told_and_so_is_what_is_saved(demo: Home) -> None:
    with Library(demo.library) as library:
        keep_marks(library, [{SessionName("s"): "warm"}])
        ((root,),) = library.connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'experiments'")
        library.connection.execute("PRAGMA journal_mode = DELETE")
    raw = bytearray(demo.library.read_bytes())
    page = int.from_bytes(raw[16:18], "big")
    raw[(root - 1) * page : root * page] = b"\xff" * page
    demo.library.write_bytes(raw)
    told = run(*at(demo), "experiment", "list").stderr
    assert "it was set aside as library.db.damaged-" in told
    assert "could be taken over, the rest cannot be read" in told
    assert "was set aside" in run(*at(demo), "doctor").stdout
    with Library(demo.library) as library:
        assert kept_marks(library)[SessionName("s")] == "warm"


def test_damage_that_is_met_only_when_it_is_read_is_mended_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    filled(path)
    with pytest.raises(Trouble, match=r"it was set aside .* Ask again\."), Library(path):
        raise sqlite3.DatabaseError("database disk image is malformed")
    with Library(path) as library:
        assert kept_marks(library) == {SessionName("s"): "warm"}
    with pytest.raises(sqlite3.ProgrammingError), Library(path) as library:
        library.connection.execute("SELECT ?")
    assert len(set_aside(path)) == 1, "a mistake of ours is no damage"


def test_of_two_that_meet_the_damage_one_sets_it_aside(demo: Home) -> None:
    first, second = Library(demo.library), Library(demo.library)
    for library in (first, second):
        library.mend(sqlite3.DatabaseError("database disk image is malformed"))
    set_verdict(second, SessionName("s"), "c", "success")
    assert OwnName(SessionName("s"), "c") in all_own_verdicts(first)
    assert (
        len([path for path in demo.ours.glob("library.db.damaged-*") if not path.name.endswith(("-wal", "-shm"))]) == 1
    )
    first.close()
    second.close()


def test_a_full_disk_while_a_damaged_library_is_set_aside_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "library.db"
    path.write_bytes(b"no database at all\n" * 400)
    before = path.read_bytes()

    def full(_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("warm_tui.library.db._migrate", full)
    with pytest.raises(Trouble, match=r"set aside as .* That could not be done: database or disk is full"):
        Library(path)
    (aside,) = set_aside(path)
    assert aside.read_bytes() == before
