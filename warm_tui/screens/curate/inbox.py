"""The inbox: what the last sessions taught, each with what speaks for it, to be decided on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.suggestions import kept_suggestions
from warm_tui.paths import Home
from warm_tui.presentation.glossary import explained
from warm_tui.presentation.lines import all_meant
from warm_tui.presentation.suggestions import suggestion_head, what_speaks
from warm_tui.screens.shared.choose import LIST_KEYS, Ask
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import Window
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.pieces_view import PiecesView

T = TypeVar("T")


class Waiting(NamedTuple):
    """A suggestion as the window shows it."""

    id: str
    head: str
    lines: Sequence[tuple[str, str]]


class Decided(NamedTuple):
    act: str
    id: str


class Inbox(Window[Decided]):
    """A click only shows what it is on: nothing is accepted by the way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LIST_KEYS,
        Binding("a", "accept", "Accept"),
        Binding("e", "edit", "Edit first"),
        Binding("d", "decline", "Decline"),
        Binding("l", "later", "Later"),
    ]
    KIND = "revisions"

    def __init__(self, waiting: Sequence[Waiting]) -> None:
        super().__init__(f"{plural(len(waiting), 'suggestion')} of the last sessions")
        self._waiting = waiting

    def body(self) -> ComposeResult:
        listed = OptionList(*(Text(each.head) for each in self._waiting), markup=False)
        listed.tooltip = explained("suggestion")
        yield listed
        yield PiecesView()

    @property
    def list(self) -> OptionList:
        return self.query_one(OptionList)

    def action_list(self, what: str) -> None:
        getattr(self.list, f"action_{what}")()

    def action_accept(self) -> None:
        self._decide("accept")

    def action_edit(self) -> None:
        self._decide("edit")

    def action_decline(self) -> None:
        self._decide("decline")

    def action_later(self) -> None:
        self._decide("later")

    def _decide(self, act: str) -> None:
        if self.list.highlighted is not None:
            self.dismiss(Decided(act, self._waiting[self.list.highlighted].id))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        chosen = self._waiting[event.option_index]
        lines = [(chosen.head, "strong"), *chosen.lines]
        self.query_one(PiecesView).show(all_meant([[piece] for piece in lines], "suggestion"))


class InboxDialogue:
    """`changed` is called when one was decided on, with whether it is a draft now."""

    def __init__(self, screen: Frame, changed: Callable[[bool], None]) -> None:
        self._screen, self._changed = screen, changed

    def open(self) -> None:
        """The sessions that ended meanwhile are read first."""
        self._beside(lambda: waiting_in(self._screen.home), self._show)

    def _show(self, waiting: list[Waiting]) -> None:
        if waiting:
            self._screen.app.push_screen(Inbox(waiting), self._decided)
        else:
            self._screen.notify("Nothing is suggested. Sessions are read as soon as they have ended.", markup=False)

    def _decided(self, decided: Decided | None) -> None:
        if decided is None:
            return
        if decided.act != "decline":
            self._act(decided, "")
            return

        def said(why: str | None) -> None:
            if why is not None:
                self._act(decided, why)

        self._screen.app.push_screen(Ask("Why not? It does not come back.", "", "a reason"), said)

    def _act(self, decided: Decided, why: str) -> None:
        def done(words: str) -> None:
            self._screen.notify(clean_line(words), markup=False)
            self._changed(decided.act == "edit")

        self._beside(lambda: carried_out(self._screen.home, decided, why), done)

    def _beside(self, act: Callable[[], T], done: Callable[[T], None]) -> None:
        def beside() -> None:
            try:
                found = act()
            except (Trouble, sqlite3.Error) as trouble:
                self._screen.app.call_from_thread(self._screen.say_wrong, str(trouble))
            else:
                self._screen.app.call_from_thread(done, found)

        self._screen.run_worker(beside, thread=True, group="inbox", exclusive=True)


def waiting_in(home: Home) -> list[Waiting]:
    """Sessions are read: for a worker."""
    from warm_tui.review.gathering import as_suggestion, review

    with Catalog(home) as catalog:
        review(catalog)
        kept = kept_suggestions(catalog.library)
    found = [(each, suggestion) for each in kept if (suggestion := as_suggestion(each)) is not None]
    return [
        Waiting(each.id, suggestion_head(suggestion, each.state), what_speaks(suggestion)) for each, suggestion in found
    ]


def carried_out(home: Home, decided: Decided, why: str) -> str:
    """And what was done, in words."""
    from warm_tui.review import deciding

    with Catalog(home) as catalog:
        if decided.act == "accept":
            accepted = deciding.accept(catalog, decided.id)
            return f"{accepted.template} was saved: {accepted.suggestion.words}."
        if decided.act == "edit":
            return f"{deciding.edit(catalog, decided.id).template} is open as a draft; w saves it."
        if decided.act == "decline":
            return f"Declined: {deciding.put_off(catalog, decided.id, 'declined', why).words}."
        return f"For later: {deciding.put_off(catalog, decided.id, 'later').words}."
