"""What stands under the cursor, explained: each figure with its own numbers, one under the cursor at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from warm_tui.presentation.glossary import Explained
from warm_tui.screens.shared.window import Window
from warm_tui.sessions.text import clean_line

WIDEST_NAME, MOST = 28, 200


class Explain(Window[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("E", "close", show=False),
        Binding("j", "move('cursor_down')", "Down", show=False),
        Binding("k", "move('cursor_up')", "Up", show=False),
    ]
    KIND = "explain"

    def __init__(self, explained: Sequence[Explained], begin_at: str = "") -> None:
        super().__init__("What it means")
        self.explained, self._begin_at = explained, begin_at

    def body(self) -> ComposeResult:
        width = min(WIDEST_NAME, max((cell_len(each.name) for each in self.explained), default=0))
        yield OptionList(
            *(
                Option(Text.assemble(f"{set_cell_size(each.name, width)}  ", beginning(each)))
                for each in self.explained
            ),
            markup=False,
        )
        yield Static("", id="meaning", markup=False)

    def on_mount(self) -> None:
        names = [each.name for each in self.explained]
        options = self.query_one(OptionList)
        options.highlighted = names.index(self._begin_at) if self._begin_at in names else 0
        options.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#meaning", Static).update(clean_lines(self.explained[event.option_index].text))

    def action_move(self, what: str) -> None:
        getattr(self.query_one(OptionList), f"action_{what}")()


def beginning(each: Explained) -> tuple[str, str]:
    """What stands there; of a word without a value, how its meaning begins."""
    return (clean_line(each.value)[:MOST], "") if each.value else (clean_line(each.text)[:MOST], "dim")


def clean_lines(text: str) -> str:
    return "\n".join(clean_line(line) for line in text.split("\n"))
