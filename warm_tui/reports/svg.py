"""Pictures as SVG: those inside an HTML report, and a whole document as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from rich.cells import cell_len

from warm_tui.presentation.lines import Line
from warm_tui.presentation.pictures import Scale, Span
from warm_tui.reports.charts import binned
from warm_tui.reports.document import Curves, Document, Histograms
from warm_tui.reports.lines import lines_of
from warm_tui.sessions.text import clean_line

COLOURS: Mapping[str, str] = {
    "": "#2b2520", "strong": "#2b2520", "dim": "#6f665d", "ok": "#2e7d32", "failed": "#c62828", "unknown": "#8a5d00",
    "benign": "#01688a", "masked": "#8e24aa", "mark": "#b3541e",
    "warm": "#b3541e", "cold": "#2457c5",
}  # fmt: skip
PAPER = "#fbf8f4"
CELL, ROW, MARGIN = 7.8, 18, 16
SPAN_WIDTH, SPAN_HEIGHT = 180, 16
CURVES_WIDTH, CURVES_HEIGHT, AXIS = 640, 200, 44


def svg_of(document: Document, width: int = 110) -> str:
    """The document as it stands on a screen of this width, in one picture."""
    lines = lines_of(document, width)
    across, down = width * CELL + 2 * MARGIN, len(lines) * ROW + 2 * MARGIN
    texts = [_text_line(line, MARGIN + (at + 0.8) * ROW) for at, line in enumerate(lines)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down:.0f}" width="{across:.0f}"'
        f' height="{down:.0f}" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"'
        f' font-size="13">\n<title>{_text(document.title)}</title>\n'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n' + "\n".join(filter(None, texts)) + "\n</svg>\n"
    )


def _text_line(line: Line, y: float) -> str:
    texts, at = [], 0
    for text, style in line:
        length = cell_len(text)
        if text.strip():
            weight = ' font-weight="bold"' if style == "strong" else ""
            texts.append(
                f'<text x="{MARGIN + at * CELL:.1f}" y="{y:.1f}" fill="{COLOURS.get(style, COLOURS[""])}"{weight}'
                f' textLength="{length * CELL:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
                f"{escape(text)}</text>"
            )
        at += length
    return "".join(texts)


def span_svg(span: Span, scale: Scale) -> str:
    """An estimate on its interval."""

    def x(value: float) -> float:
        share = (value - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
        return max(2.0, min(SPAN_WIDTH - 2.0, share * SPAN_WIDTH))

    colour, middle = COLOURS.get(span.style, COLOURS[""]), SPAN_HEIGHT / 2
    drawn = [f'<line x1="0" y1="{middle}" x2="{SPAN_WIDTH}" y2="{middle}" stroke="#ddd3c6"/>']
    if scale.zero is not None:
        at = x(scale.zero)
        drawn.append(f'<line x1="{at:.1f}" y1="0" x2="{at:.1f}" y2="{SPAN_HEIGHT}" stroke="#9c9186"/>')
    if span.low is not None and span.high is not None:
        ends = f'x1="{x(span.low):.1f}" y1="{middle}" x2="{x(span.high):.1f}" y2="{middle}"'
        drawn.append(f'<line {ends} stroke="{colour}" stroke-width="3"/>')
    if span.value is not None:
        drawn.append(f'<circle cx="{x(span.value):.1f}" cy="{middle}" r="4" fill="{colour}"/>')
    return f'<svg width="{SPAN_WIDTH}" height="{SPAN_HEIGHT}" role="img">{"".join(drawn)}</svg>'


def curves_svg(picture: Curves) -> str:
    points = [point for curve in picture.curves for point in curve.points]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top = max(max(y for _, y in points), 1e-9)
    wide, high = CURVES_WIDTH - AXIS, CURVES_HEIGHT - 2 * 20

    def place(point: tuple[float, float]) -> str:
        x = AXIS + (point[0] - left) / max(right - left, 1e-9) * wide
        return f"{x:.1f},{10 + (1 - point[1] / top) * high:.1f}"

    def tick(value: float) -> str:
        return f"{value:.0%}" if picture.percent else f"{value:,.3g}"

    floor = 10 + high
    drawn = [
        f'<path d="M{AXIS},10 V{floor} H{CURVES_WIDTH}" fill="none" stroke="#9c9186"/>',
        _label(AXIS - 4, 16, tick(top), "end"),
        _label(AXIS - 4, floor, tick(0.0), "end"),
        _label(AXIS, floor + 14, f"{left:,.6g}", "start"),
        _label(CURVES_WIDTH, floor + 14, f"{right:,.6g}", "end"),
    ]
    for nth, curve in enumerate(picture.curves):
        colour = COLOURS.get(curve.style, COLOURS[""])
        dash = ' stroke-dasharray="6 3"' if nth else ""
        line = " ".join(place(point) for point in sorted(curve.points))
        drawn.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        drawn.append(_label(AXIS + 90 + 140 * nth, floor + 28, _text(curve.name), "start", colour))
    drawn.append(_label(CURVES_WIDTH, floor + 28, _text(picture.across), "end"))
    return f'<svg viewBox="0 0 {CURVES_WIDTH} {CURVES_HEIGHT}" width="{CURVES_WIDTH}" role="img">{"".join(drawn)}</svg>'


BINS, BAND = 30, 60


def histograms_svg(picture: Histograms) -> str:
    """Bars of each group above those of the next, on one axis; each group's bars are shares of that group."""
    counts, end = binned(picture, BINS)
    wide, drawn = (CURVES_WIDTH - AXIS) / BINS, []
    for nth, (rank, of_rank) in enumerate(zip(picture.ranks, counts, strict=True)):
        floor, most = (nth + 1) * BAND, max(max(of_rank, default=0), 1)
        colour = COLOURS.get(rank.style, COLOURS[""])
        drawn.append(_label(AXIS - 4, floor, _text(rank.name), "end", colour))
        drawn += [
            f'<rect x="{AXIS + at * wide:.1f}" y="{floor - count / most * (BAND - 10):.1f}" width="{wide - 1:.1f}"'
            f' height="{count / most * (BAND - 10):.1f}" fill="{colour}"><title>{count}</title></rect>'
            for at, count in enumerate(of_rank)
            if count
        ]
        drawn.append(f'<path d="M{AXIS},{floor} H{CURVES_WIDTH}" stroke="#9c9186"/>')
    below = len(counts) * BAND + 16
    drawn += [
        _label(AXIS, below, "0%", "start"),
        _label(CURVES_WIDTH, below, f"{end:.0%}", "end"),
        _label(CURVES_WIDTH / 2, below, _text(picture.across), "middle"),
    ]
    return f'<svg viewBox="0 0 {CURVES_WIDTH} {below + 8}" width="{CURVES_WIDTH}" role="img">{"".join(drawn)}</svg>'


def _text(text: str) -> str:
    return escape(clean_line(text))


def _label(x: float, y: float, text: str, anchor: str, colour: str = COLOURS["dim"]) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}" fill="{colour}">{text}</text>'


def strip_spans(lines: Sequence[Line]) -> str:
    """A strip of calls as coloured text."""
    return "\n".join(
        "".join(f'<span class="{style or "plain"}">{escape(text)}</span>' for text, style in line) for line in lines
    )
