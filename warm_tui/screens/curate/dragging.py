"""A call that is dragged from the candidates into the draft: it is picked, and stands where it was let go."""

from __future__ import annotations

from functools import partial

from textual import events

from warm_tui.screens.curate.draft_actions import DraftActions
from warm_tui.screens.curate.table import CandidateTable
from warm_tui.screens.shared.picking import Picking
from warm_tui.templates import draft as drafts
from warm_tui.templates.model import Pattern
from warm_tui.templates.shortlist import Entry


class Dragging(DraftActions, Picking):
    dragged: Entry | None = None
    """The call that was taken hold of."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[tuple[str, str], int] = {}
        """Where calls shall stand that are being picked, by session and key."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Whoever drags within the table selects its text."""
        table = self.query_one(CandidateTable)
        is_inside = table.scrollable_content_region.contains_point(event.screen_offset)
        at = table.row_at(event.screen_y - table.region.y) if is_inside else None
        row = table.rows[at] if at is not None else None
        self.dragged = row if isinstance(row, Entry) else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.dragged is not None:
            self.show_place(event if event.button else None)

    def show_place(self, event: events.MouseEvent | None) -> int | None:
        """Where it would stand, if the mouse is over the draft."""
        is_over = event is not None and self.pane.region.contains_point(event.screen_offset)
        self.pane.set_class(is_over, "-receiving")
        if is_over:
            self.clear_selection()
        at = self.pane.draft_list.show_coming(event.screen_y if event is not None and is_over else None)
        return at if is_over else None

    async def on_mouse_up(self, event: events.MouseUp) -> None:
        entry, self.dragged = self.dragged, None
        if entry is None:
            return
        to = self.show_place(event)
        self.show_place(None)
        if to is None:
            return
        at = drafts.picked(self.drafting.draft, entry.call)
        if at is not None:
            self.pane.move(at, to - (at < to))
        else:
            await self.pick_entry(entry, to, with_failure=True)

    async def pick_entry(self, entry: Entry, to: int | None = None, *, with_failure: bool) -> None:
        """To that place in the draft, or to its end."""
        self.places.pop(entry.call, None)
        if to is not None:
            self.places[entry.call] = to
        candidate = entry.candidate
        pick = partial(self.pick_candidate, candidate, with_failure=with_failure)
        picked = self.with_reason(candidate.verdict, entry.why or "picked by hand", pick)
        if picked is not None:
            await picked

    def place_for(self, pattern: Pattern) -> int | None:
        return self.places.pop((pattern.origin.session_id, pattern.origin.call), None)
