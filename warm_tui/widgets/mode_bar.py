"""The names of the screens, to go to by their number or by a click; before them the Hermes home one is in."""

from __future__ import annotations

import sqlite3
from typing import Protocol, cast

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from warm_tui import actions
from warm_tui.approvals.place import Place
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.watching import file_state
from warm_tui.widgets.working import work

LOOK_SECONDS = 1.0
FOR_HEADER = 24
"""Columns that what the screen shows keeps beside them."""


class Counting(Protocol):
    """What the bars of all screens share."""

    waiting_approvals: int | None
    """None: nobody has looked yet."""

    def tell_that_more_wait(self) -> None: ...


class ModeBar(Widget):
    """One line; the screen one is on stands out."""

    COMPONENT_CLASSES = {"mode-bar--here", "mode-bar--waiting"}  # noqa: RUF012 - as Textual declares it
    ALLOW_SELECT = False

    def __init__(self, here: str, profile: str = "", home: Home | None = None) -> None:
        """`home`: whose requests for approval are counted."""
        super().__init__(id="mode-bar")
        self._home, self._state, self._drawn = home, "", 0
        self._here, self._profile = here, f" {profile} ·" if profile else ""
        self.modes = [action for action in actions.of("app") if action.id.startswith("show-")]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's
        return len(self._profile) + sum(map(len, self._titles()))

    def _titles(self) -> list[str]:
        """Names as long as there is room, that of the screen one is on first; the others are known by their numbers."""
        room = self.app.size.width - FOR_HEADER - len(self._profile)
        titles = {mode.id: f" {mode.keys}{self._badge(mode)} " for mode in self.modes}
        for mode in sorted(self.modes, key=lambda mode: mode.id != self._here):
            whole = f" {mode.keys} {mode.title}{self._badge(mode)} "
            if mode.id != self._here and sum(map(len, titles.values())) + len(mode.title) + 1 > room:
                break
            titles[mode.id] = whole
        return list(titles.values())

    def render_line(self, y: int) -> Strip:
        here = self.get_component_rich_style("mode-bar--here")
        waits = self.get_component_rich_style("mode-bar--waiting")
        segments = [Segment(self._profile, self.rich_style)] * bool(self._profile) + [
            Segment(
                title, self.rich_style + (here if mode.id == self._here else waits if self._badge(mode) else Style())
            )
            for mode, title in zip(self.modes, self._titles(), strict=True)
        ]
        return Strip(segments if y == 0 else []).adjust_cell_length(self.size.width, self.rich_style)

    # --- what waits ---

    @property
    def waiting(self) -> int:
        """How many requests wait for a person's yes."""
        return cast(Counting, self.app).waiting_approvals or 0

    def _badge(self, mode: actions.Action) -> str:
        return f" ({self.waiting:,})" if self.waiting and mode.id == "show-approvals" else ""

    def on_mount(self) -> None:
        if self._home is not None:
            self.look()
            self.set_interval(LOOK_SECONDS, self.look)

    def look(self) -> None:
        """Where nothing was ever asked, and nothing is written, that is seen by the file. Time alone ends some."""
        if self._home is None or not self.screen.is_active:
            return
        self._draw_anew()
        database = Place.of(self._home).database
        if not database.exists():
            self.show_waiting(0)
            return
        state = file_state(database).key
        if state != self._state or self.waiting:
            self._state = state
            self.count(self._home)

    @work(thread=True, exclusive=True, group="badge")
    def count(self, home: Home) -> None:
        from warm_tui.approvals.operating import looking

        try:
            with looking(home) as store:
                waiting = store.waiting() if store is not None else 0
        except (Trouble, sqlite3.Error):
            return
        self.app.call_from_thread(self.show_waiting, waiting)

    def show_waiting(self, waiting: int) -> None:
        app = cast(Counting, self.app)
        before, app.waiting_approvals = app.waiting_approvals, waiting
        # What waited before one came is seen.
        if before is not None and waiting > before:
            app.tell_that_more_wait()
        self._draw_anew()

    def _draw_anew(self) -> None:
        """Whichever screen's bar has counted them."""
        if self._drawn != self.waiting:
            self._drawn = self.waiting
            self.refresh(layout=True)

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
