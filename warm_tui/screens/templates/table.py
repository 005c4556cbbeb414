"""The templates on their shelf."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from warm_tui.presentation.claims import claim_style
from warm_tui.presentation.figures import age
from warm_tui.sessions.text import clean_line
from warm_tui.templates.shelf import Row
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable


def made(row: Row, now: float) -> Shown:
    return age(made_at(row), now), "dim"


def made_at(row: Row) -> float | None:
    """When it was made, as far as its file says."""
    created_at = row.stored.template.read.get("created_at")
    if isinstance(created_at, (int, float)) and not isinstance(created_at, bool):
        return float(created_at)
    try:
        return datetime.fromisoformat(str(created_at)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def described(row: Row) -> Shown:
    return clean_line(row.stored.template.description), "dim"


def showed(row: Row) -> Shown:
    """What its latest saved comparison said."""
    return clean_line(row.showed), claim_style(row.showed)


def state(row: Row) -> Shown:
    """The active one, and those that the agent only proposes."""
    return ("?", "unknown") if row.proposal else ("▶" if row.active else " ", "ok")


def outside(row: Row) -> Shown:
    """How many of its texts came from outside, or nobody knows from where."""
    return (f"{row.outside:,}", "unknown") if row.outside else ("", "")


FIELDS = (
    Field("active", "", 1, lambda r, _: state(r)),
    Field("name", "name", 24, lambda r, _: (clean_line(r.name), ""), min_width=20),
    Field("pattern_count", "patterns", 8, lambda r, _: (str(r.pattern_count), ""), right=True, rank=1),
    Field("tokens", "tokens", 7, lambda r, _: (str(r.tokens), ""), right=True, rank=2),
    Field("outside", "outside", 7, lambda r, _: outside(r), right=True, rank=2),
    Field("task_type", "task", 8, lambda r, _: (clean_line(r.task_type), "dim"), rank=7),
    Field("begun_warm", "uses", 4, lambda r, _: (f"{r.begun_warm:,}", ""), right=True, rank=3),
    Field("showed", "compared", 19, lambda r, _: showed(r), rank=5),
    Field("created_at", "age", 4, made, right=True, rank=6),
    Field("tags", "tags", 18, lambda r, _: (clean_line(", ".join(r.stored.template.tags)), "dim"), rank=8),
    Field("format", "format", 10, lambda r, _: (r.stored.template.format, "dim"), rank=9),
    Field("description", "what it is for", 60, lambda r, _: described(r), rank=3, min_width=16, grow=5),
)  # fmt: skip


class TemplateTable(LineTable[Row]):
    FIELDS: ClassVar = FIELDS
    MARKS: ClassVar = {"marked": "●"}
    least_beside = 96

    def identity(self, row: Row) -> str:
        return row.identity
