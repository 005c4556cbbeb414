"""Coloured lines to scroll through, wrapped at the edge, of which only those on the screen are made."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip

from warm_tui import actions
from warm_tui.presentation.glossary import Explained, of_lines, of_piece
from warm_tui.presentation.lines import Hanging, Line, Piece, cropped_line, hanging_lines, piece_at, wrapped_line
from warm_tui.widgets.palette import CLASSES, Palette
from warm_tui.widgets.selectable import SelectableLines


class PiecesView(SelectableLines, can_focus=True):
    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._margins: Sequence[Piece] = ()
        self._ends: list[int] = []
        """Of each line, where the rows end that it takes."""
        self._made: tuple[int, list[Line]] | None = None
        """The line that was last wrapped, and its rows."""
        self._width = 0
        self._palette: Palette | None = None
        self._gone_to: tuple[int, int] | None = None
        """A line, and the row that was at the top then."""

    @property
    def lines(self) -> Sequence[Line]:
        return self._lines

    def show(self, lines: Sequence[Line], *, keep: bool = False, margins: Sequence[Piece] = ()) -> None:
        """Other lines, from their top on, unless the place is to be kept. `margins`: before each row of a line."""
        self._lines, self._margins, self._width, self._gone_to = lines, margins, 0, None
        self._measure()
        if not keep:
            self.scroll_to(0, 0, animate=False)
        self.refresh()

    def go_to(self, line: int) -> None:
        """Bring a line, counted before wrapping, to the top."""
        # It may have been given its size, and not been told of it yet.
        self._measure()
        if 0 <= line < len(self._ends):
            self.scroll_to(y=self._ends[line - 1] if line else 0, animate=False, force=True)
            self._gone_to = line, self.scroll_offset.y

    def on_resize(self) -> None:
        """What was gone to stays at the top, unless one has gone on from there."""
        self._measure()
        if self._gone_to is not None and self._gone_to[1] == self.scroll_offset.y:
            self.go_to(self._gone_to[0])

    def _measure(self) -> None:
        """How many rows each line takes. Most take one, and that is seen without making it."""
        width = max(1, self.scrollable_content_region.width)
        if width == self._width:
            return
        self._width, self._made = width, None
        # Before it has a place on the screen, nothing is seen of it.
        lines = self._lines if self.is_attached and self.size.width else ()
        fits = (1 if _surely_fits(line, self._room(at)) else len(self._rows_of(at)) for at, line in enumerate(lines))
        self._ends = list(accumulate(fits))
        # Lines that fit leave their room as it was: the screen need not be laid out anew for others.
        own = self.styles.height
        room = 0 if own is None or own.is_auto else self.scrollable_content_region.height
        self.virtual_size = Size(width, max(self.line_count, room))
        # Where its own size stays as it was, nobody else looks whether there is still something to scroll.
        self._refresh_scrollbars()

    def _room(self, at: int) -> int:
        return max(1, self._width - (cell_len(self._margins[at][0]) if self._margins else 0))

    def _rows_of(self, at: int) -> list[Line]:
        line, width = self._lines[at], self._room(at)
        if isinstance(line, Hanging):
            return hanging_lines(line, width)
        return wrapped_line([(text.expandtabs(4), style) for text, style in line], width)

    def _row(self, row: int) -> Line:
        at = bisect_right(self._ends, row)
        if self._made is None or self._made[0] != at:
            self._made = at, self._rows_of(at)
        line = self._made[1][row - (self._ends[at - 1] if at else 0)]
        return [self._margins[at], *line] if self._margins else line

    @property
    def line_count(self) -> int:
        return self._ends[-1] if self._ends else 0

    def notify_style_update(self) -> None:
        self._palette = None
        super().notify_style_update()

    def strip_of(self, line: int) -> Strip:
        return self._strip(self._only_row(line) if self.size.height == 1 else self._row(line))

    def _only_row(self, row: int) -> Line:
        """Where nothing can stand below it, a line that goes on there says so."""
        at = bisect_right(self._ends, row)
        first = self._ends[at - 1] if at else 0
        if self._margins or row > first or self._ends[at] == row + 1:
            return self._row(row)
        room = self._width + 1
        return cropped_line([(text[:room].expandtabs(4), style) for text, style in self._lines[at]], self._width)

    def _strip(self, row: Line) -> Strip:
        self._palette = self._palette or Palette(self)
        base = self.rich_style
        segments = [Segment(text, base + self._palette.style(name)) for text, name in row]
        return Strip(segments).adjust_cell_length(self._width, base)

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        if line >= self.line_count:
            return Strip.blank(self.size.width, self.rich_style)
        return self.selectable(self.strip_of(line), line)

    # --- what it means ---

    def explained(self) -> list[Explained]:
        return of_lines(self._lines)

    def explained_here(self) -> list[Explained]:
        """Without a cursor, what is in sight."""
        top = self.scroll_offset.y
        return of_lines(self._row(row) for row in range(top, min(self.line_count, top + self.size.height)))

    def explanation_at(self, x: int, y: int) -> str:
        line = y + self.scroll_offset.y
        piece = piece_at(self._row(line), x) if 0 <= line < self.line_count else None
        found = of_piece(*piece) if piece else None
        return found.text if found else ""

    def action_cursor_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_cursor_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_page_down(self) -> None:
        self.scroll_relative(y=max(1, self.size.height - 1), animate=False)

    def action_page_up(self) -> None:
        self.scroll_relative(y=-max(1, self.size.height - 1), animate=False)

    def action_first(self) -> None:
        self.scroll_to(y=0, animate=False)

    def action_last(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False)


def _surely_fits(line: Line, width: int) -> bool:
    """Whether a line is that short, whatever its characters are: none is wider than two cells, but a tab."""
    return sum(len(text) for text, _ in line) * 2 <= width and not any("\t" in text for text, _ in line)
