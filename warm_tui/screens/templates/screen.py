"""The templates, and beside them the conversation that the one under the cursor makes."""

from __future__ import annotations

import json
import time
from functools import cached_property, partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.agent.prefill import Prefill
from warm_tui.reliability.filters import only_words
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.picking import Picking
from warm_tui.screens.templates.activating import ONLY_PROPOSED, Activating
from warm_tui.screens.templates.difference import difference
from warm_tui.screens.templates.outside import OutsideDialogue
from warm_tui.screens.templates.packs import PackDialogue
from warm_tui.screens.templates.preview import Preview, preview_of
from warm_tui.screens.templates.preview_pane import PreviewPane
from warm_tui.screens.templates.revisions import RevisionsDialogue
from warm_tui.screens.templates.shelf_dialogue import ShelfDialogue
from warm_tui.screens.templates.table import TemplateTable
from warm_tui.screens.templates.template_shelf import ShelfReading, TemplateShelf, readings
from warm_tui.sessions.text import clean_line
from warm_tui.templates import draft as drafts
from warm_tui.templates.conversation import PROVIDERS
from warm_tui.templates.files import Stored
from warm_tui.templates.shelf import Row, arranged
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.pieces_view import PiecesView
from warm_tui.widgets.working import work


class TemplatesScreen(Activating, Listing, Following, Picking, Screen[None]):
    """The library of templates and the preview."""

    BINDINGS: ClassVar = actions.bindings("templates")
    SCOPES = ("templates", "panes", "list", "app")
    MODE = "show-templates"

    class ShelfRead(Message):
        def __init__(self, reading: ShelfReading) -> None:
            self.reading = reading
            super().__init__()

    class PreviewRead(Message):
        def __init__(self, preview: Preview) -> None:
            self.preview = preview
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.provider = ""
        """Whose rules the conversation keeps; empty for the agent's own."""
        self.wanted = ""

    @cached_property
    def shelf(self) -> TemplateShelf:
        return TemplateShelf(self.home)

    @property
    def prefill(self) -> Prefill:
        return Prefill(self.home)

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in the name, the description, the tags or the tools", check=only_words)
        with Container(id="template-panes"):
            with Vertical(id="shelf-side"):
                yield TemplateTable(id="shelf")
                yield self.empty()
            yield Divider()
            yield PreviewPane(id="preview-side")
        yield from self.below()

    def on_mount(self) -> None:
        self.table.order = "name"
        self.table.focus()
        self.load()

    @property
    def table(self) -> TemplateTable:
        return self.query_one(TemplateTable)

    @property
    def view(self) -> PiecesView:
        return self.pane.view

    @property
    def pane(self) -> PreviewPane:
        return self.query_one(PreviewPane)

    @property
    def chosen(self) -> Row | None:
        return self.table.under_cursor

    # --- the shelf ---

    @work(thread=True, exclusive=True, group="shelf")
    def load(self) -> None:
        worker = get_current_worker()
        for reading in readings(self.home, self.shelf.reading, lambda: worker.is_cancelled):
            self.post_message(self.ShelfRead(reading))

    def follow(self) -> None:
        if self.shelf.changed():
            self.load()

    def catch_up(self) -> None:
        if self.shelf.is_read:
            self.load()

    def on_templates_screen_shelf_read(self, message: ShelfRead) -> None:
        self.shelf.take(message.reading)
        self.lay_out()
        self.refresh_bindings()
        if self.wanted and message.reading.whole:
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
        table.show(arranged(self.shelf.rows, self.filter_text, table.order), now=time.time())
        self.query_one("#header", Static).update(clean_line(self.shelf.header(len(table.rows), table.order)))
        self.show_empty("" if table.rows else self.shelf.why_empty(self.filter_text))
        if not table.rows:
            self.pane.clear()

    # --- the preview ---

    def on_line_table_highlighted(self) -> None:
        self.refresh_bindings()
        self.look_soon()

    @property
    def seen_provider(self) -> str:
        return self.provider or self.prefill.provider()

    def look(self) -> None:
        if self.chosen is not None:
            self.read_preview(self.chosen.stored, self.seen_provider)

    @work(thread=True, exclusive=True, group="look")
    def read_preview(self, stored: Stored, provider: str) -> None:
        preview = preview_of(self.home, stored, provider, self.window_share)
        if not get_current_worker().is_cancelled:
            self.post_message(self.PreviewRead(preview))

    def on_templates_screen_preview_read(self, message: PreviewRead) -> None:
        self.show_preview(message.preview)

    def action_as_json(self) -> None:
        self.pane.toggle_json()

    def action_provider(self) -> None:
        def chosen(name: str | None) -> None:
            if name:
                self.provider = name
                self.look()

        providers = [(name, name) for name in PROVIDERS]
        self.app.push_screen(ChooseOne("As the model of", providers, self.seen_provider), chosen)

    def action_problems(self) -> None:
        self.when_read(lambda _row, preview: self.choose_problem(preview))

    def choose_problem(self, preview: Preview) -> None:
        if not preview.problems:
            self.notify("Nothing is wrong with it.", markup=False)
            return

        def chosen(number: str | None) -> None:
            if number is not None:
                self.pane.go_to_problem(int(number))

        options = [
            (str(at), clean_line(f"{f'message {p.message + 1}: ' if p.message is not None else ''}{p.text}"))
            for at, p in enumerate(preview.problems)
        ]
        self.app.push_screen(ChooseOne("Problems", options), chosen)

    def action_copy(self) -> None:
        def copy(_row: Row, preview: Preview) -> None:
            self.copy(json.dumps(preview.conversation.messages, indent=1), "the conversation as JSON")

        self.when_read(copy)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Without a template, there is nothing to activate, to edit or to delete."""
        row = self.chosen
        if action in ("accept", "outside"):
            return row is not None and bool(row.proposal if action == "accept" else row.outside)
        return bool(self.shelf.rows) or action not in ("activate", "edit", "delete", "deactivate", "revisions", "pack")

    # --- two side by side ---

    def action_mark(self) -> None:
        row = self.chosen
        if row is not None:
            marks = dict(self.table.marks)
            if marks.pop(row.identity, None) is None:
                marks[row.identity] = "marked"
            self.table.marks = marks
            self.table.redraw()
            self.table.action_cursor_down()

    def on_line_table_mark_asked(self, message: TemplateTable.MarkAsked) -> None:
        message.table.move(message.at)
        self.action_mark()

    def action_difference(self) -> None:
        marked = [row for row in self.shelf.rows if row.identity in self.table.marks]
        if len(marked) == 1 and self.chosen is not None and self.chosen not in marked:
            marked.append(self.chosen)
        if len(marked) != 2:
            self.notify("Mark two templates with space, then press = again.", markup=False)
            return
        left, right = (row.stored.template for row in marked)
        width = self.app.size.width * 9 // 10 - 6
        lines = difference(left, right, self.seen_provider, width)
        self.app.push_screen(Pages(f"{left.name} → {right.name}", lines))

    # --- warm, and what it would be warm with ---

    def names_for_rule(self, row: Row) -> list[str]:
        """Those that are marked, with the one under the cursor."""
        marked = [each.name for each in self.shelf.rows if each.identity in self.table.marks and not each.proposal]
        return list(dict.fromkeys([*marked, row.name]))

    def action_outside(self) -> None:
        self.when_read(OutsideDialogue(self, self.look).read_whole)

    def action_accept(self) -> None:
        row = self.present_row()
        if row is not None and row.proposal:
            self.dialogue.accept(row)

    # --- the files of templates ---

    @property
    def dialogue(self) -> ShelfDialogue:
        return ShelfDialogue(self, self.shelf, self.show_template)

    def present_row(self) -> Row | None:
        """The one under the cursor. Its file may have gone since the shelf was read: that is told."""
        row = self.chosen
        if row is None or row.stored.path.exists():
            return row
        self.notify(f"The file of {row.name} is gone.", severity="warning", markup=False)
        self.load()
        return None

    def action_open(self) -> None:
        self.action_edit()

    def action_edit(self) -> None:
        row = self.present_row()
        if row is not None and row.proposal:
            self.notify(ONLY_PROPOSED, severity="warning", markup=False)
        elif row is not None:
            self.drafting.start(drafts.edit_of(row.stored.template, row.stored.stamp))
            self.notify(f"{row.name} is open as a draft; w saves it.", markup=False)
            self.app_of_draft.action_show_curate()

    def action_revisions(self) -> None:
        row = self.present_row()
        if row is not None and row.proposal:
            self.notify(ONLY_PROPOSED, severity="warning", markup=False)
        elif row is not None:
            RevisionsDialogue(self, partial(self.show_template, row.name)).open(row.name, self.seen_provider)

    def action_duplicate(self) -> None:
        if self.chosen is not None:
            self.dialogue.duplicate(self.chosen)

    def action_rename(self) -> None:
        row = self.chosen
        if row is None:
            return
        if row.proposal:
            self.dialogue.accept(row)
        elif row.active:
            self.notify("It is active: deactivate it first.", severity="warning", markup=False)
        else:
            self.dialogue.rename(row)

    def action_delete(self) -> None:
        if self.chosen is not None:
            self.dialogue.attempt(partial(self.delete, self.chosen))

    def delete(self, row: Row) -> None:
        self.shelf.delete(row)
        active = " It is active still: x ends that." if row.active else ""
        gone = "Discarded" if row.proposal else "Deleted"
        self.notify(f"{gone} {row.name}; u takes that back.{active}", markup=False)
        self.load()

    def action_undo(self) -> None:
        self.dialogue.attempt(self.restore_last)

    def restore_last(self) -> None:
        if name := self.shelf.restore_last():
            self.show_template(name)
        else:
            self.notify("Nothing was deleted.", markup=False)

    def action_export(self) -> None:
        self.when_read(self.dialogue.export)

    def action_pack(self) -> None:
        row = self.present_row()
        if row is not None and row.proposal:
            self.notify(ONLY_PROPOSED, severity="warning", markup=False)
        elif row is not None:
            PackDialogue(self).write(row.name)

    def action_import(self) -> None:
        self.dialogue.bring_in()
