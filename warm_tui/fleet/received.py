"""A run's database as a member sends it: rows of known tables go into one of our own; its schema is not used.

Whoever makes a database decides what happens when it is read: by views, by tables that are programs, by pages that
lead back to themselves. Here only plain tables are read, no function is called, and what is read ends.
"""

from __future__ import annotations

import math
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from warm_tui.errors import Trouble
from warm_tui.fleet.possible import LARGEST_FIGURE
from warm_tui.sessions.hermes.archive import Archive

TABLES = {"sessions": "id", "messages": "session_id", "session_model_usage": "session_id"}
"""Each with the column that names the session; the sessions first."""
PLAIN = re.compile(r"CREATE TABLE (sessions|messages|session_model_usage)\s*\(")
"""What a table is made by. The column that says what kind it is may lie."""
SECONDS, STEPS = 120.0, 10_000
LEAST_BYTES = 4
"""Of a row in a file, however little it holds."""


def adopt_received(path: Path, machine: str, archive: Archive) -> list[str]:
    """The sessions in it, by name. Trouble where it is not what Warm TUI there would have sent."""
    try:
        with closing(_opened(path)) as connection:
            return _copied(connection, archive, path.stat().st_size)
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        raise Trouble(f"The session that {machine} sends cannot be read ({type(error).__name__}).") from error


def _opened(path: Path) -> sqlite3.Connection:
    """As it was received, nobody writes it, and nothing stands beside it."""
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
        connection.execute(f"PRAGMA {setting}")
    if hasattr(connection, "setconfig"):
        # Since Python 3.12.
        connection.setconfig(getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE"), True)  # noqa: B009
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    until = time.monotonic() + SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > until, STEPS)
    connection.set_authorizer(_may)
    return connection


def _may(action: int, what: str | None, _column: str | None, _database: str | None, within: str | None) -> int:
    """Read these tables, and none by way of a view."""
    known = (
        action == sqlite3.SQLITE_SELECT
        or (action == sqlite3.SQLITE_PRAGMA and what == "table_info")
        or (action == sqlite3.SQLITE_READ and what in (*TABLES, "sqlite_master"))
    )
    return sqlite3.SQLITE_OK if known and within is None else sqlite3.SQLITE_DENY


def _copied(connection: sqlite3.Connection, archive: Archive, size: int) -> list[str]:
    made = (PLAIN.match(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if isinstance(sql, str))
    plain = {each[1] for each in made if each}
    if not plain >= {"sessions", "messages"}:
        raise ValueError
    names: dict[str, None] = {}
    left = [size]
    for table, naming in TABLES.items():
        for row in _rows(connection, table, archive.kinds(table), left) if table in plain else ():
            if table == "sessions":
                names[row[naming]] = None
            elif row[naming] not in names:
                # It would be of another run's session.
                raise ValueError
            archive.add(table, row)
    return list(names)


def _rows(
    connection: sqlite3.Connection, table: str, kinds: dict[str, str], left: list[int]
) -> Iterator[dict[str, Any]]:
    """They hold no more than their file: pages that are read again and again would never end."""
    there = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    columns = [name for name in kinds if name in there]
    # A message's place is given to it anew, by its order.
    for values in connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY rowid"):
        left[0] -= LEAST_BYTES + sum(len(each) for each in values if isinstance(each, str | bytes))
        row = dict(zip(columns, values, strict=True))
        if left[0] < 0 or not all(_can_be(each, kinds[name]) for name, each in row.items()):
            raise ValueError
        yield row


def _can_be(value: Any, kind: str) -> bool:
    if value is None or kind == "TEXT":
        return value is None or isinstance(value, str)
    return isinstance(value, int | float) and math.isfinite(value) and abs(value) <= LARGEST_FIGURE
