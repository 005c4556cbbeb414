"""A window of coloured lines to scroll through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from warm_tui import actions
from warm_tui.presentation.lines import Hanging, Line
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


def help_text(reachable: list[actions.Action], remapped: dict[str, str]) -> list[Line]:
    """The keys of where one is."""
    lines: list[Line] = []
    scope = ""
    for action in reachable:
        if action.scope != scope:
            scope = action.scope
            lines += [[]] if lines else []
            lines.append([(actions.SCOPE_TITLES.get(scope, scope), "strong")])
        keys = remapped.get(f"{action.scope}.{action.id}", action.keys)
        lines.append(Hanging([(f"  {actions.readable(keys):18}", "mark"), (action.help, "")]))
    lines.append(Hanging([(f"  {'ctrl+p':18}", "mark"), ("Every action of where you are, by its name", "")]))
    return lines
