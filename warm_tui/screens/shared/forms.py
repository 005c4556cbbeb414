"""Windows to write in: a few fields, or one long text beside what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static, TextArea

from warm_tui.errors import Trouble
from warm_tui.sessions.invisible import shown, shown_line, unshown
from warm_tui.widgets.editors import LineEditor, TextEditor

FEW, MANY = 6, 8
"""More fields than the first stand close together, than the second beside their titles: a small terminal shows them."""
Check = Callable[[str], None]
"""Raises Trouble with what is wrong."""


class Entry(NamedTuple):
    name: str
    title: str
    value: str = ""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    """One of these is chosen, where there are any."""


class Form(ModalScreen[dict[str, str] | None]):
    """Fields to fill in. Enter takes them, from whichever one is in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", show=False)]

    def __init__(
        self,
        title: str,
        entries: Sequence[Entry],
        take: str,
        check: Callable[[dict[str, str]], None],
        keep: Callable[[dict[str, str]], None] | None = None,
    ) -> None:
        """`keep` hears of what stands there, also where it is not taken."""
        super().__init__()
        self._title, self._entries, self._take, self._check, self._keep = title, entries, take, check, keep

    def compose(self) -> ComposeResult:
        count = len(self._entries)
        crowded = " dense" if count > MANY else " crowded" if count > FEW else ""
        with Vertical(classes=f"window form{crowded}") as window:
            window.border_title = Content(self._title)
            leave = "Esc goes back, and keeps it" if self._keep else "Esc closes"
            window.border_subtitle = f"Tab goes on · Enter takes it · {leave}"
            for entry in self._entries:
                yield Static(entry.title, markup=False, classes="form-title")
                yield _field(entry)
            yield Static("", classes="form-error", markup=False)
            with Horizontal(classes="form-buttons"):
                yield Button(Content(self._take), variant="primary", id="take")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def on_input_submitted(self) -> None:
        self.take()

    @property
    def values(self) -> dict[str, str]:
        return {entry.name: self._value(entry) for entry in self._entries}

    def _value(self, entry: Entry) -> str:
        if entry.options:
            return str(self.query_one(f"#field-{entry.name}", Select).value)
        return unshown(self.query_one(f"#field-{entry.name}", Input).value).strip()

    @on(Input.Changed)
    @on(Select.Changed)
    def keep(self) -> None:
        if self._keep:
            self._keep(self.values)

    @on(Button.Pressed, "#take")
    def take(self) -> None:
        values = self.values
        try:
            self._check(values)
        except Trouble as trouble:
            self.query_one(".form-error", Static).update(str(trouble))
        else:
            self.dismiss(values)

    @on(Button.Pressed, "#cancel")
    def cancel(self) -> None:
        self.dismiss(None)


def _field(entry: Entry) -> Widget:
    if not entry.options:
        return LineEditor(shown_line(entry.value), placeholder=entry.placeholder, id=f"field-{entry.name}")
    options = [(Text(shown_line(option)), option) for option in entry.options]
    value = entry.value if entry.value in entry.options else entry.options[0]
    return Select(options, value=value, allow_blank=False, compact=True, id=f"field-{entry.name}")


class Write(ModalScreen[str | None]):
    """One text, however long; what it was recorded as stands beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take it", show=False),
        Binding("escape", "leave", "Close", show=False),
    ]

    def __init__(
        self,
        title: str,
        text: str,
        original: str = "",
        check: Check | None = None,
        keep: Callable[[str], None] | None = None,
    ) -> None:
        """`keep` hears of each change; nothing is dropped then, and leaving is not asked for twice."""
        super().__init__()
        self._title, self._check, self._keep = title, check, keep
        self._text, self._original = shown(text), shown(original)
        self._leaving = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="window writing") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = (
                f"ctrl+s takes it · {'Esc goes back, and keeps it' if self._keep else 'Esc closes'}"
            )
            with Horizontal():
                yield TextEditor(self._text, id="text", show_line_numbers=False, tab_behavior="focus")
                if self._original and self._original != self._text:
                    original = TextArea(self._original, id="original", read_only=True, show_line_numbers=False)
                    original.border_title = "as it was recorded"
                    yield original
            yield Static("", classes="form-error", markup=False)
            with Horizontal(classes="form-buttons"):
                yield Button("Take it", variant="primary", id="take")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        self.query_one("#text", TextArea).focus()

    @property
    def text(self) -> str:
        """What is meant by what stands there."""
        return unshown(self.query_one("#text", TextArea).text)

    @on(TextArea.Changed, "#text")
    def judge(self) -> bool:
        """Say at once what is wrong."""
        error = self.query_one(".form-error", Static)
        self._leaving = False
        if self._keep:
            self._keep(self.text)
        try:
            if self._check:
                self._check(self.text)
        except Trouble as trouble:
            error.update(str(trouble))
            return False
        error.update("")
        return True

    def action_leave(self) -> None:
        """What was written is dropped only when that is asked for twice."""
        if self._keep or self._leaving or self.query_one("#text", TextArea).text == self._text:
            self.dismiss(None)
            return
        self._leaving = True
        self.query_one(".form-error", Static).update("Esc again drops what you wrote; ctrl+s takes it.")

    @on(Button.Pressed, "#take")
    def action_take(self) -> None:
        if self.judge():
            self.dismiss(self.text)

    @on(Button.Pressed, "#cancel")
    def cancel(self) -> None:
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    """What is going to happen, shown; Enter lets it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "dismiss(False)", "No", show=False),
        Binding("enter,y", "dismiss(True)", "Yes", show=False),
    ]

    def __init__(self, title: str, text: str, take: str, leave: str = "Cancel") -> None:
        super().__init__()
        self._title, self._text, self._take, self._leave = title, text, take, leave

    def compose(self) -> ComposeResult:
        with Vertical(classes="window confirm") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = "Enter goes on · Esc leaves it"
            yield Static(self._text, markup=False)
            with Horizontal(classes="form-buttons"):
                yield Button(Content(self._take), variant="primary", id="take")
                yield Button(Content(self._leave), id="cancel")

    @on(Button.Pressed, "#take")
    def take(self) -> None:
        self.dismiss(True)

    @on(Button.Pressed, "#cancel")
    def cancel(self) -> None:
        self.dismiss(False)
