"""From a call to the session of the helper that it gave work to."""

from __future__ import annotations

from textual import work

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.reliability.profile import Profile
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.model import Call
from warm_tui.sessions.subagents import begun_by
from warm_tui.sessions.text import clean_line


class Subagents(Frame):
    """Where one call began several, the operator chooses."""

    def call_under_cursor(self) -> Call | None:
        raise NotImplementedError

    def open_helper(self, profile: Profile) -> None:
        raise NotImplementedError

    @property
    def session_of_calls(self) -> str:
        """The name by which the session is asked for; its calls know only its id."""
        raise NotImplementedError

    def action_subagent(self) -> None:
        call = self.call_under_cursor()
        if call is None:
            self.notify("A helper was given work by a call: move the cursor to one.", markup=False)
        else:
            self.find_helpers(call, self.session_of_calls)

    @work(thread=True, exclusive=True, group="helpers")
    def find_helpers(self, call: Call, shown: str) -> None:
        try:
            with Catalog(self.home) as catalog:
                source, _ = catalog.find(shown)
                found = [catalog.profile(helper.id) for helper in begun_by(source, call)]
        except Trouble as trouble:
            self.app.call_from_thread(self.notify, clean_line(str(trouble)), severity="error", markup=False)
            return
        self.app.call_from_thread(self.helpers_found, found)

    def helpers_found(self, found: list[Profile]) -> None:
        if not found:
            self.notify("No session of a helper is known that this call began.", markup=False)
        elif len(found) == 1:
            self.open_helper(found[0])
        else:
            by_id = {profile.session_id: profile for profile in found}
            options = [(name, clean_line(p.title or p.first_message or name)) for name, p in by_id.items()]
            self.app.push_screen(
                ChooseOne("Which helper's session?", options),
                lambda name: self.open_helper(by_id[name]) if name else None,
            )
