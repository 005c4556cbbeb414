"""The reader reads what is there, says in a sentence what is not, and leaves no trace."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Record, assistant, plain_copy, result, user
from warm_tui.errors import Trouble
from warm_tui.reliability.profile import profile_session
from warm_tui.sessions.hermes import database as hermes
from warm_tui.sessions.hermes.archive import SCHEMA
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.pairing import pair

ROWS = [user("go"), assistant(("a", "terminal", {"command": "ls"})), result("a")]


def traces(folder: Path) -> dict[str, str]:
    """Every file beside a database, to the byte."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir()) if file.is_file()
    }


def read_all(path: Path) -> int:
    with HermesDb(path) as database:
        database.stamps()
        return sum(len(database.messages(session.id)) for session in database.sessions())


def write_and_die(path: Path, statements: str) -> None:
    """A writer that is killed before it can tidy up, so that its log stays beside the database."""
    code = f"import sqlite3, os\nc = sqlite3.connect({str(path)!r})\n{statements}\nc.commit()\nos._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)


APPEND = "c.execute(\"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'more', 9)\")"


def test_reading_leaves_a_database_at_rest_as_it_was(record: Record) -> None:
    path = record({"s": ROWS})
    before = traces(path.parent)
    assert read_all(path) == 3
    assert traces(path.parent) == before
    assert before.keys() == {"state.db"}


def test_reading_leaves_the_log_of_a_dead_writer_as_it_was(record: Record) -> None:
    path = record({"s": ROWS})
    write_and_die(path, APPEND)
    before = traces(path.parent)
    assert before.keys() == {"state.db", "state.db-shm", "state.db-wal"}
    assert read_all(path) == 4, "what is only in the log is read too"
    assert traces(path.parent) == before


def test_reading_a_log_without_its_index_makes_none(record: Record) -> None:
    path = record({"s": ROWS})
    write_and_die(path, APPEND)
    Path(f"{path}-shm").unlink()
    before = traces(path.parent)
    assert read_all(path) == 4
    assert traces(path.parent) == before


def test_reading_an_index_without_its_log_makes_none(record: Record) -> None:
    path = record({"s": ROWS})
    write_and_die(path, APPEND)
    Path(f"{path}-wal").unlink()
    before = traces(path.parent)
    assert read_all(path) == 3
    assert traces(path.parent) == before


def test_a_private_copy_is_made_again_when_the_files_change(record: Record) -> None:
    path = record({"s": ROWS})
    write_and_die(path, APPEND)
    Path(f"{path}-shm").unlink()
    with HermesDb(path) as database:
        assert len(database.messages("s")) == 4
        write_and_die(path, APPEND)
        assert len(database.messages("s")) == 5


def test_two_readers_in_one_process_keep_their_locks(record: Record) -> None:
    """Closing any descriptor of a file would give up the locks of all, and the log would be removed under us."""
    path = record({"s": ROWS})
    code = f"import sqlite3\nc = sqlite3.connect({str(path)!r})\n{APPEND}\nc.commit()\nprint('ready', flush=True)\ninput()\nc.close()"
    writer = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    with HermesDb(path) as one:
        assert len(one.messages("s")) == 4
        HermesDb(path).close()
        writer.communicate("\n")
        assert Path(f"{path}-wal").exists(), "another still reads it"
        write_and_die(path, APPEND)
        assert len(one.messages("s")) == 5


def test_reading_a_database_in_the_older_journal_mode(record: Record, tmp_path: Path) -> None:
    path = plain_copy(record({"s": ROWS}), tmp_path / "plain.db")
    before = traces(tmp_path)
    assert read_all(path) == 3
    assert traces(tmp_path) == before


def test_reading_from_a_folder_that_cannot_be_written(record: Record, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    path = shutil.copy(record({"s": ROWS}), folder / "state.db")
    folder.chmod(0o500)
    try:
        assert read_all(Path(path)) == 3
    finally:
        folder.chmod(0o700)
    assert traces(folder).keys() == {"state.db"}


def test_a_writer_that_comes_while_we_read_is_seen(record: Record) -> None:
    path = record({"s": ROWS})
    with HermesDb(path) as database:
        assert len(database.messages("s")) == 3
        writer = sqlite3.connect(path)
        writer.execute("INSERT INTO messages (session_id, role, timestamp) VALUES ('s', 'user', 9)")
        writer.commit()
        assert len(database.messages("s")) == 4
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writer.close()
        assert len(database.messages("s")) == 4


def test_we_never_block_a_writer_nor_see_half_a_turn(record: Record) -> None:
    """A second process appends whole turns as fast as it can, and checkpoints, while we read."""
    path = record({"s": ROWS})
    code = textwrap.dedent(
        f"""
        import sqlite3, json
        c = sqlite3.connect({str(path)!r}, timeout=0, isolation_level=None)
        for n in range(400):
            call = json.dumps([{{"id": f"w{{n}}", "function": {{"name": "terminal", "arguments": "{{}}"}}}}])
            c.execute("INSERT INTO messages (session_id, role, tool_calls, timestamp) VALUES ('s', 'assistant', ?, 9)", (call,))
            c.execute("INSERT INTO messages (session_id, role, content, tool_call_id, timestamp) VALUES ('s', 'tool', ?, ?, 9)",
                      ('{{"output": "", "exit_code": 0, "error": null}}', f"w{{n}}"))
            if n % 50 == 0:
                c.execute("PRAGMA wal_checkpoint(PASSIVE)")
        """
    )
    writer = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    looks = 0
    with HermesDb(path) as database:
        session = database.session("s")
        assert session is not None
        while writer.poll() is None or looks == 0:
            profile = profile_session(session, pair(database.messages("s"), "s", HERMES), "none", HERMES)
            assert profile.failed_calls == 0
            assert profile.unknown_calls <= 1, "only the call under way has no result yet"
            looks += 1
        profile = profile_session(session, pair(database.messages("s"), "s", HERMES), "none", HERMES)
    assert writer.returncode == 0, writer.stderr.read() if writer.stderr else ""
    assert profile.tool_call_count == 401


SCHEMA_11 = """
CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (11);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
    ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, input_tokens INTEGER DEFAULT 0, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
    tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);
INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1.0);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'go', 1.0);
"""


def test_an_older_schema_is_read_with_defaults_for_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA_11)
    connection.close()
    with HermesDb(path) as database:
        assert database.schema_version() == 11
        (session,) = database.sessions()
        assert (session.id, session.cost_usd, session.tokens) == ("s", None, (0, 0, 0, 0, 0))
        assert len(database.messages("s")) == 1
        assert not database.has_text_index()
        assert database.sessions_with_text("go") == {"s"}


