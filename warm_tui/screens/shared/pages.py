"""A window of coloured lines to scroll through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from warm_tui.presentation.lines import Line
from warm_tui.screens.shared.choose import CLOSE
from warm_tui.widgets.pieces_view import PiecesView


class Pages(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, lines: Sequence[Line]) -> None:
        super().__init__()
        self._title, self.lines = title, lines

    def compose(self) -> ComposeResult:
        with Vertical(classes="window reader") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = f"{len(self.lines):,} lines · Esc closes"
            yield PiecesView()

    def on_mount(self) -> None:
        self.query_one(PiecesView).show(self.lines)
