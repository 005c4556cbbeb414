"""The columns of a table, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len

from warm_tui.presentation.tables import Column

Shown = tuple[str, str]
"""A cell's text and the name of its style."""


class Field(NamedTuple):
    """A column: what it is sorted by, how wide it is, and what it shows of a row."""

    name: str
    title: str
    width: int
    show: Callable[[Any, float], Shown]
    right: bool = False
    min_width: int = 0
    rank: int = 0
    grow: int = 0
    computed: bool = True
    runs_on: bool = False
    """What is longer than the column runs on over empty cells to its right."""

    @property
    def usual_width(self) -> int:
        return max(self.width, cell_len(self.title))


def columns_of(fields: Sequence[Field], ordered: Collection[str]) -> list[Column]:
    """What they are sorted by is the last that gives way."""
    ranks = [min(field.rank, 1) if field.name in ordered else field.rank for field in fields]
    return [
        Column(field.title, field.right, field.min_width, rank, field.grow)
        for field, rank in zip(fields, ranks, strict=True)
    ]


STYLES = (
    "header", "sorted", "cursor", "cursor-blurred", "dim", "ok", "failed", "unknown", "benign", "masked", "mark",
    "group", "warm", "cold",
)  # fmt: skip
"""How what stands in a cell may look."""
