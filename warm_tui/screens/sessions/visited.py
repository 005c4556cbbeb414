"""Sessions that another screen leads to, by a filter that is a guest: the operator's own comes back by the way back."""

from __future__ import annotations

from typing import NamedTuple, Protocol, cast

from warm_tui import actions
from warm_tui.screens.sessions.ordering import Ordering
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.filter_bar import FilterBar


class Going(Protocol):
    """What this asks of the app."""

    def go_to(self, kind: type[Frame]) -> Frame | None: ...


class Visit(NamedTuple):
    came_from: type[Frame]
    own_filter: str


class Visited(Ordering):
    visited: Visit | None = None

    @property
    def is_visited(self) -> bool:
        return self.visited is not None

    def visit(self, query: str, came_from: Frame) -> None:
        """What was asked for last is what is shown; what the operator had filtered is kept for the way back."""
        if isinstance(came_from, Visited):
            self._forget_visit()
            self.set_filter(query)
            self.filter_chosen()
            return
        own = self.visited.own_filter if self.visited else self.filter_text
        self.visited = Visit(type(came_from), own)
        self.set_filter(query)
        restored = f" and restores {own!r}" if own else ""
        self.query_one(FilterBar).note(clean_line(f"Filtered by {name_of(came_from)}: Esc goes back{restored}."))

    def go_back(self) -> None:
        if self.visited is not None:
            came_from = self.visited.came_from
            self.end_visit()
            cast(Going, self.app).go_to(came_from)

    def end_visit(self) -> None:
        if self.visited is not None:
            own = self.visited.own_filter
            self._forget_visit()
            self.set_filter(own)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        """What is typed is the operator's own."""
        if message.query != self.filter_text:
            self._forget_visit()

    def use_view(self, name: str) -> None:
        self._forget_visit()
        super().use_view(name)

    def _forget_visit(self) -> None:
        self.visited = None
        self.query_one(FilterBar).note("")


def name_of(screen: Frame) -> str:
    """As the bar of screens has it."""
    return next((mode.title for mode in actions.of("app") if mode.id == screen.MODE), "another screen")
