"""What was suggested, what became of it, and which sessions were read for it: each once."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from warm_tui.errors import NotFound, Trouble
from warm_tui.library.db import Library

State: TypeAlias = Literal["waiting", "later", "accepted", "declined"]
OPEN: tuple[State, ...] = ("waiting", "later")


class Kept(NamedTuple):
    """A suggestion as it is remembered; `body` is for who made it."""

    id: str
    body: bytes
    state: State
    why: str
    at: float
    decided_at: float | None


def keep_suggestions(library: Library, sessions: Iterable[str], found: Sequence[tuple[str, bytes]]) -> list[str]:
    """These sessions were read, and this was found in them. What was suggested before is not suggested again."""
    now = time.time()
    with library.keeping() as connection:
        fresh = []
        for name, body in found:
            sql = "INSERT OR IGNORE INTO suggestions (id, body, state, why, at) VALUES (?, ?, 'waiting', '', ?)"
            if connection.execute(sql, (name, body, now)).rowcount:
                fresh.append(name)
        sql = "INSERT OR IGNORE INTO reviewed (session, at) VALUES (?, ?)"
        connection.executemany(sql, [(session, now) for session in sessions])
    return fresh


def reviewed_sessions(library: Library) -> set[str]:
    return {session for (session,) in library.connection.execute("SELECT session FROM reviewed")}


def noted_ends(library: Library) -> dict[str, float]:
    """When the agent said of a session that it is over: it may have been gone on with since."""
    return dict(library.connection.execute("SELECT session_id, finished_at FROM arms WHERE finished_at > 0"))


def kept_suggestions(library: Library, states: Sequence[State] = OPEN) -> list[Kept]:
    """Those that wait first, in each state the newest first."""
    sql = "SELECT id, CAST(body AS BLOB), state, why, CAST(at AS REAL), CAST(decided_at AS REAL) FROM suggestions"
    found = [Kept(*row) for row in library.connection.execute(f"{sql} ORDER BY at DESC, rowid") if row[2] in states]
    return sorted(found, key=lambda each: get_args(State).index(each.state))


def count_waiting(library: Library) -> int:
    (count,) = library.connection.execute("SELECT COUNT(*) FROM suggestions WHERE state = 'waiting'").fetchone()
    return int(count)


def suggestion_named(library: Library, name: str) -> Kept:
    """By its id, or the beginning of it."""
    named = [each for each in kept_suggestions(library, get_args(State)) if name and each.id.startswith(name)]
    if len(named) > 1:
        raise Trouble(f"Several suggestions begin with '{name}': say more of the id.")
    if not named:
        raise NotFound(f"There is no suggestion '{name}'.")
    return named[0]


def accept_suggestions(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Those of them that nobody decided on; within a transaction of others."""
    sql = f"UPDATE suggestions SET state = 'accepted', decided_at = ? WHERE id = ? AND state IN {OPEN}"
    connection.executemany(sql, [(time.time(), name) for name in names])


def check_decidable(library: Library, name: str) -> None:
    """Raises Trouble where the library is busy, full or not to be written: it is written, with what stands there."""
    with library.keeping() as connection:
        connection.execute("UPDATE suggestions SET state = state WHERE id = ?", (name,))


def decide(library: Library, name: str, state: State, why: str = "") -> None:
    with library.keeping() as connection:
        sql = "UPDATE suggestions SET state = ?, why = ?, decided_at = ? WHERE id = ?"
        connection.execute(sql, (state, why, time.time(), name))
