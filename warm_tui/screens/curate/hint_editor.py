"""The words of the user that a pattern answers, written where they stand: over its row of the draft."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from warm_tui.sessions.invisible import shown_line, unshown
from warm_tui.templates.model import Pattern
from warm_tui.widgets.editors import LineEditor


class HintLine(LineEditor):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Keep"), Binding("escape", "drop", "Drop")]

    class Dropped(Message):
        pass

    def action_drop(self) -> None:
        self.post_message(self.Dropped())


class HintEditor(Horizontal):
    """Enter keeps what stands there, and so does going elsewhere; Esc drops it."""

    class Kept(Message):
        def __init__(self, pattern: Pattern, text: str) -> None:
            self.pattern, self.text = pattern, text
            super().__init__()

    class Closed(Message):
        """By a key: the focus goes back to the draft."""

    def __init__(self) -> None:
        super().__init__(id="hint")
        self._pattern: Pattern | None = None
        self._before = ""

    def compose(self) -> ComposeResult:
        yield Static("user says ", id="hint-title", markup=False)
        line = HintLine(compact=True, select_on_focus=False, id="hint-words")
        # Hidden, it is no place for the focus, which a screen would give it where nothing else has it.
        line.can_focus = False
        yield line

    @property
    def line(self) -> HintLine:
        return self.query_one(HintLine)

    def open(self, pattern: Pattern, row: int) -> None:
        """Over the row, counted from the top of what it lies in."""
        self._pattern, self._before = pattern, shown_line(pattern.context)
        self.line.value = self._before
        self.line.cursor_position = len(self._before)
        self.styles.offset = (0, row)
        self.display = True
        self.line.can_focus = True
        self.line.focus()

    def on_input_submitted(self, event: events.Event) -> None:
        event.stop()
        self._keep(always=True)
        self.post_message(self.Closed())

    def on_hint_line_dropped(self) -> None:
        self._close()
        self.post_message(self.Closed())

    def on_descendant_blur(self) -> None:
        self._keep(always=False)

    def _keep(self, *, always: bool) -> None:
        """Whoever presses enter makes words that are nobody's their own."""
        pattern, text = self._pattern, self.line.value
        self._close()
        if pattern is not None and (always or text != self._before):
            self.post_message(self.Kept(pattern, unshown(text) if text != self._before else pattern.context))

    def _close(self) -> None:
        self._pattern = None
        self.line.can_focus = False
        self.display = False
