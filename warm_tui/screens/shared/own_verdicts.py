"""The window with all verdicts of one's own: go to the call of one, take it back, put it back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.outcomes import own_outcomes
from warm_tui.library.overrides import Override, overrides
from warm_tui.library.verdicts import forget_verdict, put_back_verdict
from warm_tui.presentation.figures import moment
from warm_tui.presentation.pictures import GLYPHS, OUTCOMES
from warm_tui.presentation.verdicts import reason_and_ours
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.working import work

TAKE_BACK, PUT_BACK, OUTCOMES_OF_SESSIONS = "take-back:", "put-back", "outcomes"


class ChooseVerdict(ChooseOne):
    """Those there are; what is to be done with the one under the cursor stands before its number."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("u,D,delete", "take_back", "Take it back")]

    def __init__(self, title: str, options: Sequence[tuple[str, str]]) -> None:
        super().__init__(title, options)
        self.names["choose"] = "Go to the call"

    def action_take_back(self) -> None:
        option = self.query_one(OptionList).highlighted_option
        if option is not None and option.id and option.id not in (PUT_BACK, OUTCOMES_OF_SESSIONS):
            self.dismiss(f"{TAKE_BACK}{option.id}")


class OwnVerdicts(Frame):
    """A screen from which they are listed."""

    taken_back: Override | None = None

    def verdicts_changed(self) -> None:
        """One was taken back or put back."""

    def shows_call(self, _override: Override) -> bool:
        """Go to the call, if it is on this screen."""
        return False

    def action_own_verdicts(self) -> None:
        self.work_on_verdicts()

    @work(thread=True, exclusive=True, group="own-verdicts")
    def work_on_verdicts(self, act: Callable[[Catalog], None] | None = None) -> None:
        """Do it, beside the screen: the library may be busy. Then list those there are."""
        try:
            with Catalog(self.home) as catalog:
                if act is not None:
                    act(catalog)
                own, outcomes = overrides(catalog), own_outcomes(catalog.library)
        except (Trouble, sqlite3.Error) as error:
            self.app.call_from_thread(self.notify, clean_line(str(error)), severity="error", markup=False)
            return
        if act is not None:
            self.app.call_from_thread(self.verdicts_changed)
        self.app.call_from_thread(self.list_verdicts, own, outcomes)

    def list_verdicts(self, own: list[Override], outcomes: int) -> None:
        options = [(str(at), _line(override)) for at, override in enumerate(own)]
        if outcomes:
            options.append((OUTCOMES_OF_SESSIONS, f"{plural(outcomes, 'outcome')} of sessions: show these"))
        if self.taken_back is not None:
            options.append((PUT_BACK, f"Put back: {_line(self.taken_back)}"))
        if not options:
            self.notify("No verdict of your own yet: v on a call in a transcript sets one.", markup=False)
            return

        def chosen(choice: str | None) -> None:
            if choice == OUTCOMES_OF_SESSIONS:
                self.app.show_sessions_with("outcome:mine")  # type: ignore[attr-defined]
            elif choice == PUT_BACK:
                self.put_back()
            elif choice is not None and choice.startswith(TAKE_BACK):
                self.take_back(own[int(choice.removeprefix(TAKE_BACK))])
            elif choice is not None and not self.shows_call(own[int(choice)]):
                self.open_call(own[int(choice)])

        self.app.push_screen(ChooseVerdict(f"Verdicts of your own: {len(own) + outcomes}", options), chosen)

    def take_back(self, override: Override) -> None:
        self.taken_back = override
        self.work_on_verdicts(lambda catalog: forget_verdict(catalog.library, override.name))

    def put_back(self) -> None:
        override, self.taken_back = self.taken_back, None
        if override is not None:
            self.work_on_verdicts(lambda catalog: put_back_verdict(catalog.library, override.name, override.verdict))

    @work(thread=True, exclusive=True, group="open-call")
    def open_call(self, override: Override) -> None:
        from warm_tui.screens.transcript.screen import TranscriptScreen

        try:
            with Catalog(self.home) as catalog:
                profile = catalog.profile(override.shown_as)
        except Trouble as trouble:
            self.app.call_from_thread(self.notify, clean_line(str(trouble)), severity="warning", markup=False)
            return
        if profile.session_id == override.session_id:
            profile = replace(profile, session_id=override.shown_as)
        transcript = TranscriptScreen(profile, begin_at=(override.session_id, override.key))
        self.app.call_from_thread(self.app.push_screen, transcript, lambda _: self.verdicts_changed())


def _line(override: Override) -> str:
    verdict = override.verdict
    tool = clean_line(override.call.tool_name) if override.call else clean_line(override.key)
    outcome = f"{GLYPHS[OUTCOMES[verdict.outcome]]} {verdict.outcome}"
    return f"{moment(verdict.said_at)[:16]}  {outcome}  {tool}: {clean_line(reason_and_ours(verdict))[:120]}"
