"""All calls of a transcript at its edge; a click goes there."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from warm_tui.presentation import minimap
from warm_tui.presentation.minimap import Cell
from warm_tui.widgets.palette import CLASSES, Palette
from warm_tui.widgets.transcript_view import TranscriptView


class Minimap(Widget):
    COMPONENT_CLASSES: ClassVar[set[str]] = CLASSES
    ALLOW_SELECT = False

    class Chosen(Message):
        def __init__(self, at: int) -> None:
            self.at = at
            super().__init__()

    def __init__(self, view: TranscriptView) -> None:
        super().__init__()
        self._view = view
        self._kinds: list[str] = []
        self._cells: list[Cell] = []
        self._height = 0
        self._palette: Palette | None = None

    def on_mount(self) -> None:
        self.watch(self._view, "scroll_y", self._moved, init=False)
        self.watch(self._view, "cursor", self._moved, init=False)

    def _moved(self) -> None:
        self.refresh()

    def show(self) -> None:
        """What the view holds now."""
        self._kinds, self._height = self._view.kinds, 0
        self.refresh()

    @property
    def cells(self) -> list[Cell]:
        if self._height != self.size.height:
            self._height = self.size.height
            self._cells = minimap.cells(self._kinds, self._height)
        return self._cells

    def notify_style_update(self) -> None:
        self._palette = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        cells, base = self.cells, self.rich_style
        if y >= len(cells):
            return Strip.blank(self.size.width, base)
        self._palette = self._palette or Palette(self)
        first, last = self._view.in_sight
        cell = cells[y]
        line = minimap.cell_line(
            cell,
            here=cell.first <= self._view.cursor < cell.end,
            seen=cell.first <= last and first < cell.end,
        )
        segments = [Segment(text, base + self._palette.style(name)) for text, name in line]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def explanation_at(self, x: int, y: int) -> str:  # noqa: ARG002 - as of all that is pointed at
        return minimap.words(self.cells[y], len(self._kinds)) if 0 <= y < len(self.cells) else ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.tooltip = self.explanation_at(event.x, event.y) or None
        if self.app.mouse_captured is self:
            self._go(event.x, event.y)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self._go(event.x, event.y)

    def on_mouse_up(self) -> None:
        self.release_mouse()
        self._view.focus()

    def _go(self, x: int, y: int) -> None:
        if self.cells:
            cell = self.cells[max(0, min(y, len(self.cells) - 1))]
            self.post_message(self.Chosen(minimap.goal(cell, self._kinds, x)))
