"""From a call to the session of the helper that it gave work to."""

from __future__ import annotations

from itertools import takewhile

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.reliability.profile import Profile
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.transcript.going import GoingAbout
from warm_tui.sessions.text import clean_line
from warm_tui.sessions.transcript import Item
from warm_tui.widgets.working import work


class Subagents(GoingAbout):
    """Where one call began several, the operator chooses."""

    all_read: bool

    def open_helper(self, profile: Profile) -> None:
        raise NotImplementedError

    def helpers_here(self) -> list[Item]:
        """Of the call under the cursor, or the one that the cursor is on."""
        item, told, place = self.view.under_cursor, self.view.told, self.view.place
        if item is None or item.kind == "helper":
            return [item] if item else []
        behind = takewhile(lambda each: len(each.within) > len(item.within) or each.kind == "helper", told[place + 1 :])
        return [each for each in behind if item.call is not None and each.within == item.within]

    def action_subagent(self) -> None:
        helpers = self.helpers_here()
        if not helpers and not self.all_read:
            self.notify("It is still being read; try again.", markup=False)
        elif not helpers:
            self.notify("No session of a helper is known that was begun here.", markup=False)
        elif len(helpers) == 1:
            self.find_helper(helpers[0].session_id)
        else:
            options = [(each.session_id, clean_line(each.text[:200])) for each in helpers]
            self.app.push_screen(ChooseOne("Which helper's session?", options), self.helper_chosen)

    def helper_chosen(self, name: str | None) -> None:
        if name is not None:
            self.find_helper(name)

    @work(thread=True, exclusive=True, group="helpers")
    def find_helper(self, name: str) -> None:
        try:
            with Catalog(self.home) as catalog:
                profile = catalog.profile(name)
        except Trouble as trouble:
            self.app.call_from_thread(self.notify, clean_line(str(trouble)), severity="error", markup=False)
            return
        self.app.call_from_thread(self.open_helper, profile)
