"""How sessions come from one another: the life that a chain of compactions makes of them, and their branches.

Relations come from recordings, so they may run in circles or end in nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

import msgspec

from warm_tui.sessions.model import Call, Message, Relation, Session
from warm_tui.sessions.pairing import Paired, pair
from warm_tui.sessions.source import AgentFacts, Source

MOST_GENERATIONS = 10_000


class Life(msgspec.Struct, frozen=True):
    """All sessions of one chain of compactions, root first, with the calls made in each."""

    sessions: list[Session]
    parts: list[Paired]
    messages: list[list[Message]]
    gaps: list[str]
    """Where the relations that the recordings tell lead nowhere, or back to where they came from."""
    facts: AgentFacts

    @property
    def calls(self) -> list[Call]:
        return [call for part in self.parts for call in part.calls]

    @property
    def segments(self) -> int:
        return len(self.parts) + sum(part.compactions for part in self.parts)

    def walk(self) -> Iterator[tuple[Session, Paired, list[Message]]]:
        return zip(self.sessions, self.parts, self.messages, strict=True)


def read_life(source: Source, session: Session) -> Life:
    """The whole life a session belongs to: each call once, segments numbered through."""
    sessions = chain(source, session)
    original = branched_messages(source, sessions[0], parent_of(source, sessions[0]))
    parts: list[Paired] = []
    messages: list[list[Message]] = []
    segment = position = 0
    for member in sessions:
        parent = messages[-1] if messages else None
        messages.append(source.messages(member.id))
        part = pair(
            messages[-1],
            member.id,
            source.facts,
            parent=parent,
            original=None if messages[1:] else original,
            taken_back=source.taken_back(member.id),
            first_segment=segment,
            first_position=position,
        )
        parts.append(part)
        segment += part.compactions + 1
        position += len(part.calls)
    return Life(sessions, parts, messages, _gaps(source, sessions), source.facts)


def pair_session(source: Source, session: Session, parent: Session | None) -> Paired:
    """One session's own calls: what it inherited from the session it came from is not its own."""
    inherited = None
    if parent is not None and source.facts.relation(session, parent) == "compression_chain":
        inherited = source.messages(parent.id)
    original = branched_messages(source, session, parent)
    return pair(
        source.messages(session.id),
        session.id,
        source.facts,
        parent=inherited,
        original=original,
        taken_back=source.taken_back(session.id),
    )


def parent_of(source: Source, session: Session) -> Session | None:
    return source.session(session.came_from) if session.came_from else None


def branched_messages(source: Source, session: Session, parent: Session | None) -> list[Message] | None:
    """What a branch could copy: what stood in the session it came from when it was made."""
    if parent is None or source.facts.relation(session, parent) != "branch":
        return None
    messages, made_at = source.messages(parent.id), session.started_at or 0.0
    before = [message for message in messages if message.timestamp is None or message.timestamp <= made_at]
    # A clock that stepped back between the two tells nothing.
    return before or messages


def chain(source: Source, session: Session) -> list[Session]:
    """The chain of compactions a session stands in, from its root to its tip."""
    relation_of = source.facts.relation
    line = [session]
    seen = {session.id}
    while len(line) < MOST_GENERATIONS:
        head = line[0]
        parent = parent_of(source, head)
        if parent is None or parent.id in seen or relation_of(head, parent) != "compression_chain":
            break
        line.insert(0, parent)
        seen.add(parent.id)
    while len(line) < MOST_GENERATIONS:
        tip = line[-1]
        heirs = [
            child
            for child in source.children(tip.id)
            if child.id not in seen and relation_of(child, tip) == "compression_chain"
        ]
        if not heirs:
            break
        line.append(max(heirs, key=_heir_rank))
        seen.add(line[-1].id)
    return line


def _heir_rank(child: Session) -> tuple[bool, bool, float, str]:
    """Of several heirs, the one that was compacted again, else one still alive, else the youngest."""
    return (child.handed_on, child.ended_at is None, child.started_at or 0.0, child.id)


def _gaps(source: Source, sessions: list[Session]) -> list[str]:
    first, last = sessions[0], sessions[-1]
    members = {session.id for session in sessions}
    gaps = []
    parent = parent_of(source, first)
    if first.parent_id and parent is None:
        gaps.append(f"The session before {first.id}, {first.parent_id}, is not in the database.")
    elif parent is not None and parent.id in members and source.facts.relation(first, parent) == "compression_chain":
        gaps.append(f"The relations run in a circle: {first.id} is said to come from {parent.id}, which came from it.")
    elif last.handed_on:
        gaps.append(f"{last.id} ended by compaction, but the session that goes on from it is not in the database.")
    if len(sessions) >= MOST_GENERATIONS:
        gaps.append(f"Only {MOST_GENERATIONS:,} sessions of the chain are shown.")
    return gaps


ONE_LIFE: tuple[Relation, ...] = ("compression_chain",)
ONE_UNIT: tuple[Relation, ...] = (*ONE_LIFE, "branch")
"""A branch repeats what stood before it, and so is no evidence of its own beside that."""


def roots_of(source: Source, relations: Container[Relation] = ONE_UNIT) -> dict[str, str]:
    """For each session the one that it came from, by relations of these kinds: itself, where there are none."""
    by_id = {session.id: session for session in source.sessions()}
    before: dict[str, str] = {}
    for session in by_id.values():
        parent = by_id.get(session.came_from) if session.came_from else None
        if source.facts.relation(session, parent) in relations and session.came_from not in (None, session.id):
            before[session.id] = session.came_from
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
