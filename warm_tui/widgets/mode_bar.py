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
SHORT = {
    "Overview": "Over", "Sessions": "Sess", "Templates": "Tmpl", "Compaction": "Compac", "Compare": "Compar",
    "Experiments": "Exp", "Failures": "Fail", "Approvals": "Appr",
}  # fmt: skip
LEAST_LINES = 24


def stands_alone(size: Size) -> bool:
    """Whether the names have a line of their own, above what the screen tells of itself: beside them, a wider terminal
    would tell less than a narrow one."""
    return size.height >= LEAST_LINES


class Counting(Protocol):
    """What the bars of all screens share."""

    waiting_approvals: int | None
    """None: nobody has looked yet."""

    def tell_that_more_wait(self) -> None: ...


class ModeBar(Widget):
    """One line; the screen one is on stands out."""

    COMPONENT_CLASSES = {"mode-bar--here", "mode-bar--waiting"}  # noqa: RUF012 - as Textual declares it
    ALLOW_SELECT = False

    def __init__(self, here: str, where: str = "", home: Home | None = None, *, must_tell: bool = False) -> None:
        """`home`: whose requests for approval are counted. `must_tell`: where one is stands there in any case, and
        not only where it takes no room from the names."""
        super().__init__(id="mode-bar")
        self._home, self._state, self._drawn = home, "", 0
        self._here, self._where, self._must_tell = here, f" {where} ·" if where else "", must_tell
        self.modes = [action for action in actions.of("app") if action.id.startswith("show-")]

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's
        return sum(map(len, self._shown()))

    @property
    def has_line_of_its_own(self) -> bool:
        """Where names and what the screen shows have no room beside each other, and there are lines enough."""
        return stands_alone(self.app.size)

    def _shown(self) -> list[str]:
        """Where one is, as far as that takes no room from the names, and a name a screen."""
        room = self.app.size.width - (0 if self.has_line_of_its_own else FOR_HEADER)
        whole = sum(len(self._titled(mode, mode.title)) for mode in self.modes)
        where = self._where if self._must_tell or len(self._where) + whole <= room else ""
        return [where, *self._titles(room - len(where))]

    def _titles(self, room: int) -> list[str]:
        """Numbers alone, where there is room short names in turn, and then whole ones; that of the screen one is on is
        always whole."""
        titles = {mode.id: self._titled(mode, mode.title if mode.id == self._here else "") for mode in self.modes}
        for names in (SHORT, {}):
            for mode in self.modes:
                named = self._titled(mode, names.get(mode.title, mode.title), behind=" " * (names is not SHORT))
                if mode.id != self._here and sum(map(len, titles.values())) - len(titles[mode.id]) + len(named) > room:
                    break
                titles[mode.id] = named if mode.id != self._here else titles[mode.id]
        return list(titles.values())

    def _titled(self, mode: actions.Action, name: str, behind: str = " ") -> str:
        """No blank is behind a short name: there each column counts."""
        return f" {' '.join(filter(None, (mode.keys, name)))}{self._badge(mode)}{behind}"

    def render_line(self, y: int) -> Strip:
        here = self.get_component_rich_style("mode-bar--here")
        waits = self.get_component_rich_style("mode-bar--waiting")
        where, *titles = self._shown()
        segments = [Segment(where, self.rich_style)] * bool(where) + [
            Segment(
                title, self.rich_style + (here if mode.id == self._here else waits if self._badge(mode) else Style())
            )
            for mode, title in zip(self.modes, titles, strict=True)
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
        where, *titles = self._shown()
        left = len(where)
        for mode, title in zip(self.modes, titles, strict=True):
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
