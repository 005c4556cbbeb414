"""How sessions come from one another: the life that a chain of compactions makes of them, and their branches.

Relations come from recordings, so they may run in circles or end in nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.sessions.model import Call, Message, Relation, Session
from warm_tui.sessions.pairing import Paired, joined, pair
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

    @property
    def as_one(self) -> Paired:
        """As if it had been compacted in place."""
        return joined(self.parts)

    def walk(self) -> Iterator[tuple[Session, Paired, list[Message]]]:
        return zip(self.sessions, self.parts, self.messages, strict=True)


def read_life(source: Source, session: Session) -> Life:
    """The whole life a session belongs to: each call once, segments numbered through."""
    sessions = chain(source, session)
    life = read_members(source, sessions, parent_of(source, sessions[0]))
    return replace(life, gaps=_gaps(source, sessions))


def read_members(source: Source, sessions: list[Session], parent: Session | None) -> Life:
    """The sessions of one life, the first of which may have come from `parent`: what was copied is not their own."""
    inherited: list[Message] | None = None
    if parent is not None and parent not in sessions and is_heir(source.facts, sessions[0], parent):
        inherited = source.messages(parent.id)
    original = branched_messages(source, sessions[0], parent)
    parts: list[Paired] = []
    messages: list[list[Message]] = []
    whole: list[Session] = []
    segment = position = 0
    for member in sessions:
        own, taken_back = source.with_taken_back(member.id)
        messages.append(own)
        whole.append(source.whole(member))
        part = pair(
            own,
            member.id,
            source.facts,
            parent=inherited,
            original=None if parts else original,
            taken_back=taken_back,
            first_segment=segment,
            first_position=position,
        )
        parts.append(part)
        inherited = own
        segment += part.compactions + 1
        position += len(part.calls)
    return Life(whole, parts, messages, [], source.facts)


def pair_session(source: Source, session: Session, parent: Session | None) -> Paired:
    """One session's own calls: what it inherited from the session it came from is not its own."""
    return read_members(source, [session], parent).parts[0]


def parent_of(source: Source, session: Session) -> Session | None:
    return source.session(session.came_from) if session.came_from else None


def branched_messages(source: Source, session: Session, parent: Session | None) -> list[Message] | None:
    """What a branch could copy: what stood in the session it came from when it was made."""
    if parent is None or source.facts.relation(session, parent) != "branch":
        return None
    messages, made_at = source.messages(parent.id), session.started_at or 0.0
    if source.facts.copies_keep_ids:
        return messages
    before = [message for message in messages if message.timestamp is None or message.timestamp <= made_at]
    # A clock that stepped back between the two tells nothing.
    return before or messages


def chain(source: Source, session: Session) -> list[Session]:
    """The life a session belongs to, from its root to its tip."""
    facts = source.facts
    line = [session]
    seen = {session.id}
    while len(line) < MOST_GENERATIONS:
        head = line[0]
        parent = parent_of(source, head)
        heir = parent and _heir_among(facts, parent, source.children(parent.id))
        if parent is None or heir is None or heir.id != head.id:
            break
        if parent.id in seen:
            return _from_the_first(line)
        line.insert(0, parent)
        seen.add(parent.id)
    while len(line) < MOST_GENERATIONS:
        heir = _heir_among(facts, line[-1], source.children(line[-1].id))
        if heir is None or heir.id in seen:
            break
        line.append(heir)
        seen.add(heir.id)
    return line


