"""A screen from which a call is opened where it was made."""

from __future__ import annotations

from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.working import work


class Opening(Frame):
    @work(thread=True, exclusive=True, group="open-call")
    def open_call(self, session_id: str, call: str, life: str = "") -> None:
        """In its transcript. `life`: the name of its life, where another place may have a session of that id."""
        from warm_tui.screens.transcript.screen import TranscriptScreen

        try:
            with Catalog(self.home) as catalog:
                profile = catalog.profile(life or session_id)
                # By that name the transcript finds it again.
                profile = replace(profile, session_id=life or profile.session_id)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        transcript = TranscriptScreen(profile, begin_at=(session_id, call))
        self.app.call_from_thread(self.app.push_screen, transcript)
