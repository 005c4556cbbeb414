"""A document as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from warm_tui.presentation.figures import UNKNOWN_VALUE
from warm_tui.presentation.lines import Line, text_of
from warm_tui.presentation.pictures import Span, span_line, strip_lines
from warm_tui.presentation.tables import Cell
from warm_tui.presentation.timeline import signs_lines, timeline_lines
from warm_tui.reports.charts import curve_lines, histogram_lines
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
from warm_tui.sessions.text import clean, clean_line

WIDTH, STRIP_LINES, CURVE_HEIGHT, TIMELINE_HEIGHT, SPAN = 96, 200, 12, 20, 20
SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|~!&"})


def markdown_of(document: Document) -> str:
    blocks = [f"# {_escaped(document.title)}", *(_part(part) for part in document.whole)]
    return "\n\n".join(blocks) + "\n"


def _part(part: Part) -> str:
    if isinstance(part, Say):
        text = _escaped(part.text)
        return f"**{text}**" if part.style in ("strong", "failed", "unknown", "ok") else text
    if isinstance(part, Heading):
        return f"## {_escaped(part.text)}"
    if isinstance(part, Strip):
        return _fenced(_plain(strip_lines(part.parts, WIDTH, STRIP_LINES)))
    if isinstance(part, TimelinePart):
        return _fenced(_plain([*timeline_lines(part.timeline, WIDTH, TIMELINE_HEIGHT), *signs_lines(WIDTH)]))
    if isinstance(part, Histograms):
        return _fenced(_plain(histogram_lines(part, WIDTH)))
    if isinstance(part, Curves):
        return f"{_escaped(part.title)}\n\n".lstrip() + _fenced(_plain(curve_lines(part, WIDTH, CURVE_HEIGHT)))
    if isinstance(part, Block):
        return _fenced(clean(part.text))
    return _table(part)


def _table(table: Table) -> str:
    columns = table.columns
    lines = [
        "| " + " | ".join(_escaped(column.title) for column in columns) + " |",
        "|" + "|".join("---:" if column.right else "---" for column in columns) + "|",
    ]
    lines += ["| " + " | ".join(_cell(cell, table, at) for at, cell in enumerate(row)) + " |" for row in table.rows]
    return "\n".join(lines)


def _cell(cell: Cell, table: Table, at: int) -> str:
    if isinstance(cell, Span):
        scale = table.columns[at].scale
        return f"`{span_line(cell, scale, SPAN)}`" if scale else UNKNOWN_VALUE
    return _escaped((cell if isinstance(cell, str) else cell[0])[:LONGEST_CELL])


def _escaped(text: str) -> str:
    return clean_line(text).translate(SPECIAL)


def _plain(lines: Sequence[Line]) -> str:
    return "\n".join(text_of(line).rstrip() for line in lines)


def _fenced(text: str) -> str:
    """Between more backticks than the text holds in a row."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
