"""The table of sessions, and the profile of the one under the cursor."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from warm_tui import actions
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.grouped_rows import GroupedRows
from warm_tui.library.marks import opinions_in
from warm_tui.library.rows import Chosen, Group, Rows
from warm_tui.presentation.lines import whole_parts
from warm_tui.presentation.totals import group_name, totals_in_words
from warm_tui.reliability.filters import Filter
from warm_tui.reliability.profile import Profile, public
from warm_tui.reliability.totals import public_totals
from warm_tui.screens.sessions.profile_pane import ProfilePane
from warm_tui.screens.sessions.session_list import SessionList
from warm_tui.screens.sessions.table import SessionTable, order_in_words
from warm_tui.screens.sessions.visited import Visited
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.following import Following
from warm_tui.screens.shared.library_work import LibraryWork
from warm_tui.screens.shared.marks import SavedMarks
from warm_tui.screens.shared.own_verdicts import OwnVerdicts
from warm_tui.sessions.elsewhere import away_in_words
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.working import work


class SessionsScreen(Visited, Following, OwnVerdicts, LibraryWork, Screen[None]):
    """Browse, sort, filter, mark."""

    BINDINGS: ClassVar = actions.bindings("sessions")
    SCOPES = ("sessions", "panes", "list", "app")
    MODE = "show-sessions"

    def __init__(self) -> None:
        super().__init__()
        self.sessions = SessionList()

    @cached_property
    def databases(self) -> FileWatch:
        return FileWatch(self.home.databases, state_of)

    @cached_property
    def library(self) -> FileWatch:
        return FileWatch([self.home.library])

    def compose(self) -> ComposeResult:
        yield from self.top()
        yield FilterBar(self.sessions.values_of)
        with Container(id="panes"):
            yield SessionTable(id="sessions")
            yield Divider()
            yield ProfilePane(lambda: self.home, id="profile")
            yield self.empty()
        yield from self.below()

    def on_mount(self) -> None:
        self.show_as_chosen()
        self.query_one(FilterBar).show(self.filter_text)
        self.table.focus()
        self.load()

    @property
    def table(self) -> SessionTable:
        return self.query_one(SessionTable)

    @property
    def view(self) -> ProfilePane:
        return self.query_one(ProfilePane)

    @property
    def under_cursor_id(self) -> str:
        """The session that is looked at; empty where there is none."""
        profile = self.table.profile
        return profile.session_id if profile else ""

    # --- following the databases, and the library in which another instance may set a verdict ---

    def follow(self) -> None:
        if self.home.fleet:
            self.look_who_is_away()
        if self.sessions.feeding:
            return
        if self.databases.changed():
            self.load()
        elif self.library.changed():
            self.library.note()
            self.ask_library()

    @work(thread=True, exclusive=True, group="away")
    def look_who_is_away(self) -> None:
        """Machines come and go, and time passes, also where no session changes."""
        told = away_in_words(self.home.databases, time.time())
        if told != self.sessions.away:
            self.sessions.away = told
            self.app.call_from_thread(self.show_header)

    @work(thread=True, exclusive=True, group="library")
    def ask_library(self) -> None:
        """An experiment writes to it all the time: the table is read again only where verdicts or marks are others."""
        with suppress(Trouble), open_library(self.home.library) as library:
            if opinions_in(library) != self.opinions:
                self.app.call_from_thread(self.load)

    def show_rows(self, rows: Rows | Chosen, now: float) -> None:
        self.marks.settle_in(self.sessions.profiles)
        self.marks.put_on_lives(self.sessions.profiles.life_of)
        self.table.marks = self.marks.by_session
        self.table.show(self.sessions.with_headings(rows), now=now)
        if self.go_to_top:
            self.go_to_top = False
            self.table.move(0)
        self.show_header()
        self.show_profile()

    def show_header(self) -> None:
        table, sessions = self.table, self.sessions
        header = self.query_one("#header", Static)
        seen = table.scroll_offset.y, table.page_height
        by, counts = order_in_words(table.order, sessions.grouping), self.marks.counts(sessions)
        text = sessions.headline(self.home.databases, table.rows, *seen, counts, by)
        if by not in whole_parts(text, header.size.width):
            text = text.replace(f"  ·  {by}", f" · {order_in_words(table.order, sessions.grouping, short=True)}")
        if sessions.away not in whole_parts(text, header.size.width):
            text = f"{sessions.away_in_short}  ·  {text}"
        # It is one line, whatever it says: the screen need not be laid out anew for it.
        header.update(text, layout=False)
        self.show_empty("" if table.rows else sessions.why_empty())

    # --- the profile ---

    def on_line_table_highlighted(self) -> None:
        """The cursor is painted at once; what is under it is told when it rests."""
        self.sessions.looked_at = self.under_cursor_id
        self.view.wait_with_detail()
        self.look_soon()

    def look(self) -> None:
        self.show_header()
        self.show_profile()
        self.view.read_detail_soon()

    def show_profile(self) -> None:
        row, profile = self.table.under_cursor, self.table.profile
        told = ""
        if isinstance(row, Group):
            told = "\n".join([group_name(row.name, self.sessions.grouping), "", *totals_in_words(row.totals)])
        waiting = profile is not None and profile.session_id in self.table.pending
        self.view.show_profile(profile, waiting=waiting, instead=told)

    # --- what the operator does ---

    def action_open(self) -> None:
        from warm_tui.screens.transcript.screen import TranscriptScreen

        row = self.table.under_cursor
        if isinstance(row, Group):
            self.fold(row)
        elif row is not None:
            self.app.push_screen(TranscriptScreen(row), lambda _: self.verdicts_changed())

    def verdicts_changed(self) -> None:
        self.view.forget_detail()
        self.load()

    def action_outcome(self) -> None:
        from warm_tui.screens.sessions.outcome_dialogue import OutcomeDialogue

        row = self.table.under_cursor
        if isinstance(row, Profile) and row.machine:
            self.notify(f"What came of sessions of {row.machine} is said there.", markup=False)
        elif isinstance(row, Profile):
            OutcomeDialogue(self, row).open()

    def library_changed(self) -> None:
        self.load()

    def filter_chosen(self) -> None:
        if not self.is_visited:
            self.remember(filter=self.filter_text)

    def set_filter(self, text: str) -> None:
        self.sessions.set_filter(text)
        if self.sessions.filter.texts:
            self.look_for_text(self.sessions.filter)
        super().set_filter(text)

    @work(thread=True, exclusive=True, group="text")
    def look_for_text(self, query: Filter) -> None:
        try:
            with Catalog(self.home) as catalog:
                sessions_with_text = catalog.with_text(query)
        except Trouble:
            return
        if not get_current_worker().is_cancelled:
            self.sessions.sessions_with_text = sessions_with_text
            self.app.call_from_thread(self.lay_out)

    def action_clear(self) -> None:
        if self.is_visited:
            self.go_back()
        elif self.filter_text:
            self.set_filter("")
            self.remember(filter="")
        else:
            self.marks.unmark_all()
            self.marks_changed()

    def action_show_parts(self) -> None:
        self.set_filter(self.sessions.with_parts_or_without())
        self.filter_chosen()

    # --- marking ---

    def take_marks(self, saved: SavedMarks) -> None:
        self.marks.take(saved)
        self.show_marks()

    def show_marks(self) -> None:
        self.table.marks = self.marks.by_session
        if self.table.rows:
            self.table.redraw()
            self.show_header()

    def marks_changed(self) -> None:
        self.show_marks()
        if self.marks.unsaved:
            self.save_marks()

    @work(thread=True, group="marks")
    def save_marks(self) -> None:
        try:
            self.marks.save(self.home)
        except (Trouble, sqlite3.Error) as error:
            sentence = f"The marks are not kept on disk: {error}"
            self.app.call_from_thread(self.notify, clean_line(sentence), severity="warning", markup=False)

    @property
    def shown_ids(self) -> list[str]:
        """Marks are on lives, also where their parts are shown."""
        return list(dict.fromkeys(self.table.rows.lives))

    def on_line_table_mark_asked(self, message: SessionTable.MarkAsked) -> None:
        message.table.move(message.at)
        group = self.table.under_cursor
        if isinstance(group, Group) and not message.up_to:
            self.fold(group)
        else:
            self.mark(up_to=message.up_to)

    def on_session_table_range_marked(self, message: SessionTable.RangeMarked) -> None:
        self.mark_all(message.lives)

    def mark(self, *, up_to: bool) -> None:
        """A group's name stands for all that is of it."""
        lives, shown = self.lives_under_cursor, self.shown_ids
        if up_to and lives:
            self.marks.mark_up_to(shown, shown.index(lives[-1]))
        elif isinstance(self.table.under_cursor, Group):
            self.marks.mark_all(lives)
        elif lives:
            self.marks.toggle(lives[0])
        self.marks_changed()

    def mark_all(self, lives: Sequence[str]) -> None:
        self.marks.mark_all(lives)
        self.marks_changed()

    @property
    def lives_under_cursor(self) -> Sequence[str]:
        row = self.table.under_cursor
        if isinstance(row, Group):
            rows = self.table.rows
            return list(dict.fromkeys(rows.lives_of(row))) if isinstance(rows, GroupedRows) else []
        return [row.life] if row is not None else []

    def action_mark(self) -> None:
        self.mark(up_to=False)
        self.table.action_cursor_down()

    def action_mark_up_to(self) -> None:
        self.mark(up_to=True)
        self.table.action_cursor_down()

    def action_mark_all(self) -> None:
        self.mark_all(self.shown_ids)

    def action_undo_mark(self) -> None:
        if self.marks.undo():
            self.marks_changed()
        else:
            self.notify("There is no marking to take back.", markup=False)

    def action_mark_warm(self) -> None:
        self.put_in_arm("warm")

    def action_mark_cold(self) -> None:
        self.put_in_arm("cold")

    def put_in_arm(self, arm: str) -> None:
        """Of the one under the cursor on to the next, as after a mark."""
        under = self.lives_under_cursor
        put = self.marks.put_in_arm(arm, self.shown_ids, under)
        self.marks_changed()
        if under and put == under:
            self.table.action_cursor_down()

    # --- lineage ---

    def action_walk_lineage(self) -> None:
        self.walk_to(self.sessions.parents_of, "This session came from no other.")

    def action_walk_to_heir(self) -> None:
        self.walk_to(self.sessions.heirs_of, "No session came from this one.")

    def walk_to(self, relatives_of: Callable[[Profile], list[str]], without_any: str) -> None:
        profile = self.table.profile
        if profile is None:
            return
        relatives = relatives_of(profile)
        at = self.sessions.row_of(relatives, self.table.rows)
        if at is not None:
            self.table.move(at)
        else:
            self.notify(self.sessions.why_not_shown(relatives) if relatives else without_any, markup=False)

    # --- the rest ---

    def action_zoom(self) -> None:
        super().action_zoom()
        self.call_after_refresh(self.show_profile)

    def action_stop(self) -> None:
        self.sessions.stopped = not self.sessions.stopped
        if not self.sessions.stopped:
            self.load()
        self.show_header()

    def action_copy(self) -> None:
        if self.under_cursor_id:
            self.copy(self.under_cursor_id, clean_line(self.under_cursor_id))

    def action_export(self) -> None:
        rows = self.table.rows
        profiles = rows.chosen if isinstance(rows, GroupedRows) else rows
        listed = [public(profile) for profile in profiles]
        document = {"total": len(listed), "totals": public_totals(rows.totals), "sessions": listed}
        self.save_export("sessions.json", json.dumps(document, indent=1))

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_header)
        self.call_after_refresh(self.show_profile)

    def on_line_table_scrolled(self) -> None:
        self.show_header()
