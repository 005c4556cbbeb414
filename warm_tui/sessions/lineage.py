"""How sessions descend from one another, and the life that a chain of compactions makes of them.

A parent alone says little: it may have been compressed into the child, branched into it, or have
delegated to it. Relations come from a file, so they may run in circles or end in nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.model import Call, Relation, Row, Session
from warm_tui.sessions.pairing import Paired, pair

MOST_GENERATIONS = 10_000


def relation_of(session: Session, parent: Session | None) -> Relation:
    """How a session came from its parent. `parent` is None where there is none, or it is gone."""
    if session.delegated_from:
        return "delegate"
    if session.branched_from:
        return "branch"
    if parent is None:
        return "none"
    if session.source == "tool":
        return "delegate"
    if parent.end_reason == "compression":
        return "compression_chain"
    if parent.end_reason == "branched" and parent.ended_at is not None and (session.started_at or 0) >= parent.ended_at:
        return "branch"
    return "delegate"


class Life(msgspec.Struct, frozen=True):
    """All sessions of one compression chain, root first, with the calls made in each."""

    sessions: list[Session]
    parts: list[Paired]
    rows: list[list[Row]]
    gaps: list[str]
    """Where the relations that the files tell lead nowhere, or back to where they came from."""

    @property
    def calls(self) -> list[Call]:
        return [call for part in self.parts for call in part.calls]

    @property
    def segments(self) -> int:
        return len(self.parts) + sum(part.compactions for part in self.parts)


def chain(
    session: Session,
    find: Callable[[str], Session | None],
    children: Callable[[str], Iterable[Session]],
) -> list[Session]:
    """The compression chain a session stands in, from its root to its tip."""
    line = [session]
    seen = {session.id}
    while len(line) < MOST_GENERATIONS:
        head = line[0]
        parent = find(head.parent_id) if head.parent_id else None
        if parent is None or parent.id in seen or relation_of(head, parent) != "compression_chain":
            break
        line.insert(0, parent)
        seen.add(parent.id)
    while len(line) < MOST_GENERATIONS:
        tip = line[-1]
        heirs = [
            child
            for child in children(tip.id)
            if child.id not in seen and relation_of(child, tip) == "compression_chain"
        ]
        if not heirs:
            break
        line.append(max(heirs, key=_heir_rank))
        seen.add(line[-1].id)
    return line


def roots_of(sessions: Iterable[Session]) -> dict[str, str]:
    """For each session the one that its life began with: itself, unless it goes on from a compressed one."""
    by_id = {session.id: session for session in sessions}
    before: dict[str, str] = {}
    for session in by_id.values():
        parent = by_id.get(session.parent_id) if session.parent_id else None
        if parent is not None and relation_of(session, parent) == "compression_chain":
            before[session.id] = parent.id
    roots: dict[str, str] = {}
    for session_id in by_id:
        line = [session_id]
        while line[-1] in before and before[line[-1]] not in roots and before[line[-1]] not in line:
            line.append(before[line[-1]])
        last = before.get(line[-1], line[-1])
        # A circle has no beginning: the first of its names will do.
        root = roots.get(last) or (min(line) if last in line and last != line[-1] else line[-1])
        roots.update((each, root) for each in line)
    return roots


def _heir_rank(child: Session) -> tuple[bool, bool, float, str]:
    """Of several heirs, the one that was compressed again, else one still alive, else the youngest."""
    return (child.end_reason == "compression", child.ended_at is None, child.started_at or 0.0, child.id)


def life_of(database: HermesDb, session: Session) -> Life:
    """The whole life a session belongs to: each call once, segments numbered through."""
    sessions = chain(session, database.session, database.children)
    parts: list[Paired] = []
    read: list[list[Row]] = []
    segment = position = 0
    parent = None
    for member in sessions:
        rows = database.messages(member.id)
        read.append(rows)
        part = pair(
            rows,
            member.id,
            parent=parent,
            first_segment=segment,
            first_position=position,
        )
        parts.append(part)
        parent = rows
        segment += part.compactions + 1
        position += len(part.calls)
    return Life(sessions, parts, read, _gaps(database, sessions))


def _gaps(database: HermesDb, sessions: list[Session]) -> list[str]:
    first, last = sessions[0], sessions[-1]
    members = {session.id for session in sessions}
    told = []
    parent = database.session(first.parent_id) if first.parent_id else None
    if first.parent_id and parent is None:
        told.append(f"The session before {first.id}, {first.parent_id}, is not in the database.")
    elif parent is not None and parent.id in members and relation_of(first, parent) == "compression_chain":
        told.append(f"The relations run in a circle: {first.id} is said to come from {parent.id}, which came from it.")
    elif last.end_reason == "compression":
        told.append(f"{last.id} ended by compression, but the session that goes on from it is not in the database.")
    if len(sessions) >= MOST_GENERATIONS:
        told.append(f"Only {MOST_GENERATIONS:,} sessions of the chain are shown.")
    return told
