"""Small windows over a screen: choose one, choose some, say a word, read a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from warm_tui.screens.shared.window import Answer, Window
from warm_tui.sessions.invisible import shown_line, unshown
from warm_tui.widgets.editors import LineEditor

LIST_KEYS: list[BindingType] = [
    Binding("q", "close", show=False),
    Binding("down,j", "list('cursor_down')", "Down", show=False),
    Binding("up,k", "list('cursor_up')", "Up", show=False),
    Binding("home,g", "list('first')", "First", show=False),
    Binding("end,G", "list('last')", "Last", show=False),
]


class Options(OptionList):
    """It ends where it ends: one step beyond the last row is not the first one, which is another answer."""

    def action_cursor_down(self) -> None:
        if self.highlighted is None or self.highlighted < self.option_count - 1:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        if self.highlighted is None or self.highlighted > 0:
            super().action_cursor_up()


class Choice(Window[Answer]):
    """A list with the keys that lists have everywhere."""

    def __init__(self, title: str, options: Sequence[tuple[str, str]]) -> None:
        super().__init__(title)
        self._options = options

    @property
    def list(self) -> OptionList:
        return self.query_one(OptionList)

    def action_list(self, what: str) -> None:
        getattr(self.list, f"action_{what}")()

    def on_key(self, event: events.Key) -> None:
        """A letter that is no key goes to the next option that begins with it."""
        letter = (event.character or "").casefold()
        if letter.isalnum():
            here = -1 if self.list.highlighted is None else self.list.highlighted
            behind = [(here + step) % len(self._options) for step in range(1, len(self._options) + 1)]
            begun = (at for at in behind if next(filter(str.isalnum, self._options[at][1].casefold()), "") == letter)
            self.list.highlighted = next(begun, self.list.highlighted)


class ChooseOne(Choice[str | None]):
    """A list to choose from. `on_move` hears of each option that is passed."""

    BINDINGS: ClassVar[list[BindingType]] = [*LIST_KEYS, Binding("enter", "choose", "Choose")]

    def __init__(
        self,
        title: str,
        options: Sequence[tuple[str, str]],
        chosen: str = "",
        on_move: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(title, options)
        self._chosen, self._on_move = chosen, on_move

    def body(self) -> ComposeResult:
        yield Options(*(Option(Text(title), id=value) for value, title in self._options), markup=False)

    def on_mount(self) -> None:
        values = [value for value, _ in self._options]
        if self._chosen in values:
            self.list.highlighted = values.index(self._chosen)

    def action_choose(self) -> None:
        self.list.action_select()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._on_move and event.option_id:
            self._on_move(event.option_id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


class ChooseSome(Choice[list[str] | None]):
    """A list to choose several from; Escape keeps what is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*LIST_KEYS, Binding("space", "tick", "Tick")]

    def __init__(self, title: str, options: Sequence[tuple[str, str]], chosen: Sequence[str]) -> None:
        super().__init__(title, options)
        self.names["close"] = "Apply"
        self._chosen = set(chosen)

    def body(self) -> ComposeResult:
        from textual.widgets.selection_list import Selection

        from warm_tui.widgets.ticks import Ticks

        selections = [Selection(Text(title), value, value in self._chosen) for value, title in self._options]
        yield Ticks(*selections)

    def action_tick(self) -> None:
        self.list.action_select()

    def action_close(self) -> None:
        from textual.widgets import SelectionList

        picked = set(self.query_one(SelectionList).selected)
        self.dismiss([value for value, _ in self._options if value in picked])


class Ask(Window[str | None]):
    """One line of text."""

    IS_TYPED_IN = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "take", "Take it")]

    def __init__(self, title: str, value: str = "", placeholder: str = "") -> None:
        super().__init__(title)
        self._value, self._placeholder = value, placeholder

    def body(self) -> ComposeResult:
        yield LineEditor(shown_line(self._value), placeholder=self._placeholder)

    def on_input_submitted(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        self.dismiss(unshown(self.query_one(Input).value))
