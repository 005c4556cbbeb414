"""A member that sends a hostile database: nothing of it runs, nothing blocks, and no other run's session is touched."""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("distributed")

from tests.conftest import Record, assistant, result, user
from tests.unit.experimenting import begun, home, nothing_stays, runs, tasks
from warm_tui.errors import Trouble
from warm_tui.experiments.plan import Plan
from warm_tui.experiments.run import LONGEST_REASON, MOST_LINES, Job, Outcome, state_db
from warm_tui.experiments.workspace import Workspace
from warm_tui.fleet import received
from warm_tui.fleet.machines import _taken
from warm_tui.fleet.received import adopt_received
from warm_tui.fleet.runs import RunMade
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.readers import open_source

__all__ = ["home", "nothing_stays"]
ROWS = [user("go"), assistant(("a", "terminal", {"command": "ls"})), result("a")]
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
AS_ONE = f"{ENDLESS} i AS id, 's' AS session_id, 'user' AS role, 'x' AS content, 1.0 AS timestamp FROM n"
HOSTILE = {
    "a view": f"DROP TABLE messages; CREATE VIEW messages AS {AS_ONE}",
    "a view called a table": f"DROP TABLE messages; CREATE VIEW messages AS {AS_ONE};"
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'messages'",
    "a virtual table": "DROP TABLE messages; CREATE VIRTUAL TABLE messages USING fts5(session_id, role, content)",
    "a virtual table called a table": "DROP TABLE messages;"
    "CREATE VIRTUAL TABLE messages USING fts5(session_id, role, content); PRAGMA writable_schema = ON;"
    "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'messages'",
    "another run's messages": "INSERT INTO messages (session_id, role, timestamp) VALUES ('other', 'user', 1.0)",
    "a number that is none": "UPDATE sessions SET started_at = 9e999",
    "a word for a number": "UPDATE sessions SET started_at = 'now'",
    "bytes for words": "UPDATE messages SET content = x'00ff'",
    "no sessions": "DROP TABLE sessions",
    "a schema that is none": "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE'",
}


@pytest.fixture
def theirs(record: Record) -> Callable[[str], Path]:
    def made(script: str) -> Path:
        path = record({"s": ROWS}, name="theirs.db")
        connection = sqlite3.connect(path)
        connection.executescript(f"PRAGMA journal_mode = DELETE; {script}")
        connection.commit()
        connection.close()
        return path

    return made


def adopted(path: Path, to: Path) -> list[str]:
    with Archive(to) as archive:
        return adopt_received(path, "eve", archive)


def test_what_a_member_recorded_is_had_with_all_its_rows(theirs: Callable[[str], Path], tmp_path: Path) -> None:
    path = theirs("CREATE TABLE more (x); ALTER TABLE messages ADD COLUMN added TEXT DEFAULT 'newer'")
    (tmp_path / "ours").mkdir()
    assert adopted(path, tmp_path / "ours" / path.name) == ["s"]
    with open_source(path) as source, open_source(tmp_path / "ours" / path.name) as ours:
        assert ours.messages("s") == source.messages("s")
        assert ours.sessions() == source.sessions()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_database_is_refused(theirs: Callable[[str], Path], tmp_path: Path, kind: str) -> None:
    path = theirs(HOSTILE[kind])
    before = path.read_bytes()
    with pytest.raises(Trouble, match="The session that eve sends cannot be read"):
        adopted(path, tmp_path / "ours.db")
    assert path.read_bytes() == before


def test_its_triggers_views_and_other_tables_stay_where_they_are(theirs: Callable[[str], Path], tmp_path: Path) -> None:
    path = theirs(
        f"CREATE VIEW endless AS {AS_ONE}; CREATE VIRTUAL TABLE programs USING fts5(x);"
        "CREATE TRIGGER t AFTER INSERT ON messages BEGIN DELETE FROM sessions; END;"
        "ALTER TABLE messages ADD COLUMN reckoned TEXT AS (hex(content)) VIRTUAL"
    )
    assert adopted(path, tmp_path / "ours.db") == ["s"]
    with sqlite3.connect(tmp_path / "ours.db") as ours:
        names = {row[0] for row in ours.execute("SELECT name FROM sqlite_master")}
    assert not names & {"endless", "programs", "t"}


