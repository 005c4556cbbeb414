"""A whole document as one picture: its lines as text, what is drawn as it is drawn."""

from __future__ import annotations

from html import escape

from rich.cells import cell_len

from warm_tui.presentation.lines import Line
from warm_tui.reports.document import Curves, Document, TimelinePart
from warm_tui.reports.drawing import COLOURS, PAPER, text
from warm_tui.reports.lines import part_lines, title_lines
from warm_tui.reports.svg import curves_height, curves_svg
from warm_tui.reports.timeline_svg import timeline_svg

CELL, ROW, MARGIN = 7.8, 18, 16


def svg_of(document: Document, width: int = 124) -> str:
    """The document as it stands on a screen of this width, in one picture."""
    drawn, y = _rows(title_lines(document, width), MARGIN)
    for part in document.whole:
        if isinstance(part, TimelinePart) and part.timeline.points:
            picture = timeline_svg(part.timeline, f' x="{MARGIN}" y="{y}"')
            drawn.append(picture)
            y += float(picture.partition('height="')[2].partition('"')[0]) + ROW
        elif isinstance(part, Curves) and any(curve.points for curve in part.curves):
            drawn.append(curves_svg(part, f' x="{MARGIN}" y="{y}"'))
            y += curves_height(part) + ROW
        else:
            rows, y = _rows(part_lines(part, width), y)
            drawn += rows
    across, down = width * CELL + 2 * MARGIN, y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:.0f} {down:.0f}" width="{across:.0f}"'
        f' height="{down:.0f}" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"'
        f' font-size="13">\n<title>{text(document.title)}</title>\n'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n' + "\n".join(filter(None, drawn)) + "\n</svg>\n"
    )


def _rows(lines: list[Line], y: float) -> tuple[list[str], float]:
    return [_text_line(line, y + (at + 0.8) * ROW) for at, line in enumerate(lines)], y + len(lines) * ROW


def _text_line(line: Line, y: float) -> str:
    texts, at = [], 0
    for words, style in line:
        length = cell_len(words)
        if words.strip():
            weight = ' font-weight="bold"' if style == "strong" else ""
            texts.append(
                f'<text x="{MARGIN + at * CELL:.1f}" y="{y:.1f}" fill="{COLOURS.get(style, COLOURS[""])}"{weight}'
                f' textLength="{length * CELL:.1f}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
                f"{escape(words)}</text>"
            )
        at += length
    return "".join(texts)
