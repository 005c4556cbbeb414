"""Our own database: opened, migrated, and set aside when it cannot be used.

sqlite-utils makes and migrates it. Opening a library that is up to date goes by plain sqlite3, because
importing sqlite-utils takes longer than listing ten thousand sessions.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from warm_tui.errors import Trouble
from warm_tui.library.rescue import rescue
from warm_tui.locking import locked
from warm_tui.writing import BESIDE_A_DATABASE, check_database, check_may_change, looks_only, make_private

# The number of migrations; kept in the file's user_version, so that one look tells whether any is due.
SCHEMA = 22
IN_MEMORY = Path(":memory:")

BUSY_SECONDS = 5.0

# What is read of each table; a library that lacks any of it is as good as damaged.
TABLES = {
    "profiles": "database, session_id, stamp, rules, profile, failures",
    "families": "family, said, why, at",
    "databases": "database, state, rules, sessions",
    "listings": "place, path, size, changed, shape, told",
    "verdicts": "session_id, sign, call, outcome, reason, set_at",
    "outcomes": "session_id, sign, outcome, reason, set_at",
    "visits": "at, agent",
    "overviews": "places, unit, shape, told",
    "marks": "session_id, sign, mark",
    "uses": "template, what, content, at, until",
    "drafts": "id, name, step, steps, version, updated_at",
    "draft_steps": "draft, step, body",
    "draft_parts": "hash, body",
    "comparisons": "name, template, asked, told, at",
    "experiments": "id, name, template, plan, seed, conversation, state, why, pairs_told, level, worked, created_at,"
    " notes, verdict, waits_for",
    "runs": "experiment, position, task, repeat, arm, state, reason, token, started_at, ended_at, session_id, success,"
    " cost_usd, calls, failures, judged, outage, attempts, lost_usd, machine,"
    " hermes",
    "attempts": "experiment, position, number, state, reason, outage, session_id, started_at, ended_at, cost_usd,"
    " errors",
    "reviews": "hash, at",
    "trials": "number, position, source, model, folder, words, revisions, salt, share, holdout, running, why, since,"
    " task, paused_for",
    "revisions": "content, messages, at",
    "template_revisions": "template, number, stamp, body, at, by, why, suggestion",
    "suggestions": "id, body, state, why, at, decided_at",
    "reviewed": "session, at",
    "learned": "session_id, call, what, words, at",
    "draws": "session_id, root, rule, template, content, chances, reason, platform, model, mode, at",
    "figures": "session_id, mark, at, failures, known, first_failures, first_known, first_success, done, tokens,"
    " cost_usd",
    "notices": "rule, at, said, target, outcome",
    "looks": "what, at",
    "standings": "rule, mark, told",
    "arms": "session_id, template, content, model, platform, started_at, ended_at, completed, interrupted, finished_at",
}
NOT_DAMAGE = (sqlite3.ProgrammingError, sqlite3.IntegrityError, sqlite3.NotSupportedError)
# What an agent's own database has, and ours never.
FOREIGN = {"messages", "schema_version"}


class Library:
    """The library, open in one thread. `notes` says what had to be done to open it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self.found: tuple[int, int] | None = None
        """Which file it is."""
        self.connection = self._open()

    @classmethod
    def in_memory(cls, note: str) -> Library:
        """A library that forgets: for a home that cannot be written."""
        library = cls.__new__(cls)
        library.path = IN_MEMORY
        library.notes, library.found = [note], None
        library.connection = sqlite3.connect(":memory:", isolation_level=None)
        _migrate(library.connection)
        return library

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All of what is written within, or none of it."""
        check_may_change()
        with self._transaction() as connection:
            yield connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    @contextmanager
    def keeping(self) -> Iterator[sqlite3.Connection]:
        """For what somebody asked to be kept: it is, or they are told."""
        check_may_change()
        if self.path == IN_MEMORY:
            raise Trouble(self.notes[-1])
        try:
            with self.writing() as connection:
                yield connection
        except sqlite3.Error as error:
            raise Trouble(f"{self.path} could not be written: {error}.") from error

    def remember(
        self, sql: str, rows: Sequence[tuple[Any, ...]], first: tuple[str, tuple[Any, ...]] | None = None
    ) -> None:
        """Write what could be computed again, in one go. If that cannot be, it is noted, and no harm done."""
        if not rows:
            return
        try:
            _forbid_changes(self.connection, False)
            with self._transaction() as connection:
                if first:
                    connection.execute(*first)
                connection.executemany(sql, rows)
        except sqlite3.Error as error:
            note = f"The library {self.path} could not be written ({error}); nothing new was remembered."
            if note not in self.notes:
                self.notes.append(note)
        finally:
            _forbid_changes(self.connection, looks_only())

    def mend(self, error: sqlite3.DatabaseError) -> None:
        """Damage was found while it was in use: set it aside and begin anew."""
        if _is_transient(error) or _cannot_write(error) or not self.path.is_file():
            raise Trouble(f"The library {self.path} cannot be used: {error}.") from error
        self.connection.close()
        with locked(self.path.with_suffix(".lock"), changing=False):
            if self._check_own() == self.found:
                self.connection = self._begun_anew("damaged", "is damaged")
            else:
                self.notes.append("The library was damaged; another instance has begun a new one.")
                self.connection = self._ready(migrating=True)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Damage that is found only now, in a page that nobody had looked at, is told and mended for the next time."""
        try:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, NOT_DAMAGE):
                self.mend(error)
                raise Trouble(f"{self.notes[-1]} Ask again.") from error
        finally:
            self.close()

    def _open(self) -> sqlite3.Connection:
        with suppress(sqlite3.Error):
            return self._ready()
        # It has to be made, migrated or set aside: one at a time, and perhaps another just did it.
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.path.with_suffix(".lock"), changing=False):
                return self._made_ready()
        except OSError as error:
            raise Trouble(f"{self.path.parent} cannot be written: {error.strerror or error}.") from error

    def _made_ready(self) -> sqlite3.Connection:
        try:
            return self._ready(migrating=True)
        except _NewerError:
            return self._begun_anew("newer", "was made by a newer version of Warm TUI")
        except sqlite3.DatabaseError as error:
            if _is_transient(error):
                raise Trouble(f"The library {self.path} is in use by another program.") from error
            if _cannot_write(error):
                raise Trouble(f"The library {self.path} cannot be written: {error}.") from error
            return self._begun_anew("damaged", "is damaged")

    def _begun_anew(self, word: str, why: str) -> sqlite3.Connection:
        aside = self._set_aside(word, why)
        try:
            connection = self._ready(migrating=True)
        except sqlite3.Error as error:
            raise Trouble(f"{self.notes[-1]} That could not be done: {error}.") from error
        if word == "damaged":
            self.notes[-1] += f" {rescue(aside, connection)}"
        return connection

    def _ready(self, migrating: bool = False) -> sqlite3.Connection:
        if migrating:
            make_private(self.path)
        self.found = self._check_own()
        uri = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        # Half a character is no reason to lose all the others.
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        try:
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if self.found != self._check_own():
                if not migrating:
                    raise sqlite3.DatabaseError("another has just made it")
                raise Trouble(f"The library {self.path} is not used: it was exchanged while it was opened.")
            if version > SCHEMA:
                raise _NewerError
            if version < SCHEMA:
                if not migrating:
                    raise sqlite3.DatabaseError("not migrated yet")
                self._check_not_foreign(connection)
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version < SCHEMA:
                _migrate(connection)
            _forbid_changes(connection, looks_only())
            # A damaged file may open well and fail later: one look at each table tells.
            for table, columns in TABLES.items():
                connection.execute(f"SELECT {columns} FROM {table} LIMIT 1").fetchone()
        except UnicodeError as error:
            # SQLite quotes a damaged schema, whatever bytes it is of.
            connection.close()
            raise sqlite3.DatabaseError("the schema is damaged") from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_own(self) -> tuple[int, int] | None:
        """Which file it is; Trouble where writing to it would be writing to another program's."""
        try:
            check_database(self.path)
            status = self.path.lstat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Trouble(f"The library {self.path} is not used: {error.strerror or error}.") from error
        return status.st_dev, status.st_ino

    def _check_not_foreign(self, connection: sqlite3.Connection) -> None:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables & FOREIGN and not tables & TABLES.keys():
            raise Trouble(f"The library {self.path} is not used: it is another program's database.")

    def _set_aside(self, word: str, why: str) -> Path:
        """Out of the way, never deleted: the operator's verdicts may be in it."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        aside = self.path.with_name(f"{self.path.name}.{word}-{stamp}")
        number = 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.{word}-{stamp}-{number}")
        os.replace(self.path, aside)
        for ending in BESIDE_A_DATABASE:
            with suppress(FileNotFoundError):
                os.replace(f"{self.path}{ending}", f"{aside}{ending}")
        self.notes.append(f"The library {why}; it was set aside as {aside.name}, and a new one begun.")
        return aside


class _NewerError(sqlite3.DatabaseError):
    pass


def _forbid_changes(connection: sqlite3.Connection, forbidden: bool) -> None:
    """Also of what goes another way than by a transaction of ours."""
    connection.execute(f"PRAGMA query_only = {int(forbidden)}")


def _migrate(connection: sqlite3.Connection) -> None:
    from sqlite_utils import Database

    from warm_tui.library.migrations import migrations

    migrations.apply(Database(connection))
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _is_transient(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _cannot_write(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
    )


def set_aside(path: Path) -> list[Path]:
    """The libraries of before, with all that is in them."""
    kinds = tuple(f"{path.name}.{why}-" for why in ("damaged", "newer"))
    try:
        names = os.listdir(path.parent)
    except OSError:
        return []
    return sorted(
        path.parent / name for name in names if name.startswith(kinds) and not name.endswith(BESIDE_A_DATABASE)
    )


def open_library(path: Path) -> Library:
    """The library, or one in memory where the home cannot be written."""
    try:
        return Library(path)
    except Trouble as trouble:
        return Library.in_memory(f"{trouble} Nothing will be remembered.")
