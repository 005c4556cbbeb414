"""A session, or the whole life it belongs to, as a list of what was said and done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec

from warm_tui.sessions.hermes.blocks import is_summary
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.lineage import Life, chain
from warm_tui.sessions.model import Call, Row, Session, as_text
from warm_tui.sessions.pairing import pair
from warm_tui.sessions.text import plain

ItemKind: TypeAlias = Literal["session", "user", "assistant", "call", "cut", "carried"]


class Item(msgspec.Struct, frozen=True):
    """One thing in a transcript. A cut tells its summary, what was carried over how many rows."""

    kind: ItemKind
    session_id: str
    text: str = ""
    call: Call | None = None
    count: int = 0

    @property
    def identity(self) -> tuple[str, ...]:
        """The same in a session read alone and in its whole chain."""
        return (self.session_id, self.kind, self.call.key if self.call else self.text[:200])


def beginning(database: HermesDb, session: Session, rows: int) -> list[Item]:
    """The first of what happened in one session, without reading the rest. The last result may be missing."""
    first = database.messages(session.id, rows)
    while first and first[-1][1] != "user" and first[-1][4]:
        first.pop()  # a turn whose results lie beyond
    part = pair(first, session.id)
    return list(_items_of(session.id, first, part.blocks, _by_message(part.calls)))


def transcript(database: HermesDb, session: Session, *, whole_chain: bool) -> list[Item]:
    """What happened, in order; copies left by compaction are told in one item, not repeated."""
    members = chain(session, database.session, database.children)
    items: list[Item] = []
    parent: list[Row] | None = None
    segment = position = 0
    for member in members:
        rows = database.messages(member.id)
        part = pair(rows, member.id, parent=parent, first_segment=segment, first_position=position)
        if whole_chain or member.id == session.id:
            if whole_chain and len(members) > 1:
                items.append(Item("session", member.id, text=member.title or member.id))
            items.extend(_items_of(member.id, rows, part.blocks, _by_message(part.calls)))
        segment += part.compactions + 1
        position += len(part.calls)
        parent = rows
    return items


def retold(life: Life) -> list[Item]:
    """As `transcript` of the whole chain, from a life that has been read."""
    items: list[Item] = []
    for member, rows, part in zip(life.sessions, life.rows, life.parts, strict=True):
        items.extend(_items_of(member.id, rows, part.blocks, _by_message(part.calls)))
    return items


def _by_message(calls: Iterable[Call]) -> dict[int, list[Call]]:
    made: dict[int, list[Call]] = {}
    for call in calls:
        made.setdefault(call.message_id, []).append(call)
    return made


def _items_of(session_id: str, rows: list[Row], blocks: list[range], calls: Mapping[int, list[Call]]) -> Iterable[Item]:
    starts = {block.start: block for block in blocks if block}
    inside: range = range(0)
    for index, (row_id, role, content, *_) in enumerate(rows):
        if index in starts:
            inside = starts[index]
            yield from _cut(session_id, rows, inside)
        if index in inside or role == "tool":
            continue
        text = plain(as_text(content) or "")
        if role == "user":
            yield Item("user", session_id, text=text)
        elif role == "assistant":
            if text.strip():
                yield Item("assistant", session_id, text=text)
            for call in calls.get(row_id, ()):
                yield Item("call", session_id, call=call)


def _cut(session_id: str, rows: list[Row], block: range) -> Iterable[Item]:
    summaries = [as_text(rows[at][2]) or "" for at in block if is_summary(rows[at])]
    carried = len(block) - len(summaries)
    yield Item("cut", session_id, text=summaries[0] if summaries else "No summary was recorded.", count=carried)
    if carried:
        told = "\n".join(_line(rows[at]) for at in block if not is_summary(rows[at]))
        yield Item("carried", session_id, text=told, count=carried)


def _line(row: Row) -> str:
    text = " ".join(plain(as_text(row[2]) or "").split())
    return f"{row[1]}: {text[:160]}" if text else f"{row[1]}"
