"""A document as lines of a given width: for a pane, and for a terminal."""

from __future__ import annotations

from rich.cells import chop_cells

from warm_tui.presentation.lines import Line, all_meant, cropped_line, wrapped
from warm_tui.presentation.pictures import strip_lines
from warm_tui.presentation.tables import table_lines
from warm_tui.presentation.timeline import signs_lines, timeline_lines
from warm_tui.reports.charts import curve_lines, histogram_lines
from warm_tui.reports.document import (
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

STRIP_LINES = 4
CURVE_HEIGHT = 8
TIMELINE_HEIGHT = 16


def lines_of(document: Document, width: int) -> list[Line]:
    lines = title_lines(document, width)
    for part in document.whole:
        lines += part_lines(part, width)
    return lines


def title_lines(document: Document, width: int) -> list[Line]:
    return [[(line, "strong")] for line in wrapped(clean_line(document.title), width)]


def part_lines(part: Part, width: int, curve_height: int = CURVE_HEIGHT) -> list[Line]:
    return [cropped_line(line, width) for line in _part(part, width, curve_height)]


def _part(part: Part, width: int, curve_height: int) -> list[Line]:
    if isinstance(part, Say):
        said = [[(line, part.style)] for line in wrapped(clean_line(part.text), width)]
        return all_meant(said, "note" if part.style == "dim" else "conclusion")
    if isinstance(part, Heading):
        return [[], [(clean_line(part.text), "strong")]]
    if isinstance(part, Strip):
        return all_meant(strip_lines(part.parts, width, STRIP_LINES), "strip of calls")
    if isinstance(part, TimelinePart):
        return [*timeline_lines(part.timeline, width, TIMELINE_HEIGHT), *signs_lines(width)]
    if isinstance(part, Table):
        return table_lines(part.columns, part.rows, width, header_style="dim")
    if isinstance(part, Histograms):
        return all_meant(histogram_lines(part, width), "how many had which rate")
    if isinstance(part, Curves):
        title: list[Line] = [[(clean_line(part.title), "dim")]] if part.title else []
        return all_meant([*title, *curve_lines(part, width, curve_height)], "curve")
    assert isinstance(part, Block)
    return [
        [("  " + line, "")] for text in clean(part.text).split("\n") for line in chop_cells(text, width - 2) or [""]
    ]