def test_text_is_found_by_the_index_of_the_database(record: Record) -> None:
    path = record({"s": [user("connection reset by peer")], "t": [user("all well")]})
    with HermesDb(path) as database:
        assert database.has_text_index()
        assert database.sessions_with_text("connection reset") == {"s"}
        assert database.sessions_with_text('a "quoted" * word') == set()


# --- what cannot be read is told in one sentence ---


def sentence(path: Path) -> str:
    with pytest.raises(Trouble) as caught:
        read_all(path)
    text = str(caught.value)
    assert text.endswith((".", "!")), text
    assert "\n" not in text
    return text


def test_a_wrong_path(tmp_path: Path) -> None:
    assert "--demo" in sentence(tmp_path / "nothing" / "state.db")


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "state.db").touch()
    assert "is empty" in sentence(tmp_path / "state.db")


def test_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_text("state: none\n" * 100)
    assert "not a SQLite database" in sentence(tmp_path / "state.db")


def test_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "state.db")
    assert "not a regular file" in sentence(tmp_path / "state.db")


def test_a_file_too_short_for_a_header(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"SQLite format 3\x00abc")
    assert "cut short" in sentence(tmp_path / "state.db")


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in sentence(tmp_path)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_database_that_was_cut_short(record: Record, tmp_path: Path, share: float) -> None:
    whole = record({"s": ROWS * 200}).read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[: int(len(whole) * share)])
    assert "cut short" in sentence(tmp_path / "cut.db")


def test_a_database_with_damage_in_the_middle(record: Record, tmp_path: Path) -> None:
    damaged = bytearray(record({"s": ROWS * 500}).read_bytes())
    for page in range(2, len(damaged) // 4096):
        damaged[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    (tmp_path / "damaged.db").write_bytes(damaged)
    assert "damaged" in sentence(tmp_path / "damaged.db")


def test_a_database_of_something_else(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "state.db")
    connection.execute("CREATE TABLE sessions (id TEXT)")
    connection.close()
    assert "no `messages` table" in sentence(tmp_path / "state.db")


def test_a_locked_database(record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hermes, "BUSY_SECONDS", 0.1)
    path = plain_copy(record({"s": ROWS}), tmp_path / "plain.db")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert "locked" in sentence(path)
    holder.close()
    assert read_all(path) == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_we_may_not_read(record: Record) -> None:
    path = record({"s": ROWS})
    path.chmod(0)
    assert "may not be read" in sentence(path)


# --- anything may stand in a column ---

cells = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=30) | st.binary(max_size=12)
tool_calls = cells | st.sampled_from(
    [
        "[]",
        "{}",
        "null",
        "[1]",
        '[{"id": null}]',
        '[{"id": 1, "function": 2}]',
        '[{"function": {"arguments": {}}}]',
        '[{"id":"x"',
    ]
)
message = st.tuples(
    st.sampled_from(["user", "assistant", "tool", "system", ""]) | cells, cells, cells, tool_calls, cells, cells,
    st.sampled_from([0, 1, None, "x"]), st.sampled_from([0, 1, None]),
)  # fmt: skip
session = st.tuples(cells, cells, cells, cells, cells, cells, cells, cells)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(session, max_size=3), st.lists(message, max_size=12))
def test_random_rows_never_raise(tmp_path: Path, sessions: list[tuple], messages: list[tuple]) -> None:
    path = tmp_path / "fuzz.db"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA.replace("NOT NULL", ""))
    insert = (
        "INSERT OR REPLACE INTO sessions (id, source, model, title, parent_session_id, started_at, end_reason, model_config)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    connection.executemany(insert, [*sessions, ("s", "cli", None, None, "s", 1.0, "compression", "{}")])
    connection.executemany(
        "INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, active, compacted)"
        " VALUES ('s', ?, ?, ?, ?, ?, ?, ?, ?)",
        messages,
    )
    connection.commit()
    connection.close()
    with HermesDb(path) as database:
        for found in database.sessions():
            profile = profile_session(found, pair(database.messages(found.id), found.id, HERMES), "none", HERMES)
            assert profile.successful_calls + profile.failed_calls + profile.unknown_calls == profile.tool_call_count


def test_text_that_is_not_utf_8_is_read_with_marks(record: Record) -> None:
    path = record({"s": ROWS})
    writer = sqlite3.connect(path)
    writer.execute("UPDATE sessions SET title = CAST(x'66ff6f' AS TEXT)")
    writer.commit()
    writer.close()
    with HermesDb(path) as database:
        assert database.sessions()[0].title == "f\ufffdo"