def lives_of(sessions: Sequence[Session], facts: AgentFacts) -> list[list[Session]]:
    """All sessions by the lives they belong to, each from its root to its tip; each session is in one."""
    by_id = {session.id: session for session in sessions}
    children: dict[str, list[Session]] = {}
    for session in by_id.values():
        parent = by_id.get(session.came_from) if session.came_from else None
        if parent is not None and is_heir(facts, session, parent):
            children.setdefault(parent.id, []).append(session)
    if not children:
        return [[session] for session in by_id.values()]
    heirs = {parent: max(each, key=_heir_rank) for parent, each in children.items()}
    inherited = {heir.id for heir in heirs.values()}
    roots = [session for session in by_id.values() if session.id not in inherited]
    lives: list[list[Session]] = []
    placed: set[str] = set()
    # What is left after the roots runs in circles.
    for root in (*roots, *sorted(by_id.values(), key=lambda session: session.id)):
        line: list[Session] = []
        member: Session | None = root
        while member is not None and member.id not in placed:
            placed.add(member.id)
            line.append(member)
            member = heirs.get(member.id)
        if line:
            lives.append(line)
    return lives


class NewestLives(NamedTuple):
    total: int
    roots: list[Session]


def newest_lives(source: Source, limit: int, offset: int = 0) -> NewestLives:
    """A window of all lives, the newest first, without a look at the sessions that came from no other."""
    later = {member.id for life in lives_of(source.related(), source.facts) for member in life[1:]}
    newest = source.newest(offset + limit + len(later), 0)
    roots = [session for session in newest if session.id not in later]
    return NewestLives(source.count_sessions() - len(later), roots[offset : offset + limit])


def is_heir(facts: AgentFacts, session: Session, parent: Session) -> bool:
    """Whether compaction made the one from the other."""
    return parent.id != session.id and facts.relation(session, parent) == "compression_chain"


def _heir_among(facts: AgentFacts, parent: Session, children: Iterable[Session]) -> Session | None:
    """The session that goes on with the life of `parent`; others that began from it are lives of their own."""
    return max((child for child in children if is_heir(facts, child, parent)), key=_heir_rank, default=None)


def _heir_rank(child: Session) -> tuple[bool, bool, float, str]:
    """Of several heirs, the one that was compacted again, else one still alive, else the youngest."""
    return (child.handed_on, child.ended_at is None, child.started_at or 0.0, child.id)


def _from_the_first(circle: list[Session]) -> list[Session]:
    """A circle has no beginning: the first of its names will do."""
    at = circle.index(min(circle, key=lambda session: session.id))
    return circle[at:] + circle[:at]


def as_one(sessions: Sequence[Session]) -> Session:
    """A life as if it had been compacted in place: under the name of its root, with all that was spent in it."""
    root, tip = sessions[0], sessions[-1]
    if root is tip:
        return root
    titles = [session.title for session in sessions if session.title]
    beside = [session.auxiliary_tokens for session in sessions if session.auxiliary_tokens is not None]
    costs = [session.cost_usd for session in sessions if session.cost_usd is not None]
    return replace(
        root,
        # An agent numbers the titles of what goes on; another title was given by somebody.
        title=next((title for title in titles if titles[-1] == title or titles[-1].startswith(f"{title} #")), None),
        model=next((session.model for session in reversed(sessions) if session.model), None),
        ended_at=tip.ended_at,
        end_reason=tip.end_reason,
        handed_on=tip.handed_on,
        tokens=tuple(map(sum, zip(*(session.tokens for session in sessions), strict=True))),
        cost_usd=sum(costs) if costs else None,
        auxiliary_tokens=sum(beside) if beside else None,
        auxiliary_cost_usd=sum(session.auxiliary_cost_usd for session in sessions),
    )


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


ONE_UNIT: tuple[Relation, ...] = ("compression_chain", "branch")
"""A branch repeats what stood before it, and so is no evidence of its own beside that."""


def roots_of(source: Source) -> dict[str, str]:
    """For each session the first of its unit: itself, where it came from none."""
    by_id = {session.id: session for session in source.sessions()}
    before: dict[str, str] = {}
    for session in by_id.values():
        parent = by_id.get(session.came_from) if session.came_from else None
        if source.facts.relation(session, parent) in ONE_UNIT and session.came_from not in (None, session.id):
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
