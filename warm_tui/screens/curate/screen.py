"""Pick calls into a draft: the candidates, the one under the cursor whole, and the draft."""

from __future__ import annotations

import gc
import json
import time
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.presentation.lines import Line
from warm_tui.reliability.filters import only_words
from warm_tui.screens.curate.call_detail import detail_of, pattern_detail
from warm_tui.screens.curate.call_list import SOURCES, Batch, CallList, exported, first_source, read_calls
from warm_tui.screens.curate.draft_list import DraftList, DraftRow
from warm_tui.screens.curate.draft_pane import DraftPane
from warm_tui.screens.curate.dragging import Dragging
from warm_tui.screens.curate.hint_editor import HintLine
from warm_tui.screens.curate.inbox import InboxDialogue
from warm_tui.screens.curate.table import CandidateTable
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.opening import Opening
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.rejudging import Rejudging
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.text import clean_line, plural
from warm_tui.sessions.transcript import transcript
from warm_tui.templates import draft as drafts
from warm_tui.templates.budget import count_tokens
from warm_tui.templates.shortlist import BY_TOOL, Entry, Heading, reason
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.pieces_view import PiecesView
from warm_tui.widgets.working import work

AROUND = 3
CANDIDATES = 92
"""Columns that the candidates have where the draft stands beside them; below it they have no use for more."""
BESIDE_CANDIDATES = range(CANDIDATES + 28, 160)
"""Widths at which the call under the cursor stands in the room they leave."""


