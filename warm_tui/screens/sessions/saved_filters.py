"""Filters kept under a name: choose one, keep the one that holds, rename one, forget one."""

from __future__ import annotations

from abc import abstractmethod

from textual.binding import Binding
from textual.widgets import OptionList

from warm_tui.errors import Trouble
from warm_tui.screens.shared.choose import CLOSE, Ask, ChooseOne
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line

SAVE, RENAME, FORGET = "\x00save", "\x00rename", "\x00forget"


class ChooseFilter(ChooseOne):
    """The saved filters; what is to be done with the one under the cursor stands before its name."""

    BINDINGS = [  # noqa: RUF012 - as Textual declares it
        *CLOSE,
        Binding("R,f2", "rename", "Rename"),
        Binding("D,delete", "forget", "Forget"),
    ]
    HINT = "Enter chooses · R renames · D forgets · Esc closes"

    def action_rename(self) -> None:
        self.dismiss_with(RENAME)

    def action_forget(self) -> None:
        self.dismiss_with(FORGET)

    def dismiss_with(self, what: str) -> None:
        options = self.query_one(OptionList)
        option = options.highlighted_option
        if option is not None and option.id and option.id != SAVE:
            self.dismiss(f"{what}{option.id}")


class SavedFilters(Frame):
    """A screen with a filter: what was `asked`, and a way to ask for something else."""

    asked: str

    @abstractmethod
    def set_filter(self, query: str) -> None: ...

    @property
    def saved(self) -> dict[str, str]:
        return self.choices.table("filters")

    def action_saved_filters(self) -> None:
        options = [(name, f"{name}: {query}") for name, query in self.saved.items()]
        if self.asked:
            options.append((SAVE, f"Save {self.asked!r} under a name…"))
        if not options:
            self.notify("No filter has been saved yet: set one with /, then press f again.", markup=False)
            return
        self.app.push_screen(ChooseFilter("Filters", options), self.use_filter)

    def use_filter(self, name: str | None) -> None:
        if name is None:
            return
        if name == SAVE:
            self.ask_name("", self.asked)
        elif name.startswith(RENAME):
            old = name.removeprefix(RENAME)
            self.ask_name(old, self.saved.get(old, ""))
        elif name.startswith(FORGET):
            self.forget_filter(name.removeprefix(FORGET))
        else:
            self.use(name, self.saved.get(name, ""))

    def use(self, name: str, query: str) -> None:
        try:
            self.set_filter(query)
        except Trouble as trouble:
            self.notify(clean_line(f"The filter {name} cannot be used: {trouble}"), severity="error", markup=False)
        else:
            self.remember(filter=query)

    def ask_name(self, old: str, query: str) -> None:
        def named(new: str | None) -> None:
            if not new or new == old:
                return
            if new in self.saved:
                question = f"There is a filter {new}: {self.saved[new]}"
                options = [("", "Keep it, and choose another name"), ("replace", "Replace it")]
                self.app.push_screen(
                    ChooseOne(question, options),
                    lambda answer: self.name_filter(old, new, query) if answer else self.ask_name(old, query),
                )
            else:
                self.name_filter(old, new, query)

        self.app.push_screen(Ask("Name of the filter", old), named)

    def name_filter(self, old: str, new: str, query: str) -> None:
        self.remember(filters={name: kept for name, kept in self.saved.items() if name != old} | {new: query})
        self.notify(f"Saved as {new}.", markup=False)

    def forget_filter(self, name: str) -> None:
        query = self.saved.get(name, "")
        self.remember(filters={kept: told for kept, told in self.saved.items() if kept != name})
        self.notify(f"Forgot {name}: {query}", markup=False)
