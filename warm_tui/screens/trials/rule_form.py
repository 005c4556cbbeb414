"""The form of a rule: below its fields stands, as one types, which sessions of late it would have matched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, SelectionList, Static
from textual.widgets.selection_list import Selection

from warm_tui.screens.shared.forms import Entry, Form
from warm_tui.screens.trials.rule_draft import ANY, TEMPLATES, Offer
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import clean_line
from warm_tui.trials.guessing import TASKS
from warm_tui.widgets.ticks import Ticks

TITLES = {
    "source": ("Source", "any; its whole name, such as cli"),
    "model": ("Model", "any; a part of its name"),
    "folder": ("Working folder", "any; this one, or one within it"),
    "words": ("Words in the first message", "any; each of these words"),
    "task": ("Task, as it is guessed", ""),
    "share": ("Begin warm", ""),
    "holdout": ("Stay cold at least", ""),
}
"""Of each field what it asks, and what stands in it as long as it is empty."""


OPTIONS = {"task": (ANY, *TASKS)}


class TemplateTicks(Ticks):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "screen.take", show=False)]


class RuleForm(Form):
    """Several templates are ticked: they share the warm sessions equally."""

    KIND = "form dense rule-form"

    def __init__(
        self,
        title: str,
        fields: dict[str, str],
        offers: Sequence[Offer],
        chosen: Sequence[str],
        check: Callable[[dict[str, str]], None],
        look: Callable[[dict[str, str]], list[str]],
    ) -> None:
        entries = [Entry(name, *_titled(name, value), options=OPTIONS.get(name, ())) for name, value in fields.items()]
        super().__init__(title, entries, "Keep the rule", check, self.told)
        self.names["close"] = "Cancel"
        self._offers, self._chosen, self._look = offers, set(chosen), look

    def body(self) -> ComposeResult:
        yield Static("Templates (space ticks)", markup=False, classes="form-title")
        yield TemplateTicks(
            *(Selection(Text(shown_line(each.title)), each.value, each.value in self._chosen) for each in self._offers),
            id="rule-templates",
        )
        yield from super().body()
        yield Static("", id="rule-look", markup=False)

    def on_mount(self) -> None:
        self.look_again()

    @property
    def values(self) -> dict[str, str]:
        ticked = self.query_one(Ticks).selected
        chosen = [each.value for each in self._offers if each.value in ticked]
        return {**super().values, TEMPLATES: "\n".join(chosen)}

    def told(self, values: dict[str, str]) -> None:
        """What the rule would have matched, as it stands there now."""
        lines = self._look(values)
        self.query_one("#rule-look", Static).update("\n".join(shown_line(clean_line(line)) for line in lines))

    def look_again(self) -> None:
        self.told(self.values)

    @on(SelectionList.SelectedChanged)
    @on(Input.Changed)
    def clear_error(self) -> None:
        self.query_one(".form-error", Static).update("")


def _titled(name: str, value: str) -> tuple[str, str, str]:
    title, placeholder = TITLES.get(name, (name.capitalize(), "any"))
    return title, value, placeholder
