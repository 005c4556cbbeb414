"""The patterns of the draft, in their order; dragged to another place, or moved by keys."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from textual import events
from textual.message import Message

from warm_tui.screens.curate.table import arguments_line
from warm_tui.sessions.text import clean_line
from warm_tui.templates.inspector import Flags
from warm_tui.templates.model import Pattern
from warm_tui.widgets.line_table import Field, LineTable, Shown


class DraftRow(msgspec.Struct, frozen=True):
    at: int
    pattern: Pattern
    flags: Flags


def call_shown(row: DraftRow) -> Shown:
    joint = "└ " if row.pattern.joined else ""
    return f"{joint}{clean_line(row.pattern.tool_name)}  {arguments_line(row.pattern.arguments, '?')}", ""


def flagged(row: DraftRow) -> Shown:
    words = row.flags.told
    return (f"! {clean_line(', '.join(words))}", "failed") if words else ("", "")


FIELDS = (
    Field("at", "#", 2, lambda r, _: (str(r.at + 1), "dim"), right=True),
    Field("call", "picked", 40, lambda r, _: call_shown(r), min_width=24),
    Field("flags", "beware", 20, lambda r, _: flagged(r), rank=2, min_width=9),
    Field("tokens", "tokens", 6, lambda r, _: (str(r.flags.tokens), "dim"), right=True, rank=1),
)  # fmt: skip


class DraftList(LineTable[DraftRow]):
    FIELDS: ClassVar = FIELDS
    ALLOW_SELECT = False

    class Moved(Message):
        def __init__(self, at: int, to: int) -> None:
            self.at, self.to = at, to
            super().__init__()

    _held: int | None = None

    def identity(self, row: DraftRow) -> str:
        return str(id(row.pattern))

    def _row_at(self, y: int) -> int | None:
        row = y - 1 + self.scroll_offset.y
        return row if y > 0 and 0 <= row < len(self.rows) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._held = self._row_at(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor shows where it would come to stand."""
        over = self._row_at(event.y)
        if event.button and self._held is not None and over is not None:
            self.cursor = over

    def on_mouse_up(self, event: events.MouseUp) -> None:
        held, over = self._held, self._row_at(event.y)
        self._held = None
        if held is not None and over is not None and held != over:
            self.post_message(self.Moved(held, over))
