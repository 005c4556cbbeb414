"""The calls to pick from, the most worthwhile first."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from warm_tui.presentation.calls import call_line, call_words
from warm_tui.presentation.figures import age
from warm_tui.presentation.pictures import GLYPHS, outcome_of
from warm_tui.presentation.verdicts import label
from warm_tui.sessions.text import clean_line
from warm_tui.templates.shortlist import Entry, Heading, Line, reason
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable


def evidence(entry: Entry) -> Shown:
    verdict = entry.candidate.verdict
    outcome = outcome_of((entry.candidate.call, verdict))
    sure = "≈" if verdict.confidence == "likely" else ""
    came = "◂" if "outside" in (entry.candidate.whose.arguments, entry.candidate.whose.result) else ""
    came += "!" if came and entry.candidate.signs else ""
    return f"{GLYPHS[outcome]}{sure}{came} {label(verdict)}", outcome


def reason_shown(entry: Entry, counts: Counter[str]) -> Shown:
    """Its own reason, behind what tells how the call ended."""
    glyphs, outcome = evidence(entry)
    return f"{glyphs.split(' ')[0]} {clean_line(reason(entry, counts))}", "" if outcome == "ok" else outcome


def said_before(entry: Entry) -> Shown:
    return clean_line(entry.candidate.context[:300]), "dim"


def words(entry: Entry) -> Shown:
    """The call in its own words; a command speaks for itself, other tools are named."""
    candidate = entry.candidate
    mended = f"  ← ✗ {call_line(candidate.mends.call.arguments)}" if candidate.mends else ""
    return f"{call_words(candidate.tool or candidate.call.tool_name, candidate.call.arguments)}{mended}", ""


# The words and the reasons have the room before there is another column; what is left is theirs, too.
FIELDS = (
    Field("arguments", "call", 56, lambda e, _: words(e), min_width=34, grow=2),
    Field("value", "why", 30, lambda *_: ("", ""), rank=2, min_width=16),
    Field("verdict", "evidence", 13, lambda e, _: evidence(e), rank=3),
    Field("tokens", "tokens", 6, lambda e, _: (str(e.tokens), ""), right=True, rank=1),
    Field("count", "seen", 5, lambda *_: ("", "dim"), right=True, rank=5),
    Field("context", "said before", 40, lambda e, _: said_before(e), rank=8, min_width=20),
    Field("title", "session", 26, lambda e, _: (clean_line(e.title), "dim"), rank=9, min_width=12),
    Field("recorded_at", "age", 4, lambda e, now: (age(e.candidate.recorded_at, now), "dim"), right=True, rank=4),
)  # fmt: skip


class CandidateTable(LineTable[Line]):
    FIELDS: ClassVar = FIELDS
    MARKS: ClassVar = {"picked": "●"}
    least_beside = 92
    TERMS: ClassVar = {"value": "why to pick it", "tokens": "tokens of a call"}

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.counts: Counter[str] = Counter()

    def identity(self, row: Line) -> str:
        return row.tool if isinstance(row, Heading) else " ".join(row.call)

    def cell(self, field: Field, row: Line) -> Shown:
        if isinstance(row, Entry) and field.name == "count":
            return f"{row.seen or self.counts[row.candidate.shape]}×", "dim"
        if isinstance(row, Entry) and field.name == "value":
            return reason_shown(row, self.counts)
        return super().cell(field, row)

    def _cells(self, row: Line) -> tuple[Shown, ...]:
        """The signs of how a call ended stand once: where that has no column of its own, before the reason."""
        seen, cells = [field.name for field, _ in self._in_sight()], super()._cells(row)
        if not (isinstance(row, Entry) and {"verdict", "value"} <= {*seen}):
            return cells
        at = seen.index("value")
        return *cells[:at], (clean_line(reason(row, self.counts)), cells[at][1]), *cells[at + 1 :]

    def heading(self, row: Line) -> str:
        if not isinstance(row, Heading):
            return ""
        hidden = f", {row.total - row.shown:,} not shown" if row.total > row.shown else ""
        return f"{clean_line(row.tool)}  {row.shown:,} call{'s' * (row.shown != 1)}{hidden}"
