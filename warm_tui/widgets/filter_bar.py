"""The filter bar: says what is wrong while one types, and completes names and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Static

from warm_tui.errors import Trouble
from warm_tui.reliability.filters import NUMBER_FIELDS, field_names, parse_filter
from warm_tui.sessions.invisible import shown_line, unshown
from warm_tui.widgets.editors import LineEditor


class TermSuggester(Suggester):
    """Completes the last term: a field's name, or a value that occurs."""

    def __init__(self, values: Callable[[str], list[str]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.values = values

    async def get_suggestion(self, value: str) -> str | None:
        head, _, term = value.rpartition(" ")
        sign = "-" if term.startswith("-") else ""
        word = term[len(sign) :]
        if not word:
            return None
        before = f"{head} {sign}" if head else sign
        if ":" in word:
            field, _, begun = word.partition(":")
            completed = next(
                (v for v in self.values(field) if v.lower().startswith(begun.lower()) and v != begun), None
            )
            if completed is None:
                return None
            return f'{before}{field}:"{completed}"' if " " in completed else f"{before}{field}:{completed}"
        if word in field_names():
            return before + word + (">" if word in NUMBER_FIELDS or word == "age" else ":")
        name = next((name for name in field_names() if name.startswith(word)), None)
        return None if name is None else before + name


PLACEHOLDER = 'words, source:cron, errors>20%, -tool:patch, text:"connection reset"; → completes'

TO_MEND = "Enter takes it once that is mended; Esc leaves it."


class FilterBar(Vertical):
    """Hidden until it is asked for; stays while a filter holds."""

    class Changed(Message):
        def __init__(self, query: str, *, done: bool) -> None:
            self.query, self.done = query, done
            super().__init__()

    class Unread(Message):
        """What stands there now is no filter; the one before it still holds."""

        def __init__(self, why: str) -> None:
            self.why = why
            super().__init__()

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back to the table", show=False)]

    def __init__(
        self,
        values: Callable[[str], list[str]] | None = None,
        placeholder: str = PLACEHOLDER,
        check: Callable[[str], object] = parse_filter,
    ) -> None:
        super().__init__(id="filter-bar")
        self._values, self._placeholder, self._check = values, placeholder, check
        self._before = ""

    def compose(self) -> ComposeResult:
        suggester = TermSuggester(self._values) if self._values else None
        entry = LineEditor(placeholder=self._placeholder, suggester=suggester, id="filter-input", select_on_focus=False)
        # A screen without focus gives it to what can have it first, also where that is hidden: keys would go in here.
        entry.can_focus = False
        yield entry
        yield Static("", id="filter-error", markup=False)
        yield Static("", id="filter-note", markup=False)

    def show(self, query: str) -> None:
        """The filter that holds, whoever set it; out of the way where there is none and nobody types."""
        entry = self.query_one(Input)
        typing = entry.has_focus and self.display
        if unshown(entry.value) != query and not typing:
            # What nobody typed is not told as typed: it would come when another filter holds already.
            with self.prevent(Input.Changed):
                entry.value = shown_line(query)
            self._says_nothing_wrong(query)
        self.display = bool(query) or typing

    def note(self, sentence: str) -> None:
        """Of a filter that nobody typed: where it comes from, and how to be rid of it."""
        note = self.query_one("#filter-note", Static)
        note.update(sentence)
        note.display = bool(sentence)

    def close(self, query: str) -> None:
        """Typing is over: it stays only where a filter holds."""
        entry = self.query_one(Input)
        entry.value = shown_line(query)
        entry.can_focus = False
        self.display = bool(query)

    def left(self) -> None:
        """For something else, without a key of its own."""
        entry = self.query_one(Input)
        entry.can_focus = False
        if not entry.value:
            self.display = False

    def open(self, query: str) -> None:
        self.display = True
        self._before = query
        entry = self.query_one(Input)
        entry.value = shown_line(query)
        entry.can_focus = True
        entry.focus()
        entry.cursor_position = len(entry.value)

    def on_click(self) -> None:
        entry = self.query_one(Input)
        if not entry.has_focus:
            self.open(unshown(entry.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._typed(event, done=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._typed(event, done=True)

    def _typed(self, event: Input.Changed | Input.Submitted, *, done: bool) -> None:
        event.stop()
        query = unshown(event.value)
        if self._says_nothing_wrong(query, what_now=TO_MEND if done else ""):
            self.post_message(self.Changed(query, done=done))

    def action_leave(self) -> None:
        """As if nothing had been typed."""
        self.query_one(Input).value = shown_line(self._before)
        self.post_message(self.Changed(self._before, done=True))

    def _says_nothing_wrong(self, query: str, *, what_now: str = "") -> bool:
        """`what_now`: what is told behind what is wrong."""
        error = self.query_one("#filter-error", Static)
        try:
            self._check(query)
        except Trouble as trouble:
            error.update(f"{trouble} {what_now}".rstrip())
            error.display = True
            self.post_message(self.Unread(f"The filter {query!r} cannot be read: {trouble}"))
            return False
        error.display = False
        return True
