"""Coloured lines to scroll through, wrapped at the edge, of which only those on the screen are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Size
from textual.strip import Strip

from warm_tui import actions
from warm_tui.presentation.lines import Line, wrapped_line
from warm_tui.widgets.palette import CLASSES, Palette
from warm_tui.widgets.selectable import SelectableLines


class PiecesView(SelectableLines, can_focus=True):
    BINDINGS: ClassVar = actions.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._wrapped: list[Line] = []
        self._starts: list[int] = []
        self._width = 0
        self._palette: Palette | None = None

    @property
    def lines(self) -> Sequence[Line]:
        return self._lines

    def show(self, lines: Sequence[Line], *, keep: bool = False) -> None:
        """Other lines, from their top on, unless the place is to be kept."""
        self._lines, self._width = lines, 0
        self._wrap()
        if not keep:
            self.scroll_to(0, 0, animate=False)
        self.refresh()

    def go_to(self, line: int) -> None:
        """Bring a line, counted before wrapping, to the top."""
        if 0 <= line < len(self._starts):
            self.scroll_to(y=self._starts[line], animate=False)

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width = max(1, self.scrollable_content_region.width)
        if width == self._width:
            return
        self._width = width
        self._wrapped, self._starts = [], []
        for line in self._lines:
            self._starts.append(len(self._wrapped))
            self._wrapped += wrapped_line([(text.expandtabs(4), style) for text, style in line], width)
        self.virtual_size = Size(width, len(self._wrapped))

    @property
    def line_count(self) -> int:
        return len(self._wrapped)

    def notify_style_update(self) -> None:
        self._palette = None
        super().notify_style_update()

    def strip_of(self, line: int) -> Strip:
        self._palette = self._palette or Palette(self)
        base = self.rich_style
        segments = [Segment(text, base + self._palette.style(name)) for text, name in self._wrapped[line]]
        return Strip(segments).adjust_cell_length(self._width, base)

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        if line >= self.line_count:
            return Strip.blank(self.size.width, self.rich_style)
        return self.selectable(self.strip_of(line), line)

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
