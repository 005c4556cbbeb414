"""The fleet as the Overview shows it: what was last heard of each machine, which the app writes down beside."""

from __future__ import annotations

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.reports.document import Document
from warm_tui.reports.linked import Linked
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.sessions.elsewhere import SEEN

SECONDS = 10.0


class FleetPage:
    def __init__(self, home: Home) -> None:
        self.home = home
        self.files = FileWatch([home.ours / "fleet" / SEEN])
        self.files.note()

    def parts(self, now: float) -> list[Linked]:
        from warm_tui.fleet.known import known_members, trouble_of
        from warm_tui.reports.fleet import fleet_parts

        return fleet_parts(known_members(self.home, now), now, trouble_of(self.home))

    def document(self, now: float) -> Document:
        from warm_tui.fleet.known import known_members, trouble_of
        from warm_tui.reports.fleet import fleet_document

        return fleet_document(known_members(self.home, now), now, trouble_of(self.home))

    def drained(self, name: str) -> str:
        """Drain a machine, or let it have runs again; what is said of it."""
        from warm_tui.fleet.folder import check_installed

        try:
            check_installed()
            from warm_tui.fleet.client import Fleet
            from warm_tui.fleet.draining import turn

            with Fleet(self.home) as fleet:
                drained = turn(self.home, fleet, name, SECONDS)
        except Trouble as trouble:
            return str(trouble)
        return f"{name} gets no new runs." if drained else f"{name} gets runs again."