def test_a_header_that_lies_of_pages_costs_nothing(theirs: Callable[[str], Path], tmp_path: Path) -> None:
    path = theirs("")
    body = bytearray(path.read_bytes())
    body[28:32] = struct.pack(">I", 0xFFFFFFFE)
    path.write_bytes(body)
    with pytest.raises(Trouble, match="cannot be read"):
        adopted(path, tmp_path / "ours.db")
    assert path.stat().st_size == len(body)


def test_rows_that_hold_more_than_their_file_are_not_taken(
    theirs: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where pages lead back to themselves."""
    path = theirs("")
    monkeypatch.setattr(received, "LEAST_BYTES", path.stat().st_size // len(ROWS))
    with pytest.raises(Trouble, match="cannot be read"):
        adopted(path, tmp_path / "ours.db")


def test_what_takes_too_long_is_given_up(
    theirs: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(received, "SECONDS", -1.0)
    monkeypatch.setattr(received, "STEPS", 1)
    with pytest.raises(Trouble, match="cannot be read"):
        adopted(theirs(""), tmp_path / "ours.db")


# --- as a run's answer ---


def job_of(home: Home, number: int) -> Job:
    return Job(runs(home, number)[0], tasks(1)[0], Plan("p", "careful", tasks(1)), b"[]", Mask(()), redactor_of(home))


@pytest.mark.parametrize("lie", [{"state": "queued"}, {"state": "running"}, {"outage": "none of these"}])
def test_no_run_comes_to_what_none_comes_to(home: Home, lie: dict[str, str]) -> None:
    """One that stood in the queue again would be made for ever."""
    number = begun(home, Plan("p", "careful", tasks(1)))
    told = msgspec.structs.replace(Outcome("ended", "", "", None, 1.0), **lie)
    with pytest.raises(Trouble, match="What eve tells of a run cannot be"):
        _taken(RunMade(told), "eve", job_of(home, number), Workspace(home, number))


def test_what_it_says_of_a_run_is_cleaned_and_bounded(home: Home) -> None:
    number = begun(home, Plan("p", "careful", tasks(1)))
    workspace, hostile = Workspace(home, number), "\x1b]0;owned\x07\x1b[2J\u202eIt did not work.\n" * 10_000
    told = _taken(
        RunMade(Outcome("crashed", hostile, "", None, 1.0, errors=hostile)), "eve", job_of(home, number), workspace
    )
    assert (len(told.reason), len(told.errors.split("\n"))) == (LONGEST_REASON, MOST_LINES)
    assert not {letter for letter in told.reason + told.errors if not letter.isprintable()} - {"\n"}
    workspace.clear()


def taken(home: Home, number: int, path: Path, session: str) -> None:
    run, workspace = runs(home, number)[0], Workspace(home, number)
    job = job_of(home, number)
    folder = workspace.run(run.position)
    try:
        made = RunMade(Outcome("ended", "", session, None, 1.0), zlib.compress(path.read_bytes()))
        _taken(made, "eve", job, workspace)
        assert sorted(each.name for each in folder.iterdir()) == ["home", "outcome.json"]
        assert [each.name for each in (folder / "home").iterdir()] == [state_db(folder).name]
    except Trouble:
        assert not folder.exists(), "nothing stays of what was refused"
        raise
    finally:
        workspace.clear()


def test_no_other_session_is_taken_for_the_runs(home: Home, theirs: Callable[[str], Path]) -> None:
    number = begun(home, Plan("p", "careful", tasks(1)))
    taken(home, number, theirs(""), "s")
    with pytest.raises(Trouble, match="eve sends another session than the run's"):
        taken(home, number, theirs(""), "another")
    with Archive(home.archive) as archive:
        archive.add_session(id="s", source="cli", started_at=1.0)
    with pytest.raises(Trouble, match="eve sends a session that another run has"):
        taken(home, number, theirs(""), "s")
