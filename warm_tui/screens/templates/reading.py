"""A window that is read before something is done: the same for what came from outside, and for a pack."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from warm_tui.presentation.lines import Line
from warm_tui.screens.shared.window import Window
from warm_tui.widgets.pieces_view import PiecesView


class ReadFirst(Window[bool]):
    """The lines whole; Enter goes on. `take` says what that does, and is nothing where there is only to be read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,n", "close", show=False),
        Binding("enter,y", "take", "Go on"),
    ]
    KIND = "writing"

    def __init__(self, title: str, lines: list[Line], take: str) -> None:
        super().__init__(title, {"take": take, **({"close": "Leave it"} if take else {})})
        self._lines = lines

    def body(self) -> ComposeResult:
        yield PiecesView(id="outside")

    def on_mount(self) -> None:
        view = self.query_one(PiecesView)
        view.show(self._lines)
        view.focus()

    def action_take(self) -> None:
        self.dismiss(True)

    def action_close(self) -> None:
        self.dismiss(False)
