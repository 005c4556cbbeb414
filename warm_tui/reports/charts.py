"""Charts made of characters: bars of groups, and curves on a grid."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.presentation.braille import UP, Canvas, sampled
from warm_tui.presentation.figures import moment
from warm_tui.presentation.lines import Line
from warm_tui.reports.document import Curve, Curves, Histograms
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
    return (
        [*lines, [(" " * label + _below_bars(clean_line(picture.across), f"{end:.0%}", len(bars)), "dim")]]
        if lines
        else []
    )


def _below_bars(words: str, end: str, width: int) -> str:
    """The words between the ends of the axis, where they would be cut beside it."""
    between = width - len("0%") - len(end)
    if len(words) + 4 <= between:
        return f"0%{words:^{between}}{end}"
    return f"{'0%'.ljust(width - len(end))}{end}  {words}"


LEGENDS = ("━━", "╍╍", "┄┄", "··")
SETTLED = 0.1
"""Of what is across: until then, so little is known that the bands would set the scale for all."""


def ends_of(picture: Curves) -> tuple[float, float]:
    """Where the axis begins and ends: about every line, and about the bands once something is known."""
    xs = [x for curve in picture.curves for x, _ in curve.points]
    settled = min(xs) + SETTLED * (max(xs) - min(xs)) if xs else 0.0
    bands = [(low, high) for curve in picture.curves for x, low, high in curve.band if x >= settled]
    values = [y for curve in picture.curves for _, y in curve.points]
    top = max([1e-9, *values, *(high for _, high in bands)])
    bottom = min([0.0, *values, *(low for low, _ in bands)]) if picture.are_changes else 0.0
    return bottom, min(1.0, top) if picture.percent else top


def span_of(picture: Curves) -> tuple[float, float]:
    """From where to where all that is drawn stands: a mark may be later than the middle of the newest day."""
    points = [x for curve in picture.curves for x, _ in curve.points]
    xs = [*points, *(mark.x for mark in picture.marks)]
    return min(xs), max(xs)


def curve_lines(picture: Curves, width: int, height: int) -> list[Line]:
    """Lines of dots with their axes, each in its band; the first lies above the others, which are dashed."""
    if not any(curve.points for curve in picture.curves):
        return [[("no call with a verdict", "dim")]]
    (left, right), (bottom, top) = span_of(picture), ends_of(picture)
    label = max(len(tick_of(picture, value)) for value in (bottom, top))
    canvas = Canvas(max(8, width - label - 1), height)
    for mark in picture.marks:
        column = _column(mark.x, left, right, canvas.columns)
        for y in range(0, canvas.rows, 3):
            canvas.dot(column, y, 0, "mark")
    axis = _Axis(bottom, top, canvas.rows)
    # Nought is drawn: what is empty above it is a rate that was not seen.
    canvas.line([(x, axis.row(0.0)) for x in range(canvas.columns)], 1, "dim")
    for nth, curve in enumerate(picture.curves):
        _draw(canvas, curve, nth, len(picture.curves), (left, right), axis)
    ticks = {height - 1: bottom, 0: top}
    if picture.are_changes:
        ticks = {height - 1 - axis.row(0.0) // UP: 0.0} | ticks
    lines: list[Line] = []
    for row, cells in enumerate(canvas.lines()):
        tick = tick_of(picture, ticks[row]) if row in ticks else ""
        lines.append([(f"{tick:>{label}}│", "dim"), *cells])
    if picture.marks:
        lines.append([(" " * (label + 1), ""), (_signs(picture, left, right, canvas), "mark")])
    first, last = (end_tick(picture, end) for end in (left, right))
    lines.append([(" " * (label + 1) + first.ljust(canvas.width - len(last)) + last, "dim")])
    legend: Line = [(" " * (label + 1), "")]
    for nth, curve in enumerate(picture.curves):
        legend.append((f"{LEGENDS[min(nth, 3)]} {clean_line(curve.name)}   ", curve.style))
    if any(curve.band for curve in picture.curves):
        legend.append(("dots: 95 %   ", "dim"))
    return [*lines, [*legend, (clean_line(picture.across), "dim")]]


def end_tick(picture: Curves, value: float) -> str:
    return moment(value)[:10] if picture.are_times else f"{value:,.6g}"


def _column(x: float, left: float, right: float, columns: int) -> int:
    return round((x - left) / max(right - left, 1e-9) * (columns - 1))


def _signs(picture: Curves, left: float, right: float, canvas: Canvas) -> str:
    """Below the axis; where two fall on one place, the later one is seen."""
    cells = [" "] * canvas.width
    for mark in picture.marks:
        cells[_column(mark.x, left, right, canvas.columns) // 2] = mark.sign
    return "".join(cells).rstrip()


class _Axis(NamedTuple):
    bottom: float
    top: float
    rows: int

    def row(self, value: float) -> int:
        share = (value - self.bottom) / (self.top - self.bottom)
        return max(0, min(self.rows - 1, round(share * (self.rows - 1))))


def _draw(canvas: Canvas, curve: Curve, nth: int, curves: int, ends: tuple[float, float], axis: _Axis) -> None:
    left, right = ends
    row = axis.row
    lows = dict(sampled([(x, low) for x, low, _ in curve.band], left, right, canvas.columns))
    highs = sampled([(x, high) for x, _, high in curve.band], left, right, canvas.columns)
    canvas.edges(((x, row(lows[x]), row(high)) for x, high in highs), 0, curve.style, 2 * nth)
    heights = [(x, row(value)) for x, value in sampled(curve.points, left, right, canvas.columns)]
    canvas.line(heights, 2 + curves - nth, curve.style, dashed=nth > 0)


def tick_of(picture: Curves, value: float) -> str:
    if picture.are_changes:
        return f"{value * 100:+.0f} pp" if value else "0"
    return f"{value:.0%}" if picture.percent else f"{value:,.3g}"
