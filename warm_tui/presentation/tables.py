"""Tables as wide as there is room: the most wanted columns first, and more room never shows less."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import msgspec
from rich.cells import cell_len, set_cell_size

from warm_tui.presentation.glossary import term
from warm_tui.presentation.lines import Line, Meant, cropped, meant
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
    """The higher, the later it comes in; 0: it always stands there."""
    grow: int = 0
    """It grows to its natural width when the columns up to this rank are in."""
    scale: Scale | None = None
    """For a column of spans."""
    means: str = ""
    """The word of the glossary, where the title is not one."""


def fit(columns: Sequence[Column], natural: Sequence[int], room: int | None) -> list[int]:
    """The width of each column; 0 for one that is left out.

    Columns come in by rank, each with its least width, until one has no room; of those that are in, one that may
    shrink has grown to its natural width before those behind its `grow` come in. So more room never shows less.
    """
    if room is None:
        return list(natural)
    least = [_least(column, width) for column, width in zip(columns, natural, strict=True)]
    widths = [0] * len(columns)
    wanted = sorted((at for at, width in enumerate(natural) if width), key=lambda at: columns[at].rank)
    left = room + GAP
    for rank in sorted({columns[at].rank for at in wanted} | {_grows_at(columns[at]) for at in wanted}):
        for at in (each for each in wanted if columns[each].rank == rank):
            if rank and left < least[at] + GAP:
                return widths
            widths[at] = least[at]
            left -= least[at] + GAP
        growing = [at for at in wanted if widths[at] and _grows_at(columns[at]) <= rank]
        while left > 0 and (short := [at for at in growing if widths[at] < natural[at]]):
            widths[min(short, key=lambda at: widths[at] / natural[at])] += 1
            left -= 1
    return widths


def uncut(columns: Sequence[Column], widths: Sequence[int], natural: Sequence[int], room: int | None) -> list[int]:
    """What no other column has use for goes to those that are still cut, first to what lacks least to be whole.

    A column that comes in may take it back, but never more: each keeps what `fit` gave it.
    """
    grown = list(widths)
    if room is None:
        return grown
    left = room + GAP - sum(width + GAP for width in grown if width)
    while left > 0 and (cut := [at for at, width in enumerate(grown) if width and width < natural[at]]):
        words = [at for at in cut if columns[at].scale is None] or cut
        nearest = min(words, key=lambda at: natural[at] - grown[at])
        more = min(left, natural[nearest] - grown[nearest])
        grown[nearest] += more
        left -= more
    return grown


def filled(columns: Sequence[Column], usual: Sequence[int], natural: Sequence[int], room: int, most: int) -> list[int]:
    """Of a table that takes all the room: columns come in by their usual widths, and words get what is left.

    `most`: in so much of it columns may come in.
    """
    sure = fit(columns, usual, most)
    widths = uncut(columns, sure, natural, room)
    words = [at for at, column in enumerate(columns) if column.min_width and widths[at]]
    no_other_comes = all(widths) or sum(map(bool, sure)) < sum(map(bool, fit(columns, usual, room)))
    if words and no_other_comes:
        slack = max(0, room + GAP - sum(width + GAP for width in widths if width))
        for place, at in enumerate(words):
            widths[at] += slack // len(words) + (place < slack % len(words))
    return widths


def _least(column: Column, natural: int) -> int:
    may_shrink_to = max(MIN_SPAN_WIDTH, cell_len(column.title)) if column.scale else column.min_width
    return min(natural, may_shrink_to) if may_shrink_to else natural


LAST = 1_000


def _grows_at(column: Column) -> int:
    """Pictures are the last to grow: they can be read when they are small."""
    return LAST if column.scale else max(column.rank, column.grow)


def table_lines(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None, header_style: str
) -> list[Line]:
    """A header and a line a row. Nothing is cut where the width is None."""
    natural = natural_widths(columns, rows)
    widths = uncut(columns, fit(columns, natural, width), natural, width)
    words = [column.means or column.title for column in columns]
    titles = [(column.title, _meant(header_style, word)) for column, word in zip(columns, words, strict=True)]
    return [_row_line(columns, widths, titles), *(_row_line(columns, widths, row, words) for row in rows)]


def _meant(style: str, *words: str) -> str:
    """With the first word that the glossary has, unless it carries a meaning already."""
    word = next((word for word in words if term(word)), "")
    return meant(style, word) if word and not isinstance(style, Meant) else style


def natural_widths(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[int]:
    """Wide enough for whatever stands in them."""
    return [
        max([cell_len(column.title), *(_natural_width(row[at]) for row in rows)]) for at, column in enumerate(columns)
    ]


def _natural_width(cell: Cell) -> int:
    return SPAN_WIDTH if isinstance(cell, Span) else cell_len(clean_line(cell if isinstance(cell, str) else cell[0]))


def _row_line(columns: Sequence[Column], widths: Sequence[int], row: Sequence[Cell], words: Sequence[str] = ()) -> Line:
    """`words`: what each column means. A cell that is a word itself means that; then it means what its row is
    named for, where the column of names has no title."""
    line: Line = []
    named = row[0] if row and isinstance(row[0], str) and not columns[0].title else ""
    for at, (column, width, cell) in enumerate(zip(columns, widths, row, strict=True)):
        if not width:
            continue
        if isinstance(cell, Span):
            told = text = span_line(cell, column.scale, width) if column.scale else ""
            style = cell.style
        else:
            told, style = (cell, "") if isinstance(cell, str) else cell
            text = cropped(clean_line(told), width)
        if words:
            style = _meant(style, told, named, words[at])
        padding = (" " * (width - cell_len(text)), "")
        line += [padding, (text, style)] if column.right else [(text, style), padding]
        line.append((" " * GAP, ""))
    shown = [column for column, width in zip(columns, widths, strict=True) if width]
    # Behind the last column stands neither the gap nor what would fill it up.
    end = 1 if not shown or shown[-1].right else 2
    return [(text, style) for text, style in line[:-end] if text]


def arrows_of(order: str, bounded: Collection[str] = ()) -> dict[str, str]:
    """What stands behind the names of the columns that it is sorted by, the first of them filled.

    Of those that are `bounded`, after a sign of what they are sorted by.
    """
    first, *others = order.split(",")
    arrows = {by.removeprefix("-"): "▽" if by.startswith("-") else "△" for by in others}
    arrows |= {first.removeprefix("-"): "▼" if first.startswith("-") else "▲"}
    return {name: (bound_of(order, name) if name in bounded else "") + arrow for name, arrow in arrows.items()}


def bound_of(order: str, name: str) -> str:
    """Which end of an interval a column is sorted by: worst first by what it is at least, best first by the most."""
    by = order.split(",")
    return "≥" if f"-{name}" in by else "≤" if name in by else ""


def padded(text: str, width: int, right: bool) -> str:
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - length) + text if right else text + " " * (width - length)
