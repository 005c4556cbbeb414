"""Read Hermes' `state.db` while an agent may be writing it, and leave no trace.

Which columns there are differs between versions of Hermes: what is there is read, the rest has
defaults. How the file is opened depends on the state it was left in, because SQLite's plain
read-only mode creates or changes the files beside a database in WAL mode:

- no WAL beside it: nobody has it open, so it is read as it stands (`immutable`), and read again
  should somebody open it meanwhile;
- a WAL with its index: read beside the writer, or after one that died, without touching the index;
- a WAL without its index: nobody has it open either, and SQLite would have to make an index beside
  it, so a private copy is read, and copied again when the files change.
"""

from __future__ import annotations

import os
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from warm_tui.errors import Trouble
from warm_tui.sessions.database_files import AT_REST, PLAIN, log_is_left, options_for, private_copy, writing_of
from warm_tui.sessions.hermes.copies import all_originals, naming, with_originals
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.hermes.files import check_is_database, sentence
from warm_tui.sessions.hermes.rows import MESSAGE_COLUMNS, SESSION_COLUMNS, Row, messages_of, session_of, stamp_of
from warm_tui.sessions.hermes.usage import usage_column
from warm_tui.sessions.model import Message, Session, as_count, as_text
from warm_tui.sessions.source import Health, Source, Stamp
from warm_tui.watching import FileState, file_state

if TYPE_CHECKING:
    from warm_tui.passing_folder import PassingFolder

T = TypeVar("T")

BUSY_SECONDS = 3.0
KNOWN_SCHEMAS = (11, 22)
NEWEST_FIRST = "ORDER BY started_at DESC, id DESC"
ALL_ROWS = "SELECT rowid FROM sessions WHERE id IS NOT NULL"
PORTION = 500


