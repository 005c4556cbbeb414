"""The inbox: what the last sessions taught, each with what speaks for it, to be decided on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, NamedTuple, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.suggestions import kept_suggestions
from warm_tui.paths import Home
from warm_tui.presentation.glossary import explained
from warm_tui.presentation.lines import Hanging, all_meant
from warm_tui.presentation.suggestions import LEAD, suggestion_head, what_speaks
from warm_tui.screens.shared.choose import LIST_KEYS, Ask
from warm_tui.screens.shared.opening import Opening
from warm_tui.screens.shared.standing import Standing
from warm_tui.screens.shared.window import Window, or_back
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.pieces_view import PiecesView

T = TypeVar("T")
STILL_WORKING = "What was said before is still being carried out: press again when it is."


class Waiting(NamedTuple):
    """A suggestion as the window shows it."""

    id: str
    head: str
    lines: Sequence[tuple[str, str]]
    call: tuple[str, str] | None = None
    """The first of those that it is made of."""


class Decided(NamedTuple):
    act: str
    id: str


class Carried(NamedTuple):
    words: str
    """What was done."""
    left: list[Waiting]
    """What is still to be decided on."""
    draft: int
    """In which one it can be edited; none where it was decided on."""


class Inbox(Window[None]):
    """A click only shows what it is on: nothing is accepted by the way. It stays until nothing waits any more."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LIST_KEYS,
        Binding("a", "accept", "Accept"),
        Binding("e", "edit", "Edit"),
        Binding("d", "decline", "Decline"),
        Binding("l", "later", "Later"),
        Binding("o", "look", "Call", tooltip="The call that it is made of, where it was made"),
    ]
    KIND = "revisions"
    LIST_SHARE = 0.4

    def __init__(
        self,
        waiting: Sequence[Waiting],
        decide: Callable[[Decided, str], None],
        look: Callable[[str, str], object],
    ) -> None:
        """`decide` is given what was said of one, and why; `look` the call that is to be seen where it was made."""
        super().__init__(title_of(waiting))
        self._waiting, self._carry_out, self._look_at = waiting, decide, look
        self._standing = Standing()
        self.is_working = False
        """What was said of one is still carried out."""
        self._is_over = False

    def finish(self) -> None:
        """It goes, and nothing that stands over it meanwhile."""
        if self.app.screen is self:
            self.dismiss(None)
        else:
            self._is_over = True

    def on_screen_resume(self) -> None:
        if self._is_over:
            self.dismiss(None)

    def show(self, waiting: Sequence[Waiting]) -> None:
        """The cursor stays on the same, or where that one was."""
        at = self.list.highlighted or 0
        before = self._waiting[at].id
        self._waiting = waiting
        self.query_one(".window").border_title = Content(title_of(waiting))
        self.list.clear_options()
        self.list.add_options([Text(each.head) for each in waiting])
        stays = next((place for place, each in enumerate(waiting) if each.id == before), at)
        self.list.highlighted = at = min(stays, len(waiting) - 1)
        self._standing.stands(waiting[at].id, moved=False)

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
        if chosen := self._answerable():
            ask = Ask("Why not? It does not come back.", "", "a reason")
            self.app.push_screen(ask, or_back(partial(self._say, chosen, "decline"), lambda: None))

    def action_later(self) -> None:
        self._decide("later")

    def action_look(self) -> None:
        at = self.list.highlighted
        call = self._waiting[at].call if at is not None else None
        if call is None:
            self.notify("It is not made of calls: what speaks for it stands here.", markup=False)
        else:
            self._look_at(*call)

    def _decide(self, act: str) -> None:
        if chosen := self._answerable():
            self._say(chosen, act)

    def _say(self, chosen: str, act: str, why: str = "") -> None:
        self.is_working = True
        self._carry_out(Decided(act, chosen), why)

    def _answerable(self) -> str:
        """The one under the cursor; none, and why, where what is decided would not be what was read."""
        if self.list.highlighted is None:
            return ""
        chosen = self._waiting[self.list.highlighted].id
        hindrance = STILL_WORKING if self.is_working else self._standing.hindrance(chosen)
        if hindrance:
            self.notify(hindrance, severity="warning", markup=False)
        return "" if hindrance else chosen

    def on_option_list_option_highlighted(self) -> None:
        """What the list tells may be of rows that are gone by now."""
        if self.list.highlighted is None:
            return
        chosen = self._waiting[self.list.highlighted]
        self._standing.stands(chosen.id, moved=True)
        told = (Hanging([(text[:LEAD], style), (text[LEAD:], style)]) for text, style in chosen.lines)
        self.query_one(PiecesView).show(all_meant([[(chosen.head, "strong")], *told], "suggestion"))


