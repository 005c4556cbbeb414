"""What every window over a screen has: a title, a button for each of its keys, and ways out by mouse."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from math import ceil
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, OptionList

from warm_tui.actions import readable
from warm_tui.presentation.lines import Hanging, Line
from warm_tui.widgets.selectable import panes_in_sight

Answer = TypeVar("Answer")
AROUND, BESIDE_TITLE = 6, 6
LEAST_WIDTH, WIDEST = 44, 0.9
TEXTUALS_OWN = {
    "app.focus_next": "To the next field or button", "app.focus_previous": "Back to the one before",
    "screen.copy_text": "", "screen.minimize": "",
}  # fmt: skip
"""Keys that every window of Textual's has: what they do here, in plain words, or nothing."""
LAST = ("app.help", "close")
"""The buttons that stand behind a window's own."""


def or_back(then: Callable[[Answer], object], back: Callable[[], object]) -> Callable[[Answer | None], None]:
    """What a question leads to. Left without a yes or a word, the window that it came from is there again."""

    def answered(answer: Answer | None) -> None:
        if answer is None or answer is False:
            back()
        else:
            then(answer)

    return answered


class WholeTitle(Widget):
    """Seen where it is too long to stand in the border."""

    def __init__(self, title: str) -> None:
        super().__init__(classes="window-title")
        self._title = title
        self.display = False

    def render(self) -> Content:
        return Content(self._title)


class Window(ModalScreen[Answer]):
    """Each binding that is shown has a button. `names` calls some of them by what they do here, or by nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "app.help", "Keys", id="app.help"),
        Binding("E", "app.explain", "Explain its words and figures", show=False, id="app.explain"),
        Binding("ctrl+s", "app.picture", "Picture of the screen", show=False, id="app.picture"),
        Binding("escape", "close", "Close"),
    ]
    KIND = ""
    """How it is laid out: classes of its stylesheet."""
    SCROLLS = False
    """Whether keys move what stands in it, as nothing in there has keys of its own."""
    LIST_SHARE = 1.0
    """How much of the room a list may take, where something stands below it."""
    IS_TYPED_IN = False
    """Whether letters and signs are words for it, so that no button may name one of them."""

    def __init__(self, title: str, names: dict[str, str] | None = None) -> None:
        super().__init__()
        self._title, self.names = title, names or {}

    def compose(self) -> ComposeResult:
        with Vertical(classes=f"window {self.KIND}") as window:
            window.border_title = Content(self._title)
            yield WholeTitle(self._title)
            with VerticalScroll(classes="window-body", can_focus=self.SCROLLS):
                yield from self.body()
            with Horizontal(classes="window-keys"):
                for action, key, name in self.buttons():
                    label = Content.assemble((readable(key), "bold"), Content(f" {name}"))
                    yield Button(label, compact=True, name=action, id=action.removeprefix("app."))

    @abstractmethod
    def body(self) -> ComposeResult:
        """What stands between the title and the buttons."""

    def buttons(self) -> list[tuple[str, str, str]]:
        """An action, its first key and its name."""
        found: dict[str, tuple[str, str, str]] = {}
        for key, (node, binding, *_) in self.active_bindings.items():
            name = self.names.get(binding.action, binding.description)
            if node is self and binding.show and name and not (self.IS_TYPED_IN and key == "question_mark"):
                found.setdefault(binding.action, (binding.action, key, name))
        return sorted(found.values(), key=lambda each: LAST.index(each[0]) + 1 if each[0] in LAST else 0)

    def on_resize(self, event: events.Resize) -> None:
        """What stands in it leaves room for the title, the buttons, and a line to click beside it. The title is not
        cut: the window is as wide as that, and where it cannot be, the title stands in it, over several lines."""
        window, head = self.query_one(".window"), self.query_one(WholeTitle)
        needed = cell_len(self._title) + BESIDE_TITLE
        most = int(event.size.width * WIDEST)
        head.display = needed > most
        window.styles.min_width = max(LEAST_WIDTH, min(needed, most))
        if head.display:
            window.border_title = ""
        lines = ceil(needed / most) if head.display else 0
        most_lines = max(1, event.size.height - AROUND - lines)
        self.query_one(".window-body").styles.max_height = most_lines
        for listed in self.query(OptionList):
            listed.styles.max_height = max(1, int(most_lines * self.LIST_SHARE))

    def keys_told(self) -> list[Line]:
        """All its keys, also those without a button."""
        keys: dict[str, list[str]] = {}
        explains = any(pane.explained() for pane in panes_in_sight(self))
        for key, (node, binding, *_) in self.active_bindings.items():
            name = self.names.get(binding.action, TEXTUALS_OWN.get(binding.action, binding.description))
            if node is self and name and (explains or binding.action != "app.explain"):
                keys.setdefault(name, []).append(readable(key))
        return [Hanging([(f"  {', '.join(each):18}", "mark"), (name, "")]) for name, each in keys.items()]

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        await self.run_action(event.button.name or "")

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Beside the window."""
        if event.widget is self:
            self.action_close()
