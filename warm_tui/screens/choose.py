"""Small windows over a screen: choose one, choose some, say a word, read a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, SelectionList, Static
from textual.widgets.option_list import Option
from textual.widgets.selection_list import Selection

CLOSE: list[BindingType] = [Binding("escape,q", "dismiss(None)", "Close", show=False)]


class ChooseOne(ModalScreen[str | None]):
    """A list to choose from. `on_move` hears of each option that is passed."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(
        self,
        title: str,
        options: Sequence[tuple[str, str]],
        chosen: str = "",
        on_move: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._options, self._chosen, self._on_move = title, options, chosen, on_move

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = self._title
            yield OptionList(*(Option(Text(title), id=value) for value, title in self._options), markup=False)

    def on_mount(self) -> None:
        values = [value for value, _ in self._options]
        if self._chosen in values:
            self.query_one(OptionList).highlighted = values.index(self._chosen)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._on_move and event.option_id:
            self._on_move(event.option_id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


class ChooseSome(ModalScreen[list[str] | None]):
    """A list to choose several from; Escape keeps what is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "done", "Done", show=False)]

    def __init__(self, title: str, options: Sequence[tuple[str, str]], chosen: Sequence[str]) -> None:
        super().__init__()
        self._title, self._options, self._chosen = title, options, set(chosen)

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = self._title
            selections = [Selection(Text(title), value, value in self._chosen) for value, title in self._options]
            yield SelectionList[str](*selections)

    def action_done(self) -> None:
        picked = set(self.query_one(SelectionList).selected)
        self.dismiss([value for value, _ in self._options if value in picked])


class Ask(ModalScreen[str | None]):
    """One line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", show=False)]

    def __init__(self, title: str, value: str = "", placeholder: str = "") -> None:
        super().__init__()
        self._title, self._value, self._placeholder = title, value, placeholder

    def compose(self) -> ComposeResult:
        with Vertical(classes="window") as window:
            window.border_title = self._title
            yield Input(self._value, placeholder=self._placeholder)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class Reader(ModalScreen[None]):
    """A text, whole, to scroll through."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("j", "move(1)", show=False),
        Binding("k", "move(-1)", show=False),
        Binding("g", "end(False)", show=False),
        Binding("G", "end(True)", show=False),
    ]

    def __init__(self, title: str, text: Text) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="window reader") as window:
            window.border_title = self._title
            yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_move(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_end(self, bottom: bool) -> None:
        window = self.query_one(VerticalScroll)
        window.scroll_to(y=window.max_scroll_y if bottom else 0, animate=False)
