"""A window of coloured lines to scroll through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from warm_tui.presentation.lines import Line
from warm_tui.screens.shared.window import Window
from warm_tui.widgets.pieces_view import PiecesView


class Pages(Window[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "close", show=False)]
    KIND = "reader"

    def __init__(self, title: str, lines: Sequence[Line]) -> None:
        super().__init__(title)
        self.lines = lines

    def body(self) -> ComposeResult:
        yield PiecesView()

    def on_mount(self) -> None:
        self.query_one(".window").border_subtitle = f"{len(self.lines):,} lines"
        self.query_one(PiecesView).show(self.lines)
