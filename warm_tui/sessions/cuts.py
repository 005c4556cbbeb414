"""What stood before each compaction of a life, and what was carried over it."""

from __future__ import annotations

import msgspec

from warm_tui.sessions.hermes.blocks import SUMMARY_STARTS, is_summary
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.model import Row, as_text
from warm_tui.sessions.text import plain


class Cut(msgspec.Struct, frozen=True):
    """One compaction: the context there was, and the copies of it that the work went on with."""

    session_id: str
    in_place: bool
    before: list[Row]
    """Nothing where the session that was compressed into this one is gone."""
    after: list[Row]

    @property
    def summary(self) -> str | None:
        """The newest, as it stands in the context; those of earlier compactions may stand behind it."""
        return next((plain(as_text(row[2]) or "") for row in self.after if is_summary(row)), None)


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


FRAMES = (*SUMMARY_STARTS, "[END OF PRIOR CONTEXT", "--- END OF CONTEXT SUMMARY")


def body_of_summary(summary: str) -> str:
    """What a summary tells, without the lines by which the agent frames it, nor those of earlier ones in it.

    A frame is the agent's own word to the model, the same in every session. Where earlier summaries stand
    inside, the newest is the last. Where all is one line, the text stands behind the frame's bracket.
    """
    body: list[str] = []
    last: list[str] = []
    behind = ""
    for line in summary.split("\n"):
        if line.startswith(FRAMES):
            if any(one.strip() for one in body):
                last = body
            body, behind = [], line.partition("]")[2] or behind
        else:
            body.append(line)
    body = body if any(one.strip() for one in body) else last
    return ("\n".join(body) if body else behind).strip(" :\n")
