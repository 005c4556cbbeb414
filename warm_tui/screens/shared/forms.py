"""Windows to write in: a few fields, or one long text beside what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static, TextArea

from warm_tui.errors import Trouble
from warm_tui.screens.shared.window import Window
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


class Form(Window[dict[str, str] | None]):
    """Fields to fill in. Enter takes them, from whichever one is in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "take", "Take it")]

    def __init__(
        self, title: str, entries: Sequence[Entry], take: str, check: Callable[[dict[str, str]], None]
    ) -> None:
        super().__init__(title, {"take": take, "close": "Cancel"})
        self._entries, self._check = entries, check

    @property
    def KIND(self) -> str:  # type: ignore[override] # noqa: N802 - as it is called where it is always the same
        return "form crowded" if len(self._entries) > FEW else "form"

    def body(self) -> ComposeResult:
        for entry in self._entries:
            yield Static(entry.title, markup=False, classes="form-title")
            yield LineEditor(shown_line(entry.value), placeholder=entry.placeholder, id=f"field-{entry.name}")
        yield Static("", classes="form-error", markup=False)

    def on_input_submitted(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        fields = {entry.name: self.query_one(f"#field-{entry.name}", Input) for entry in self._entries}
        values = {name: unshown(field.value).strip() for name, field in fields.items()}
        try:
            self._check(values)
        except Trouble as trouble:
            self.query_one(".form-error", Static).update(str(trouble))
        else:
            self.dismiss(values)


class Write(Window[str | None], inherit_bindings=False):
    """One text, however long; what it was recorded as stands beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take it"),
        Binding("f1", "app.help", "Keys"),
        Binding("escape", "close", "Cancel"),
    ]
    KIND = "writing"

    def __init__(self, title: str, text: str, original: str = "", check: Check | None = None) -> None:
        super().__init__(title)
        self._check = check
        self._text, self._original = shown(text), shown(original)
        self._leaving = False

    def body(self) -> ComposeResult:
        with Horizontal(classes="writing-panes"):
            yield TextEditor(self._text, id="text", show_line_numbers=False, tab_behavior="focus")
            if self._original and self._original != self._text:
                original = TextArea(self._original, id="original", read_only=True, show_line_numbers=False)
                original.border_title = "as it was recorded"
                yield original
        yield Static("", classes="form-error", markup=False)

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

    def action_close(self) -> None:
        """What was written is dropped only when that is asked for twice."""
        if self._leaving or self.query_one("#text", TextArea).text == self._text:
            self.dismiss(None)
            return
        self._leaving = True
        self.query_one(".form-error", Static).update("Esc again drops what you wrote; ctrl+s takes it.")

    def action_take(self) -> None:
        if self.judge():
            self.dismiss(self.text)


class Confirm(Window[bool]):
    """What is going to happen, shown; Enter lets it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "close", show=False),
        Binding("enter,y", "take", "Yes"),
    ]
    KIND = "confirm"
    SCROLLS = True

    def __init__(self, title: str, text: str, take: str, leave: str = "Cancel") -> None:
        super().__init__(title, {"take": take, "close": leave})
        self._text = text

    def body(self) -> ComposeResult:
        yield Static(self._text, markup=False)

    def action_take(self) -> None:
        self.dismiss(True)

    def action_close(self) -> None:
        self.dismiss(False)
