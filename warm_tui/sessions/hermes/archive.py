"""Write a database with Hermes' schema: what the demo is recorded in, and what archives are kept in.

Never for a Hermes home's own `state.db`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from warm_tui.sessions.database_files import OURS
from warm_tui.writing import check_database, make_private

SCHEMA_VERSION = 22
BUSY_SECONDS = 10.0
NUMBERED = ("messages", "id")

SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT,
    system_prompt TEXT, parent_session_id TEXT REFERENCES sessions(id), started_at REAL NOT NULL,
    ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
    input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0,
    cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0, cwd TEXT, git_branch TEXT,
    estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT, title TEXT,
    rewind_count INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
    effect_disposition TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
    reasoning TEXT, observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1,
    compacted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX idx_sessions_source ON sessions(source);
CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);
CREATE INDEX idx_sessions_started ON sessions(started_at DESC);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
    INSERT INTO messages_fts(rowid, content) VALUES (
        new.id,
        COALESCE(new.content, '') || ' ' || COALESCE(new.tool_name, '') || ' ' || COALESCE(new.tool_calls, '')
    );
END;
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id;
END;
"""

# An archive of before may lack it.
USAGE = """
CREATE TABLE IF NOT EXISTS session_model_usage (
    session_id TEXT NOT NULL REFERENCES sessions(id), model TEXT NOT NULL,
    billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT NOT NULL DEFAULT '',
    billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '', api_call_count INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0, cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0, estimated_cost_usd REAL NOT NULL DEFAULT 0,
    actual_cost_usd REAL NOT NULL DEFAULT 0, cost_status TEXT, cost_source TEXT, first_seen REAL, last_seen REAL,
    PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)
);
"""


class Archive:
    """A database being written, in one transaction until it is closed."""

    def __init__(self, path: Path) -> None:
        # It holds words from sessions: nobody else may read it.
        make_private(path)
        check_database(path)
        self._connection = sqlite3.connect(
            f"file:{quote(os.fsencode(path.absolute()))}", uri=True, isolation_level=None, timeout=BUSY_SECONDS
        )
        # Before there is a log: whoever reads it looks for this in the file itself.
        if self._connection.execute("PRAGMA application_id").fetchone() != (int.from_bytes(OURS),):
            self._connection.execute(f"PRAGMA application_id = {int.from_bytes(OURS)}")
        self._connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
        if not self._columns("main", "sessions"):
            begun = f"INSERT INTO schema_version VALUES ({SCHEMA_VERSION});"
            self._connection.executescript(f"BEGIN IMMEDIATE;{SCHEMA}{begun}COMMIT;")
        self._connection.executescript(USAGE)
        self._connection.execute("BEGIN")

    def add_session(self, **columns: Any) -> None:
        self._insert("sessions", [columns])

    def add_usage(self, **columns: Any) -> None:
        """What one model was given to do in a session."""
        self._insert("session_model_usage", [columns])

    def add_messages(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._insert("messages", rows)

    def add(self, table: str, row: Mapping[str, Any]) -> None:
        """`row`: of columns that `kinds` names."""
        self._insert(table, [row])

    def kinds(self, table: str) -> dict[str, str]:
        """Of each column that is not given by the archive itself, what it holds: TEXT, INTEGER or REAL."""
        told = self._connection.execute(f"PRAGMA main.table_info({table})")
        return {row[1]: row[2] for row in told if (table, row[1]) != NUMBERED}

    def adopt(self, path: Path, mask: Callable[[str], str]) -> list[str]:
        """Every session of a database that Hermes wrote, as far as ours has columns for it; those of before go."""
        check_database(path)
        self._connection.execute("COMMIT")
        try:
            self._connection.create_function("mask", 1, lambda value: mask(value) if isinstance(value, str) else value)
            self._connection.execute("ATTACH ? AS theirs", (f"file:{quote(os.fsencode(path.absolute()))}?mode=rw",))
            return self._adopted()
        finally:
            with suppress(sqlite3.Error):
                self._connection.execute("DETACH theirs")
            self._connection.execute("BEGIN")

    def _adopted(self) -> list[str]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for table in ("messages", "session_model_usage"):
                self._connection.execute(
                    f"DELETE FROM main.{table} WHERE session_id IN (SELECT id FROM theirs.sessions)"
                )
            self._connection.execute("DELETE FROM main.sessions WHERE id IN (SELECT id FROM theirs.sessions)")
            for table, order in (("sessions", "started_at"), ("messages", "id"), ("session_model_usage", "rowid")):
                known = self._columns("main", table)
                # A message's id is its place in the history, and there are others before it here.
                columns = [
                    name for name in self._columns("theirs", table) if name in known and (table, name) != NUMBERED
                ]
                if not columns:
                    continue
                masked = f"SELECT {', '.join(f'mask({name})' for name in columns)} FROM theirs.{table} ORDER BY {order}"
                self._connection.execute(f"INSERT INTO main.{table} ({', '.join(columns)}) {masked}")
            names = [row[0] for row in self._connection.execute("SELECT id FROM theirs.sessions ORDER BY started_at")]
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return names

    def _columns(self, database: str, table: str) -> list[str]:
        return [row[1] for row in self._connection.execute(f"PRAGMA {database}.table_info({table})")]

    def close(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _insert(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        # One by one and in order: a message's id is its place in the history.
        for row in rows:
            marks = ", ".join("?" * len(row))
            self._connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
