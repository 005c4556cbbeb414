"""The lives that were compacted, and all of them together."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from warm_tui.presentation.claims import ONE_LIFE
from warm_tui.presentation.figures import percent, signed
from warm_tui.presentation.glossary import numbers_of_change
from warm_tui.reliability.bounds import FEW_CALLS, rate_bounds
from warm_tui.reliability.compaction import Change, ChangeVerdict, Counts
from warm_tui.reliability.pooled import Effect
from warm_tui.screens.shared.arranging import has_words, ordered
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable

EVERY_LIFE = ""
SEVERITY: tuple[ChangeVerdict, ...] = ("improved", "preserved", "inconclusive", "degraded")
"""By which verdicts are sorted: worst first where a column is turned downwards."""
TOLD_BELOW = "told below"
"""Of all lives together: they are held against each other there, and have no one rate before and after."""


class LifeRow(msgspec.Struct, frozen=True):
    """`effect` is None for the row that stands for all lives."""

    session_id: str
    title: str
    compactions: int
    effect: Effect | None = None

    @property
    def change(self) -> Change | None:
        return self.effect.impact.whole if self.effect else None


def _rate(counts: Counts | None) -> Shown:
    """Without a colour: here the change is what matters, and that has one where it is shown."""
    return (percent(counts.rate), "dim" if counts.calls < FEW_CALLS else "") if counts else ("", "")


def _difference(row: LifeRow) -> Shown:
    return (signed(row.change.difference), "dim") if row.change else ("", "")


def _verdict(row: LifeRow) -> Shown:
    if row.change is None:
        return TOLD_BELOW, "dim"
    return ONE_LIFE[row.change.verdict], "dim" if row.change.verdict == "inconclusive" else ""


def _place(row: LifeRow, name: str) -> Shown:
    return clean_line(getattr(row.effect, name)) if row.effect else "", "dim"


FIELDS = (
    Field("title", "session", 40, lambda r, _: (clean_line(r.title), "" if r.effect else "mark"), min_width=16, grow=2),
    Field("agent", "agent", 11, lambda r, _: _place(r, "agent"), rank=1),
    Field("home", "home", 8, lambda r, _: _place(r, "home"), rank=1),
    Field("verdict", "verdict", 12, lambda r, _: _verdict(r)),
    Field("compactions", "compactions", 11, lambda r, _: (f"{r.compactions:,}", ""), right=True, rank=3),
    Field("before", "before", 6, lambda r, _: _rate(r.change and r.change.before), right=True, rank=2),
    Field("after", "after", 6, lambda r, _: _rate(r.change and r.change.after), right=True, rank=2),
    Field("difference", "change", 8, lambda r, _: _difference(r), right=True, rank=1),
    Field("model", "model", 16, lambda r, _: _place(r, "model"), rank=4, min_width=8),
)


def usual_fields(effects: list[Effect]) -> tuple[Field, ...]:
    """With what tells lives of one title apart, as in Sessions: their agents, where there are some, and their homes."""
    agents, homes = ({getattr(effect, name) for effect in effects} for name in ("agent", "home"))
    told = {"agent": len(agents) > 1, "home": len(homes) > len(agents)}
    return tuple(field for field in FIELDS if told.get(field.name, True))


class LifeTable(LineTable[LifeRow]):
    FIELDS: ClassVar = FIELDS
    TERMS: ClassVar = {"difference": "change over a compaction"}
    BOUNDED: ClassVar = ("before", "after", "difference")

    def numbers(self, row: LifeRow) -> dict[str, str]:
        return numbers_of_change(row.change) if row.change else {}

    def identity(self, row: LifeRow) -> str:
        return row.session_id


def arranged(effects: list[Effect], query: str, order: str) -> list[LifeRow]:
    """All lives first, then those that match, in order; where a value is unknown, last."""
    rows = [LifeRow(effect.session_id, effect.title, effect.compactions, effect) for effect in effects]
    rows = [row for row in rows if has_words(query, _searched_text(row))]
    title = "All that match" if query.split() else "All sessions"
    every = LifeRow(EVERY_LIFE, title, sum(row.compactions for row in rows))
    return [every, *ordered(rows, order, _value)] if rows else []


def _searched_text(row: LifeRow) -> str:
    effect, change = row.effect, row.change
    told = f"{change.verdict} {ONE_LIFE[change.verdict]}" if change else ""
    told += f" {effect.model} {effect.agent} {effect.home}" if effect else ""
    return f"{row.title} {row.session_id} {told}"


def _value(row: LifeRow, name: str) -> Any:
    """What a column is sorted by."""
    change = row.change
    if name in ("before", "after"):
        return rate_bounds(*getattr(change, name).pair) if change else None
    if name == "difference":
        return change.bounds if change else None
    if name == "verdict":
        return SEVERITY.index(change.verdict) if change else None
    return getattr(row.effect if name in ("model", "agent", "home") else row, name or "title", None)
