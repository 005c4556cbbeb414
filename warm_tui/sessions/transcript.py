"""A session, or the whole life it belongs to, as a list of what was said and done."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from warm_tui.sessions.learning import Learned, learned_in
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import Call, Message, Session
from warm_tui.sessions.pairing import Paired, pair
from warm_tui.sessions.source import AgentFacts, Source

ItemKind: TypeAlias = Literal["session", "user", "assistant", "call", "cut", "carried", "helper", "review"]


NOTHING: Mapping[str, Sequence[Learned]] = {}


class Item(msgspec.Struct, frozen=True):
    """One thing in a transcript. A cut tells its summary, what was carried over how many rows, a helper its calls, the
    agent's own review what it asks itself, or what it was seen to keep.
    """

    kind: ItemKind
    session_id: str
    text: str = ""
    call: Call | None = None
    count: int = 0
    within: tuple[str, ...] = ()
    """The helpers in whose work it stands, by their sessions, the outermost first."""
    kept: str = ""
    """Of a call: where it kept something for later sessions, and who had it do so."""

    @property
    def identity(self) -> tuple[str, ...]:
        """The same in a session read alone and in its whole chain."""
        return (self.session_id, self.kind, self.call.key if self.call else self.text[:200])


def beginning(source: Source, session: Session, most: int) -> list[Item]:
    """The first of what happened in one session, without reading the rest. The last result may be missing."""
    first = source.messages(session.id, most)
    while first and first[-1].role != "user" and first[-1].calls:
        first.pop()  # a turn whose results lie beyond
    return list(_items_of(session.id, first, pair(first, session.id, source.facts), source.facts))


def transcript(
    life: Life, of_one: Session | None = None, noted: Mapping[str, Sequence[Learned]] = NOTHING
) -> list[Item]:
    """What happened, in order, in a whole life or in one of its sessions.

    Copies left by compaction or made by branching are told in one item, not repeated. `noted`: what the agent's own
    reviews were seen to keep, by session.
    """
    items: list[Item] = []
    for member, part, messages in life.walk():
        if of_one is not None and member.id != of_one.id:
            continue
        if of_one is None and len(life.sessions) > 1:
            items.append(Item("session", member.id, text=member.title or member.id))
        items.extend(_items_of(member.id, messages, part, life.facts, noted.get(member.id, ())))
    return items


def _by_message(calls: Iterable[Call]) -> dict[int, list[Call]]:
    made: dict[int, list[Call]] = {}
    for call in calls:
        made.setdefault(call.message_id, []).append(call)
    return made


def _items_of(
    session_id: str, messages: list[Message], part: Paired, facts: AgentFacts, noted: Sequence[Learned] = ()
) -> Iterable[Item]:
    learned = learned_in(session_id, messages, part.calls, facts, noted)
    kept = {each.call: f"{each.what}, by its review" if each.by == "review" else each.what for each in learned}
    recorded = {call.key for call in part.calls}
    beside = deque(each for each in learned if each.call not in recorded)
    calls = _by_message(call for call in part.calls if not call.rewound)
    rewound = deque(call for call in part.calls if call.rewound)
    starts = {block.start: block for block in part.blocks if block}
    again = {run.start: run for run in part.again}
    inside = range(part.branched)
    if inside:
        yield _carried(session_id, messages[: part.branched])
    for index, message in enumerate(messages):
        while rewound and rewound[0].message_id < message.id:
            yield Item("call", session_id, call=rewound.popleft())
        if index in starts:
            inside = starts[index]
            yield from _cut(session_id, messages[inside.start : inside.stop])
        if index in again and index not in inside:
            inside = again[index]
            yield _carried(session_id, messages[inside.start : inside.stop])
        if index in inside or message.role == "tool":
            continue
        if message.role == "user":
            # A review begins when a turn has ended, and may still go on in the next.
            yield from _reviews(session_id, beside, message.timestamp)
            yield Item("review" if facts.opens_review(message.text) else "user", session_id, text=message.text)
        elif message.role == "assistant":
            if message.text.strip():
                yield Item("assistant", session_id, text=message.text)
            for call in calls.get(message.id, ()):
                yield Item("call", session_id, call=call, kept=kept.get(call.key, ""))
    for call in rewound:
        yield Item("call", session_id, call=call)
    yield from _reviews(session_id, beside, None)


def _reviews(session_id: str, beside: deque[Learned], before: float | None) -> Iterable[Item]:
    """What was kept before then, or at all; that of one turn is one item."""
    told = []
    while beside and (before is None or (beside[0].at or 0.0) < before):
        told.append(f"{beside[0].what}: {beside.popleft().words}")
    if told:
        yield Item("review", session_id, text="\n".join(told), count=len(told))


def _cut(session_id: str, copies: list[Message]) -> Iterable[Item]:
    summaries = [message.text for message in copies if message.is_summary]
    carried = [message for message in copies if not message.is_summary]
    summary = summaries[0] if summaries else "No summary was recorded."
    yield Item("cut", session_id, text=summary, count=len(carried))
    if carried:
        yield _carried(session_id, carried)


def _carried(session_id: str, copies: list[Message]) -> Item:
    return Item("carried", session_id, text="\n".join(map(_line, copies)), count=len(copies))


def _line(message: Message) -> str:
    text = " ".join(message.text[:1_000].split())
    return f"{message.role}: {text[:160]}" if text else message.role
