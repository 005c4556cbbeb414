"""What stood before each compaction of a life, and what was carried over it."""

from __future__ import annotations

import msgspec

from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import Message


class Cut(msgspec.Struct, frozen=True):
    """One compaction: the context there was, and the copies of it that the work went on with."""

    session_id: str
    in_place: bool
    before: list[Message]
    """Nothing where the session that was compacted into this one is gone."""
    after: list[Message]
    summary: str | None
    """The newest, as it stands in the context; those of earlier compactions may stand behind it."""
    summary_body: str | None
    """What it tells, without the agent's own words around it."""


def cuts_of(life: Life) -> list[Cut]:
    """The compactions of a life, in order."""
    cuts: list[Cut] = []
    live: list[Message] = []
    for at, (session, part, messages) in enumerate(zip(life.sessions, life.parts, life.messages, strict=True)):
        begins = 0
        for nth, block in enumerate(part.blocks):
            inherited = nth == 0 and len(part.blocks) > part.compactions
            if inherited and at == 0:
                # It goes on from a session that is part of another life: that cut is of neither.
                begins = block.start
                continue
            before = live if inherited else messages[begins : block.start]
            after = messages[block.start : block.stop]
            summary = next((message.text for message in after if message.is_summary), None)
            body = None if summary is None else life.facts.body_of_summary(summary)
            cuts.append(Cut(session.id, not inherited, before, after, summary, body))
            begins = block.start
        live = messages[begins:]
    return cuts