class HermesDb(Source):
    """One `state.db`, open for reading in one thread."""

    facts = HERMES

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._copy: PassingFolder | None = None
        self._at_rest = False
        self._found: FileState | None = None
        self._connection: sqlite3.Connection | None = None
        self._session_select = self._stamp_select = self._history = self._rewound = ""
        self._open()

    # --- what it holds ---

    def schema_version(self) -> int | None:
        if not self._read(lambda c: _columns(c, "schema_version")):
            return None
        (version,) = self._read(lambda c: c.execute("SELECT max(version) FROM schema_version").fetchone())
        return None if version is None else as_count(version)

    def has_text_index(self) -> bool:
        return bool(self._read(lambda c: _columns(c, "messages_fts")))

    def count_sessions(self) -> int:
        return int(self._read(lambda c: c.execute("SELECT count(id) FROM sessions").fetchone()[0]))

    def count_messages(self) -> int:
        return int(self._read(lambda c: c.execute("SELECT count(*) FROM messages").fetchone()[0]))

    def most_messages(self) -> int:
        return as_count(self._read(lambda c: c.execute("SELECT max(id) FROM messages").fetchone()[0]))

    def sessions(self) -> list[Session]:
        return self._sessions(f"{self._session_select} {NEWEST_FIRST}")

    def newest(self, limit: int, offset: int) -> list[Session]:
        sql = f"{self._session_select} {NEWEST_FIRST} LIMIT ? OFFSET ?"
        return self._sessions(sql, limit, offset)

    def related(self) -> list[Session]:
        # Said so, SQLite goes by its index; of what is not null it reads all sessions.
        parents = "SELECT parent_session_id FROM sessions WHERE parent_session_id > ''"
        sql = f"{self._session_select} AND (parent_session_id > '' OR id IN ({parents}))"
        return self._sessions(sql)

    def session(self, session_id: str) -> Session | None:
        sql = f"{self._session_select} AND id = ?"
        return next(iter(self._sessions(sql, session_id)), None)

    def children(self, session_id: str) -> list[Session]:
        sql = f"{self._session_select} AND parent_session_id = ? ORDER BY started_at, id"
        return self._sessions(sql, session_id)

    def _sessions(self, sql: str, *values: object) -> list[Session]:
        def read(connection: sqlite3.Connection) -> list[Session]:
            return with_originals(connection, [session_of(row, self.home) for row in connection.execute(sql, values)])

        return self._read(read)

    def ids_beginning(self, prefix: str, limit: int = 6) -> list[str]:
        rows = self._read(
            lambda c: c.execute(
                "SELECT id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT ?",
                (len(prefix), prefix, limit),
            ).fetchall()
        )
        return [str(as_text(row[0])) for row in rows]

    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        return messages_of(self._read(lambda c: c.execute(self._history, (session_id, first)).fetchall()))

    def with_taken_back(self, session_id: str) -> tuple[list[Message], list[Message]]:
        def read(connection: sqlite3.Connection) -> tuple[list[Row], list[Row]]:
            told = connection.execute(self._history, (session_id, -1)).fetchall()
            rewound = connection.execute(self._rewound, (session_id,)).fetchall() if self._rewound else []
            return told, rewound

        told, rewound = self._read(read)
        return messages_of(told), messages_of(rewound)

    def stamps(self) -> dict[str, Stamp]:
        # One pass over an index.
        return self._read(lambda c: _stamps(c.execute(f"{self._stamp_select} GROUP BY session_id")))

    def portions(self) -> Iterator[tuple[list[Session], Mapping[str, Stamp]]]:
        originals = self._read(all_originals)
        all_rows = self._read(lambda c: array("q", (row for (row,) in c.execute(f"{ALL_ROWS} {NEWEST_FIRST}"))))
        for at in range(0, len(all_rows), PORTION):
            yield self._read(partial(self._portion, all_rows[at : at + PORTION], originals))

    def _portion(
        self, rows: array[int], originals: Mapping[str, str], connection: sqlite3.Connection
    ) -> tuple[list[Session], dict[str, Stamp]]:
        among = f"rowid IN ({', '.join('?' * len(rows))})"
        sessions = connection.execute(f"{self._session_select} AND {among} {NEWEST_FIRST}", rows)
        ids = f"SELECT id FROM sessions WHERE {among}"
        stamps = connection.execute(f"{self._stamp_select} WHERE session_id IN ({ids}) GROUP BY session_id", rows)
        return naming(originals, [session_of(row, self.home) for row in sessions]), _stamps(stamps)

    def stamp(self, session_id: str) -> Stamp:
        sql = f"{self._stamp_select} WHERE session_id = ?"
        _, *counts = self._read(lambda c: c.execute(sql, (session_id,)).fetchone())
        return stamp_of(counts)

    def sessions_with_text(self, words: str) -> set[str]:
        """By the database's own index, where it has one."""
        indexed = self._read(lambda c: _indexed_sessions(c, words)) if self.has_text_index() else None
        if indexed is not None:
            return indexed
        like = "%" + words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        sql = "SELECT DISTINCT session_id FROM messages WHERE content LIKE ? ESCAPE '\\'"
        return self._read(lambda c: {str(as_text(row[0])) for row in c.execute(sql, (like,))})

    def sessions_with_call(self, call_id: str) -> list[str]:
        sql = "SELECT session_id FROM messages WHERE tool_call_id = ? GROUP BY session_id ORDER BY MIN(id)"
        return self._read(lambda c: [str(as_text(row[0])) for row in c.execute(sql, (call_id,))])

    def health(self) -> Health:
        schema, sessions = self.schema_version(), self.count_sessions()
        advice = []
        if schema not in KNOWN_SCHEMAS:
            advice.append(f"Schema {schema} is not one Warm TUI was tried with; columns it lacks read as empty.")
        if not sessions:
            advice.append("No session has been recorded yet: run Hermes once, or try --demo.")
        return Health(sessions, self.count_messages(), writing_of(self.path), schema, self.has_text_index(), advice)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def interrupt(self) -> None:
        connection = self._connection
        if connection is not None:
            with suppress(sqlite3.ProgrammingError):  # it was closed a moment ago
                connection.interrupt()

    def __enter__(self) -> HermesDb:
        return self

    # --- how it is opened ---

    def _open(self) -> None:
        self.close()
        try:
            head = check_is_database(self.path)
            self._found = file_state(self.path)
            target, options = self._way_in(head)
            uri = f"file:{quote(os.fsencode(os.path.abspath(target)))}?{options}"
            self._connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
            self._learn_columns(self._connection)
        except (sqlite3.Error, UnicodeError, OverflowError, MemoryError) as error:
            # SQLite quotes a damaged schema, whatever bytes it is of.
            self.close()
            raise Trouble(sentence(self.path, error)) from error
        except OSError as error:
            self.close()
            raise Trouble(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def _way_in(self, head: bytes) -> tuple[Path, str]:
        """Which file to open, and how, given the state the database was left in."""
        options = options_for(self.path, head)
        self._at_rest = options == AT_REST
        if log_is_left(self.path, head):
            self._copy = private_copy(self.path)
            return Path(self._copy.name) / self.path.name, PLAIN
        return self.path, options

    def _learn_columns(self, connection: sqlite3.Connection) -> None:
        sessions, messages = _columns(connection, "sessions"), _columns(connection, "messages")
        for table, columns, needed in (
            ("sessions", sessions, {"id"}),
            ("messages", messages, {"id", "session_id", "role"}),
        ):
            if not needed <= columns.keys():
                lacks = "has no" if not columns else "lacks columns in its"
                raise Trouble(f"{self.path} is not a Hermes database: it {lacks} `{table}` table.")
        usage = usage_column(_columns(connection, "session_model_usage"))
        first = (
            "(SELECT min(timestamp) FROM messages WHERE session_id = sessions.id)"
            if "timestamp" in messages
            else "NULL"
        )
        config = "coalesce(model_config, '')" if "model_config" in sessions else "''"
        # Of those that came from another, by the index on session and time.
        words = (
            "CASE WHEN parent_session_id > '' THEN (SELECT substr(content, 1, 64) FROM messages"
            " WHERE session_id = sessions.id AND role = 'user' ORDER BY timestamp LIMIT 1) END"
            if {"timestamp", "content"} <= messages.keys() and "parent_session_id" in sessions
            else "NULL"
        )
        # Early versions mark no branch, and later ones take it for a helper: it repeats its parent's first call.
        call = (
            "SELECT tool_call_id FROM messages WHERE session_id = {} AND tool_call_id > '' ORDER BY timestamp LIMIT 1"
        )
        repeated = (
            f"CASE WHEN parent_session_id > '' AND NOT instr({config}, '_branched_from') THEN (SELECT tool_call_id FROM"
            f" ({call.format('sessions.id')}) WHERE tool_call_id = ({call.format('sessions.parent_session_id')})) END"
            if {"timestamp", "tool_call_id"} <= messages.keys() and "parent_session_id" in sessions
            else "NULL"
        )
        session = f"{_select(SESSION_COLUMNS, sessions)}, {usage}, {first}, {words}, {repeated}"
        self._session_select = f"SELECT {session} FROM sessions WHERE id IS NOT NULL"
        conditions = []
        live = "total(active), total(active * id)" if "active" in messages else "0, 0"
        self._stamp_select = f"SELECT session_id, count(*), max(id), {live} FROM messages"
        if "active" in messages:
            conditions.append("active IS NULL OR active != 0")
            if "compacted" in messages:
                conditions.append("compacted != 0")
        told = f"({' OR '.join(conditions)})" if conditions else "1"
        # By way of the ids: ordered directly, SQLite would copy all content through a sorter.
        select = (
            f"SELECT {_select(MESSAGE_COLUMNS, messages)} FROM messages"
            " WHERE id IN (SELECT id FROM messages WHERE session_id = ?"
        )
        self._history = f"{select}) AND {told} ORDER BY id LIMIT ?"
        # What `/undo` rewound: Hermes keeps the rows, neither live nor compacted.
        self._rewound = f"{select} AND active = 0) AND NOT {told} ORDER BY id" if conditions else ""

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run one query; again, should the file have changed hands or bytes under it."""
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                answer = self._ask(query)
            except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as error:
                if time.monotonic() < deadline and (self._has_woken() or self._is_transient(error)):
                    time.sleep(0.02)
                    self._open()
                    continue
                raise Trouble(sentence(self.path, error)) from error
            if not self._has_woken() or time.monotonic() > deadline:
                return answer
            # What was read may be half of one state and half of another.
            self._open()

    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._connection
        if connection is None:
            raise Trouble(f"{self.path} was closed.")
        try:
            return query(connection)
        except sqlite3.OperationalError as error:
            if "decode to UTF-8" not in str(error):
                raise
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            return query(connection)

    def _has_woken(self) -> bool:
        """Somebody has written to a database that we found at rest."""
        return self._at_rest and file_state(self.path) != self._found

    @staticmethod
    def _is_transient(error: Exception) -> bool:
        """A writer came or went while we looked: worth another look."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL)


def _indexed_sessions(connection: sqlite3.Connection, words: str) -> set[str] | None:
    """By the full-text index; None where that is one we cannot use."""
    if not any(character.isalnum() for character in words):
        return None
    phrase = '"' + words.replace('"', '""') + '"'
    sql = (
        "SELECT DISTINCT session_id FROM messages WHERE id IN"
        " (SELECT rowid FROM messages_fts WHERE messages_fts MATCH ?)"
    )
    try:
        return {str(as_text(row[0])) for row in connection.execute(sql, (phrase,))}
    except sqlite3.OperationalError:
        return None


def _stamps(rows: Iterable[Row]) -> dict[str, Stamp]:
    return {str(as_text(session_id)): stamp_of(counts) for session_id, *counts in rows}


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    return {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")}


def _select(wanted: dict[str, str], present: dict[str, str]) -> str:
    return ", ".join(name if name in present else f"{default} AS {name}" for name, default in wanted.items())
