"""A document as one HTML file that needs no other."""

from __future__ import annotations

from html import escape

from warm_tui.presentation.pictures import Span, strip_lines
from warm_tui.presentation.tables import Cell
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
)
from warm_tui.reports.svg import COLOURS, PAPER, curves_svg, histograms_svg, span_svg, strip_spans
from warm_tui.sessions.text import clean, clean_line

WIDTH, STRIP_LINES = 100, 200
STYLE = (
    f"body{{font:15px/1.5 system-ui,sans-serif;background:{PAPER};color:{COLOURS['']};max-width:72rem;margin:2rem auto;"
    "padding:0 1rem}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.2rem .6rem;text-align:left;"
    "border-bottom:1px solid #e8e0d6;white-space:nowrap}th{font-weight:600}.right{text-align:right}"
    "pre{background:#f3eee7;padding:.8rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    + "".join(f".{name}{{color:{colour}}}" for name, colour in COLOURS.items() if name)
    + ".strong{font-weight:600}"
)


def html_of(document: Document) -> str:
    title = _text(document.title)
    body = "\n".join(_part(part) for part in document.parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _part(part: Part) -> str:
    if isinstance(part, Say):
        return f'<p class="{part.style or "plain"}">{_text(part.text)}</p>'
    if isinstance(part, Heading):
        return f"<h2>{_text(part.text)}</h2>"
    if isinstance(part, Strip):
        return f"<pre>{strip_spans(strip_lines(part.parts, WIDTH, STRIP_LINES))}</pre>"
    if isinstance(part, Histograms):
        return histograms_svg(part)
    if isinstance(part, Curves):
        return (f"<p>{_text(part.title)}</p>\n" if part.title else "") + curves_svg(part)
    if isinstance(part, Block):
        return f"<pre>{escape(clean(part.text))}</pre>"
    return _table(part)


def _table(table: Table) -> str:
    head = "".join(f"<th{_side(table, at)}>{_text(column.title)}</th>" for at, column in enumerate(table.columns))
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, table, at) for at, cell in enumerate(row)) + "</tr>" for row in table.rows
    )
    return f"<table>\n<tr>{head}</tr>\n{rows}\n</table>"


def _cell(cell: Cell, table: Table, at: int) -> str:
    scale = table.columns[at].scale
    if isinstance(cell, Span):
        return f"<td>{span_svg(cell, scale) if scale else ''}</td>"
    text, style = (cell, "") if isinstance(cell, str) else cell
    text = text[:LONGEST_CELL]
    content = f'<span class="{style}">{_text(text)}</span>' if style else _text(text)
    return f"<td{_side(table, at)}>{content}</td>"


def _side(table: Table, at: int) -> str:
    return ' class="right"' if table.columns[at].right else ""


def _text(text: str) -> str:
    return escape(clean_line(text))
