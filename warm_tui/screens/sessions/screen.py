"""The table of sessions, and the profile of the one under the cursor."""

from __future__ import annotations

import gc
import json
import time
from collections import Counter
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import NEWEST_FIRST, Catalog
from warm_tui.library.feed import Batch, feed
from warm_tui.library.marks import kept_marks, opinions_in
from warm_tui.reliability.filters import Filter, check_order, parse_filter, sort_profiles
from warm_tui.reliability.profile import Profile, public
from warm_tui.screens.sessions.lineage import Walking
from warm_tui.screens.sessions.marking import Marking
from warm_tui.screens.sessions.profile_pane import Detail, ProfilePane
from warm_tui.screens.sessions.saved_filters import SavedFilters
from warm_tui.screens.sessions.table import FIELD_BY_NAME, FIELDS, SessionTable
from warm_tui.screens.shared.choose import ChooseOne, ChooseSome
from warm_tui.screens.shared.following import Following
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.filter_bar import FilterBar

FOLLOW_SECONDS = 1.0
REST_SECONDS = 0.04
LOOK_SECONDS = 0.1
LARGE = 1_000


class SessionsScreen(Following, Marking, SavedFilters, Walking, Screen[None]):
    """Browse, sort, filter, mark."""

    BINDINGS: ClassVar = actions.bindings("sessions")
    SCOPES = ("sessions", "list", "app")
    MODE = "show-sessions"

    class Fed(Message):
        """A part of the table has arrived. The newest replaces what has not been shown yet."""

        def __init__(self, batch: Batch) -> None:
            self.batch = batch
            super().__init__()

    class Looked(Message):
        def __init__(self, detail: Detail) -> None:
            self.detail = detail
            super().__init__()

    class Failed(Message):
        def __init__(self, sentence: str) -> None:
            self.sentence = sentence
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.everything: list[Profile] = []
        self.places: dict[str, int] = {}
        self.total = 0
        self.trouble = ""
        self.filter = Filter()
        self.asked = ""
        self.with_text: dict[str, set[str]] = {}
        self.detail: Detail | None = None
        self.stopped = False
        self.is_set_aside = False
        self._look_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(self.values_of)
        with Container(id="panes"):
            yield SessionTable(id="sessions")
            yield ProfilePane(id="profile")
            yield Static("", id="empty", markup=False)
        yield Footer()
        yield self.too_small()

    def on_mount(self) -> None:
        config = self.choices
        table = self.table
        try:
            table.order = check_order(config.text("sort", NEWEST_FIRST))
            self.asked = config.text("filter")
            self.filter = parse_filter(self.asked)
        except Trouble:
            table.order, self.asked, self.filter = NEWEST_FIRST, "", Filter()
        named = [FIELD_BY_NAME[name] for name in config.texts("columns") if name in FIELD_BY_NAME]
        table.fields = tuple(named) or FIELDS
        self.query_one(FilterBar).show(self.asked)
        table.focus()
        self.load()
        self.set_interval(FOLLOW_SECONDS, self.follow)

    # --- loading, in a thread of its own ---

    @work(thread=True, exclusive=True, group="feed")
    def load(self) -> None:
        worker = get_current_worker()
        self.feeding = True
        try:
            self.seen_files = self.files_now()
            with Catalog(self.home) as catalog:
                self.with_text = catalog.with_text(self.filter)
                self.opinions = opinions_in(catalog.library)
                self.post_message(self.MarksRead(kept_marks(catalog.library)))
                for batch in feed(catalog, self.wanted, lambda: worker.is_cancelled or self.stopped):
                    if worker.is_cancelled:
                        return
                    self.post_message(self.Fed(batch))
        except Trouble as trouble:
            if not worker.is_cancelled:
                self.post_message(self.Failed(str(trouble)))
        finally:
            if not worker.is_cancelled:
                self.feeding = False

    def wanted(self) -> str:
        """The session that is looked at."""
        profile = self.table.under_cursor
        return profile.session_id if profile else ""

    def on_sessions_screen_fed(self, message: Fed) -> None:
        batch, table = message.batch, self.table
        self.total, self.trouble = batch.total, ""
        if batch.rows is not None:
            self.everything = list(batch.rows)
            self.detail = None
            self.places = {profile.session_id: at for at, profile in enumerate(self.everything)}
            self.set_aside()
        if batch.pending is not None:
            table.pending = batch.pending
        for profile in batch.profiles:
            at = self.places.get(profile.session_id)
            if at is not None:
                self.everything[at] = profile
            table.pending.discard(profile.session_id)
        self.lay_out()

    def set_aside(self) -> None:
        """A large table stays: looked through for garbage again and again, it would hold up a key for 50 ms each time.

        Once, because what is set aside is never looked through any more.
        """
        if len(self.everything) >= LARGE and not self.is_set_aside:
            self.is_set_aside = True
            gc.freeze()

    def on_sessions_screen_failed(self, message: Failed) -> None:
        self.trouble = message.sentence
        if self.everything:
            self.notify(message.sentence, severity="error", markup=False)
        self.lay_out()

    def lay_out(self) -> None:
        """What matches, in order. Pure: the same everything gives the same table."""
        table, now = self.table, time.time()
        shown = self.everything
        if self.filter.terms:
            shown = [p for p in shown if self.filter.meets(p, now, self.with_text)]
        if table.order != NEWEST_FIRST:
            shown = sort_profiles(shown, table.order)
        table.show(shown, now=now)
        self.show_header()
        self.show_profile()

    def show_header(self) -> None:
        table = self.table
        shown, waiting = len(table.rows), len(table.pending)
        parts = [
            f"{self.home.databases[0]}"
            + (f" and {len(self.home.databases) - 1} more" if self.home.databases[1:] else "")
        ]
        height = max(1, table.size.height - 1)
        top = table.scroll_offset.y
        window = f"{top + 1 if shown else 0:,}–{min(shown, top + height):,} of {shown:,}"
        parts.append(window + (f" (of {self.total:,})" if self.filter.terms else ""))
        if waiting or self.stopped:
            parts.append(f"{self.total - waiting:,} profiled{', stopped' if self.stopped else '…'}")
        counts = Counter(mark for session_id, mark in table.marks.items() if session_id in self.places)
        if counts:
            parts.append(", ".join(f"{counts[mark]} {mark}" for mark in ("marked", "warm", "cold") if counts[mark]))
        order = table.order
        parts.append(f"by {order.lstrip('-')} {'▼' if order.startswith('-') else '▲'}")
        if self.trouble:
            parts.insert(1, self.trouble)
        self.query_one("#header", Static).update("  ·  ".join(parts))
        empty = self.query_one("#empty", Static)
        empty.display = not shown
        if not shown:
            empty.update(self.why_empty())

    def why_empty(self) -> str:
        if self.trouble:
            return f"{self.trouble}\n\nStart with --db FILE to name a database, or with --demo to see a sample."
        if self.feeding and not self.everything:
            return "Reading the sessions…"
        if self.filter.terms:
            return f"No session matches {self.asked!r}.\n\nEscape clears the filter; / changes it."
        return "No session has been recorded yet.\n\nRun Hermes once, or start with --demo to see a sample."

    # --- the profile ---

    def on_line_table_highlighted(self) -> None:
        """The cursor is painted at once; what is under it is told when it rests."""
        if self._look_timer is not None:
            self._look_timer.stop()
        self._look_timer = self.set_timer(REST_SECONDS, self.rest)

    def rest(self) -> None:
        self.show_header()
        self.show_profile()
        self._look_timer = self.set_timer(LOOK_SECONDS, self.look)

    def show_profile(self) -> None:
        profile = self.table.under_cursor
        waiting = profile is not None and profile.session_id in self.table.pending
        self.query_one(ProfilePane).show(profile, self.detail, waiting=waiting)

    def look(self) -> None:
        profile = self.table.under_cursor
        if profile is not None and (self.detail is None or self.detail.session_id != profile.session_id):
            self.look_at(profile.session_id)

    @work(thread=True, exclusive=True, group="look")
    def look_at(self, session_id: str) -> None:
        worker = get_current_worker()
        try:
            with Catalog(self.home) as catalog:
                session, life, calls = catalog.life(session_id)
        except Trouble:
            return
        if not worker.is_cancelled:
            own = [call for call in calls if call[0].session_id == session.id]
            self.post_message(self.Looked(Detail(session_id, own, life.sessions)))

    def on_sessions_screen_looked(self, message: Looked) -> None:
        self.detail = message.detail
        self.show_profile()

    # --- what the operator does ---

    def on_line_table_opened(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        from warm_tui.screens.transcript.screen import TranscriptScreen

        profile = self.table.under_cursor
        if profile is not None:
            self.app.push_screen(TranscriptScreen(profile), lambda _: self.reload_after_verdicts())

    def reload_after_verdicts(self) -> None:
        self.detail = None
        self.load()

    def action_filter(self) -> None:
        self.query_one(FilterBar).open(self.asked)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        if message.query != self.asked:
            self.set_filter(message.query)
        if message.done:
            self.table.focus()
            self.query_one(FilterBar).close(self.asked)
            self.remember(filter=self.asked)

    def set_filter(self, query: str) -> None:
        self.filter = parse_filter(query)
        self.asked = query
        self.query_one(FilterBar).show(query)
        if self.filter.texts:
            self.look_for_text(self.filter)
        self.lay_out()

    @work(thread=True, exclusive=True, group="text")
    def look_for_text(self, wanted: Filter) -> None:
        try:
            with Catalog(self.home) as catalog:
                found = catalog.with_text(wanted)
        except Trouble:
            return
        if not get_current_worker().is_cancelled:
            self.with_text = found
            self.app.call_from_thread(self.lay_out)

    def values_of(self, field: str) -> list[str]:
        """What can be completed behind `field:`."""
        found: Callable[[Profile], list[str]] | None = {
            "source": lambda p: [p.source],
            "model": lambda p: [p.model or ""],
            "tool": lambda p: list(p.tool_distribution),
            "kind": lambda p: list(p.kinds),
            "type": lambda p: [p.task_type, p.dominant_tool_type],
            "relation": lambda p: [p.relation],
        }.get(field)
        return sorted({value for p in self.everything for value in found(p) if value}) if found else []

    def action_clear(self) -> None:
        if self.asked:
            self.set_filter("")
            self.remember(filter="")
        else:
            self.unmark_all()

    def sort(self, order: str) -> None:
        self.table.order = order
        self.remember(sort=order)
        self.lay_out()
        self.table.move(0)

    def on_line_table_sort_asked(self, message: SessionTable.SortAsked) -> None:
        down = f"-{message.field}"
        self.sort(message.field if self.table.order == down else down)

    def action_sort_by(self) -> None:
        options = [(field.name, field.title if field.name != "error_rate_high" else "upper bound") for field in FIELDS]
        by = self.table.order.lstrip("-")
        self.app.push_screen(ChooseOne("Sort by", options, by), self.sort_down)

    def sort_down(self, field: str | None) -> None:
        if field:
            self.sort(f"-{field}")

    def action_reverse(self) -> None:
        order = self.table.order
        self.sort(order[1:] if order.startswith("-") else f"-{order}")

    def action_choose_columns(self) -> None:
        options = [(field.name, field.title if field.name != "error_rate_high" else "interval") for field in FIELDS]
        chosen = [field.name for field in self.table.fields]
        self.app.push_screen(ChooseSome("Columns", options, chosen), self.set_columns)

    def set_columns(self, names: list[str] | None) -> None:
        if names:
            self.table.fields = tuple(field for field in FIELDS if field.name in names)
            self.remember(columns=names)
            self.table.redraw()

    # --- the rest ---

    def action_zoom(self) -> None:
        self.toggle_class("zoomed")
        (self.query_one(ProfilePane) if self.has_class("zoomed") else self.table).focus()
        self.call_after_refresh(self.show_profile)

    def action_stop(self) -> None:
        self.stopped = not self.stopped
        if not self.stopped:
            self.load()
        self.show_header()

    def action_copy(self) -> None:
        profile = self.table.under_cursor
        if profile is not None:
            self.copy(profile.session_id, clean_line(profile.session_id))

    def action_export(self) -> None:
        listed = [public(profile) for profile in self.table.rows]
        self.save_export("sessions.json", json.dumps({"total": len(listed), "sessions": listed}, indent=1))

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_header)
        self.call_after_refresh(self.show_profile)

    def on_line_table_scrolled(self) -> None:
        self.show_header()
