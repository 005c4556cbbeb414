"""Homes on other machines are had while the app is open; one that is away holds up nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from sqlite3 import Error
from threading import Event

from textual.app import App
from textual.worker import get_current_worker

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.elsewhere import places_of
from warm_tui.widgets.working import work
from warm_tui.writing import looks_only

LOOK_SECONDS, TROUBLED_SECONDS = 2.0, 5.0
HOMES_A_SECOND = 50
"""So many are asked whether anything has changed: of more, each is asked more seldom."""
OF_HOME = ("databases", "files", "gathering")
"""What a screen made once of the home it looks at."""


class WithFleet(App[None]):
    home: Home

    def on_mount(self) -> None:
        self._left = Event()
        if self.home.fleet and not looks_only() and (self.home.ours / "fleet" / "operator.pem").is_file():
            self.gather_fleet()

    def on_unmount(self) -> None:
        self._left.set()

    @work(thread=True, exclusive=True, group="fleet")
    def gather_fleet(self) -> None:
        """As long as the app is open."""
        from warm_tui.fleet.folder import Folder, check_installed
        from warm_tui.fleet.known import note_seen

        worker = get_current_worker()

        def stopped() -> bool:
            return self._left.is_set() or worker.is_cancelled

        while not stopped():
            try:
                check_installed()
                self._gather(stopped)
            except (Trouble, OSError, Error) as trouble:
                # The machines are shown as they last were, with that.
                with suppress(OSError):
                    note_seen(Folder.of(self.home), [], str(trouble))
            self._left.wait(TROUBLED_SECONDS)

    def _gather(self, stopped: Callable[[], bool]) -> None:
        from warm_tui.fleet.client import Fleet
        from warm_tui.fleet.gathering import Gatherer

        with Fleet(self.home) as fleet:
            gatherer = Gatherer(self.home, fleet)
            while not stopped():
                gathered = gatherer.round(stopped)
                if gathered.fresh and not stopped():
                    self.call_from_thread(self.take_new_homes)
                if not gathered.again:
                    self._left.wait(max(LOOK_SECONDS, gathered.homes / HOMES_A_SECOND))

    def take_new_homes(self) -> None:
        """Those that were had for the first time stand beside the others from now on."""
        known = set(self.home.databases)
        places = (place for place in places_of(self.home.ours / "fleet") if place not in known)
        self.home = self.home._replace(databases=(*self.home.present.databases, *places))
        for screen in self.screen_stack:
            if isinstance(screen, Frame):
                screen.home_changed(OF_HOME)
