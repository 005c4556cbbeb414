"""How the rows of a table are drawn: their cells, each in the room that its column has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from warm_tui.presentation.tables import GAP, padded
from warm_tui.widgets.fields import Field, Shown

MARGIN = 2
"""Before the first column, for marks."""
Columns: TypeAlias = Sequence[tuple[Field, int]]
"""Those in sight, with the room of each."""


def field_at(columns: Columns, x: int) -> Field | None:
    left = MARGIN
    for field, room in columns:
        if left <= x < left + room + GAP:
            return field
        left += room + GAP
    return None


def heading_strip(columns: Columns, arrows: Mapping[str, str], style: Style, chosen: Style, width: int) -> Strip:
    """`arrows`: how the table is sorted, behind the names of the columns that decide it."""
    segments = [Segment(" " * MARGIN, style)]
    for field, room in columns:
        title = field.title + arrows.get(field.name, "")
        # The arrow may stand in the gap: the name of the column is not cut for it.
        over = min(GAP, max(0, cell_len(title) - room)) if field.name in arrows else 0
        shown = padded(title, room + over, field.right)
        segments.append(Segment(shown, chosen if field.name in arrows else style))
        segments.append(Segment(" " * (GAP - over), style))
    return Strip(segments).adjust_cell_length(width, style)


def cells_strip(
    margin: Segment, columns: Columns, cells: Sequence[Shown], base: Style, styled: Callable[[str], Style], width: int
) -> Strip:
    segments = [margin]
    at = 0
    while at < len(columns):
        (field, room), (text, style) = columns[at], cells[at]
        at += 1
        while field.runs_on and cell_len(text) > room and at < len(columns) and not cells[at][0]:
            room += GAP + columns[at][1]
            at += 1
        segments.append(Segment(padded(text, room, field.right), base + styled(style)))
        segments.append(Segment(" " * GAP, base))
    return Strip(segments).adjust_cell_length(width, base)


def fitted(segments: list[Segment], width: int, base: Style) -> Strip:
    """Cut at the edge, cell by cell: no character may be half inside."""
    strip = Strip(segments)
    if strip.cell_length <= width:
        return strip.adjust_cell_length(width, base)
    room, fitting = width - 1, []
    for segment in segments:
        length = cell_len(segment.text)
        if length > room:
            fitting.append(Segment(set_cell_size(segment.text, room) + "…", segment.style))
            break
        fitting.append(segment)
        room -= length
    return Strip(fitting).adjust_cell_length(width, base)
