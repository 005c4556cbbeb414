"""A document as lines of a given width: for a pane, and for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, chop_cells, set_cell_size

from warm_tui.presentation.tables import GAP, fit
from warm_tui.presentation.tables import Column as Fitted
from warm_tui.reports.charts import Line, curve_lines, histogram_lines, span_line, strip_lines
from warm_tui.reports.document import (
    Block,
    Cell,
    Column,
    Curves,
    Document,
    Heading,
    Histograms,
    Part,
    Say,
    Span,
    Strip,
    Table,
)
from warm_tui.sessions.text import clean, clean_line

STRIP_LINES = 4
CURVE_HEIGHT = 8
SPAN = 24
LEAST_SPAN = 10


def lines_of(document: Document, width: int) -> list[Line]:
    lines: list[Line] = [[(line, "strong")] for line in wrapped(clean_line(document.title), width)]
    for part in document.parts:
        lines += [_cropped(line, width) for line in _part(part, width)]
    return lines


def _cropped(line: Line, width: int) -> Line:
    """Nothing may run over the edge, however little room there is."""
    if sum(cell_len(text) for text, _ in line) <= width:
        return line
    kept: Line = []
    room = width
    for text, style in line:
        if cell_len(text) > room:
            return [*kept, (set_cell_size(text, room - 1) + "…", style)] if room else kept
        kept.append((text, style))
        room -= cell_len(text)
    return kept


def _part(part: Part, width: int) -> list[Line]:
    if isinstance(part, Say):
        return [[(line, part.style)] for line in wrapped(clean_line(part.text), width)]
    if isinstance(part, Heading):
        return [[], [(clean_line(part.text), "strong")]]
    if isinstance(part, Strip):
        return strip_lines(part.parts, width, STRIP_LINES)
    if isinstance(part, Table):
        return _table(part, width)
    if isinstance(part, Histograms):
        return histogram_lines(part, width)
    if isinstance(part, Curves):
        title: list[Line] = [[(clean_line(part.title), "dim")]] if part.title else []
        return [*title, *curve_lines(part, width, CURVE_HEIGHT)]
    assert isinstance(part, Block)
    return [
        [("  " + line, "")] for text in clean(part.text).split("\n") for line in chop_cells(text, width - 2) or [""]
    ]


def _table(table: Table, width: int) -> list[Line]:
    columns = [
        Fitted(column.title, column.right, LEAST_SPAN if column.scale else column.least, column.rank)
        for column in table.columns
    ]
    natural = [
        max([cell_len(column.title), *(_natural(row[at]) for row in table.rows)])
        for at, column in enumerate(table.columns)
    ]
    widths = fit(columns, natural, width)
    shown = [at for at, one in enumerate(widths) if one]
    header = _row(table.columns, widths, shown, [(column.title, "dim") for column in table.columns])
    return [header, *(_row(table.columns, widths, shown, row) for row in table.rows)]


def _natural(cell: Cell) -> int:
    return SPAN if isinstance(cell, Span) else cell_len(clean_line(cell if isinstance(cell, str) else cell[0]))


def _row(columns: Sequence[Column], widths: Sequence[int], shown: Sequence[int], row: Sequence[Cell]) -> Line:
    line: Line = []
    for at in shown:
        cell, column = row[at], columns[at]
        if isinstance(cell, Span):
            text, style = span_line(cell, column.scale, widths[at]) if column.scale else "", cell.style
        else:
            text, style = (cell, "") if isinstance(cell, str) else cell
            text = clean_line(text)
            if cell_len(text) > widths[at]:
                text = set_cell_size(text, widths[at] - 1) + "…"
        padding = " " * max(0, widths[at] - cell_len(text))
        line += [(padding, ""), (text, style)] if column.right else [(text, style), (padding, "")]
        line.append((" " * GAP, ""))
    return [(text, style) for text, style in line[:-1] if text]


def wrapped(text: str, width: int) -> list[str]:
    """Words in lines; one that is too long is broken."""
    lines = [""]
    for word in text.split():
        for piece in chop_cells(word, width):
            if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(piece) > width:
                lines.append(piece)
            else:
                lines[-1] = f"{lines[-1]} {piece}" if lines[-1] else piece
    return lines
