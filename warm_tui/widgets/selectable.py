"""What all widgets that draw their own lines have: text that the mouse selects, and that says what it means."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from warm_tui.presentation.glossary import Explained


class SelectableLines(ScrollView):
    """What a widget of lines needs for it: to say how many there are, to draw any of them, and what they mean."""

    @property
    @abstractmethod
    def line_count(self) -> int: ...

    @abstractmethod
    def strip_of(self, line: int) -> Strip: ...

    def selectable(self, strip: Strip, line: int, x: int = 0) -> Strip:
        """The line with its selected part shown, and with the marks by which Textual finds what the mouse is on."""
        selection = self.text_selection
        span = selection.get_span(line) if selection is not None else None
        if span is not None:
            start, end = span[0] - x, span[1] - x if span[1] >= 0 else strip.cell_length
            strip = with_style(strip, start, end, self.screen.get_component_rich_style("screen--selection"))
        return strip.apply_offsets(x, line)

    # --- what it means ---

    def explained(self) -> list[Explained]:
        """All that it shows."""
        return []

    def explained_here(self) -> list[Explained]:
        """What is under the cursor, with its own figures."""
        return []

    @property
    def named_here(self) -> str:
        """What the cursor is on, in a few words."""
        return ""

    def explanation_at(self, x: int, y: int) -> str:  # noqa: ARG002 - for those that show figures
        """Of what stands at a place of its content, as far as that means anything."""
        return ""

    def on_mouse_move(self, event: events.MouseMove) -> None:
        offset = event.get_content_offset(self)
        words = self.explanation_at(*offset) if offset is not None else ""
        self.tooltip = Content(words) if words else None

    def on_leave(self) -> None:
        self.tooltip = None

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Lines may have been gone to before it was there."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        first = selection.start.y if selection.start else 0
        last = min(selection.end.y if selection.end else self.line_count, self.line_count - 1)
        taken = []
        for line in range(first, last + 1):
            start, end = selection.get_span(line) or (0, 0)
            text = self.strip_of(line).text
            taken.append((text[start:] if end < 0 else text[start:end]).rstrip())
        return "\n".join(taken), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 - Textual's
        self.refresh()


def with_style(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """The characters from `start` to `end` in another style."""
    segments: list[Segment] = []
    at = 0
    for text, own, _ in strip:
        low, high = (min(max(0, edge - at), len(text)) for edge in (start, end))
        parts = ((text[:low], own), (text[low:high], (own or Style()) + style), (text[high:], own))
        segments += [Segment(part, part_style) for part, part_style in parts if part]
        at += len(text)
    return Strip(segments, strip.cell_length)


def panes_in_sight(screen: Screen[Any]) -> list[SelectableLines]:
    """The one that one is in first."""
    panes = [pane for pane in screen.walk_children() if isinstance(pane, SelectableLines) and pane.is_on_screen]
    return sorted(panes, key=lambda pane: not pane.has_focus)
