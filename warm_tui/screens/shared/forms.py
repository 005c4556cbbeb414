"""Windows to write in: a few fields, or one long text beside what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Select, Static, TextArea

from warm_tui.errors import Trouble
from warm_tui.screens.shared.window import Window
from warm_tui.sessions.invisible import shown, shown_line, unshown
from warm_tui.widgets.editors import LineEditor
from warm_tui.widgets.text_editor import TextEditor

FEW, MANY = 6, 8
"""More fields than the first stand close together, than the second beside their titles: a small terminal shows them."""
Check = Callable[[str], None]
"""Raises Trouble with what is wrong."""


class WrongField(Trouble):
    """What stands in one field is wrong: that is told below it."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


class Entry(NamedTuple):
    name: str
    title: str
    value: str = ""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    """One of these is chosen, where there are any."""


class Form(Window[dict[str, str] | None]):
    """Fields to fill in. Enter takes them, from whichever one is in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take it"),
        # Before the field hears of it: what is typed fast behind it is for the next field.
        Binding("tab", "app.focus_next", "Next field", show=False, priority=True),
        Binding("shift+tab", "app.focus_previous", "Field before", show=False, priority=True),
    ]
    IS_TYPED_IN = True

    def __init__(
        self,
        title: str,
        entries: Sequence[Entry],
        take: str,
        check: Callable[[dict[str, str]], None],
        keep: Callable[[dict[str, str]], None] | None = None,
    ) -> None:
        """`keep` hears of what stands there, also where it is not taken."""
        super().__init__(title, {"take": take, "close": "Back, and keep it" if keep else "Cancel"})
        self._entries, self._check, self._keep = entries, check, keep

    @property
    def KIND(self) -> str:  # type: ignore[override] # noqa: N802 - as it is called where it is always the same
        count = len(self._entries)
        return "form dense" if count > MANY else "form crowded" if count > FEW else "form"

    def body(self) -> ComposeResult:
        for entry in self._entries:
            yield Static(entry.title, markup=False, classes="form-title")
            yield _field(entry)
        yield Static("", classes="form-error", markup=False)

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def on_input_submitted(self) -> None:
        self.action_take()

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

    def action_take(self) -> None:
        values = self.values
        try:
            self._check(values)
        except Trouble as trouble:
            self._say_wrong(trouble)
        else:
            self.dismiss(values)

    def _say_wrong(self, trouble: Trouble) -> None:
        error, last = self.query_one(".form-error", Static), self._entries[-1].name
        field = self.query_one(f"#field-{trouble.field if isinstance(trouble, WrongField) else last}")
        error.update(str(trouble))
        self.query_one(".window-body").move_child(error, after=field)
        if isinstance(trouble, WrongField):
            field.focus()


def _field(entry: Entry) -> Widget:
    if not entry.options:
        return LineEditor(shown_line(entry.value), placeholder=entry.placeholder, id=f"field-{entry.name}")
    options = [(Text(shown_line(option)), option) for option in entry.options]
    value = entry.value if entry.value in entry.options else entry.options[0]
    return Select(options, value=value, allow_blank=False, compact=True, id=f"field-{entry.name}")


class Write(Window[str | None], inherit_bindings=False):
    """One text, however long; what it was recorded as stands beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take it"),
        Binding("f1", "app.help", "Keys"),
        Binding("escape", "close", "Cancel"),
    ]
    KIND = "writing"

    def __init__(
        self,
        title: str,
        text: str,
        original: str = "",
        check: Check | None = None,
        keep: Callable[[str], None] | None = None,
        begin_with: str | None = None,
    ) -> None:
        """`keep` hears of each change; nothing is dropped then, and leaving is not asked for twice.

        `begin_with`: what was written before, where that is another text.
        """
        super().__init__(title, {"close": "Back, and keep it"} if keep else None)
        self._check, self._keep = check, keep
        self._text, self._original = shown(text), shown(original)
        self._begin_with = self._text if begin_with is None else shown(begin_with)
        self._leaving = False

    def body(self) -> ComposeResult:
        with Horizontal(classes="writing-panes"):
            yield TextEditor(self._begin_with, id="text", show_line_numbers=False, tab_behavior="focus")
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

    def action_close(self) -> None:
        """What was written is dropped only when that is asked for twice."""
        if self._keep or self._leaving or self.query_one("#text", TextArea).text == self._text:
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
