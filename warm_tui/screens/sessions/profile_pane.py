"""The pane beside the sessions, with the profile of the one under the cursor."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation.lines import all_meant
from warm_tui.presentation.profile import profile_lines
from warm_tui.reliability.profile import Judged, Profile
from warm_tui.sessions.model import Session
from warm_tui.widgets.pieces_view import PiecesView
from warm_tui.widgets.timers import SureTimers
from warm_tui.widgets.working import work

DETAIL_SECONDS = 0.1


class Detail(msgspec.Struct, frozen=True):
    """What the pane shows beside the profile: it takes a look at the session's rows."""

    of: Profile
    calls: list[Judged]
    chain: list[Session]


class ProfilePane(SureTimers, PiecesView):
    class DetailRead(Message):
        def __init__(self, detail: Detail) -> None:
            self.detail = detail
            super().__init__()

    def __init__(self, home: Callable[[], Home], *, id: str) -> None:
        super().__init__(id=id)
        self._home = home
        self._profile: Profile | None = None
        self._waiting = False
        self._instead = ""
        self._detail: Detail | None = None
        self._detail_timer: Timer | None = None

    def show_profile(self, profile: Profile | None, *, waiting: bool = False, instead: str = "") -> None:
        """`instead`: what is told where no session is under the cursor."""
        before, self._profile, self._waiting, self._instead = self._profile, profile, waiting, instead
        self.lay_out(keep=before is not None and profile is not None and before.session_id == profile.session_id)

    def lay_out(self, *, keep: bool = True) -> None:
        profile, width = self._profile, max(1, self.scrollable_content_region.width)
        told = (self._instead or "Nothing is under the cursor.").split("\n")
        lines = all_meant([[(line, "")] for line in told], "totals")
        if profile is not None:
            detail = self.detail_of(profile)
            calls, chain = (detail.calls, detail.chain) if detail else ((), ())
            lines = profile_lines(profile, calls, chain, width, waiting=self._waiting)
        if lines != self.lines:
            self.show(lines, keep=keep)

    def on_resize(self) -> None:
        self.lay_out()

    # --- the calls behind it, read when the cursor rests ---

    def read_detail_soon(self) -> None:
        self._detail_timer = self.set_timer(DETAIL_SECONDS, self.read_detail)

    def wait_with_detail(self) -> None:
        if self._detail_timer is not None:
            self._detail_timer.stop()

    def forget_detail(self) -> None:
        """Verdicts are others now, or sessions."""
        self._detail = None

    def read_detail(self) -> None:
        profile = self._profile
        # What is elsewhere is asked for by whoever opens it.
        if profile is not None and not profile.machine and self.detail_of(profile) is None:
            self.read_detail_of(profile)

    def detail_of(self, profile: Profile) -> Detail | None:
        """What was read of it, which need not have been its calls of now."""
        wanted = (profile.session_id, profile.part_of)
        detail = self._detail
        return detail if detail is not None and (detail.of.session_id, detail.of.part_of) == wanted else None

    @work(thread=True, exclusive=True, group="look")
    def read_detail_of(self, profile: Profile) -> None:
        worker = get_current_worker()
        try:
            with Catalog(self._home()) as catalog:
                _, life, calls = catalog.life(profile.session_id)
        except Trouble:
            return
        if not worker.is_cancelled:
            if profile.part_of:
                calls = [call for call in calls if call[0].session_id == profile.session_id]
            self.post_message(self.DetailRead(Detail(profile, calls, life.sessions)))

    def on_profile_pane_detail_read(self, message: DetailRead) -> None:
        self._detail = message.detail
        self.lay_out()
