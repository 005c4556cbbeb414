"""Walking the lineage of sessions: to the one that this one came from, to the one that came from it."""

from __future__ import annotations

from warm_tui.reliability.profile import Profile
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line


class Walking(Frame):
    everything: list[Profile]
    places: dict[str, int]

    def action_walk_lineage(self) -> None:
        profile = self.query_one(SessionTable).under_cursor
        if profile is not None:
            parents = [profile.parent_session_id] if profile.parent_session_id else []
            self.walk_to(parents, "This session came from no other.")

    def action_walk_to_heir(self) -> None:
        profile = self.query_one(SessionTable).under_cursor
        if profile is not None:
            heirs = [p.session_id for p in self.everything if p.parent_session_id == profile.session_id]
            self.walk_to(heirs, "No session came from this one.")

    def walk_to(self, targets: list[str], otherwise: str) -> None:
        table = self.query_one(SessionTable)
        at = next((at for at, row in enumerate(table.rows) if row.session_id in targets), None)
        if at is not None:
            table.move(at)
        elif targets and targets[0] in self.places:
            self.notify(f"{clean_line(targets[0])} does not match the filter.", markup=False)
        else:
            self.notify(otherwise if not targets else f"{clean_line(targets[0])} is gone.", markup=False)
