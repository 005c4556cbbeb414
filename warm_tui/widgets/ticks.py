"""A list to tick in: what is not ticked has an empty box, so that colour is not all that tells them apart."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import SelectionList
from textual.widgets._toggle_button import ToggleButton


class Ticks(SelectionList[str]):
    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        at = self.scroll_offset.y + y
        if at >= self.option_count or self.get_option_at_index(at).value in self.selected:
            return strip
        first, tick, *rest = strip
        assert tick.text == ToggleButton.BUTTON_INNER
        return Strip([first, Segment(" ", tick.style), *rest])
