"""The sessions behind a comparison, by arm."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from warm_tui.comparisons.units import Unit
from warm_tui.presentation.claims import COLD, WARM
from warm_tui.presentation.figures import age, percent, rate_style
from warm_tui.presentation.glossary import numbers_of
from warm_tui.reliability.bounds import rate_bounds
from warm_tui.screens.shared.arranging import has_words, ordered
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable


class UnitRow(msgspec.Struct, frozen=True):
    arm: str
    unit: Unit


def _tokens(row: UnitRow) -> Shown:
    return (f"{row.unit.tokens:,}", "") if row.unit.tokens is not None else ("–", "dim")


def _rate(unit: Unit) -> Shown:
    return percent(unit.error_rate), rate_style(unit.error_rate, unit.known)


FIELDS = (
    Field("arm", "arm", 4, lambda r, _: (r.arm, WARM if r.arm == "warm" else COLD)),
    Field("title", "session", 40, lambda r, _: (clean_line(r.unit.title), ""), min_width=30, grow=3),
    Field("calls", "calls", 5, lambda r, _: (f"{r.unit.calls:,}", ""), right=True, rank=1),
    Field("failures", "failed", 6, lambda r, _: (f"{r.unit.failures:,}", ""), right=True, rank=2),
    Field("error_rate", "errors", 6, lambda r, _: _rate(r.unit), right=True),
    Field("started_at", "age", 4, lambda r, now: (age(r.unit.started_at, now), "dim"), right=True, rank=3),
    Field("tokens", "tokens", 9, lambda r, _: _tokens(r), right=True, rank=4),
    Field("model", "model", 16, lambda r, _: (clean_line(r.unit.model), "dim"), rank=5, min_width=16),
)  # fmt: skip


class UnitTable(LineTable[UnitRow]):
    FIELDS: ClassVar = FIELDS
    BOUNDED: ClassVar = ("error_rate",)

    def numbers(self, row: UnitRow) -> dict[str, str]:
        return numbers_of(row.unit.failures, row.unit.known)

    def identity(self, row: UnitRow) -> str:
        return f"{row.arm} {row.unit.session_id}"


def arranged(warm: list[Unit], cold: list[Unit], query: str, order: str) -> list[UnitRow]:
    rows = [UnitRow("warm", unit) for unit in warm] + [UnitRow("cold", unit) for unit in cold]
    return ordered((row for row in rows if has_words(query, _searched_text(row))), order, _value)


def _value(row: UnitRow, name: str) -> Any:
    if name == "error_rate":
        return rate_bounds(row.unit.failures, row.unit.known)
    return row.arm if name == "arm" else getattr(row.unit, name)


def _searched_text(row: UnitRow) -> str:
    return f"{row.arm} {row.unit.title} {row.unit.session_id} {row.unit.model}"
