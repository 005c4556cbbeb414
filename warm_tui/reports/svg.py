"""Pictures as SVG: those inside an HTML report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from warm_tui.presentation.lines import Line
from warm_tui.presentation.pictures import Scale, Span
from warm_tui.reports.charts import binned, end_tick, ends_of, span_of, tick_of
from warm_tui.reports.document import Curves, Histograms
from warm_tui.reports.drawing import AXIS_STROKE, fill, label, stroke, text

SPAN_WIDTH, SPAN_HEIGHT = 180, 16
SAMPLE = 22
"""Of a line, before its name."""
DASHES = ("", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"', ' stroke-dasharray="9 3 2 3"')
"""So that lines are told apart in print without colours, too."""
CURVES_WIDTH, CURVES_HEIGHT, AXIS = 640, 208, 60
NAME_WIDTH, NAME_HEIGHT, LONGEST_NAME = 150, 18, 16
"""Of the lines' names beside each other; longer ones stand one below the other."""


def span_svg(span: Span, scale: Scale) -> str:
    """An estimate on its interval."""

    def x(value: float) -> float:
        share = (value - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
        return max(2.0, min(SPAN_WIDTH - 2.0, share * SPAN_WIDTH))

    middle = SPAN_HEIGHT / 2
    drawn = [f'<line x1="0" y1="{middle}" x2="{SPAN_WIDTH}" y2="{middle}" {AXIS_STROKE} opacity="0.5"/>']
    if scale.zero is not None:
        at = x(scale.zero)
        drawn.append(f'<line x1="{at:.1f}" y1="0" x2="{at:.1f}" y2="{SPAN_HEIGHT}" {AXIS_STROKE}/>')
    if span.low is not None and span.high is not None:
        ends = f'x1="{x(span.low):.1f}" y1="{middle}" x2="{x(span.high):.1f}" y2="{middle}"'
        drawn.append(f'<line {ends} {stroke(span.style)} stroke-width="3"/>')
    if span.value is not None:
        drawn.append(f'<circle cx="{x(span.value):.1f}" cy="{middle}" r="4" {fill(span.style)}/>')
    size = f'viewBox="0 0 {SPAN_WIDTH} {SPAN_HEIGHT}" width="{SPAN_WIDTH}" height="{SPAN_HEIGHT}"'
    return f'<svg {size} role="img">{"".join(drawn)}</svg>'


def names_below(picture: Curves) -> bool:
    return len(picture.curves) > 1 and any(len(curve.name) > LONGEST_NAME for curve in picture.curves)


def curves_height(picture: Curves) -> int:
    return CURVES_HEIGHT + NAME_HEIGHT * (len(picture.curves) - 1) * names_below(picture)


def curves_svg(picture: Curves, attributes: str = "") -> str:
    if not any(curve.points for curve in picture.curves):
        return ""
    (left, right), (bottom, top) = span_of(picture), ends_of(picture)
    wide, high = CURVES_WIDTH - AXIS, CURVES_HEIGHT - 48

    def place(point: tuple[float, float]) -> str:
        x = AXIS + (point[0] - left) / max(right - left, 1e-9) * wide
        share = (point[1] - bottom) / (top - bottom)
        return f"{x:.1f},{10 + (1 - max(0.0, min(1.0, share))) * high:.1f}"

    floor = 10 + high
    drawn = [
        f'<path d="M{AXIS},10 V{floor} H{CURVES_WIDTH}" {AXIS_STROKE}/>',
        label(AXIS - 4, 16, tick_of(picture, top), "end"),
        label(AXIS - 4, floor, tick_of(picture, bottom), "end"),
        label(AXIS, floor + 14, end_tick(picture, left), "start"),
        label(CURVES_WIDTH, floor + 14, end_tick(picture, right), "end"),
    ]
    if picture.are_changes:
        nought = place((left, 0.0)).partition(",")[2]
        drawn.append(f'<path d="M{AXIS},{nought} H{CURVES_WIDTH}" {AXIS_STROKE} stroke-dasharray="4 3"/>')
    for mark in picture.marks:
        x = place((mark.x, 0.0)).partition(",")[0]
        drawn.append(f'<path d="M{x},10 V{floor}" {stroke("mark")} stroke-dasharray="2 3"/>')
        # At the edge, half of it would be cut off.
        at = min(float(x), CURVES_WIDTH - 4)
        drawn.append(label(at, 9, text(mark.sign), "middle", "mark", bold=True))
    for nth, curve in enumerate(picture.curves):
        dash = DASHES[min(nth, len(DASHES) - 1)]
        around = [(x, low) for x, low, _ in curve.band] + [(x, high) for x, _, high in reversed(curve.band)]
        if around:
            edge = " ".join(place(point) for point in around)
            drawn.insert(0, f'<path d="M{edge}Z" {fill(curve.style)} opacity="0.12"/>')
        line = " ".join(place(point) for point in sorted(curve.points))
        drawn.append(f'<polyline points="{line}" {stroke(curve.style)} stroke-width="2"{dash}/>')
        across, down = (0, NAME_HEIGHT * nth) if names_below(picture) else (NAME_WIDTH * nth, 0)
        start, below = AXIS + 100 + across, floor + 33 + down
        drawn.append(f'<path d="M{start},{below - 4} h{SAMPLE}" {stroke(curve.style)} stroke-width="2"{dash}/>')
        drawn.append(label(start + SAMPLE + 6, below, text(curve.name), "start", curve.style, bold=True))
    if any(curve.band for curve in picture.curves):
        drawn.append(label(AXIS, floor + 33, "band: 95 %"))
    drawn.append(label(CURVES_WIDTH, floor + 33, text(picture.across), "end"))
    height = curves_height(picture)
    size = f'viewBox="0 0 {CURVES_WIDTH} {height}" width="{CURVES_WIDTH}" height="{height}"'
    return f'<svg {size} class="picture chart" role="img"{attributes}>{"".join(drawn)}</svg>'


BINS, BAND = 30, 60


def histograms_svg(picture: Histograms) -> str:
    """Bars of each group above those of the next, on one axis; each group's bars are shares of that group."""
    counts, end = binned(picture, BINS)
    wide, drawn = (CURVES_WIDTH - AXIS) / BINS, []
    for nth, (rank, of_rank) in enumerate(zip(picture.ranks, counts, strict=True)):
        floor, most = (nth + 1) * BAND, max(max(of_rank, default=0), 1)
        drawn.append(label(AXIS - 4, floor, text(rank.name), "end", rank.style, bold=True))
        drawn += [
            f'<rect x="{AXIS + at * wide:.1f}" y="{floor - count / most * (BAND - 10):.1f}" width="{wide - 1:.1f}"'
            f' height="{count / most * (BAND - 10):.1f}" {fill(rank.style)}><title>{count}</title></rect>'
            for at, count in enumerate(of_rank)
            if count
        ]
        drawn.append(f'<path d="M{AXIS},{floor} H{CURVES_WIDTH}" {AXIS_STROKE}/>')
    below = len(counts) * BAND + 16
    drawn += [
        label(AXIS, below, "0%", "start"),
        label(CURVES_WIDTH, below, f"{end:.0%}", "end"),
        label(CURVES_WIDTH / 2, below, text(picture.across), "middle"),
    ]
    size = f'viewBox="0 0 {CURVES_WIDTH} {below + 8}" width="{CURVES_WIDTH}"'
    return f'<svg {size} class="picture chart" role="img">{"".join(drawn)}</svg>'


def strip_spans(lines: Sequence[Line]) -> str:
    """A strip of calls as coloured text."""
    return "\n".join(
        "".join(f'<span class="{style or "plain"}">{escape(piece)}</span>' for piece, style in line) for line in lines
    )
