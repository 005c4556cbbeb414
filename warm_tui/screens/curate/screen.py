"""Pick calls into a draft: the candidates, the one under the cursor whole, and the draft."""

from __future__ import annotations

import gc
import json
import time
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import kept_marks
from warm_tui.screens.curate.call_detail import detail_of, pattern_detail
from warm_tui.screens.curate.draft_list import DraftList, DraftRow
from warm_tui.screens.curate.draft_pane import DraftPane
from warm_tui.screens.curate.table import CandidateTable
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.listing import Listing
from warm_tui.sessions.text import clean_line
from warm_tui.sessions.transcript import transcript
from warm_tui.templates import draft as drafts
from warm_tui.templates.budget import count_tokens
from warm_tui.templates.building import Wanted
from warm_tui.templates.shortlist import (
    Entry,
    Heading,
    arranged,
    chosen_profiles,
    entries_of,
    shape_counts,
    suggestions,
)
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.pieces_view import Line, PiecesView

SOURCES = {
    "marked": "The marked sessions",
    "here": "The session under the cursor on the sessions screen",
    "shown": "The sessions that match the filter of the sessions screen",
    "all": "All sessions",
    "mined": "Suggestions: what mining would choose, and why",
}
SHORT = {
    "marked": "marked sessions", "here": "one session", "shown": "sessions filtered", "all": "all sessions",
    "mined": "suggestions",
}  # fmt: skip
SUGGESTED = 40
BATCH_SECONDS = 0.15
AROUND = 3


