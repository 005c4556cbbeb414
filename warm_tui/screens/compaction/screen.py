"""What compaction did: the lives that were compacted, and the picture of the one under the cursor."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import HOW_TO_BEGIN, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import Examined, effects, glimpse, traced
from warm_tui.reliability.filters import only_words
from warm_tui.reliability.pooled import Effect, pooled
from warm_tui.reports.compaction import life_document, pooled_document
from warm_tui.reports.document import Document, Say
from warm_tui.screens.compaction.life_view import LifeView
from warm_tui.screens.compaction.table import EVERY_LIFE, LifeTable, arranged, usual_fields
from warm_tui.screens.shared.arranging import no_match
from warm_tui.screens.shared.detailed import Detailed
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.frame import NEVER_BESIDE
from warm_tui.screens.shared.listing import Listing
from warm_tui.screens.shared.opening import Opening
from warm_tui.screens.shared.reading import Reading
from warm_tui.screens.shared.rejudging import Rejudging
from warm_tui.screens.shared.reporting import Reporting
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.working import work

BATCH_SECONDS = 0.15
# Of a life of so many messages, what survived is told a moment later.
LONG_LIFE = 10_000


class CompactionScreen(Detailed, Listing, Following, Reading, Rejudging, Opening, Reporting, Screen[None]):
    """Every life that was compacted, one by one and together."""

    BINDINGS: ClassVar = actions.bindings("compaction")
    SCOPES = ("compaction", "timeline", "panes", "list", "app")
    MODE = "show-compaction"
    NEED_SOMETHING = (
        "open", "details", "filter", "sort_by", "next_worse", "report", "other_pane", "zoom",
    )  # fmt: skip
    DETAILS = "#impact"
    HORIZONTAL_BREAKPOINTS = NEVER_BESIDE
    REST_SECONDS = 0.04

    class LivesRead(Message):
        def __init__(self, lives: list[Effect], *, done: bool) -> None:
            self.lives, self.done = lives, done
            super().__init__()

    class LifeRead(Message):
        def __init__(self, session_id: str, document: Document, examined: Examined | None) -> None:
            self.session_id, self.document, self.examined = session_id, document, examined
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.lives: list[Effect] = []
        self.done = False
        self.loaded = False
        self.opening = ""
        self.wanted = ""
        self.life_read: CompactionScreen.LifeRead | None = None

    @cached_property
    def databases(self) -> FileWatch:
        return FileWatch(self.home.databases, state_of)

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(placeholder="words in the title, the id, the model or the verdict", check=only_words)
        with Container(id="compaction-panes"):
            yield LifeTable(id="lives")
            yield Divider()
            yield LifeView(id="impact")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.table.focus()
        self.lay_out()
        self.load()

    @property
    def table(self) -> LifeTable:
        return self.query_one(LifeTable)

    @property
    def view(self) -> LifeView:
        return self.query_one(LifeView)

    # --- all lives ---

    @work(thread=True, exclusive=True, group="lives")
    def load(self) -> None:
        worker = get_current_worker()
        self.done = False
        self.databases.note()
        self.note_verdicts()
        self.hand_on(self.lives_so_far(lambda: worker.is_cancelled))

    def lives_so_far(self, stopped: Callable[[], bool]) -> Iterator[LivesRead]:
        lives: list[Effect] = []
        handed = time.monotonic()
        with Catalog(self.home) as catalog:
            for effect in effects(catalog, stopped=stopped):
                lives.append(effect)
                if time.monotonic() - handed > BATCH_SECONDS:
                    yield self.LivesRead(list(lives), done=False)
                    handed = time.monotonic()
        yield self.LivesRead(lives, done=True)

    def follow(self) -> None:
        if self.done and self.databases.changed():
            self.load()

    def catch_up(self) -> None:
        super().catch_up()
        if self.done:
            self.read_again_if_judged()

    def read_again(self) -> None:
        self.load()

    def on_compaction_screen_lives_read(self, message: LivesRead) -> None:
        self.done = message.done
        # While a database is read again, what was shown stays until all has been read.
        if message.done or not self.loaded:
            self.lives, self.trouble = message.lives, ""
            self.loaded = self.loaded or message.done
            self.lay_out()
        if self.wanted and (self.move_to(self.wanted) or message.done):
            self.wanted = ""
        if message.done:
            self.look_soon()

    def show_trouble(self, why: Exception) -> None:
        self.done = True
        self.lay_out()
        if self.lives:
            self.life_read = None
            self.view.show_document(unreadable(why))

    def show_session(self, session_id: str) -> None:
        """Move the cursor to the life of a session, once it has been read."""
        self.wanted = session_id
        if self.is_mounted and self.move_to(session_id):
            self.wanted = ""

    def move_to(self, session_id: str) -> bool:
        rows = [(at, row) for at, row in enumerate(self.table.rows) if row.effect]
        own = [at for at, row in rows if row.session_id == session_id]
        among = [at for at, row in rows if row.effect and session_id in row.effect.impact.session_ids]
        for at in [*own, *among][:1]:
            self.table.move(at)
        return bool(own or among)

    def lay_out(self) -> None:
        table = self.table
        table.fields = usual_fields(self.lives)
        table.show(arranged(self.lives, self.filter_text, table.order), now=time.time())
        reading = "" if self.done else "  ·  reading…"
        matching = max(0, len(table.rows) - 1)
        header = f"{matching:,} of {plural(len(self.lives), 'session')}, compacted{reading}"
        header += f"  ·  {self.trouble}" if self.trouble else ""
        self.query_one("#header", Static).update(clean_line(header))
        self.show_empty("" if table.rows else self.why_empty())

    def why_empty(self) -> str:
        if self.trouble:
            return f"{self.trouble}\n\n{HOW_TO_BEGIN}"
        if not self.done:
            return "Looking for compactions…"
        if self.lives:
            return no_match("session", self.filter_text)
        return "No session was compacted.\n\nHermes compacts a session when its context grows too long."

    # --- the one under the cursor ---

    def on_line_table_highlighted(self) -> None:
        self.look_soon()

    def look(self) -> None:
        row = self.table.under_cursor
        if row is not None:
            self.look_at(row.session_id, [row.effect for row in self.table.rows if row.effect])

    @work(thread=True, exclusive=True, group="look")
    def look_at(self, session_id: str, lives: list[Effect]) -> None:
        examined = None
        try:
            if session_id == EVERY_LIFE:
                document = pooled_document(pooled(lives), lives)
            else:
                with Catalog(self.home) as catalog:
                    first = glimpse(catalog, session_id)
                if sum(map(len, first.life.messages)) > LONG_LIFE and not get_current_worker().is_cancelled:
                    self.post_message(self.LifeRead(session_id, life_document(first), None))
                examined = traced(first)
                document = life_document(examined)
        except Trouble as trouble:
            document = unreadable(trouble)
        if not get_current_worker().is_cancelled:
            self.post_message(self.LifeRead(session_id, document, examined))

    def on_compaction_screen_life_read(self, message: LifeRead) -> None:
        same = self.life_read is not None and self.life_read.session_id == message.session_id
        self.life_read = message
        self.view.show_document(message.document, keep=same)
        if self.opening == message.session_id and message.examined is not None:
            self.opening = ""
            self.action_open()

    def seen_now(self) -> LifeRead | None:
        """What was read of the row under the cursor, if it has been."""
        row, read = self.table.under_cursor, self.life_read
        return read if row is not None and read is not None and read.session_id == row.session_id else None

    def action_open(self) -> None:
        """What survived, of the life under the cursor; as soon as that has been read."""
        from warm_tui.screens.compaction.survival import SurvivalScreen

        row, read = self.table.under_cursor, self.seen_now()
        if row is None or row.session_id == EVERY_LIFE:
            self.notify("Move the cursor to one session: Enter shows what survived its compactions.", markup=False)
        elif read is not None and read.examined is not None:
            self.app.push_screen(SurvivalScreen(read.session_id, read.examined))
        else:
            self.opening = row.session_id

    def on_life_view_open_asked(self) -> None:
        self.action_open()

    def on_life_view_call_asked(self, message: LifeView.CallAsked) -> None:
        life = self.life_read.session_id if self.life_read is not None else ""
        self.open_call(message.call.session_id, message.call.key, life)

    def action_next_worse(self) -> None:
        """One key from "1 worse after" to the one that was; from the last of them to the first."""
        rows = self.table.rows
        worse = [at for at, row in enumerate(rows) if row.change is not None and row.change.verdict == "degraded"]
        if worse:
            self.table.move(next((at for at in worse if at > self.table.cursor), worse[0]))
        else:
            self.notify("No session was shown to be worse after compaction.", markup=False)

    def action_copy(self) -> None:
        row = self.table.under_cursor
        if row is not None and row.session_id:
            self.copy(row.session_id, clean_line(row.session_id))

    # --- reports ---

    def report(self) -> tuple[str, Document] | None:
        read = self.seen_now()
        if read is None:
            return None
        document = life_document(read.examined, whole=True) if read.examined else read.document
        return f"compaction-{read.session_id or 'all'}", document


def unreadable(why: Exception) -> Document:
    return Document("It cannot be read", [Say(str(why), "failed")])
