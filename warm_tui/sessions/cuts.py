"""What stood before each compaction of a life, and what was carried over it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warm_tui.sessions.blocks import is_summary
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import Row, as_text
from warm_tui.sessions.text import plain


class Cut(msgspec.Struct, frozen=True):
    """One compaction: the context there was, and the copies of it that the work went on with."""

    session_id: str
    in_place: bool
    before: list[Row]
    """None where the session that was compressed into this one is gone."""
    after: list[Row]

    @property
    def summaries(self) -> list[str]:
        return [plain(as_text(row[2]) or "") for row in self.after if is_summary(row)]


def cuts_of(life: Life) -> list[Cut]:
    """The compactions of a life, in order."""
    found: list[Cut] = []
    live: list[Row] = []
    for at, (session, part, rows) in enumerate(zip(life.sessions, life.parts, life.rows, strict=True)):
        begins = 0
        for nth, block in enumerate(part.blocks):
            inherited = at > 0 and nth == 0
            before = live if inherited else rows[begins : block.start]
            found.append(Cut(session.id, not inherited, before, rows[block.start : block.stop]))
            begins = block.start
        live = rows[begins:]
    return found


def body_of_summary(summaries: Iterable[str]) -> str:
    """What the newest summary tells, without the lines by which the agent frames it.

    A block may hold the summaries of earlier compactions too; the first is the newest. Its first line is
    the agent's own word to the model, the same in every session.
    """
    first = next(iter(summaries), "")
    head, _, rest = first.partition("\n")
    return (rest if rest.strip() else head.partition("]")[2]).strip()
