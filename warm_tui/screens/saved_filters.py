"""Filters kept under a name: choose one, or keep the one that holds."""

from __future__ import annotations

from abc import abstractmethod

from warm_tui.errors import Trouble
from warm_tui.screens.choose import Ask, ChooseOne
from warm_tui.screens.frame import Frame
from warm_tui.sessions.text import clean_line

SAVE = "\x00save"


class SavedFilters(Frame):
    """A screen with a filter: what was `asked`, and a way to ask for something else."""

    asked: str

    @abstractmethod
    def set_filter(self, query: str) -> None: ...

    def action_saved_filters(self) -> None:
        saved = self.choices.table("filters")
        options = [(name, f"{name}: {query}") for name, query in saved.items()]
        if self.asked:
            options.append((SAVE, f"Save {self.asked!r} under a name…"))
        if not options:
            self.notify("No filter has been saved yet: set one with /, then press f again.", markup=False)
            return
        self.app.push_screen(ChooseOne("Filters", options), self.use_filter)

    def use_filter(self, name: str | None) -> None:
        if name == SAVE:
            self.app.push_screen(Ask("Name of the filter"), self.save_filter)
        elif name is not None:
            query = self.choices.table("filters").get(name, "")
            try:
                self.set_filter(query)
            except Trouble as trouble:
                self.notify(clean_line(f"The filter {name} cannot be used: {trouble}"), severity="error", markup=False)
            else:
                self.remember(filter=query)

    def save_filter(self, name: str | None) -> None:
        if name:
            self.remember(filters={**self.choices.table("filters"), name: self.asked})
            self.notify(f"Saved as {name}.", markup=False)
