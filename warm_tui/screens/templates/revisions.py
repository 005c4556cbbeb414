"""The revisions of a template in a window: what each changed, side by side, and back to any of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from warm_tui.comparisons.revisions import showed
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation.glossary import explained
from warm_tui.presentation.lines import Line, all_meant
from warm_tui.presentation.revisions import revision_line
from warm_tui.screens.shared.choose import LIST_KEYS
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.window import Window, or_back
from warm_tui.screens.templates.difference import difference
from warm_tui.sessions.text import clean_line
from warm_tui.templates.revisions import Entry, back_to, revisions_of, template_at
from warm_tui.widgets.pieces_view import PiecesView


class Revisions(NamedTuple):
    """The newest first."""

    name: str
    entries: Sequence[Entry]
    showed: Mapping[int, Sequence[str]]


BESIDE = 2
"""Columns that the list takes of each line for itself."""
Differing = Callable[[int, int], list[Line]]
"""How the revision in a place of the list differs from that in another."""


class RevisionsWindow(Window[None]):
    """Beside each what it changed; `=` tells it against what stands now. Enter goes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LIST_KEYS,
        Binding("enter", "choose", "Back to it"),
        Binding("equals_sign", "against", "Against now"),
        Binding("tab", "other", "The difference, or the list", show=False),
    ]
    KIND = "revisions"
    LIST_SHARE = 0.4

    def __init__(self, revisions: Revisions, differing: Differing, go_back: Callable[[int], None]) -> None:
        """`go_back` is asked for the revision of a number."""
        super().__init__(f"Revisions of {clean_line(revisions.name)}")
        self._revisions, self._differing, self._go_back = revisions, differing, go_back
        self._against_now = False

    def body(self) -> ComposeResult:
        lines = [Text(revision_line(entry)) for entry in self._revisions.entries]
        listed = OptionList(*lines, markup=False)
        listed.tooltip = explained("revision")
        yield listed
        yield PiecesView()

    @property
    def list(self) -> OptionList:
        return self.query_one(OptionList)

    def action_list(self, what: str) -> None:
        getattr(self.list, f"action_{what}")()

    def action_choose(self) -> None:
        self.list.action_select()

    def action_other(self) -> None:
        (self.query_one(PiecesView) if self.list.has_focus else self.list).focus()

    def action_against(self) -> None:
        self._against_now = not self._against_now
        self._show()

    def on_option_list_option_highlighted(self) -> None:
        self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        entry = self._revisions.entries[event.option_index]
        if entry.current:
            self.notify("It is what stands there now.", markup=False)
            return
        text = f"The template is saved as it was at revision {entry.number}.\nWhat it is now stays, as a revision."
        title = f"Back to revision {entry.number} of {clean_line(self._revisions.name)}?"

        def sure(_: bool) -> None:
            self.dismiss(None)
            self._go_back(entry.number)

        self.app.push_screen(Confirm(title, text, "Back to it"), or_back(sure, lambda: None))

    def _show(self) -> None:
        at = self.list.highlighted
        if at is None:
            return
        entries = self._revisions.entries
        # What is cut in the list is said here.
        whole = revision_line(entries[at])
        cut = cell_len(whole) > self.list.scrollable_content_region.width - BESIDE
        lines: list[Line] = [[(whole.strip(), "strong")]] if cut else []
        lines += [
            [("showed  ", "dim"), (clean_line(told), "mark")]
            for told in self._revisions.showed.get(entries[at].number, ())
        ]
        now = next(place for place, entry in enumerate(entries) if entry.current)
        other = now if self._against_now else at + 1
        if other < len(entries) and other != at:
            lines += self._differing(other, at)
        else:
            lines.append([("It is what stands there now." if other == at else "It is the first.", "dim")])
        self.query_one(PiecesView).show(all_meant(lines, "revision"))


class RevisionsDialogue:
    """`changed` is called when the template is another."""

    def __init__(self, screen: Frame, changed: Callable[[], None]) -> None:
        self._screen, self._changed = screen, changed

    def open(self, name: str, provider: str) -> None:
        def read() -> None:
            try:
                revisions = read_revisions(self._screen.home, name)
            except (Trouble, sqlite3.Error) as trouble:
                self._screen.app.call_from_thread(self._screen.say_wrong, str(trouble))
            else:
                self._screen.app.call_from_thread(self._show, revisions, provider)

        self._screen.run_worker(read, thread=True, group="revisions", exclusive=True)

    def _show(self, revisions: Revisions, provider: str) -> None:
        width = self._screen.app.size.width * 9 // 10 - 6

        def differing(before: int, after: int) -> list[Line]:
            entries = [revisions.entries[at] for at in (before, after)]
            try:
                templates = [template_at(self._screen.home, revisions.name, entry) for entry in entries]
            except (Trouble, sqlite3.Error) as trouble:
                return [[(clean_line(str(trouble)), "failed")]]
            names = tuple(f"revision {entry.number}" for entry in entries)
            return difference(templates[0], templates[1], provider, width, (names[0], names[1]))

        window = RevisionsWindow(revisions, differing, lambda number: self._go_back(revisions.name, number))
        self._screen.app.push_screen(window)

    def _go_back(self, name: str, number: int) -> None:
        try:
            back_to(self._screen.home, name, number)
        except (Trouble, sqlite3.Error) as trouble:
            self._screen.say_wrong(str(trouble))
        else:
            self._screen.notify(f"{name} is as it was at revision {number}.", markup=False)
            self._changed()


def read_revisions(home: Home, name: str) -> Revisions:
    """What trials showed is counted: for a worker."""
    entries = revisions_of(home, name)
    with Catalog(home) as catalog:
        results = showed(catalog, name, entries)
    return Revisions(name, entries[::-1], results)
