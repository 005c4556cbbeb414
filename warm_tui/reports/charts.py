"""Pictures made of characters: strips of calls, intervals on a line, curves on a grid."""

from __future__ import annotations

from collections.abc import Sequence

from warm_tui.reliability.profile import Judged
from warm_tui.reports.document import Curves, Histograms, Scale, Span
from warm_tui.sessions.text import clean_line

Piece = tuple[str, str]
"""Some text and the name of its style."""
Line = list[Piece]

GLYPHS = {"ok": "✓", "benign": "~", "failed": "✗", "unknown": "?", "masked": "!"}
FAILING = ("failed", "masked")
SHADES = "·▁▂▃▄▅▆▇█"
CUT = ("┃", "mark")


def outcome_of(call: Judged) -> str:
    """One of five words for a verdict, each with a glyph and a colour."""
    _, verdict = call
    if verdict.kind == "benign_exit":
        return "benign"
    if verdict.kind == "masked":
        return "masked"
    return {"success": "ok", "failure": "failed", "unknown": "unknown"}[verdict.outcome]


def rate_style(rate: float | None) -> str:
    return "dim" if rate is None else "ok" if rate < 0.05 else "unknown" if rate < 0.2 else "failed"


def strip_lines(parts: Sequence[Sequence[str]], width: int, lines: int) -> list[Line]:
    """A cell a call where they fit, else a cell for a few of them, its height the share that failed."""
    calls, cuts = sum(map(len, parts)), max(0, len(parts) - 1)
    if not calls:
        return [[("no calls", "dim")]]
    room = width * lines
    cells: list[Piece] = []
    if calls + cuts <= room:
        for at, part in enumerate(parts):
            cells += [CUT] if at else []
            cells += [(GLYPHS[outcome], outcome) for outcome in part]
        return _in_lines(cells, width)
    # Where even the cuts leave no room, they are not drawn, and the calls run through.
    shown = parts if cuts < room // 2 else [[outcome for part in parts for outcome in part]]
    room -= len(shown) - 1
    a_cell = calls / max(1, room - len(shown))
    for at, part in enumerate(shown):
        cells += [CUT] if at else []
        bins = max(1, int(len(part) / a_cell)) if part else 0
        cells += [_shade(part[n * len(part) // bins : (n + 1) * len(part) // bins]) for n in range(bins)]
    told = f"{a_cell:.1f} calls a cell, its height the share that failed"
    if shown is not parts:
        told += f"; {cuts} cuts are not drawn"
    return [*_in_lines(cells, width), [(told, "dim")]]


def _shade(part: Sequence[str]) -> Piece:
    failed = sum(outcome in FAILING for outcome in part)
    level = max(1, round(failed / len(part) * (len(SHADES) - 1))) if failed else 0
    return SHADES[level], "failed" if failed else "ok"


def _in_lines(cells: Sequence[Piece], width: int) -> list[Line]:
    return [list(cells[at : at + width]) for at in range(0, len(cells), width)]


def span_line(span: Span, scale: Scale, width: int) -> str:
    """The estimate as a dot on its interval, the interval on the scale."""

    def cell(value: float) -> int:
        share = (value - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
        return max(0, min(width - 1, int(share * width)))

    cells = ["·"] * width
    if scale.zero is not None:
        cells[cell(scale.zero)] = "│"
    if span.value is None:
        return "".join(cells)
    if span.low is not None and span.high is not None:
        for at in range(cell(span.low), cell(span.high) + 1):
            cells[at] = "┼" if cells[at] == "│" else "─"
        if span.low < scale.low:
            cells[0] = "←"
        if span.high > scale.high:
            cells[-1] = "→"
    cells[cell(span.value)] = "●"
    return "".join(cells)


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
    found: list[tuple[int, float]] = []
    at = 0
    for column in range(room):
        x = left + (right - left) * column / max(1, room - 1)
        if not ordered or not ordered[0][0] <= x <= ordered[-1][0]:
            continue
        while at + 1 < len(ordered) and ordered[at + 1][0] <= x:
            at += 1
        found.append((column, ordered[at][1]))
    return found


def _tick(value: float, percent: bool) -> str:
    return f"{value:.0%}" if percent else f"{value:,.3g}"
