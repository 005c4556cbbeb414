"""A canvas of dots, two by four in a character: lines, and the bands around them, each in a style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from warm_tui.presentation.lines import Line

ACROSS, UP = 2, 4
DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bits of a character's dots, by column and row, the lowest row first."""
BLANK = 0x2800
MIXED = "dim"
"""Of a character in which dots of one layer have different styles."""


class Canvas:
    """Dots from the lower left. Of a character, only the dots of its highest layer are seen: a line stays a line."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.columns, self.rows = width * ACROSS, height * UP
        self._cells: dict[tuple[int, int], tuple[int, int, str]] = {}

    def dot(self, x: int, y: int, layer: int, style: str) -> None:
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            return
        at, bit = (x // ACROSS, y // UP), DOTS[x % ACROSS][y % UP]
        own_layer, bits, own_style = self._cells.get(at, (layer, 0, style))
        if layer > own_layer:
            own_layer, bits, own_style = layer, 0, style
        if layer == own_layer:
            self._cells[at] = layer, bits | bit, own_style if own_style == style else MIXED

    def band(
        self, heights: Iterable[tuple[int, int, int]], layer: int, style: str, phase: int = 0, every: int = 2
    ) -> None:
        """Every other dot of some columns, from the lower to the upper end: x, low, high."""
        for x, low, high in heights:
            if x % every == phase % every:
                for y in range(low, high + 1):
                    if y % 2 == 0:
                        self.dot(x, y, layer, style)

    def edges(
        self, heights: Iterable[tuple[int, int, int]], layer: int, style: str, phase: int = 0, every: int = 4
    ) -> None:
        """The two ends of a band, far between: a filled one would bury the line in it."""
        for x, low, high in heights:
            if x % every == phase % every:
                self.dot(x, low, layer, style)
                self.dot(x, high, layer, style)

    def area(self, heights: Iterable[tuple[int, int]], layer: int, style: str) -> None:
        """All dots below."""
        for x, top in heights:
            for y in range(top + 1):
                self.dot(x, y, layer, style)

    def line(self, heights: Sequence[tuple[int, int]], layer: int, style: str, dashed: bool = False) -> None:
        """From column to column; where a column is left out, the line has a gap."""
        before: tuple[int, int] | None = None
        for x, y in heights:
            start = before[1] if before is not None and before[0] == x - 1 else y
            before = x, y
            if dashed and x % 6 > 3:
                continue
            for each in range(min(start, y), max(start, y) + 1):
                self.dot(x, each, layer, style)

    def cells(self) -> list[Line]:
        """A piece a character, from the top down."""
        return [[self._character(column, row) for column in range(self.width)] for row in reversed(range(self.height))]

    def lines(self) -> list[Line]:
        return [joined(cells) for cells in self.cells()]

    def _character(self, column: int, row: int) -> tuple[str, str]:
        cell = self._cells.get((column, row))
        return (" ", "") if cell is None else (chr(BLANK + cell[1]), cell[2])


def joined(cells: Iterable[tuple[str, str]]) -> Line:
    """Neighbours of one style as one piece; blanks are pieces of their own, which no picture of a screen draws."""
    alike = groupby(cells, key=lambda cell: (cell[1], cell[0] == " "))
    return [("".join(text for text, _ in same), style) for (style, _), same in alike]


def sampled(points: Sequence[tuple[float, float]], left: float, right: float, columns: int) -> list[tuple[int, float]]:
    """The value at each column from the first point to the last, on the line through them."""
    ordered = sorted(points)
    values: list[tuple[int, float]] = []
    at = 0
    for column in range(columns):
        x = left + (right - left) * column / max(1, columns - 1)
        if not ordered or not ordered[0][0] <= x <= ordered[-1][0]:
            continue
        while at + 2 < len(ordered) and ordered[at + 1][0] <= x:
            at += 1
        (x0, y0), (x1, y1) = ordered[at], ordered[min(at + 1, len(ordered) - 1)]
        values.append((column, y1 if x1 <= x0 else y0 + (y1 - y0) * min(1.0, max(0.0, (x - x0) / (x1 - x0)))))
    return values
