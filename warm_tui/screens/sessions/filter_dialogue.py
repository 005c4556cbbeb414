"""The windows about saved filters: choose one, save the one that holds, rename one, forget one."""

from __future__ import annotations

from collections.abc import Callable

from textual.binding import Binding
from textual.widgets import OptionList

from warm_tui.errors import Trouble
from warm_tui.screens.sessions.saved_filters import SavedFilters
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.frame import Frame

SAVE, RENAME, FORGET = "\x00save", "\x00rename", "\x00forget"


class ChooseFilter(ChooseOne):
    """The saved filters; what is to be done with the one under the cursor stands before its name."""

    BINDINGS = [  # noqa: RUF012 - as Textual declares it
        Binding("R,f2", "rename", "Rename"),
        Binding("D,delete", "forget", "Forget"),
    ]

    def action_rename(self) -> None:
        self.dismiss_with(RENAME)

    def action_forget(self) -> None:
        self.dismiss_with(FORGET)

    def dismiss_with(self, what: str) -> None:
        options = self.query_one(OptionList)
        option = options.highlighted_option
        if option is not None and option.id and option.id != SAVE:
            self.dismiss(f"{what}{option.id}")


class FilterDialogue:
    """From the list of saved filters to the one that is used, or to what becomes of one."""

    def __init__(self, screen: Frame, saved: SavedFilters, set_filter: Callable[[str], None]) -> None:
        self._screen, self._saved, self._set_filter = screen, saved, set_filter

    def open(self, current: str) -> None:
        """`current` is the filter that holds: it can be saved."""
        options = [(name, f"{name}: {query}") for name, query in self._saved.queries.items()]
        if current:
            options.append((SAVE, f"Save {current!r} under a name…"))
        if not options:
            self._say("No filter has been saved yet: set one with /, then press f again.")
            return

        def chosen(choice: str | None) -> None:
            if choice == SAVE:
                self._ask_name("", current)
            elif choice is not None:
                self._act_on(choice)

        self._screen.app.push_screen(ChooseFilter("Filters", options), chosen)

    def _act_on(self, choice: str) -> None:
        if choice.startswith(RENAME):
            name = choice.removeprefix(RENAME)
            self._ask_name(name, self._saved.query(name))
        elif choice.startswith(FORGET):
            self._forget(choice.removeprefix(FORGET))
        else:
            self._use(choice, self._saved.query(choice))

    def _use(self, name: str, query: str) -> None:
        try:
            self._set_filter(query)
        except Trouble as trouble:
            self._screen.say_wrong(f"The filter {name} cannot be used: {trouble}")
        else:
            self._screen.remember(filter=query)

    def _ask_name(self, old_name: str, query: str) -> None:
        def named(name: str | None) -> None:
            if not name or name == old_name:
                return
            if self._saved.is_taken(name):
                self._ask_replace(old_name, name, query)
            else:
                self._save(old_name, name, query)

        self._screen.app.push_screen(Ask("Name of the filter", old_name), named)

    def _ask_replace(self, old_name: str, name: str, query: str) -> None:
        def answered(answer: str | None) -> None:
            if answer:
                self._save(old_name, name, query)
            else:
                self._ask_name(old_name, query)

        question = f"There is a filter {name}: {self._saved.query(name)}"
        options = [("", "Keep it, and choose another name"), ("replace", "Replace it")]
        self._screen.app.push_screen(ChooseOne(question, options), answered)

    def _save(self, old_name: str, name: str, query: str) -> None:
        self._screen.keep_choice(lambda: self._saved.keep(old_name, name, query))
        self._say(f"Saved as {name}.")

    def _forget(self, name: str) -> None:
        query = self._saved.query(name)
        self._screen.keep_choice(lambda: self._saved.forget(name))
        self._say(f"Forgot {name}: {query}")

    def _say(self, sentence: str) -> None:
        self._screen.notify(sentence, markup=False)