def title_of(waiting: Sequence[Waiting]) -> str:
    return f"{plural(len(waiting), 'suggestion')} of the last sessions"


class InboxDialogue:
    """`changed` is called when one was decided on, with the draft that it is to be edited in, if it is."""

    def __init__(self, screen: Opening, changed: Callable[[int], None]) -> None:
        self._screen, self._changed = screen, changed

    def open(self) -> None:
        """The sessions that ended meanwhile are read first."""
        self._beside(lambda: waiting_in(self._screen.home), lambda found: self._show(*found), self._screen.say_wrong)

    def _show(self, waiting: list[Waiting], why: str) -> None:
        if waiting:
            self._inbox = Inbox(waiting, self._act, self._screen.open_call)
            self._screen.app.push_screen(self._inbox)
        else:
            self._screen.notify(f"Nothing is suggested for templates. {why or 'All sessions were read.'}", markup=False)

    def _act(self, decided: Decided, why: str) -> None:
        inbox = self._inbox

        def done(carried: Carried) -> None:
            inbox.is_working = False
            self._screen.notify(clean_line(carried.words), markup=False)
            if inbox.is_attached:
                if carried.left and not carried.draft:
                    inbox.show(carried.left)
                else:
                    inbox.finish()
            self._changed(carried.draft)

        def failed(why_not: str) -> None:
            inbox.is_working = False
            self._screen.say_wrong(why_not)

        self._beside(lambda: carried_out(self._screen.home, decided, why), done, failed)

    def _beside(self, act: Callable[[], T], done: Callable[[T], None], failed: Callable[[str], None]) -> None:
        def beside() -> None:
            try:
                found = act()
            except (Trouble, sqlite3.Error) as trouble:
                self._screen.app.call_from_thread(failed, str(trouble))
            else:
                self._screen.app.call_from_thread(done, found)

        self._screen.run_worker(beside, thread=True, group="inbox", exclusive=True)


def waiting_in(home: Home) -> tuple[list[Waiting], str]:
    """And why some sessions are not read yet. Sessions are read: for a worker."""
    from warm_tui.review.gathering import review

    with Catalog(home) as catalog:
        read = review(catalog)
        return _open_ones(catalog), read.waits


def _open_ones(catalog: Catalog) -> list[Waiting]:
    from warm_tui.review.gathering import as_suggestion

    kept = kept_suggestions(catalog.library)
    found = [(each, suggestion) for each in kept if (suggestion := as_suggestion(each)) is not None]
    return [
        Waiting(
            each.id,
            suggestion_head(suggestion, each.state),
            what_speaks(suggestion),
            next(iter(suggestion.calls), None),
        )
        for each, suggestion in found
    ]


def carried_out(home: Home, decided: Decided, why: str) -> Carried:
    with Catalog(home) as catalog:
        words, draft = _carry_out(catalog, decided, why)
        return Carried(words, _open_ones(catalog), draft)


def _carry_out(catalog: Catalog, decided: Decided, why: str) -> tuple[str, int]:
    """What was done, in words, and in which draft."""
    from warm_tui.review import deciding

    if decided.act == "accept":
        accepted = deciding.accept(catalog, decided.id)
        back = "d on Templates deletes it again" if accepted.is_new else "R on Templates leads back"
        return f"Accepted: {accepted.template} was saved. {back}. {accepted.note}".rstrip(), 0
    if decided.act == "edit":
        edited = deciding.edit(catalog, decided.id)
        return f"{edited.template} is open as a draft: w saves it, and accepts by that.", edited.draft
    if decided.act == "decline":
        deciding.put_off(catalog, decided.id, "declined", why)
        return "Declined: it does not come back.", 0
    deciding.put_off(catalog, decided.id, "later")
    return "For later.", 0
