"""The names of the screens, to go to by their number or by a click; before them the Hermes profile one is in."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from warm_tui import actions

ROOM = 120


class ModeBar(Widget):
    """One line; the screen one is on stands out."""

    COMPONENT_CLASSES = {"mode-bar--here"}  # noqa: RUF012 - as Textual declares it
    ALLOW_SELECT = False

    def __init__(self, here: str, profile: str = "") -> None:
        super().__init__(id="mode-bar")
        self._here, self._profile = here, f" {profile} ·" if profile else ""
        self.modes = [action for action in actions.of("app") if action.id.startswith("show-")]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's
        return len(self._profile) + sum(len(self._title(mode)) for mode in self.modes)

    def _title(self, mode: actions.Action) -> str:
        """Where there is little room, the others are known by their numbers."""
        whole = mode.id == self._here or self.app.size.width >= ROOM
        return f" {mode.keys} {mode.title} " if whole else f" {mode.keys} "

    def render_line(self, y: int) -> Strip:
        here = self.get_component_rich_style("mode-bar--here")
        segments = [Segment(self._profile, self.rich_style)] * bool(self._profile) + [
            Segment(self._title(mode), self.rich_style + (here if mode.id == self._here else Style()))
            for mode in self.modes
        ]
        return Strip(segments if y == 0 else []).adjust_cell_length(self.size.width, self.rich_style)

    async def on_click(self, event: events.Click) -> None:
        left = len(self._profile)
        for mode in self.modes:
            left += len(self._title(mode))
            if event.x < left:
                await self.app.run_action(mode.id.replace("-", "_"))
                return
