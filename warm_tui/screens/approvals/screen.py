"""What waits for a person's yes: shown whole, answered by a key, and below it the log of what was asked before."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection
from functools import cached_property, partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from warm_tui import actions
from warm_tui.approvals import operating
from warm_tui.approvals.model import HOUR, Request
from warm_tui.approvals.place import Place
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.presentation.approvals import answer_in_words
from warm_tui.presentation.lines import Line
from warm_tui.reliability.filters import only_words
from warm_tui.screens.approvals.editing_dialogue import EditingDialogue
from warm_tui.screens.approvals.table import LogTable, WaitingTable
from warm_tui.screens.approvals.waiting_list import (
    ApprovalsRead,
    Guard,
    OwnService,
    Waiting,
    arranged,
    entries_with,
    headline,
    lines_of,
    read,
    why_none_asked,
)
from warm_tui.screens.shared.arranging import no_match
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.forms import Confirm
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.reading import Reading
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.pieces_view import PiecesView
from warm_tui.widgets.working import work

ANSWERS = ("approve", "deny", "edit", "approve_in_session", "approve_by_rule", "open")


class ApprovalsScreen(Listing, Following, Reading, Screen[None]):
    BINDINGS: ClassVar = actions.bindings("approvals")
    SCOPES = ("approvals", "panes", "list", "app")
    MODE = "show-approvals"
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE

    class Read(Message):
        def __init__(self, read: ApprovalsRead) -> None:
            self.read = read
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.approvals: ApprovalsRead | None = None
        self.guard, self.service = Guard(), OwnService()
        self.shown_request = ""
        self.rules_added: list[int] = []

    @cached_property
    def files(self) -> FileWatch:
        place = Place.of(self.home)
        return FileWatch([place.database, place.running])

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in what waits, and in the log", check=only_words)
        with Container(id="approval-panes"):
            yield WaitingTable(id="waiting")
            yield Divider()
            with Vertical(id="approval"):
                yield PiecesView(id="action")
                yield LogTable(id="log")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.table.focus()
        self.lay_out()
        self.load()

    def on_unmount(self) -> None:
        self.service.end()

    @property
    def table(self) -> WaitingTable:
        return self.query_one(WaitingTable)

    @property
    def view(self) -> PiecesView:
        return self.query_one("#action", PiecesView)

    @property
    def log_table(self) -> LogTable:
        return self.query_one(LogTable)

    @property
    def of_no_use(self) -> Collection[str]:
        runs = self.approvals is not None and bool(self.approvals.running_at) and not self.service.runs
        nothing_there = ("other_pane", "filter") if self.why_empty() else ()
        return [*(() if self.table.rows else ANSWERS), *nothing_there, *(["start_service"] if runs else ())]

    @property
    def chosen(self) -> Request | None:
        row = self.table.under_cursor
        return row.request if row is not None else None

    # --- what there is ---

    def load(self) -> None:
        self.files.note()
        self.read_approvals()

    @work(thread=True, exclusive=True, group="approvals")
    def read_approvals(self) -> None:
        self.hand_on(self.Read(read(self.home)) for _ in range(1))

    def on_approvals_screen_read(self, message: Read) -> None:
        self.approvals, self.trouble = message.read, ""
        self.lay_out()

    def show_trouble(self, why: Exception) -> None:  # noqa: ARG002 - the headline tells it
        self.lay_out()

    def follow(self) -> None:
        if self.files.changed():
            self.load()
        elif self.table.rows:
            # Time goes on.
            self.lay_out()

    def lay_out(self) -> None:
        found, log = self.approvals, self.log_table
        waiting = arranged(found.waiting, self.filter_text) if found else []
        self.table.show(waiting, now=time.time())
        is_at_newest = log.cursor == 0
        log.show(entries_with(found.entries, self.filter_text) if found else [], now=time.time())
        if is_at_newest:
            log.move(0)
        self.refresh_bindings()
        self.query_one("#header", Static).update(clean_line(self.headline(waiting)))
        self.show_empty(self.why_empty())
        self.show_action(moved=False)

    def headline(self, waiting: list[Waiting]) -> str:
        if self.trouble or self.approvals is None:
            return self.trouble or "reading…"
        return headline(self.approvals, waiting)

    def why_empty(self) -> str:
        found = self.approvals
        if found is None:
            return self.trouble or "Looking for what waits…"
        if found.asked and (found.waiting or found.entries):
            matching = self.table.rows or self.log_table.rows or not self.filter_text
            return "" if matching else no_match("request, and no line of the log,", self.filter_text)
        return why_none_asked(found.running_at, ours=self.service.runs)

    # --- the one under the cursor ---

    def on_line_table_highlighted(self, message: WaitingTable.Highlighted) -> None:
        if isinstance(message.row, Waiting):
            self.show_action(moved=True)

    def show_action(self, *, moved: bool) -> None:
        request = self.chosen
        name = request.id if request else ""
        self.guard.stands(name, moved=moved)
        if name != self.shown_request or request is None:
            self.shown_request = name
            nothing: list[Line] = [[("Nothing waits.", "dim")]] if self.approvals is not None else []
            lines, margins = lines_of(request) if request else (nothing, [])
            self.view.show(lines, margins=margins)

    def note_what_is_seen(self, request: Request) -> None:
        view = self.view
        if self.shown_request == request.id and view.scroll_offset.y >= view.max_scroll_y:
            self.guard.seen_to_its_end(request.id)

    # --- what the operator does ---

    def action_approve(self) -> None:
        request = self.answerable()
        if request is not None:
            self.do(partial(self.approved, request))

    def action_deny(self) -> None:
        request = self.answerable()
        if request is None:
            return

        def answered(why: str | None) -> None:
            if why is not None:
                self.do(lambda: answer_in_words(operating.deny(self.home, request.id, reason=why.strip())))

        self.app.push_screen(Ask(f"No to {request.action}, because:"), answered)

    def action_edit(self) -> None:
        if (request := self.answerable()) is not None:
            EditingDialogue(self, request, self.do).begin()

    def action_approve_in_session(self) -> None:
        request = self.answerable()
        if request is None:
            return
        if not request.session_key:
            self.notify("It names no session: y says yes once, W makes a rule.", markup=False)
            return
        self.choose_rule(request, [("session", "in this session, until it is taken back")])

    def action_approve_by_rule(self) -> None:
        request = self.answerable()
        if request is not None:
            self.choose_rule(request, [("hour", "for an hour"), ("always", "until it is taken back")])

    def choose_rule(self, request: Request, choices: list[tuple[str, str]]) -> None:
        risk = ", even though it is high risk" if request.high_risk else ""
        options = [(name, f"Yes, and do not ask for {request.action} {how}{risk}") for name, how in choices]

        def chosen(name: str | None) -> None:
            if name:
                self.do(partial(self.approved, request, name))

        self.app.push_screen(ChooseOne(f"Yes to {request.action}", options), chosen)

    def approved(self, request: Request, scope: str = "once") -> str:
        said = answer_in_words(operating.approve(self.home, request.id))
        if scope == "once":
            return said
        rule = operating.add_rule(
            self.home, request.action, even_high_risk=request.high_risk, seconds=HOUR if scope == "hour" else None,
            session_key=request.session_key if scope == "session" else "",
        )  # fmt: skip
        self.rules_added.append(int(rule["number"]))
        return f"{said} Rule {rule['number']} lets it pass from now on; u takes that back."

    def action_undo_rule(self) -> None:
        if not self.rules_added:
            self.notify("No rule was made here: `warm-tui confirm whitelist` lists them.", markup=False)
            return

        number = self.rules_added.pop()

        def undone() -> str:
            try:
                operating.remove_rule(self.home, number)
            except Trouble:
                self.rules_added.append(number)
                raise
            return f"Rule {number} is taken back: it is asked for again."

        self.do(undone)

    def answerable(self) -> Request | None:
        """The one under the cursor, where it is sure that it is what was read."""
        request = self.chosen
        if request is None:
            self.notify("Nothing waits here.", markup=False)
            return None
        self.note_what_is_seen(request)
        hindrance = self.guard.hindrance(request.id)
        if hindrance:
            self.notify(hindrance, severity="warning", markup=False)
            if "below" in hindrance:
                self.view.focus()
            return None
        return request

    def action_start_service(self) -> None:
        """Once more, it is stopped; one that was started elsewhere is not ours to stop."""
        if self.service.runs:
            self.ask_to_stop()
            return
        if self.approvals is not None and self.approvals.running_at:
            self.notify(f"It runs already, at {self.approvals.running_at}.", markup=False)
            return
        self.do(lambda: f"The service runs at {self.service.start(self.home)}, until you leave.")

    def ask_to_stop(self) -> None:
        def stopped() -> str:
            self.service.end()
            return "The service is stopped; s starts it again."

        def answered(yes: bool | None) -> None:
            if yes:
                self.do(stopped)

        text = "Until it runs again, nobody who asks here is answered."
        self.app.push_screen(Confirm("Stop the service?", text, "Stop it"), answered)

    @work(thread=True, group="answering")
    def do(self, act: Callable[[], str]) -> None:
        try:
            said, wrong = act(), ""
        except Trouble as trouble:
            said, wrong = "", str(trouble)
        self.app.call_from_thread(self.done, said, wrong)

    def done(self, said: str, wrong: str) -> None:
        if wrong:
            self.say_wrong(wrong)
        else:
            self.notify(clean_line(said), markup=False)
        self.load()

    def action_open(self) -> None:
        request = self.chosen
        if request is not None and request.session_key:
            self.open_session(request.session_key)
        else:
            self.notify("It names no session.", markup=False)

    @work(thread=True, exclusive=True, group="open-session")
    def open_session(self, session_id: str) -> None:
        from warm_tui.screens.transcript.screen import TranscriptScreen

        try:
            with Catalog(self.home) as catalog:
                profile = catalog.profile(session_id)
        except Trouble as trouble:
            self.app.call_from_thread(self.say_wrong, str(trouble))
            return
        self.app.call_from_thread(self.app.push_screen, TranscriptScreen(profile))

    def action_other_pane(self) -> None:
        panes = [self.table, self.view, self.log_table]
        at = next((at for at, pane in enumerate(panes) if pane.has_focus), len(panes) - 1)
        panes[(at + 1) % len(panes)].focus()

    def action_export(self) -> None:
        rows = list(self.log_table.rows)
        self.save_export("approvals.json", json.dumps({"count": len(rows), "entries": rows}, indent=1))

    def action_copy(self) -> None:
        if self.chosen is not None:
            self.copy(self.chosen.id, f"the id of {self.chosen.action}")
