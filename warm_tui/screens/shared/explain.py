"""What stands under the cursor, explained: each figure with its own numbers; the rest of the screen on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from warm_tui.presentation import glossary
from warm_tui.presentation.glossary import Explained
from warm_tui.presentation.lines import cropped
from warm_tui.screens.shared.window import Window
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.selectable import panes_in_sight

WIDEST_NAME, MOST = 28, 200
FEW = 6
"""So many answer what one wondered about; more are a page to read."""
LONGEST_TITLE = 50


class Explain(Window[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "more", "All of this screen"),
        Binding("E", "close", show=False),
        Binding("j", "move('cursor_down')", "Down", show=False),
        Binding("k", "move('cursor_up')", "Up", show=False),
    ]
    KIND = "explain"
    HORIZONTAL_BREAKPOINTS = [(0, "-close"), (130, "-roomy")]  # noqa: RUF012 - as Textual declares it

    def __init__(self, here: Sequence[Explained], everything: Sequence[Explained], named: str = "") -> None:
        """`here`: what is under the cursor, and `named` what that is called."""
        named = cropped(clean_line(named), LONGEST_TITLE)
        super().__init__(f"What it means: {named}" if named else "What it means")
        self._here, self._everything = here, everything
        self._shows_all = False

    @property
    def explained(self) -> list[Explained]:
        """What is listed: a little of what is under the cursor, or all, each word once."""
        few = self._here[:FEW]
        if few and not self._shows_all:
            return list(few)
        told: dict[str, Explained] = {}
        for each in (*self._here, *self._everything):
            told.setdefault(each.name, each)
        return list(told.values())

    def body(self) -> ComposeResult:
        yield OptionList(*self._options(), markup=False)
        yield Static("", id="meaning", markup=False)

    def _options(self) -> list[Option]:
        width = min(WIDEST_NAME, max((cell_len(each.name) for each in self.explained), default=0))
        return [
            Option(Text.assemble(f"{set_cell_size(each.name, width)}  ", beginning(each))) for each in self.explained
        ]

    def on_mount(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        options = self.query_one(OptionList)
        self.query_one(".window").set_class(self._shows_all or not self._here, "everything")
        options.highlighted = 0
        options.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        return action != "more" or bool(self._here)

    def action_more(self) -> None:
        """To all that the screen shows, and back."""
        self._shows_all = not self._shows_all
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(self._options())
        self._arrange()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#meaning", Static).update(clean_lines(self.explained[event.option_index].text))

    def action_move(self, what: str) -> None:
        getattr(self.query_one(OptionList), f"action_{what}")()


def explanation_of(screen: Screen[Any]) -> Explain | None:
    """Nothing for a window that shows none of the words and figures that have a meaning."""
    panes = panes_in_sight(screen)
    everything = [each for pane in panes for each in pane.explained()]
    if isinstance(screen, Window) and not everything:
        return None
    here = panes[0] if panes else None
    listed = [*everything, *glossary.glyphs()]
    return Explain(here.explained_here() if here else [], listed, here.named_here if here else "")


def beginning(each: Explained) -> tuple[str, str]:
    """What stands there; of a word without a value, how its meaning begins."""
    return (clean_line(each.value)[:MOST], "") if each.value else (clean_line(each.text)[:MOST], "dim")


def clean_lines(text: str) -> str:
    return "\n".join(clean_line(line) for line in text.split("\n"))
