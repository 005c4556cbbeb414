"""Small windows over a screen: choose one, choose some, say a word, read a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from warm_tui.sessions.invisible import shown_line, unshown
from warm_tui.widgets.editors import LineEditor

CLOSE: list[BindingType] = [Binding("escape,q", "dismiss(None)", "Close", show=False)]


class ChooseOne(ModalScreen[str | None]):
    """A list to choose from. `on_move` hears of each option that is passed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("j", "list('cursor_down')", "Down", show=False),
        Binding("k", "list('cursor_up')", "Up", show=False),
        Binding("g", "list('first')", "First", show=False),
        Binding("G", "list('last')", "Last", show=False),
    ]
    HINT = "Enter chooses · Esc closes"

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
            window.border_title = Content(self._title)
            window.border_subtitle = self.HINT
            yield OptionList(*(Option(Text(title), id=value) for value, title in self._options), markup=False)

    def on_mount(self) -> None:
        values = [value for value, _ in self._options]
        if self._chosen in values:
            self.query_one(OptionList).highlighted = values.index(self._chosen)

    def action_list(self, what: str) -> None:
        """hjkl as everywhere."""
        getattr(self.query_one(OptionList), f"action_{what}")()

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
        from textual.widgets import SelectionList
        from textual.widgets.selection_list import Selection

        with Vertical(classes="window") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = "Space ticks · Esc applies"
            selections = [Selection(Text(title), value, value in self._chosen) for value, title in self._options]
            yield SelectionList[str](*selections)

    def action_done(self) -> None:
        from textual.widgets import SelectionList

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
            window.border_title = Content(self._title)
            window.border_subtitle = "Enter takes it · Esc closes"
            yield LineEditor(shown_line(self._value), placeholder=self._placeholder)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(unshown(event.value))