class CurateScreen(Listing, DraftPane, Screen[None]):
    """Browse candidates, pick, and shape the draft."""

    BINDINGS: ClassVar = actions.bindings("curate")
    SCOPES = ("curate", "list", "app")
    MODE = "show-curate"
    REST_SECONDS = 0.12

    class Found(Message):
        def __init__(self, entries: list[Entry], told: str, *, first: bool, done: bool) -> None:
            self.entries, self.told, self.first, self.done = entries, told, first, done
            super().__init__()

    class Looked(Message):
        def __init__(self, call: tuple[str, str], lines: list[Line]) -> None:
            self.call, self.lines = call, lines
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        self.by_call: dict[tuple[str, str], Entry] = {}
        self.source = ""
        self.told = ""
        self.every_outcome = False
        self.folded: frozenset[str] = frozenset()
        self.reading = False

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(
            placeholder="words that stand in the call, what was said before, or the session; -word leaves out",
            check=str,
        )
        with Container(id="curate-panes"):
            with Vertical(id="candidates-side"):
                yield CandidateTable(id="candidates")
                yield PiecesView(id="detail")
                yield Static("", id="empty", markup=False)
            yield from self.draft_side()
        yield Footer()
        yield self.too_small()

    def on_mount(self) -> None:
        self.table.order = "-recorded_at"
        self.table.focus()
        self.drafting.open_last()
        self.show_draft()
        self.choose_source()
        self.set_interval(1.0, self.follow_draft)
        self.get_ready()

    @work(thread=True, group="ready")
    def get_ready(self) -> None:
        """What the first pick needs and takes a moment to import."""
        self.drafting.redactor.redact("token: none")
        count_tokens([{"role": "user", "content": "x"}])

    def on_screen_resume(self) -> None:
        """Another screen may have picked a call, or marked other sessions."""
        if self.is_mounted and self.source:
            self.show_draft()
            self.lay_out()

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
        """The marked sessions, if there are any; else what mining suggests."""
        marked: dict[str, str] = {}
        try:
            with Catalog(self.home) as catalog:
                marked = kept_marks(catalog.library)
        except Trouble:
            pass
        self.app.call_from_thread(self.read_from, "marked" if marked else "mined")

    def action_from(self) -> None:
        self.app.push_screen(ChooseOne("Calls from", list(SOURCES.items()), self.source), self.read_chosen)

    def read_chosen(self, source: str | None) -> None:
        if source:
            self.read_from(source)

    def read_from(self, source: str) -> None:
        self.source = source
        self.entries, self.by_call = [], {}
        here, query = self.seen_on_sessions()
        self.lay_out()
        self.read(source, here, query)

    def seen_on_sessions(self) -> tuple[str, str]:
        """The session under the cursor of the sessions screen, and its filter."""
        from warm_tui.screens.sessions.screen import SessionsScreen

        for screen in self.app.screen_stack:
            if isinstance(screen, SessionsScreen):
                profile = screen.table.under_cursor
                return (profile.session_id if profile else ""), screen.asked
        return "", ""

    @work(thread=True, exclusive=True, group="candidates")
    def read(self, source: str, here: str, query: str) -> None:
        worker = get_current_worker()
        self.reading = True
        told = SHORT[source]
        try:
            with Catalog(self.home) as catalog:
                if source == "mined":
                    found = suggestions(catalog, Wanted(min_messages=10, max_sessions=200, most=SUGGESTED))
                    self.hand_over(found, told, first=True)
                    return
                profiles = chosen_profiles(catalog, source, here, query)
                pending: list[Entry] = []
                first, handed = True, time.monotonic()
                for at, entries in enumerate(
                    entries_of(catalog, profiles, lambda: worker.is_cancelled or not self.reading)
                ):
                    pending += entries
                    if time.monotonic() - handed > BATCH_SECONDS:
                        self.hand_over(
                            pending, f"{told}: {at + 1:,} of {len(profiles):,} read…", first=first, done=False
                        )
                        pending, first, handed = [], False, time.monotonic()
                self.hand_over(pending, f"{told}: {len(profiles):,} sessions", first=first)
        except Trouble as trouble:
            if not worker.is_cancelled:
                self.hand_over([], str(trouble), first=True)
        finally:
            if not worker.is_cancelled:
                self.reading = False

    def hand_over(self, entries: list[Entry], told: str, *, first: bool, done: bool = True) -> None:
        if not get_current_worker().is_cancelled:
            self.post_message(self.Found(entries, told, first=first, done=done))

    def on_curate_screen_found(self, message: Found) -> None:
        self.entries = message.entries if message.first else self.entries + message.entries
        self.by_call |= {entry.call: entry for entry in message.entries}
        self.told = message.told
        if message.done:
            # The worker that sent it may not have come to its own end yet.
            self.reading = False
        self.table.counts = shape_counts(self.entries)
        self.lay_out()
        if message.done:
            # Tens of thousands of calls stay as long as they are shown. Looked through for garbage again and again,
            # they would hold up a key for a tenth of a second each time.
            gc.freeze()

    def action_stop(self) -> None:
        self.reading = False

    # --- the table ---

    def lay_out(self) -> None:
        table = self.table
        lines = arranged(
            self.entries, self.asked, table.order, table.counts, every_outcome=self.every_outcome, folded=self.folded
        )
        was_on_heading = isinstance(table.under_cursor, Heading) or table.under_cursor is None
        table.marks = self.marks_of_picked()
        table.show(lines, now=time.time())
        if was_on_heading and table.cursor == 0 and len(lines) > 1 and lines[0].tool not in self.folded:  # type: ignore[union-attr]
            table.move(1)
        self.show_header()

    def marks_of_picked(self) -> dict[str, str]:
        return {f"{p.origin.session_id} {p.origin.call}": "picked" for p in self.drafting.draft.patterns}

    def show_header(self) -> None:
        shown = sum(isinstance(line, Entry) for line in self.table.rows)
        parts = [f"{shown:,} of {len(self.entries):,} calls", self.told or "Reading…"]
        if self.asked:
            parts.append(f"with {self.asked!r}")
        self.query_one("#header", Static).update(clean_line("  ·  ".join(parts)))
        empty = self.query_one("#empty", Static)
        empty.display = not self.table.rows
        if not self.table.rows:
            empty.update(self.why_empty())

    def why_empty(self) -> str:
        if not self.told or self.reading:
            return "Reading the calls…"
        if self.entries:
            return "No call matches.\n\nEscape clears the filter; t shows calls that failed, too."
        if self.source == "marked":
            return "No session is marked.\n\nMark some with space on screen 1,\nor choose with f where calls come from."
        if self.told.endswith("."):
            return f"{self.told}"
        return f"There are no calls: {self.told}.\n\nChoose with f where they come from."

    def on_line_table_highlighted(self, message: LineTable.Highlighted) -> None:
        self.stop_looking()
        if isinstance(message.row, DraftRow) and self.in_draft:
            self.view.show(pattern_detail(message.row))
        elif isinstance(message.row, Entry):
            self.look_soon()

    def on_line_table_opened(self) -> None:
        self.open_or_edit()

    def on_line_table_mark_asked(self) -> None:
        self.action_pick()

    def action_every_outcome(self) -> None:
        self.every_outcome = not self.every_outcome
        self.lay_out()

    def action_open(self) -> None:
        self.open_or_edit()

    def open_or_edit(self) -> None:
        """Enter does what is meant in the pane one is in."""
        if self.in_draft:
            self.edit()
            return
        row = self.table.under_cursor
        if isinstance(row, Heading):
            self.folded ^= {row.tool}
            self.lay_out()
        elif row is not None:
            self.read_whole(clean_line(row.candidate.call.tool_name), self.view.lines)

    # --- the call under the cursor, with the turns around it ---

    def look(self) -> None:
        entry = self.under_cursor
        if entry is not None:
            self.view.show(detail_of(entry, (), ()))
            self.look_around(entry)

    @work(thread=True, exclusive=True, group="look")
    def look_around(self, entry: Entry) -> None:
        try:
            with Catalog(self.home) as catalog:
                database, session = catalog.find(entry.candidate.call.session_id)
                items = transcript(database, session, whole_chain=False)
        except Trouble:
            return
        at = next(
            (at for at, item in enumerate(items) if item.call and item.call.key == entry.candidate.call.key), None
        )
        if at is not None and not get_current_worker().is_cancelled:
            lines = detail_of(entry, items[max(0, at - AROUND) : at], items[at + 1 : at + 1 + AROUND], items[at])
            self.post_message(self.Looked(entry.call, lines))

    def on_curate_screen_looked(self, message: Looked) -> None:
        entry = self.under_cursor
        if entry is not None and entry.call == message.call:
            self.view.show(message.lines)

    # --- picking ---

    def action_pick(self) -> None:
        entry = self.under_cursor
        if self.in_draft or entry is None:
            return
        at = drafts.picked(self.drafting.draft, entry.call)
        if at is not None:
            self.change(drafts.dropped(self.drafting.draft, at))
            return
        candidate = entry.candidate
        if candidate.verdict.outcome == "success":
            self.pick(candidate, entry.why or "picked by hand")
            self.table.action_cursor_down()
        else:
            self.ask_reason(candidate.verdict, lambda reason: self.pick(candidate, reason))

    def action_copy(self) -> None:
        entry = self.under_cursor
        if entry is not None:
            call = entry.candidate.call
            self.copy(f"{call.tool_name} {call.arguments}\n{call.result or ''}", "the call")

    def action_export(self) -> None:
        listed = [
            {
                "session_id": e.call[0],
                "call": e.call[1],
                "tool_name": e.candidate.call.tool_name,
                "arguments": e.candidate.arguments,
                "kind": e.candidate.verdict.kind,
                "why": e.why,
            }
            for e in self.table.rows
            if isinstance(e, Entry)
        ]
        self.save_export("calls.json", json.dumps(listed, indent=1))

    def on_descendant_focus(self) -> None:
        """What is told below belongs to the pane one is in."""
        if self.in_draft and self.chosen is not None:
            self.view.show(pattern_detail(self.chosen))
        elif isinstance(self.focused, CandidateTable):
            self.look()

    def action_other_pane(self) -> None:
        (self.table if isinstance(self.focused, DraftList) else self.draft_list).focus()

    def action_zoom(self) -> None:
        self.set_class(not self.has_class("zoomed"), "zoomed")
        self.set_class(self.in_draft, "zoomed-draft")

    def after_change(self) -> None:
        """Only the marks are others: the calls stand as they stood."""
        self.table.marks = self.marks_of_picked()
        self.table.redraw()

    @property
    def in_draft(self) -> bool:
        """An empty draft has nothing to act on: there the keys are those of the calls."""
        return isinstance(self.focused, DraftList) and bool(self.drafting.draft.patterns)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """The footer shows the keys of the pane one is in."""
        if action in ("edit", "drop", "move_down", "move_up", "join"):
            return self.in_draft
        if action in ("pick", "filter", "from", "open"):
            return not self.in_draft
        return True
