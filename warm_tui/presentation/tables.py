"""Tables as wide as there is room: the least wanted columns gone first, the others shrunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
from rich.cells import cell_len

from warm_tui.presentation.lines import Line, cropped
from warm_tui.presentation.pictures import Scale, Span, span_line
from warm_tui.sessions.text import clean_line

GAP = 2
SPAN_WIDTH, MIN_SPAN_WIDTH = 24, 10

Cell: TypeAlias = "str | tuple[str, str] | Span"
"""Text, text and the name of its style, or a picture."""


class Column(msgspec.Struct, frozen=True):
    title: str
    right: bool = False
    min_width: int = 0
    """How far it may shrink; 0: not at all."""
    rank: int = 0
    """The higher, the sooner it is left out where there is no room; 0: never."""
    scale: Scale | None = None
    """For a column of spans."""


def fit(columns: Sequence[Column], natural: list[int], room: int | None) -> list[int]:
    """The width of each column; 0 for one that is left out."""
    if room is None:
        return natural
    widths = [max(width, column.min_width) for column, width in zip(columns, natural, strict=True)]
    shown = [at for at, width in enumerate(natural) if width]

    def excess(*, shrunk: bool) -> int:
        used = sum((columns[at].min_width or widths[at]) if shrunk else widths[at] for at in shown)
        return used + GAP * (len(shown) - 1) - room

    while excess(shrunk=True) > 0:
        leaving = max(shown, key=lambda at: columns[at].rank)
        if columns[leaving].rank == 0:
            break
        shown.remove(leaving)
    over = excess(shrunk=False)
    while over > 0:
        shrinking = [at for at in shown if columns[at].min_width and widths[at] > columns[at].min_width]
        if not shrinking:
            break
        widths[max(shrinking, key=lambda at: widths[at])] -= 1
        over -= 1
    return [width if at in shown else 0 for at, width in enumerate(widths)]


def table_lines(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None, header_style: str
) -> list[Line]:
    """A header and a line a row. Nothing is cut where the width is None."""
    fitted = [
        msgspec.structs.replace(column, min_width=MIN_SPAN_WIDTH) if column.scale else column for column in columns
    ]
    natural = [
        max([cell_len(column.title), *(_natural_width(row[at]) for row in rows)]) for at, column in enumerate(columns)
    ]
    widths = fit(fitted, natural, width)
    header = _row_line(columns, widths, [(column.title, header_style) for column in columns])
    return [header, *(_row_line(columns, widths, row) for row in rows)]


def _natural_width(cell: Cell) -> int:
    return SPAN_WIDTH if isinstance(cell, Span) else cell_len(clean_line(cell if isinstance(cell, str) else cell[0]))


def _row_line(columns: Sequence[Column], widths: Sequence[int], row: Sequence[Cell]) -> Line:
    line: Line = []
    for column, width, cell in zip(columns, widths, row, strict=True):
        if not width:
            continue
        if isinstance(cell, Span):
            text, style = span_line(cell, column.scale, width) if column.scale else "", cell.style
        else:
            text, style = (cell, "") if isinstance(cell, str) else cell
            text = cropped(clean_line(text), width)
        padding = (" " * (width - cell_len(text)), "")
        line += [padding, (text, style)] if column.right else [(text, style), padding]
        line.append((" " * GAP, ""))
    shown = [column for column, width in zip(columns, widths, strict=True) if width]
    # Behind the last column stands neither the gap nor what would fill it up.
    end = 1 if not shown or shown[-1].right else 2
    return [(text, style) for text, style in line[:-end] if text]
