"""The columns of a table, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

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


STYLES = (
    "header", "sorted", "cursor", "cursor-blurred", "dim", "ok", "failed", "unknown", "benign", "masked", "mark",
    "group", "warm", "cold",
)  # fmt: skip
"""How what stands in a cell may look."""