class CurateScreen(Dragging, Listing, Following, Rejudging, Opening, Screen[None]):
    """Browse candidates, pick, and shape the draft."""

    BINDINGS: ClassVar = actions.bindings("curate")
    SCOPES = ("curate", "panes", "list", "app")
    MODE = "show-curate"
    VERTICAL_BREAKPOINTS = [*Frame.VERTICAL_BREAKPOINTS, (46, "-higher")]  # noqa: RUF012 - as Textual declares it
    REST_SECONDS = 0.12

    class Arrived(Message):
        def __init__(self, source: str, batch: Batch) -> None:
            self.source, self.batch = source, batch
            super().__init__()

    class DetailRead(Message):
        def __init__(self, call: tuple[str, str], lines: list[Line]) -> None:
            self.call, self.lines = call, lines
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.calls = CallList()

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(
            placeholder="words that stand in the call, what was said before, or the session; -word leaves out",
            check=partial(only_words, knows=("family",)),
        )
        with Container(id="curate-panes"):
            with Vertical(id="candidates-side"):
                yield CandidateTable(id="candidates")
                yield PiecesView(id="detail")
                yield self.empty()
            yield Divider()
            yield DraftPane(self.drafting, self.window_share, id="draft-side")
        yield from self.below()

    def on_mount(self) -> None:
        self.table.order = "-value"
        self.table.focus()
        self.drafting.open_last()
        self.pane.show()
        self.choose_source()
        self.get_ready()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width in BESIDE_CANDIDATES, "-middling")

    def action_inbox(self) -> None:
        def changed(draft: int) -> None:
            if draft:
                self.drafting.open(draft)
            self.pane.show()
            self.show_header()

        InboxDialogue(self, changed).open()

    def show_part(self, _: str) -> None:
        self.action_inbox()

    @work(thread=True, group="ready")
    def get_ready(self) -> None:
        """What the first pick needs and takes a moment to import."""
        self.drafting.redactor.redact("token: none")
        count_tokens([{"role": "user", "content": "x"}])

    def follow(self) -> None:
        self.pane.follow()

    def catch_up(self) -> None:
        """Another screen may have picked a call, marked other sessions, or taken a person's verdict."""
        if self.calls.source:
            self.pane.show()
            self.lay_out()
            self.follow()
            self.read_again_if_judged()

    def read_again(self) -> None:
        self.read_from(self.calls.source)

    @property
    def table(self) -> CandidateTable:
        return self.query_one(CandidateTable)

    @property
    def view(self) -> PiecesView:
        return self.query_one("#detail", PiecesView)

    @property
    def under_cursor(self) -> Entry | None:
        row = self.table.under_cursor
        return row if isinstance(row, Entry) else None

    # --- where the calls come from ---

    @work(thread=True, exclusive=True, group="source")
    def choose_source(self) -> None:
        self.save_marks_first()
        source = first_source(self.home)
        self.app.call_from_thread(self.read_from, source)

    def action_from(self) -> None:
        self.app.push_screen(ChooseOne("Calls from", list(SOURCES.items()), self.calls.source), self.read_chosen)

    def read_chosen(self, source: str | None) -> None:
        if source:
            self.read_from(source)

    def read_from(self, source: str) -> None:
        self.calls.begin(source)
        here, query = self.seen_on_sessions()
        self.lay_out()
        self.read(source, here, query)

    def seen_on_sessions(self) -> tuple[str, str]:
        """The session under the cursor of the sessions screen, and its filter."""
        from warm_tui.screens.sessions.screen import SessionsScreen

        for screen in self.app.screen_stack:
            if isinstance(screen, SessionsScreen):
                return screen.under_cursor_id, screen.filter_text
        return "", ""

    @work(thread=True, exclusive=True, group="candidates")
    def read(self, source: str, here: str, query: str) -> None:
        worker = get_current_worker()

        def no_more() -> bool:
            return worker.is_cancelled or self.calls.stopped

        self.save_marks_first()
        self.note_verdicts()
        for batch in read_calls(self.home, source, here, query, no_more):
            if worker.is_cancelled:
                return
            self.post_message(self.Arrived(source, batch))

    def on_curate_screen_arrived(self, message: Arrived) -> None:
        if message.source != self.calls.source:
            return  # they were asked for before another source was chosen
        was_at_top = self.table.cursor == 0
        self.calls.take(message.batch)
        self.table.counts = self.calls.shape_counts
        self.lay_out()
        if was_at_top and not any(isinstance(line, Heading) for line in self.table.rows[:1]):
            # Nobody has chosen what came first, and what is worth most stands above it now.
            self.table.action_first()
        if message.batch.done:
            # Tens of thousands of calls stay as long as they are shown. Looked through for garbage again and again,
            # they would hold up a key for a tenth of a second each time. What has gone since the last is not to stay.
            gc.collect()
            gc.freeze()

    def action_stop(self) -> None:
        self.calls.stopped = True

    # --- the table ---

    def lay_out(self) -> None:
        table = self.table
        lines = self.calls.lines(self.filter_text, table.order)
        was_on_heading = isinstance(table.under_cursor, Heading) or table.under_cursor is None
        table.marks = self.marks_of_picked()
        table.show(lines, now=time.time())
        first = lines[0] if len(lines) > 1 else None
        if was_on_heading and table.cursor == 0 and isinstance(first, Heading) and first.tool not in self.calls.folded:
            table.move(1)
        self.show_header()

    def marks_of_picked(self) -> dict[str, str]:
        return {" ".join(call): "picked" for call in self.drafting.picked_calls()}

    def show_header(self) -> None:
        # What waits comes first: where there is no room, it is the last to go.
        told = [self.drafting.suggested, self.calls.header(self.table.rows, self.filter_told)]
        self.query_one("#header", Static).update(clean_line("  ·  ".join(filter(None, told))))
        self.show_empty("" if self.table.rows else self.calls.why_empty(self.filter_text))

    def on_line_table_highlighted(self, message: LineTable.Highlighted) -> None:
        self.stop_looking()
        if isinstance(message.row, DraftRow):
            self.pane.at_pattern(message.row.at)
            if self.in_draft:
                self.view.show(pattern_detail(message.row))
        elif isinstance(message.row, Entry):
            self.look_soon()

    async def on_line_table_mark_asked(self, message: LineTable.MarkAsked) -> None:
        message.table.move(message.at)
        if self.in_draft:
            self.pane.join()
        else:
            await self.action_pick()

    def sort_options(self) -> list[tuple[str, str]]:
        return [*super().sort_options(), (BY_TOOL, "the tool, in groups")]

    def action_every_outcome(self) -> None:
        self.calls.every_outcome = not self.calls.every_outcome
        self.lay_out()

    def action_open(self) -> None:
        """Enter does what is meant in the pane one is in."""
        if self.in_draft:
            self.pane.edit_hint()
            return
        row = self.table.under_cursor
        if isinstance(row, Heading):
            self.calls.fold(row.tool)
            self.lay_out()
        elif row is not None:
            self.app.push_screen(Pages(clean_line(row.candidate.call.tool_name), self.view.lines))

    # --- the call under the cursor, with the turns around it ---

    def look(self) -> None:
        """Of the call; where one went to the draft meanwhile, what is told of that stays."""
        entry = self.under_cursor
        if entry is not None and not self.in_draft:
            self.view.show(detail_of(entry, self.reason_of(entry), (), ()))
            self.look_around(entry)

    def reason_of(self, entry: Entry) -> str:
        return reason(entry, self.calls.shape_counts)

    @work(thread=True, exclusive=True, group="look")
    def look_around(self, entry: Entry) -> None:
        try:
            with Catalog(self.home) as catalog:
                source, session = catalog.find(entry.candidate.call.session_id)
                items = transcript(read_life(source, session), session)
        except Trouble:
            return
        at = next(
            (at for at, item in enumerate(items) if item.call and item.call.key == entry.candidate.call.key), None
        )
        if at is not None and not get_current_worker().is_cancelled:
            before, after = items[max(0, at - AROUND) : at], items[at + 1 : at + 1 + AROUND]
            lines = detail_of(entry, self.reason_of(entry), before, after, items[at])
            self.post_message(self.DetailRead(entry.call, lines))

    def on_curate_screen_detail_read(self, message: DetailRead) -> None:
        entry = self.under_cursor
        if entry is not None and entry.call == message.call and not self.in_draft:
            self.view.show(message.lines)

    # --- picking ---

    async def action_pick(self) -> None:
        """Pick the call under the cursor, or put it back."""
        await self.pick_under_cursor(with_failure=True)

    async def action_alone(self) -> None:
        if self.in_draft:
            self.pane.leave_failure_out()
        else:
            await self.pick_under_cursor(with_failure=False)

    async def pick_under_cursor(self, *, with_failure: bool) -> None:
        entry = self.under_cursor
        if self.in_draft or entry is None:
            return
        at = drafts.picked(self.drafting.draft, entry.call)
        if at is not None:
            self.pane.change(drafts.dropped(self.drafting.draft, at))
            return
        await self.pick_entry(entry, with_failure=with_failure)
        if entry.candidate.verdict.outcome == "success":
            self.table.action_cursor_down()

    def action_clear(self) -> None:
        if not self.stop_picking():
            super().action_clear()

    def after_pick(self) -> None:
        self.pane.changed()

    def on_draft_pane_changed(self) -> None:
        """Only the marks are others: the calls stand as they stood."""
        self.table.marks = self.marks_of_picked()
        self.table.redraw()

    def on_draft_pane_saved(self, message: DraftPane.Saved) -> None:
        self.app_of_draft.show_template(message.name)
        secrets = f" {plural(message.masked, 'secret was', 'secrets were')} masked." if message.masked else ""
        self.notify(f"Saved as {message.name}: Enter opens it again as a draft.{secrets}", markup=False)

    def action_copy(self) -> None:
        entry = self.under_cursor
        if entry is not None:
            call = entry.candidate.call
            self.copy(f"{call.tool_name} {call.arguments}\n{call.result or ''}", "the call")

    def action_export(self) -> None:
        self.save_export("calls.json", json.dumps(exported(self.table.rows), indent=1))

    def on_descendant_focus(self) -> None:
        """What is told below belongs to the pane one is in."""
        if self.in_draft and self.pane.chosen is not None:
            self.view.show(pattern_detail(self.pane.chosen))
        elif isinstance(self.focused, CandidateTable):
            self.look()

    def action_other_pane(self) -> None:
        """From the calls to the draft, to the conversation, and back."""
        conversation = self.pane.conversation
        panes: list[Widget] = [self.table, self.pane.draft_list]
        panes += [conversation.view] if conversation.is_open else []
        here = panes.index(self.focused) if self.focused in panes and self.focused else -1
        panes[(here + 1) % len(panes)].focus()

    def action_zoom(self) -> None:
        self.set_class(not self.has_class("zoomed"), "zoomed")
        self.set_class(self.focused is not None and self.pane in self.focused.ancestors, "zoomed-draft")
        self.set_class(self.focused is self.pane.conversation.view, "zoomed-conversation")

    @property
    def in_draft(self) -> bool:
        """An empty draft has nothing to act on: there the keys are those of the calls."""
        return isinstance(self.focused, DraftList) and bool(self.drafting.draft.patterns)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """The footer shows the keys of the pane one is in; where words are written, theirs alone."""
        if isinstance(self.focused, HintLine):
            return action == "other_pane"
        if action in ("hint", "edit", "drop", "move_down", "move_up", "join"):
            return self.in_draft
        if action in ("pick", "filter", "from", "open"):
            return not self.in_draft
        return True
