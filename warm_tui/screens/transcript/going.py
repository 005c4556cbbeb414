"""Going about in a transcript: from failure to failure, from compaction to compaction, and by searching."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial

from textual.message import Message
from textual.worker import get_current_worker

from warm_tui.presentation.figures import and_uncounted
from warm_tui.presentation.minimap import CUT
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.excerpt import OF_LONG_TEXTS, excerpt, is_long
from warm_tui.sessions.text import plural
from warm_tui.sessions.transcript import Item
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.minimap import Minimap
from warm_tui.widgets.transcript_view import TranscriptView
from warm_tui.widgets.working import work


class GoingAbout(Frame):
    """A screen with a transcript, its minimap and a search bar."""

    class Found(Message):
        """Where the words stand. Whoever looks through a long transcript must not wait for it."""

        def __init__(self, words: str, items: Sequence[Item], matches: list[int]) -> None:
            self.words, self.items, self.matches = words, items, matches
            super().__init__()

    matches: Sequence[int] | None = None
    """The items in which the words stand, those that are folded away, too; None while they are looked for."""
    all_read: bool
    _awaited: tuple[int, Callable[[], None]] | None = None
    """Where one was, and where one wanted to go, before anything like it was read."""
    _step = 0
    """Where to go as soon as they are found: on, back, or nowhere."""

    @property
    def view(self) -> TranscriptView:
        return self.query_one(TranscriptView)

    def show_header(self) -> None:
        """Where one is has changed."""

    def go(self, find: Callable[[], Sequence[int]], step: int, what: str) -> None:
        """To the next of the wanted items, which are in order, from here on and round."""
        self.go_nowhere()
        if wanted := find():
            self.view.move(next_of(wanted, self.view.cursor, step))
        elif not self.all_read:
            self._awaited = self.view.cursor, partial(self.go, find, step, what)
        else:
            self.notify(f"There is no {what} here.", markup=False)

    def go_where_was_asked(self) -> None:
        """Unless one went elsewhere meanwhile."""
        if self._awaited is not None:
            came_from, go = self._awaited
            self.go_nowhere()
            if self.is_active and self.view.cursor == came_from:
                go()

    def go_nowhere(self) -> None:
        self._awaited = None

    def where_among_failures(self) -> str:
        view = self.view
        calls, failures = plural(view.call_count, "call") + and_uncounted(view.uncounted), view.own_failures
        at = bisect_left(failures, view.cursor)
        if at < len(failures) and failures[at] == view.cursor:
            return f"failure {at + 1:,} of {len(failures):,}, {calls}"
        return f"{calls}, {len(failures):,} failed"

    def action_next_failure(self) -> None:
        self.go(lambda: self.view.failures, 1, "failed call")

    def action_previous_failure(self) -> None:
        self.go(lambda: self.view.failures, -1, "failed call")

    def action_next_cut(self) -> None:
        self.go(self.cuts, 1, "compaction")

    def action_previous_cut(self) -> None:
        self.go(self.cuts, -1, "compaction")

    def cuts(self) -> list[int]:
        return self.places(lambda at: self.view.kinds[at] == CUT)

    def action_next_same_tool(self) -> None:
        item = self.view.under_cursor
        if item is not None and item.call is not None:
            items, tool = self.view.items, item.call.tool_name
            same = self.places(lambda at: (call := items[at].call) is not None and call.tool_name == tool)
            self.go(lambda: same, 1, f"call of {tool}")

    def places(self, holds: Callable[[int], bool]) -> list[int]:
        return [at for at in range(len(self.view.items)) if holds(at)]

    def on_minimap_chosen(self, message: Minimap.Chosen) -> None:
        self.view.move(message.at)

    # --- searching ---

    def action_search(self) -> None:
        self.query_one(FilterBar).open(self.view.search_text)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        if not message.done:
            self.look_for(message.query)
            return
        self.view.focus()
        self.search(message.query)

    def search(self, words: str) -> None:
        """Look for the words, and go to where they next stand."""
        self.look_for(words)
        self.query_one(FilterBar).close(words)
        if words:
            self.action_next_match()

    def end_search(self) -> None:
        self.search("")

    def look_for(self, words: str) -> None:
        if words.lower() != self.view.search_text:
            self.view.search_text = words.lower()
            self.view.refresh()
            self.find()
            self.show_header()

    def find(self) -> None:
        """All matches anew, in what is shown now."""
        self.matches = None
        if self.view.search_text:
            self.find_matches(self.view.search_text, self.view.told)

    @work(thread=True, exclusive=True, group="search")
    def find_matches(self, words: str, items: Sequence[Item]) -> None:
        worker, matches = get_current_worker(), []
        for at, item in enumerate(items):
            if worker.is_cancelled:
                return
            if any(words in excerpt(text).lower() for text in texts_of(item)):
                matches.append(at)
        self.post_message(self.Found(words, items, matches))

    def on_going_about_found(self, message: Found) -> None:
        if message.words != self.view.search_text or message.items is not self.view.told:
            return
        self.matches = message.matches
        step, self._step = self._step, 0
        if step:
            self.go_to_match(step)
        self.show_header()

    def where_among_matches(self) -> str:
        """Calls and messages with the words count, each once."""
        if not self.view.search_text:
            return ""
        if self.matches is None:
            return "searching…"
        at = bisect_left(self.matches, self.view.place)
        if at < len(self.matches) and self.matches[at] == self.view.place:
            return f"match {at + 1:,} of {len(self.matches):,}"
        return plural(len(self.matches), "match", "matches")

    def go_to_match(self, step: int) -> None:
        if not self.view.search_text:
            self.notify("Nothing is searched for: / does that.", markup=False)
        elif self.matches is None:
            self._step = step
        elif self.matches:
            self.view.reveal(next_of(self.matches, self.view.place, step))
            self.view.reveal_found()
        else:
            partly = any(is_long(text) for item in self.view.told for text in texts_of(item))
            self.notify(f"There is no match here{f', in {OF_LONG_TEXTS}' if partly else ''}.", markup=False)

    def action_next_match(self) -> None:
        self.go_to_match(1)

    def action_previous_match(self) -> None:
        self.go_to_match(-1)


def texts_of(item: Item) -> list[str]:
    """What is searched of it."""
    call = item.call
    return [item.text] if call is None else [call.tool_name, call.arguments, call.result or ""]


def next_of(wanted: Sequence[int], here: int, step: int) -> int:
    """From here on and round, or back."""
    at = bisect_right(wanted, here) if step > 0 else bisect_left(wanted, here) - 1
    return wanted[at % len(wanted)]
