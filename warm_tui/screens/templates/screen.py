"""The templates, and beside them the conversation that the one under the cursor makes."""

from __future__ import annotations

import difflib
import json
import time
from itertools import zip_longest
from typing import Any, ClassVar

import msgspec
from rich.cells import cell_len, set_cell_size
from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.presentation.lines import Line
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.templates.activating import Look
from warm_tui.screens.templates.shelving import Shelving
from warm_tui.screens.templates.table import TemplateTable
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.text import clean_line
from warm_tui.templates.budget import count_tokens, warnings
from warm_tui.templates.conversation import (
    PROVIDERS,
    Problem,
    build_conversation,
    validate,
)
from warm_tui.templates.model import Template
from warm_tui.templates.redaction import findings_in
from warm_tui.templates.shelf import Row, arranged, shelf
from warm_tui.widgets.chat import Chat, as_chat, as_json
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.pieces_view import PiecesView

SIDE_BY_SIDE = 90


class TemplatesScreen(Listing, Following, Shelving, Screen[None]):
    """The library of templates and the preview."""

    BINDINGS: ClassVar = actions.bindings("templates")
    SCOPES = ("templates", "list", "app")
    MODE = "show-templates"

    class Shelved(Message):
        def __init__(self, rows: list[Row], bad: list[str], active: str) -> None:
            self.rows, self.bad, self.active = rows, bad, active
            super().__init__()

    class Looked(Message):
        def __init__(self, look: Look) -> None:
            self.look = look
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.bad: list[str] = []
        self.active = ""
        self.provider = ""
        self.json = False
        self.seen: Look | None = None
        self.deleted = []
        self.wanted = ""
        self.loaded = False
        self._state: Any = None

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in the name, the description, the tags or the tools", check=str)
        with Container(id="template-panes"):
            with Vertical(id="shelf-side"):
                yield TemplateTable(id="shelf")
                yield Static("", id="empty", markup=False)
            with Vertical(id="preview-side"):
                yield Static("", id="preview-head", markup=False)
                yield PiecesView(id="preview")
        yield Footer()
        yield self.too_small()

    def on_mount(self) -> None:
        self.table.order = "name"
        self.table.focus()
        self.load()

    @property
    def table(self) -> TemplateTable:
        return self.query_one(TemplateTable)

    @property
    def view(self) -> PiecesView:
        return self.query_one("#preview", PiecesView)

    # --- the shelf ---

    @work(thread=True, exclusive=True, group="shelf")
    def load(self) -> None:
        state = self.state()
        rows, bad = shelf(self.home)
        active = self.prefill.active()
        provider = self.prefill.provider()
        told = [
            msgspec.structs.replace(
                row,
                active=active is not None and active.template == row.name,
                tokens=count_tokens(build_conversation(row.stored.template, provider).messages).total,
            )
            for row in rows
        ]
        if not get_current_worker().is_cancelled:
            self._state = state
            self.post_message(self.Shelved(told, [each.why for each in bad], active.template if active else ""))

    def state(self) -> Any:
        """What changes when a template is written, used or activated, here or elsewhere."""
        told = []
        for path in (*self.files.folders, self.prefill.config, self.prefill.record):
            try:
                status = path.stat()
            except OSError:
                continue
            told.append((str(path), status.st_mtime_ns, status.st_size))
        return told

    def follow(self) -> None:
        if self.loaded and self.state() != self._state:
            self.load()

    def catch_up(self) -> None:
        if self.loaded:
            self.load()

    def on_templates_screen_shelved(self, message: Shelved) -> None:
        self.rows, self.bad, self.active = message.rows, message.bad, message.active
        self.loaded = True
        self.lay_out()
        self.refresh_bindings()
        if self.wanted:
            self.move_to(self.wanted)
            self.wanted = ""
        self.look_soon()

    def show_template(self, name: str) -> None:
        """Move the cursor to it when the shelf has been read again."""
        self.wanted = name
        if self.is_mounted:
            self.filter_text = ""
            self.load()

    def move_to(self, name: str) -> None:
        at = next((at for at, row in enumerate(self.table.rows) if row.name == name), None)
        if at is not None:
            self.table.move(at)

    def lay_out(self) -> None:
        table = self.table
        table.show(arranged(self.rows, self.filter_text, table.order), now=time.time())
        active = self.active
        if active and not any(row.active for row in self.rows):
            active += " (deleted)"
        parts = [
            f"{len(table.rows):,} of {len(self.rows):,} templates",
            f"active: {active}" if active else "none is active",
            f"by {table.order.lstrip('-')} {'▼' if table.order.startswith('-') else '▲'}",
        ]
        parts += [f"{len(self.bad)} cannot be read: {self.bad[0]}"] if self.bad else []
        self.query_one("#header", Static).update(clean_line("  ·  ".join(parts)))
        empty = self.query_one("#empty", Static)
        empty.display = not table.rows
        if not table.rows:
            empty.update(self.why_empty())
            self.view.show([])
            self.query_one("#preview-head", Static).update("")

    def why_empty(self) -> str:
        if self.rows:
            return "No template matches.\n\nEscape clears the filter."
        return "There is no template yet.\n\nPick calls on screen 2 and save them with w,\nor bring one in with i."

    # --- the preview ---

    def on_line_table_highlighted(self) -> None:
        self.look_soon()

    def look(self) -> None:
        row = self.chosen
        if row is not None:
            self.look_at(row.stored.template, row.stored.stamp, self.provider or self.prefill.provider())

    @work(thread=True, exclusive=True, group="look")
    def look_at(self, template: Template, stamp: str, provider: str) -> None:
        told = build_conversation(template, provider)
        tokens = count_tokens(told.messages)
        findings = findings_in(template, redactor_of(self.home))
        problems = [*told.problems, *validate(told.messages, provider)]
        problems += [Problem(None, text) for text in warnings(tokens.total, self.prefill.window(), self.window_share)]
        for finding in findings:
            at = told.of_message.index(finding.pattern) if finding.pattern in told.patterns else None
            problems.append(Problem(at, f"A secret stands in {finding.told}."))
        if not get_current_worker().is_cancelled:
            self.post_message(self.Looked(Look(template.name, stamp, provider, told, tokens, problems, len(findings))))

    def on_templates_screen_looked(self, message: Looked) -> None:
        before = self.seen
        self.seen = message.look
        same = before is not None and before[:3] == message.look[:3]
        self.show_preview(keep=same)

    def chat(self) -> Chat:
        look = self.seen
        if look is None:
            return Chat([], [])
        if self.json:
            return as_json(look.conversation.messages)
        return as_chat(look.conversation.messages, look.problems)

    def show_preview(self, *, keep: bool = False) -> None:
        look = self.seen
        if look is None:
            return
        problems = f"{len(look.problems)} problem{'s' * (len(look.problems) != 1)}" if look.problems else "no problems"
        parts = [
            f"for {look.provider}",
            f"{len(look.conversation.messages)} messages",
            f"{look.tokens} tokens",
            problems,
        ]
        self.query_one("#preview-head", Static).update(" · ".join(parts))
        self.view.show(self.chat().lines, keep=keep)

    def action_as_json(self) -> None:
        self.json = not self.json
        self.show_preview()

    def action_provider(self) -> None:
        def chosen(name: str | None) -> None:
            if name:
                self.provider = name
                self.look()

        here = self.provider or self.prefill.provider()
        self.app.push_screen(ChooseOne("As the model of", [(name, name) for name in PROVIDERS], here), chosen)

    def action_problems(self) -> None:
        look = self.seen
        if look is None or not look.problems:
            self.notify("Nothing is wrong with it.", markup=False)
            return

        def go(chosen: str | None) -> None:
            if chosen is None:
                return
            message = look.problems[int(chosen)].message
            starts = self.chat().starts
            self.view.go_to(starts[message] if message is not None and message < len(starts) else 0)
            self.view.focus()

        options = [
            (str(at), clean_line(f"{f'message {p.message + 1}: ' if p.message is not None else ''}{p.text}"))
            for at, p in enumerate(look.problems)
        ]
        self.app.push_screen(ChooseOne("Problems", options), go)

    def action_copy(self) -> None:
        if self.seen is not None:
            self.copy(json.dumps(self.seen.conversation.messages, indent=1), "the conversation as JSON")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Without a template, there is nothing to activate, to edit or to delete."""
        return bool(self.rows) or action not in ("activate", "edit", "delete", "deactivate")

    # --- two side by side ---

    def action_mark(self) -> None:
        row = self.chosen
        if row is not None:
            marks = dict(self.table.marks)
            if marks.pop(row.name, None) is None:
                marks[row.name] = "marked"
            self.table.marks = marks
            self.table.redraw()
            self.table.action_cursor_down()

    def on_line_table_mark_asked(self) -> None:
        self.action_mark()

    def action_difference(self) -> None:
        marked = [row for row in self.rows if row.name in self.table.marks]
        if len(marked) == 1 and self.chosen is not None and self.chosen not in marked:
            marked.append(self.chosen)
        if len(marked) != 2:
            self.notify("Mark two templates with space, then press = again.", markup=False)
            return
        one, other = marked
        provider = self.provider or self.prefill.provider()
        self.app.push_screen(
            Pages(f"{one.name} → {other.name}", difference(one, other, provider, self.app.size.width * 9 // 10 - 6))
        )


def difference(one: Row, other: Row, provider: str, width: int) -> list[Line]:
    """Two conversations side by side; what only one tells stands out. Where there is no room, one above the other."""
    before, after = (
        [
            "".join(text for text, _ in line)
            for line in as_chat(build_conversation(row.stored.template, provider).messages, ()).lines
        ]
        for row in (one, other)
    )
    if before == after:
        return [[("They tell the same.", "dim")]]
    if width < SIDE_BY_SIDE:
        styles = {"+": "ok", "-": "failed"}
        told = difflib.unified_diff(before, after, one.name, other.name, lineterm="", n=3)
        return [[(line, "dim" if line[:2] in ("--", "++", "@@") else styles.get(line[:1], ""))] for line in told]
    half = width // 2 - 2
    lines: list[Line] = [beside((one.name, "strong"), (other.name, "strong"), half)]
    for tag, low, high, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left, right = ("dim", "dim") if tag == "equal" else ("failed", "ok")
        for first, second in zip_longest(before[low:high], after[start:end], fillvalue=""):
            lines.append(beside((first, left), (second, right), half))
    return lines


def beside(left: tuple[str, str], right: tuple[str, str], half: int) -> Line:
    (one, style), (other, other_style) = left, right
    one, other = ((set_cell_size(text, half - 1) + "…") if cell_len(text) > half else text for text in (one, other))
    return [(one + " " * (half - cell_len(one)), style), (" │ ", "dim"), (other, other_style)]
