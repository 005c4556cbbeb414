"""Sessions that repeat another without naming it: forked by an editor, or imported under a new name.

An editor's fork (the source `acp`) has no parent, and an import keeps the time at which the session was opened. Only
those are looked at: that the first calls of two sessions are the same is not told by any index. Ids that a model
counts up are the same in sessions that have nothing to do with each other, so they tell nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from warm_tui.sessions.hermes.identity import DRAWN_BY_LOT, identity_of
from warm_tui.sessions.hermes.tool_calls import calls_in
from warm_tui.sessions.model import CallIdentity, Session, as_text

FORKED_BY_EDITORS = "acp"

FEW = 500
_CALLS = (
    "SELECT id, tool_calls FROM messages WHERE session_id = ? AND role = 'assistant' AND tool_calls IS NOT NULL"
    " ORDER BY id LIMIT ?"
)


def with_originals(connection: sqlite3.Connection, sessions: list[Session]) -> list[Session]:
    """The same sessions; those that repeat another tell which, as branches do."""
    times = {session.started_at for session in sessions if session.started_at is not None}
    originals = _originals_of_twins(connection, times)
    if any(session.source == FORKED_BY_EDITORS for session in sessions):
        originals |= _originals(connection, "source = ?", FORKED_BY_EDITORS)
    return naming(originals, sessions)


def all_originals(connection: sqlite3.Connection) -> dict[str, str]:
    """For each session that repeats another, which."""
    return _originals_of_twins(connection, None) | _originals(connection, "source = ?", FORKED_BY_EDITORS)


def naming(originals: Mapping[str, str], sessions: Iterable[Session]) -> list[Session]:
    return [
        replace(session, branched_from=originals[session.id])
        if session.id in originals and session.came_from is None
        else session
        for session in sessions
    ]


def _originals_of_twins(connection: sqlite3.Connection, times: set[float] | None) -> dict[str, str]:
    """Of the times at which several sessions were opened; of a few, by a look at the index for each. None: of all."""
    if times is not None and not times:
        return {}
    few = tuple(times) if times is not None and len(times) <= FEW else ()
    which = f"IN ({', '.join('?' * len(few))})" if few else "IS NOT NULL"
    sql = f"SELECT started_at FROM sessions WHERE started_at {which} GROUP BY started_at HAVING count(*) > 1"
    originals: dict[str, str] = {}
    for (time,) in connection.execute(sql, few).fetchall():
        if times is None or time in times:
            originals |= _originals(connection, "started_at = ?", time)
    return originals


def _originals(connection: sqlite3.Connection, alike: str, value: object) -> dict[str, str]:
    """For each of these sessions that repeats another of them, which: of those before it, what it shares most with."""
    rows = connection.execute(f"SELECT id FROM sessions WHERE {alike} AND parent_session_id IS NULL", (value,))
    begun = sorted(
        (first[0], as_text(session_id) or "", identities)
        for (session_id,) in rows.fetchall()
        if (first := connection.execute(_CALLS, (session_id, 1)).fetchone())
        and (identities := _drawn(as_text(first[1]) or ""))
    )
    alike_so_far: dict[tuple[CallIdentity, ...], list[str]] = {}
    originals: dict[str, str] = {}
    for _, session_id, identities in begun:
        before = alike_so_far.setdefault(identities, [])
        if before:
            calls = {each: _all_drawn(connection, each) for each in (*before, session_id)}
            originals[session_id] = max(before, key=lambda each: len(calls[each] & calls[session_id]))
        before.append(session_id)
    return originals


def _all_drawn(connection: sqlite3.Connection, session_id: str) -> set[CallIdentity]:
    rows = connection.execute(_CALLS, (session_id, -1))
    return {identity for _, column in rows for identity in _drawn(as_text(column) or "")}


def _drawn(column: str) -> tuple[CallIdentity, ...]:
    calls: Iterable[CallIdentity] = map(identity_of, calls_in(column))
    return tuple(identity for identity in calls if DRAWN_BY_LOT.search(identity[0]))
