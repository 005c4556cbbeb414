"""Charts made of characters: bars of groups, and curves on a grid."""

from __future__ import annotations

from collections.abc import Sequence

from warm_tui.presentation.lines import Line
from warm_tui.reports.document import Curves, Histograms
from warm_tui.sessions.text import clean_line

BARS = " ▁▂▃▄▅▆▇█"


def binned(picture: Histograms, bins: int) -> tuple[list[list[int]], float]:
    """How many of each group fall in each bin, and where the last bin ends: no wider than the values need."""
    highest = max((value for rank in picture.ranks for value in rank.values), default=0.0)
    end = next(limit for limit in (0.1, 0.2, 0.3, 0.5, 1.0) if highest <= limit or limit == 1.0)
    counts = []
    for rank in picture.ranks:
        of_rank = [0] * bins
        for value in rank.values:
            of_rank[min(bins - 1, int(value / end * bins))] += 1
        counts.append(of_rank)
    return counts, end


def histogram_lines(picture: Histograms, width: int) -> list[Line]:
    """A line of bars for each group, above one another; each group's bars are shares of that group."""
    label = max((len(rank.name) for rank in picture.ranks), default=0) + 1
    room = max(10, min(60, width - label - 14))
    counts, end = binned(picture, room // 2)
    lines: list[Line] = []
    for rank, of_rank in zip(picture.ranks, counts, strict=True):
        most = max(max(of_rank, default=0), 1)
        bars = "".join(BARS[-(-count * 8 // most)] * 2 for count in of_rank)
        lines.append([(f"{rank.name:{label}}", rank.style), (bars, rank.style), (f"  of {len(rank.values):,}", "dim")])
    ticks = "0%".ljust(len(bars) - len(f"{end:.0%}")) + f"{end:.0%}" if lines else ""
    return [*lines, [(" " * label + ticks + f"  {clean_line(picture.across)}", "dim")]]


CURVE_GLYPHS = "●○◆◇"


def curve_lines(picture: Curves, width: int, height: int) -> list[Line]:
    """The curves on a grid of characters, with their axes; where two meet, the first is seen."""
    points = [point for curve in picture.curves for point in curve.points]
    if not points:
        return [[("no call with a verdict", "dim")]]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top = max(max(y for _, y in points), 1e-9)
    label = max(len(_tick(value, picture.percent)) for value in (0.0, top))
    room = max(8, width - label - 1)
    grid: list[Line] = [[(" ", "")] * room for _ in range(height)]
    for nth, curve in reversed(list(enumerate(picture.curves))):
        for at, y in _columns(curve.points, left, right, room):
            grid[height - 1 - round(y / top * (height - 1))][at] = (CURVE_GLYPHS[nth % 4], curve.style)
    lines: list[Line] = []
    for row, cells in enumerate(grid):
        tick = _tick(top, picture.percent) if row == 0 else _tick(0.0, picture.percent) if row == height - 1 else ""
        lines.append([(f"{tick:>{label}}│", "dim"), *cells])
    ends = f"{left:,.6g}".ljust(room - len(f"{right:,.6g}")) + f"{right:,.6g}"
    lines.append([(" " * (label + 1) + ends, "dim")])
    legend: Line = [(" " * (label + 1), "")]
    for nth, curve in enumerate(picture.curves):
        legend.append((f"{CURVE_GLYPHS[nth % 4]} {clean_line(curve.name)}   ", curve.style))
    return [*lines, [*legend, (clean_line(picture.across), "dim")]]


def _columns(points: Sequence[tuple[float, float]], left: float, right: float, room: int) -> list[tuple[int, float]]:
    """One height a column: of the last point in it, or of the points beside it."""
    ordered = sorted(points)
    heights: list[tuple[int, float]] = []
    at = 0
    for column in range(room):
        x = left + (right - left) * column / max(1, room - 1)
        if not ordered or not ordered[0][0] <= x <= ordered[-1][0]:
            continue
        while at + 1 < len(ordered) and ordered[at + 1][0] <= x:
            at += 1
        heights.append((column, ordered[at][1]))
    return heights


def _tick(value: float, percent: bool) -> str:
    return f"{value:.0%}" if percent else f"{value:,.3g}"
