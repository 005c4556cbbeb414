"""Windows to write in: a few fields, or one long text beside what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static, TextArea

from warm_tui.errors import Trouble
from warm_tui.sessions.invisible import shown, shown_line, unshown
from warm_tui.widgets.editors import LineEditor
from warm_tui.widgets.text_editor import TextEditor

FEW = 6
"""More fields than these stand close together, so that a small terminal shows them all."""
Check = Callable[[str], None]
"""Raises Trouble with what is wrong."""


class Entry(NamedTuple):
    name: str
    title: str
    value: str = ""
    placeholder: str = ""


class Form(ModalScreen[dict[str, str] | None]):
    """Fields to fill in. Enter takes them, from whichever one is in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", show=False)]

    def __init__(
        self, title: str, entries: Sequence[Entry], take: str, check: Callable[[dict[str, str]], None]
    ) -> None:
        super().__init__()
        self._title, self._entries, self._take, self._check = title, entries, take, check

    def compose(self) -> ComposeResult:
        crowded = " crowded" if len(self._entries) > FEW else ""
        with Vertical(classes=f"window form{crowded}") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = "Tab goes on · Enter takes it · Esc closes"
            for entry in self._entries:
                yield Static(entry.title, markup=False, classes="form-title")
                yield LineEditor(shown_line(entry.value), placeholder=entry.placeholder, id=f"field-{entry.name}")
            yield Static("", classes="form-error", markup=False)
            with Horizontal(classes="form-buttons"):
                yield Button(Content(self._take), variant="primary", id="take")
                yield Button("Cancel", id="cancel")

    def on_input_submitted(self) -> None:
        self.take()

    @on(Button.Pressed, "#take")
    def take(self) -> None:
        fields = {entry.name: self.query_one(f"#field-{entry.name}", Input) for entry in self._entries}
        values = {name: unshown(field.value).strip() for name, field in fields.items()}
        try:
            self._check(values)
        except Trouble as trouble:
            self.query_one(".form-error", Static).update(str(trouble))
        else:
            self.dismiss(values)

    @on(Button.Pressed, "#cancel")
    def cancel(self) -> None:
        self.dismiss(None)


class Write(ModalScreen[str | None]):
    """One text, however long; what it was recorded as stands beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take it", show=False),
        Binding("escape", "leave", "Close", show=False),
    ]

    def __init__(self, title: str, text: str, original: str = "", check: Check | None = None) -> None:
        super().__init__()
        self._title, self._check = title, check
        self._text, self._original = shown(text), shown(original)
        self._leaving = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="window writing") as window:
            window.border_title = Content(self._title)
            window.border_subtitle = "ctrl+s takes it · Esc closes"
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
        if self._leaving or self.query_one("#text", TextArea).text == self._text:
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
