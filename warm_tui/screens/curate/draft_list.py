"""The patterns of the draft, in their order: dragged up and down to another place, sideways to join or to split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from textual import events
from textual.message import Message

from warm_tui.presentation.calls import arguments_line, named
from warm_tui.sessions.text import clean_line
from warm_tui.templates.conversation import GO_ON, words_of_user
from warm_tui.templates.inspector import Flags
from warm_tui.templates.model import Pattern
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.row_strips import MARGIN


class DraftRow(msgspec.Struct, frozen=True):
    at: int
    pattern: Pattern
    flags: Flags


def call_shown(row: DraftRow) -> Shown:
    pattern = row.pattern
    mended = f"  ← ✗ {arguments_line(pattern.mended.arguments, '?')}" if pattern.mended else ""
    return f"{named(pattern.tool_name)}{arguments_line(pattern.arguments, '?')}{mended}", ""


def hint_shown(row: DraftRow) -> Shown:
    """What is told as the user's; one that is joined answers the words of the one before it."""
    pattern = row.pattern
    if pattern.joined:
        return "the same", "dim"
    words = clean_line(words_of_user(pattern)[:300])
    return (words, "") if words else (GO_ON, "dim")


def flagged(row: DraftRow) -> Shown:
    words = row.flags.told
    return (f"! {clean_line(', '.join(words))}", "failed") if words else ("", "")


FIELDS = (
    Field("at", "#", 2, lambda r, _: (str(r.at + 1), "dim"), right=True),
    Field("call", "picked", 40, lambda r, _: call_shown(r), min_width=22, grow=3),
    Field("hint", "user says", 40, lambda r, _: hint_shown(r), rank=3, min_width=14),
    Field("flags", "beware", 20, lambda r, _: flagged(r), rank=2, min_width=12, grow=3),
    Field("tokens", "tokens", 6, lambda r, _: (str(r.flags.tokens), "dim"), right=True, rank=1),
)  # fmt: skip


SIDEWAYS = 3
"""So many columns a row is dragged before it is joined, or split off: a hand is not that steady."""


class DraftList(LineTable[DraftRow]):
    FIELDS: ClassVar = FIELDS
    ALLOW_SELECT = False
    MARKS: ClassVar = {"joined": "└", "comes": "▸"}
    TERMS: ClassVar = {"tokens": "tokens of a call"}

    class Moved(Message):
        def __init__(self, at: int, to: int) -> None:
            self.at, self.to = at, to
            super().__init__()

    class Turned(Message):
        def __init__(self, at: int, *, joined: bool) -> None:
            self.at, self.joined = at, joined
            super().__init__()

    _held: int | None = None
    """The row that was taken hold of."""
    _held_at = 0
    """In which column."""
    _turned: bool | None = None
    """Whether it would be joined, or split off, if it were let go now."""
    _comes_at: int | None = None
    """Where a call would stand that is dragged here from elsewhere."""
    _was_dragged = False
    _before: Sequence[DraftRow] = ()
    """How the rows stood before one was dragged; none, where none is."""

    def identity(self, row: DraftRow) -> str:
        return str(id(row.pattern))

    def mark_of(self, row: DraftRow) -> str:
        if row.at == self._comes_at:
            return "comes"
        joined = self._turned if self._turned is not None and row.at == self._held else row.pattern.joined
        return "joined" if joined else ""

    def explanation_at(self, x: int, y: int) -> str:
        if x < MARGIN and 0 < y <= len(self.rows) - self.scroll_offset.y:
            return (
                "A click lets it answer the same words as the pattern before it, or splits it off; "
                "so does dragging the row to the right, or to the left."
            )
        return super().explanation_at(x, y)

    def show_coming(self, screen_y: int | None) -> int:
        """Where a call would stand that is let go at this line of the screen; at none, it is not over the draft."""
        at = len(self.rows)
        if screen_y is not None:
            at = max(0, min(at, screen_y - self.region.y - 1 + self.scroll_offset.y))
        coming = at if screen_y is not None else None
        if coming != self._comes_at:
            self._comes_at = coming
            self.refresh()
        return at

    def show(self, rows: Sequence[DraftRow], *, now: float) -> None:
        """What was held stands elsewhere now."""
        self._held, self._turned, self._before = None, None, ()
        super().show(rows, now=now)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._held, self._held_at, self._was_dragged = self.row_at(event.y), event.x, False

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """It goes where the mouse goes, at once; also beyond the edge."""
        if self._held is None or not event.button:
            return
        event.prevent_default()
        self.capture_mouse()
        over = max(0, min(event.y - 1 + self.scroll_offset.y, len(self.rows) - 1))
        across = event.x - self._held_at
        turned = across > 0 if abs(across) >= SIDEWAYS and over == self._held and not self._before else None
        if turned != self._turned:
            self._turned = turned
            self.refresh()
        if over != (self.cursor if self._before else self._held):
            self._before = self._before or self.rows
            rows = list(self._before)
            rows.insert(over, rows.pop(self._held))
            self.rows = rows
            self.move(over)
            self.redraw()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        held, turned, before = self._held, self._turned, self._before
        over = self.cursor if before else self.row_at(event.y)
        self._held, self._turned, self._before = None, None, ()
        self.release_mouse()
        if before:
            self.rows = before
        if held is not None and turned is not None:
            self._was_dragged = True
            self.post_message(self.Turned(held, joined=turned))
            self.refresh()
        elif held is not None and over is not None and held != over:
            self._was_dragged = True
            self.post_message(self.Moved(held, over))

    def on_click(self, event: events.Click) -> None:
        """The end of a drag is none."""
        if self._was_dragged:
            event.prevent_default()
