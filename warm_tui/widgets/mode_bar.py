"""The names of the screens, to go to by their number or by a click; before them the Hermes home one is in."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from warm_tui import actions

FOR_HEADER = 24
"""Columns that what the screen shows keeps beside them."""


class ModeBar(Widget):
    """One line; the screen one is on stands out."""

    COMPONENT_CLASSES = {"mode-bar--here"}  # noqa: RUF012 - as Textual declares it
    ALLOW_SELECT = False

    def __init__(self, here: str, profile: str = "") -> None:
        super().__init__(id="mode-bar")
        self._here, self._profile = here, f" {profile} ·" if profile else ""
        self.modes = [action for action in actions.of("app") if action.id.startswith("show-")]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's
        return len(self._profile) + sum(map(len, self._titles()))

    def _titles(self) -> list[str]:
        """Names as long as there is room, that of the screen one is on first; the others are known by their numbers."""
        room = self.app.size.width - FOR_HEADER - len(self._profile)
        titles = {mode.id: f" {mode.keys} " for mode in self.modes}
        for mode in sorted(self.modes, key=lambda mode: mode.id != self._here):
            whole = f" {mode.keys} {mode.title} "
            if mode.id != self._here and sum(map(len, titles.values())) + len(mode.title) + 1 > room:
                break
            titles[mode.id] = whole
        return list(titles.values())

    def render_line(self, y: int) -> Strip:
        here = self.get_component_rich_style("mode-bar--here")
        segments = [Segment(self._profile, self.rich_style)] * bool(self._profile) + [
            Segment(title, self.rich_style + (here if mode.id == self._here else Style()))
            for mode, title in zip(self.modes, self._titles(), strict=True)
        ]
        return Strip(segments if y == 0 else []).adjust_cell_length(self.size.width, self.rich_style)

    def _mode_at(self, x: int) -> actions.Action | None:
        left = len(self._profile)
        for mode, title in zip(self.modes, self._titles(), strict=True):
            left += len(title)
            if x < left:
                return mode
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        mode = self._mode_at(event.x)
        self.tooltip = mode.help if mode else None

    async def on_click(self, event: events.Click) -> None:
        mode = self._mode_at(event.x)
        if mode is not None:
            await self.app.run_action(mode.id.replace("-", "_"))
