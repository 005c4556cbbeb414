"""A document as one HTML file that needs no other: for a screen of any width, by day and by night, and for paper."""

from __future__ import annotations

from html import escape

from warm_tui.presentation.pictures import GLYPHS, Span, strip_lines
from warm_tui.presentation.tables import Cell
from warm_tui.reliability.timeline import Timeline
from warm_tui.reports.document import (
    LONGEST_CELL,
    Block,
    Curves,
    Document,
    Heading,
    Histograms,
    Part,
    Say,
    Strip,
    Table,
    TimelinePart,
)
from warm_tui.reports.page_style import STYLE
from warm_tui.reports.svg import curves_svg, histograms_svg, span_svg, strip_spans
from warm_tui.reports.timeline_svg import ABOVE, below_words, cut_words, timeline_svg
from warm_tui.sessions.text import clean, clean_line

WIDTH, STRIP_LINES, LONG = 100, 200, 24
MOST_TOGETHER = 16
"""Rows of a table that stays on one page of paper."""
NOTHING_FROM_ELSEWHERE = "default-src 'none'; style-src 'unsafe-inline'"


def html_of(document: Document) -> str:
    title = _text(document.title)
    body = "\n".join(map(_part, document.parts)) + _folded(document)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{NOTHING_FROM_ELSEWHERE}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _folded(document: Document) -> str:
    """On paper, where nothing can be unfolded, it stands open."""
    if not document.details:
        return ""
    inside = "\n".join(map(_part, document.details))
    return f"\n<details>\n<summary>{_text(document.details_told)}</summary>\n{inside}\n</details>"


def _timeline(timeline: Timeline) -> str:
    """On a telephone the picture is small: what stands in it stands below it, too, to be read."""
    words = [*map(cut_words, timeline.cuts), ABOVE, below_words(timeline)]
    signs = " ".join(f'<span class="{outcome}">■ {outcome}</span>' for outcome in GLYPHS)
    told = [*map(_text, words), signs]
    return _wide(timeline_svg(timeline)) + "".join(f'\n<p class="small dim">{each}</p>' for each in told)


def _part(part: Part) -> str:
    if isinstance(part, Say):
        return f'<p class="{part.style or "plain"}">{_text(part.text)}</p>'
    if isinstance(part, Heading):
        return f"<h2>{_text(part.text)}</h2>"
    if isinstance(part, Strip):
        return f"<pre>{strip_spans(strip_lines(part.parts, WIDTH, STRIP_LINES))}</pre>"
    if isinstance(part, TimelinePart):
        return _timeline(part.timeline) if part.timeline.points else ""
    if isinstance(part, Histograms):
        return _wide(histograms_svg(part))
    if isinstance(part, Curves):
        return (f"<p>{_text(part.title)}</p>\n" if part.title else "") + _wide(curves_svg(part))
    if isinstance(part, Block):
        return f"<pre>{escape(clean(part.text))}</pre>"
    return _wide(_table(part))


def _wide(content: str) -> str:
    """What is wider than a small screen scrolls by itself, and the page does not."""
    return f'<div class="wide">{content}</div>'


def _table(table: Table) -> str:
    head = "".join(f"<th{_side(table, at)}>{_text(column.title)}</th>" for at, column in enumerate(table.columns))
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, table, at) for at, cell in enumerate(row)) + "</tr>" for row in table.rows
    )
    short = ' class="short"' if len(table.rows) <= MOST_TOGETHER else ""
    return f"<table{short}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _cell(cell: Cell, table: Table, at: int) -> str:
    scale = table.columns[at].scale
    if isinstance(cell, Span):
        return f"<td>{span_svg(cell, scale) if scale else ''}</td>"
    text, style = (cell, "") if isinstance(cell, str) else cell
    text = text[:LONGEST_CELL]
    content = f'<span class="{style}">{_text(text)}</span>' if style else _text(text)
    return f"<td{_side(table, at, long=len(text) > LONG)}>{content}</td>"


def _side(table: Table, at: int, *, long: bool = False) -> str:
    """Long ones are broken into lines, and words anywhere, so that what stands behind them is seen."""
    column = table.columns[at]
    names = ["right"] * column.right + ["words"] * bool(column.min_width and not column.right) + ["long"] * long
    return f' class="{" ".join(names)}"' if names else ""


def _text(text: str) -> str:
    return escape(clean_line(text))
