"""A table of any length: only the lines on the screen are ever made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from warm_tui import actions
from warm_tui.presentation.glossary import Explained, explained
from warm_tui.presentation.tables import Column, arrows_of, bound_of, filled, padded
from warm_tui.widgets.fields import STYLES, Field, Shown, columns_of
from warm_tui.widgets.moved_lines import moved_lines
from warm_tui.widgets.row_strips import MARGIN, cells_strip, field_at, heading_strip
from warm_tui.widgets.selectable import SelectableLines

Row = TypeVar("Row")

EDGES = MARGIN + 1
"""And the scrollbar."""
MEASURED = 100
"""So many rows tell how wide columns have to be."""


class LineTable(SelectableLines, Generic[Row], can_focus=True):
    """A header and a line a row. Knows nothing of where the rows come from."""

    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line-table--{name}" for name in STYLES}
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    MARKS: ClassVar[dict[str, str]] = {}
    MARK_STYLES: ClassVar[dict[str, str]] = {}
    """Of marks that are not like the others."""

    TERMS: ClassVar[Mapping[str, str]] = {}
    """For columns whose title means something else elsewhere: the word of the glossary."""

    BOUNDED: ClassVar[Collection[str]] = ()
    """Columns whose rows stand by what is known of a figure: by the figures alone they would seem out of order."""
    HAS_TOTALS = False
    """Whether its last line tells what all rows come to."""
    least_beside = 0
    """How wide it is where another pane comes to stand beside it: no column comes in before that would go then."""

    cursor: reactive[int] = reactive(0, repaint=False)

    class Highlighted(Message):
        def __init__(self, row: object) -> None:
            self.row = row
            super().__init__()

    class Opened(Message):
        pass

    class Scrolled(Message):
        pass

    class MarkAsked(Message):
        """By mouse: this row, or all from the last marked one to it. The cursor may have been moved on since, by what
        an earlier click began."""

        def __init__(self, table: LineTable[Any], at: int, *, up_to: bool) -> None:
            self.table, self.at, self.up_to = table, at, up_to
            super().__init__()

    class SortAsked(Message):
        def __init__(self, table: LineTable[Any], field: str, *, then: bool) -> None:
            """`then`: it shall decide between those that the order leaves alike."""
            self.table, self.field, self.then = table, field, then
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: Sequence[Row] = ()
        self.pending: set[str] = set()
        self.marks: dict[str, str] = {}
        self.order = ""
        self.fields: tuple[Field, ...] = self.FIELDS
        self.now = 0.0
        self._widths, self._natural = list[int](), list[int]()
        """How wide what stands in each column is, and of which columns and which hundred rows that is known."""
        self._measured: tuple[tuple[Field, ...], int] | None = None
        self._strips: LRUCache[tuple[object, ...], Strip] = LRUCache(512)
        self._version = 0

    def identity(self, row: Row) -> str:
        """What a row is known by, however the table is sorted."""
        raise NotImplementedError

    def place_of(self, identity: str) -> int | None:
        return next((at for at, row in enumerate(self.rows) if self.identity(row) == identity), None)

    def mark_of(self, row: Row) -> str:
        return self.marks.get(self.identity(row), "")

    def heading(self, row: Row) -> str:  # noqa: ARG002 - for those that group
        """The text of a row that heads a group of others; of any other, none."""
        return ""

    def cell(self, field: Field, row: Row) -> Shown:
        return field.show(row, self.now)

    def total(self, field: Field) -> Shown:  # noqa: ARG002 - for those that have totals
        """What all rows come to, under this column."""
        return "", ""

    def total_explained(self, field: Field) -> str:  # noqa: ARG002 - for those that have totals
        return ""

    # --- what it means ---

    def heading_explained(self, heading: str) -> str:
        """Of the row that heads a group: by its first words."""
        return explained(heading.partition(":")[0]) or explained("group")

    def numbers(self, row: Row) -> Mapping[str, str]:  # noqa: ARG002 - for those that know them
        """What explanations of the row's figures are told with."""
        return {}

    def explanation(self, field: Field, row: Row | None = None) -> str:
        """Of a column, or of what stands in it: first what that is, where it is a word of its own."""
        numbers = self.numbers(row) if row is not None else {}
        texts = [explained(self.TERMS.get(field.name, field.title), numbers), explained(self._bound(field))]
        if row is not None and not self.heading(row):
            texts.insert(0, explained(self.cell(field, row)[0], numbers))
        return "\n".join(dict.fromkeys(filter(None, texts)))

    def explained(self) -> list[Explained]:
        """Every column that has a word, with what stands in it under the cursor."""
        return self._explained(self.fields)

    def explained_here(self) -> list[Explained]:
        """Of the row under the cursor what is seen, that first by which it is sorted, and last what it is called."""
        if (row := self.under_cursor) is not None and (heading := self.heading(row)):
            return [Explained(heading, "", self.heading_explained(heading))]
        ordered = arrows_of(self.order)
        seen = [field for field, _ in self._in_sight()]
        seen.sort(key=lambda field: (field is self.fields[0], field.name not in ordered, field.rank))
        return self._explained(seen)

    @property
    def named_here(self) -> str:
        row = self.under_cursor
        return "" if row is None else self.heading(row) or self.cell(self.fields[0], row)[0]

    def _explained(self, fields: Iterable[Field]) -> list[Explained]:
        row = self.under_cursor if self.under_cursor is not None and not self.heading(self.under_cursor) else None
        return [
            Explained(self.TERMS.get(field.name, field.title), "" if row is None else self.cell(field, row)[0], text)
            for field in fields
            if (text := self.explanation(field, row))
        ]

    # --- what it shows ---

    def show(self, rows: Sequence[Row], *, now: float) -> None:
        """Other rows; the cursor stays on the session it was on, if that is still among them."""
        under = self.under_cursor
        self.rows, self.now, self._measured = rows, now, None
        identity = self.identity(under) if under is not None else None
        at = self.place_of(identity) if identity else None
        self._measure()
        self.cursor = at if at is not None else max(0, min(self.cursor, len(rows) - 1))
        self._announce()
        self.refresh()

    def redraw(self) -> None:
        self._version += 1
        self._measure()
        self.refresh()

    @property
    def under_cursor(self) -> Row | None:
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    def _measure(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.rows) + 1 + self.HAS_TOTALS)
        measured, here = self._measured, (self.fields, self.scroll_offset.y // MEASURED)
        if measured != here:
            natural, self._measured = self._natural_widths(), here
            # By scrolling a column only grows.
            grows = measured is not None and measured[0] is self.fields
            self._natural = [*map(max, natural, self._natural)] if grows else natural
        room, most = self._room
        before = self._widths
        self._widths = filled(self.columns, self.usual_widths, self._natural, room, most)
        self._version += self._widths != before

    @property
    def _room(self) -> tuple[int, int]:
        """For all that is shown, and for columns to come in."""
        room, stacked = max(20, self.size.width - EDGES), self.least_beside and self.screen.has_class("-narrow")
        return room, min(room, self.least_beside - EDGES) if stacked else room

    @property
    def columns(self) -> list[Column]:
        return columns_of(self.fields, arrows_of(self.order))

    @property
    def usual_widths(self) -> list[int]:
        """What columns get before those behind them come in: no more than they fill."""
        return [min(width, each.usual_width) for each, width in zip(self.fields, self._natural, strict=True)]

    def _bound(self, field: Field) -> str:
        return bound_of(self.order, field.name) if field.name in self.BOUNDED else ""

    def _natural_widths(self) -> list[int]:
        """Wide enough for what stands in each: of many rows, in those about here. Figures may become longer."""
        top = self.scroll_offset.y // MEASURED * MEASURED
        rows = [row for row in self.rows[top : top + MEASURED + self.page_height] if not self.heading(row)]
        heads = ((field, field.title + self._bound(field), self.total(field)[0]) for field in self.fields)
        return [max(map(cell_len, [*head, *(self.cell(field, row)[0] for row in rows)])) for field, *head in heads]

    def on_resize(self) -> None:
        self.redraw()
        self._reveal(self.cursor)

    def notify_style_update(self) -> None:
        """Under another theme the lines that were drawn have the wrong colours."""
        self._strips.clear()
        super().notify_style_update()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        with moved_lines(self, self.page_height, round(new_value) - round(old_value), lambda: self._version):
            super().watch_scroll_y(old_value, new_value)
            self._measure()
        self.post_message(self.Scrolled())

    @property
    def page_height(self) -> int:
        """So many rows have room."""
        return max(1, self.size.height - 1 - self.HAS_TOTALS)

    def refresh_totals(self) -> None:
        self.refresh(Region(0, self.size.height - 1, self.size.width, 1))

    def is_at_totals(self, y: int) -> bool:
        return self.HAS_TOTALS and y == self.size.height - 1

    def row_at(self, y: int) -> int | None:
        """Which row stands at this line of the table."""
        row = y - 1 + self.scroll_offset.y
        return row if y > 0 and row < len(self.rows) and not self.is_at_totals(y) else None

    @property
    def seen(self) -> range:
        return range(self.scroll_offset.y, self.scroll_offset.y + self.size.height)

    # --- the cursor ---

    def watch_cursor(self, old: int, new: int) -> None:
        if old != new:
            self._refresh_line(old)
            self._refresh_line(new)
            self._reveal(new)
            self._announce()

    def _refresh_line(self, row: int) -> None:
        self.refresh(Region(0, row + 1 - self.scroll_offset.y, self.size.width, 1))

    def _reveal(self, row: int, *, is_laid_out: bool = False) -> None:
        top = self.scroll_offset.y
        shown_from = min(row, max(top, row - self.page_height + 1))
        if shown_from != top and not (self.show_vertical_scrollbar or is_laid_out):
            # Rows that have just come have no scrollbar yet, and their room may not be known.
            self.call_after_refresh(lambda: self._reveal(self.cursor, is_laid_out=True))
        elif shown_from != top:
            self.scroll_to(y=shown_from, animate=False)

    def _announce(self) -> None:
        self.post_message(self.Highlighted(self.under_cursor))

    def move(self, to: int) -> None:
        self.cursor = max(0, min(to, len(self.rows) - 1))

    def action_cursor_down(self) -> None:
        self.move(self.cursor + 1)

    def action_cursor_up(self) -> None:
        self.move(self.cursor - 1)

    def action_page_down(self) -> None:
        self.move(self.cursor + max(1, self.page_height - 1))

    def action_page_up(self) -> None:
        self.move(self.cursor - max(1, self.page_height - 1))

    def action_first(self) -> None:
        self.move(0)

    def action_last(self) -> None:
        self.move(len(self.rows) - 1)

    def on_click(self, event: events.Click) -> None:
        """A click in the margin marks, one with shift or ctrl marks up to there."""
        if self.text_selection is not None:
            return
        if event.y == 0:
            if field := field_at(self._in_sight(), event.x):
                self.post_message(self.SortAsked(self, field.name, then=event.shift or event.ctrl))
            return
        if (row := self.row_at(event.y)) is not None:
            self.move(row)
            if event.shift or event.ctrl:
                self.post_message(self.MarkAsked(self, row, up_to=True))
            elif event.x < MARGIN:
                self.post_message(self.MarkAsked(self, row, up_to=False))
            elif event.chain > 1:
                self.post_message(self.Opened())

    def explanation_at(self, x: int, y: int) -> str:
        """What a column and what stands in it mean; over a value that is cut, that whole before it."""
        field, at = field_at(self._in_sight(), x), self.row_at(y)
        if field is None:
            return ""
        if self.is_at_totals(y):
            return self.total_explained(field)
        if y == 0:
            sorts = f"A click sorts by {field.title}, another turns it round."
            return "\n".join(filter(None, [self.explanation(field), sorts]))
        if at is None or self.heading(self.rows[at]):
            return "" if at is None else self.heading_explained(self.heading(self.rows[at]))
        text = self.cell(field, self.rows[at])[0]
        cut = cell_len(text) > self._widths[self.fields.index(field)]
        return "\n".join(filter(None, [text if cut else "", self.explanation(field, self.rows[at])]))

    # --- lines ---

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if len(self._widths) != len(self.fields):
            self._measure()
        if y == 0:
            return self._header(width)
        if self.is_at_totals(y):
            return self._totals(width)
        line = y - 1 + self.scroll_offset.y
        if line >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        return self.selectable(self.strip_of(line), line)

    @property
    def line_count(self) -> int:
        return len(self.rows)

    def strip_of(self, line: int) -> Strip:
        row, at_cursor, width = self.rows[line], line == self.cursor, self.size.width
        cells = self._cells(row)
        key = (cells, self.heading(row), self.mark_of(row), at_cursor, self.has_focus, width, self._version)
        if (strip := self._strips.get(key)) is None:
            strip = self._strips[key] = self._line(row, cells, at_cursor, width)
        return strip

    def _cells(self, row: Row) -> tuple[Shown, ...]:
        """What stands in each column: a line is drawn anew only where that is something else."""
        if self.heading(row):
            return ()
        waiting = self.identity(row) in self.pending
        return tuple(
            ("…", "dim") if waiting and field.computed else self.cell(field, row) for field, _ in self._in_sight()
        )

    def _in_sight(self) -> list[tuple[Field, int]]:
        """The columns for which there is room, and how much."""
        return [(field, room) for field, room in zip(self.fields, self._widths, strict=True) if room]

    def _header(self, width: int) -> Strip:
        style = self.get_component_rich_style("line-table--header")
        chosen = self.get_component_rich_style("line-table--sorted")
        return heading_strip(self._in_sight(), arrows_of(self.order, self.BOUNDED), style, chosen, width)

    def _totals(self, width: int) -> Strip:
        base = self.get_component_rich_style("line-table--header")
        totals = [self.total(field) for field, _ in self._in_sight()]
        return cells_strip(Segment("Σ ", base), self._in_sight(), totals, base, self._style, width)

    def _line(self, row: Row, cells: tuple[Shown, ...], under_cursor: bool, width: int) -> Strip:
        base = self.rich_style
        if under_cursor:
            base += self.get_component_rich_style(f"line-table--cursor{'' if self.has_focus else '-blurred'}")
        if heading := self.heading(row):
            return Strip([Segment(padded(heading, width, False), base + self._style("group"))])
        mark = self.mark_of(row)
        margin = Segment(f"{self.MARKS.get(mark, ' ')} ", base + self._style(self.MARK_STYLES.get(mark, "mark")))
        return cells_strip(margin, self._in_sight(), cells, base, self._style, width)

    def _style(self, name: str) -> Style:
        if not name:
            return Style()
        style = self.get_component_rich_style(f"line-table--{name}", partial=True)
        return Style(color=style.color, bold=style.bold, dim=style.dim)
