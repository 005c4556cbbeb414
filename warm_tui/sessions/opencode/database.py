"""opencode's SQLite database, read beside its writer."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.sessions.database_files import MAGIC, PLAIN, beside, header, log_is_left, options_for, private_copy
from warm_tui.sessions.model import Message, Session, as_count, as_text
from warm_tui.sessions.opencode.facts import OPENCODE
from warm_tui.sessions.opencode.records import Told, loads, session_of
from warm_tui.sessions.source import Health, Source, Stamp
from warm_tui.writing import BESIDE_A_DATABASE

if TYPE_CHECKING:
    from warm_tui.passing_folder import PassingFolder

TABLES = {"session", "message", "part"}
BUSY_SECONDS = 3.0
LEFT_OPEN = "It was left in the middle of a write: what was written last is seen once opencode has opened it again."
LARGEST_COPY = 1 << 28
"""A larger one is read without the log that was left beside it."""


def is_opencode_db(path: Path) -> bool:
    try:
        if not header(path)[0].startswith(MAGIC):
            return False
        with closing(_opened(path)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {row[0] for row in tables} >= TABLES
    except (sqlite3.Error, UnicodeError, OverflowError):
        return False


def _opened(path: Path, copy: str = "") -> sqlite3.Connection:
    """`copy`: the folder in which a copy of it stands."""
    for ending in BESIDE_A_DATABASE:
        if (found := beside(path, ending)) and not stat.S_ISREG(found.st_mode):
            raise sqlite3.OperationalError(f"{path.name}{ending} is not a regular file")
    target, options = (Path(copy) / path.name, PLAIN) if copy else (path, options_for(path, header(path)[0]))
    uri = f"file:{quote(os.fsencode(os.path.abspath(target)))}?{options}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _is_left_and_small(path: Path) -> bool:
    log = beside(path, "-wal")
    return log is not None and log_is_left(path, header(path)[0]) and header(path)[1] + log.st_size <= LARGEST_COPY


class OpencodeDb(Source):
    facts = OPENCODE

    def __init__(self, path: Path) -> None:
        self.path = path
        self._told: tuple[str, Stamp, Told] | None = None
        self._copy: PassingFolder | None = None
        try:
            self._copy = private_copy(path) if _is_left_and_small(path) else None
            self._connection = _opened(path, self._copy.name if self._copy else "")
            self._columns = {row[1] for row in self._connection.execute("PRAGMA table_info(session)")}
            for table in sorted(TABLES):
                self._connection.execute(f"SELECT 1 FROM {table} LIMIT 1")
        except (sqlite3.Error, OSError) as error:
            self._forget_copy()
            raise Trouble(f"{path} cannot be read: {error}.") from error

    def close(self) -> None:
        self._connection.close()
        self._forget_copy()

    def _forget_copy(self) -> None:
        if self._copy is not None:
            self._copy.cleanup()

    def interrupt(self) -> None:
        with suppress(sqlite3.ProgrammingError):
            self._connection.interrupt()

    def sessions(self) -> list[Session]:
        return self._sessions("")

    def session(self, session_id: str) -> Session | None:
        return next(iter(self._sessions("WHERE id = ?", session_id)), None)

    def _sessions(self, where: str, *values: object) -> list[Session]:
        wanted = ("id", "parent_id", "directory", "title", "time_created", "time_updated")
        names = ", ".join(name if name in self._columns else f"NULL AS {name}" for name in wanted)
        rows = self._read(f"SELECT {names} FROM session {where} ORDER BY time_created DESC, id DESC", *values)
        return [self._session(*row) for row in rows]

    def _session(self, name: Any, parent: Any, folder: Any, title: Any, created: Any, updated: Any) -> Session:
        info = {"id": as_text(name), "parentID": as_text(parent), "directory": as_text(folder), "title": as_text(title)}
        session = session_of({**info, "time": {"created": created, "updated": updated}})
        return replace(session, agent=OPENCODE.agent, home=self.home)

    def stamps(self) -> dict[str, Stamp]:
        rows = self._read("SELECT session_id, count(*), max(time_updated) FROM part GROUP BY session_id")
        return {str(as_text(name)): Stamp(as_count(count), str(mark)) for name, count, mark in rows}

    def stamp(self, session_id: str) -> Stamp:
        rows = self._read("SELECT count(*), max(time_updated) FROM part WHERE session_id = ?", session_id)
        return Stamp(as_count(rows[0][0]), str(rows[0][1]))

    def messages(self, session_id: str, first: int = -1) -> list[Message]:
        messages = self._all(session_id).messages
        return messages if first < 0 else messages[:first]

    def whole(self, session: Session) -> Session:
        return self._all(session.id).whole(session)

    def _all(self, session_id: str) -> Told:
        stamp = self.stamp(session_id)
        if self._told is None or self._told[:2] != (session_id, stamp):
            told = Told()
            parts: dict[str, list[Any]] = {}
            for message, part, data in self._read(
                "SELECT message_id, id, data FROM part WHERE session_id = ? ORDER BY id", session_id
            ):
                parts.setdefault(str(message), []).append({"id": part, **_object(data)})
            for name, made, data in self._read(
                "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id", session_id
            ):
                info = {"time": {"created": made}, **_object(data), "id": name}
                told.take(info, parts.get(str(name), ()))
            self._told = session_id, stamp, told
        return self._told[2]

    def health(self) -> Health:
        (sessions,), (messages,) = (self._read(f"SELECT count(*) FROM {table}")[0] for table in ("session", "message"))
        return Health(
            as_count(sessions),
            as_count(messages),
            advice=[LEFT_OPEN] if self._copy is None and log_is_left(self.path, header(self.path)[0]) else [],
        )

    def _read(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise Trouble(f"{self.path} cannot be read: {error}.") from error


def _object(data: Any) -> dict[str, Any]:
    try:
        found = loads(data if isinstance(data, bytes) else str(data).encode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
