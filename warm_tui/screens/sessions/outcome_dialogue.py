"""What the operator says came of a session: chosen from a list, with a word of why, and taken back there."""

from __future__ import annotations

from functools import partial

from warm_tui.library.outcomes import set_outcome, unset_outcome
from warm_tui.presentation.outcomes import WORDS, whole
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import read_reached
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.library_work import LibraryWork
from warm_tui.screens.shared.window import or_back
from warm_tui.sessions.text import clean_line

TAKE_BACK = "take-back"


class OutcomeDialogue:
    def __init__(self, screen: LibraryWork, profile: Profile) -> None:
        self.screen, self.profile = screen, profile

    def open(self) -> None:
        now = self.profile.outcome
        options = [(reached, f"{words}  (now)" if reached == now else words) for reached, words in WORDS.items()]
        if self.profile.outcome_confidence == "yours":
            options.append((TAKE_BACK, "take your own word back"))
        title = f"What came of it?  Now: {clean_line(whole(self.profile))}"
        self.screen.app.push_screen(ChooseOne(title, options, now), self.chosen)

    def chosen(self, choice: str | None) -> None:
        if choice == TAKE_BACK:
            self.screen.change_library(lambda library: unset_outcome(library, self.profile.names))
        elif choice is not None:
            self.screen.app.push_screen(
                Ask(f"{WORDS[choice]}: why?", placeholder="a word for later, or nothing"),
                or_back(partial(self.keep, choice), self.open),
            )

    def keep(self, choice: str, reason: str) -> None:
        reached = read_reached(choice)
        if reached is not None:
            name = self.profile.names[0]
            self.screen.change_library(lambda library: set_outcome(library, name, reached, reason.strip()))
