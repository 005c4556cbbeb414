"""A whole transcript in one column: a cell for an item where they fit, else a cell for a few of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from warm_tui.presentation.lines import Line
from warm_tui.presentation.pictures import FAILING, GLYPHS, SHADES
from warm_tui.sessions.text import plural

WORST_FIRST = ("failed", "masked", "unknown", "benign", "ok")
CUT = "cut"
MARKS = {**{name: GLYPHS[name] for name in ("failed", "masked", "unknown")}, "benign": "·", "ok": "·"}
"""What is well says so quietly."""
CUT_COLUMN = 2
WIDTH = 3


class Cell(NamedTuple):
    """Some items that follow each other; `kinds` counts how their calls ended, and the compactions."""

    first: int
    end: int
    kinds: Counter[str]

    @property
    def worst(self) -> str:
        return next((kind for kind in WORST_FIRST if self.kinds[kind]), "")

    @property
    def share(self) -> str:
        """How large a share of several calls failed, as a bar."""
        calls = sum(self.kinds[kind] for kind in WORST_FIRST)
        failed = sum(self.kinds[kind] for kind in FAILING)
        return SHADES[max(1, round(failed / calls * (len(SHADES) - 1)))] if failed and calls > 1 else " "


def cells(kinds: Sequence[str], height: int) -> list[Cell]:
    """Of each item how its call ended, `cut`, or something else that is not marked."""
    count = len(kinds)
    rows = min(count, max(0, height))
    edges = [row * count // rows for row in range(rows + 1)] if rows else [0]
    return [Cell(first, end, Counter(kinds[first:end])) for first, end in pairwise(edges)]


def cell_line(cell: Cell, *, here: bool, seen: bool) -> Line:
    """Where one is, the worst in the cell, and a compaction or the share that failed."""
    place = "▶" if here else "▐" if seen else " "
    last = ("━", "mark") if cell.kinds[CUT] else (cell.share, "failed")
    return [(place, "strong" if here else "dim"), (MARKS.get(cell.worst, " "), cell.worst), last]


def goal(cell: Cell, kinds: Sequence[str], column: int) -> int:
    """The item that a click is meant for: the compaction where its sign is, else the first of the worst."""
    wanted = CUT if column >= CUT_COLUMN and cell.kinds[CUT] else cell.worst or CUT
    return next((at for at in range(cell.first, cell.end) if kinds[at] == wanted), cell.first)


def words(cell: Cell, count: int) -> str:
    """What there is in the cell."""
    place = f"{cell.first + 1:,}" if cell.end == cell.first + 1 else f"{cell.first + 1:,} to {cell.end:,}"
    told = [f"{cell.kinds[kind]:,} {kind}" for kind in WORST_FIRST if cell.kinds[kind]]
    told += [plural(cell.kinds[CUT], "compaction")] if cell.kinds[CUT] else []
    return f"{place} of {count:,}: {', '.join(told) or 'no calls'}"
