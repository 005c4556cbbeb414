"""How the table of sessions is filled: read in a thread of its own, and laid out as parts of it arrive."""

from __future__ import annotations

import gc
import time
from abc import abstractmethod
from collections.abc import Iterable
from threading import Event
from typing import NamedTuple

from textual.message import Message
from textual.worker import get_current_worker

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import Batch, feed
from warm_tui.library.marks import Opinions, opinions_in
from warm_tui.library.rows import Chosen, Rows
from warm_tui.reliability.filters import Filter
from warm_tui.screens.sessions.profile_pane import ProfilePane
from warm_tui.screens.sessions.session_list import SessionList
from warm_tui.screens.sessions.table import SessionTable, usual_fields
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.shared.marks import SavedMarks
from warm_tui.widgets.working import work

VERY_LARGE = 20_000
"""So many are never arranged while a key waits."""
PATIENCE = 1.0
SHARE = 10
"""A table that takes long to arrange is arranged so much more seldom, for keys to come between."""
LEAST_SECONDS = 0.1


class Wanted(NamedTuple):
    """What the table is arranged by."""

    rows: Rows
    order: str
    filter: Filter
    grouping: str


class Feeding(Frame):
    class Fed(Message):
        """A part of the table has arrived. The newest replaces what has not been shown yet."""

        def __init__(self, batch: Batch) -> None:
            self.batch = batch
            super().__init__()

    class Failed(Message):
        def __init__(self, sentence: str) -> None:
            self.sentence = sentence
            super().__init__()

    class Arranged(Message):
        def __init__(self, wanted: Wanted, rows: Rows | Chosen, now: float, seconds: float) -> None:
            self.wanted, self.rows, self.now, self.seconds = wanted, rows, now, seconds
            super().__init__()

    sessions: SessionList
    opinions: Opinions | None = None
    _catalog: Catalog | None = None
    has_own_columns = False
    """Somebody chose which are shown."""
    _told_unread = ""
    _arranging = False
    _changed_meanwhile = False

    def __init__(self) -> None:
        super().__init__()
        self._painted = Event()
        """The first rows are."""

    @property
    @abstractmethod
    def databases(self) -> FileWatch: ...

    @property
    @abstractmethod
    def library(self) -> FileWatch: ...

    @property
    @abstractmethod
    def table(self) -> SessionTable: ...

    @property
    @abstractmethod
    def view(self) -> ProfilePane: ...

    @abstractmethod
    def take_marks(self, saved: SavedMarks) -> None: ...

    @abstractmethod
    def show_rows(self, rows: Rows | Chosen, now: float) -> None: ...

    @abstractmethod
    def show_header(self) -> None: ...

    @work(thread=True, exclusive=True, group="feed")
    def load(self) -> None:
        worker = get_current_worker()

        def no_more() -> bool:
            return worker.is_cancelled or self.sessions.stopped

        self.sessions.feeding = True
        try:
            self.databases.note()
            self.library.note()
            with Catalog(self.home) as catalog:
                self.sessions.sessions_with_text = catalog.with_text(self.sessions.filter)
                self._catalog = catalog
                left, before = (lambda: worker.is_cancelled), self.sessions.profiles or None
                if anew := before is not None:
                    self.read_opinions(catalog)
                for batch in feed(catalog, lambda: self.sessions.looked_at, no_more, left, before):
                    if worker.is_cancelled:
                        return
                    self.sessions.unread, self.sessions.away = next(iter(catalog.unread), ""), catalog.away
                    self.post_message(self.Fed(batch))
                    if not anew:
                        # A library may have to be made, which takes longer than all before: rows come first.
                        anew = True
                        self._painted.wait(PATIENCE)
                        self.read_opinions(catalog)
        except Trouble as trouble:
            if not worker.is_cancelled:
                self.post_message(self.Failed(str(trouble)))
        finally:
            self._catalog = None
            if not worker.is_cancelled:
                self.sessions.feeding = False

    def read_opinions(self, catalog: Catalog) -> None:
        self.opinions = opinions_in(catalog.library)
        self.call_later(self.take_marks, self.marks.read(catalog.library))

    def on_feeding_fed(self, message: Fed) -> None:
        if self.sessions.unread not in ("", self._told_unread):
            self.notify(self.sessions.unread, severity="warning", markup=False)
        self._told_unread = self.sessions.unread
        if not self.sessions.profiles:
            # The app stands: looked through for garbage again and again, all of it would hold up a key for 50 ms.
            gc.freeze()
            self.call_after_refresh(self._painted.set)
        self.sessions.take(message.batch)
        self.table.pending = self.sessions.pending
        self.table.is_filling = bool(self.sessions.pending)
        if message.batch.rows is not None:
            self.view.forget_detail()
            self.lay_out()
        elif self.sessions.stand_as_they_came(self.table.order):
            self.show_profiled(message.batch.places)
        elif self.sessions.is_quick(self.table.order):
            self.lay_out()
        else:
            self.arrange_soon()

    def show_profiled(self, places: Iterable[int]) -> None:
        """Where rows stand as they came, only those that are seen are others now."""
        seen = self.table.seen
        if any(place in seen for place in places):
            self.lay_out()
        else:
            self.show_header()
            self.table.refresh_totals()

    def lay_out(self) -> None:
        now, order = time.time(), self.table.order
        if not self.has_own_columns:
            self.table.fields = usual_fields(self.sessions.profiles.words)
        if len(self.sessions.profiles) < VERY_LARGE or self.sessions.stand_as_they_came(order):
            self.show_rows(self.sessions.shown(order, now), now)
        else:
            self.arrange_now()

    def on_feeding_failed(self, message: Failed) -> None:
        self.sessions.trouble = message.sentence
        if self.sessions.profiles:
            self.notify(message.sentence, severity="error", markup=False)
        self.lay_out()

    def on_unmount(self) -> None:
        """Nobody waits for what is being read or arranged."""
        self.sessions.left = True
        if self._catalog is not None:
            self._catalog.interrupt()

    # --- a large table is sorted and filtered anew beside the screen ---

    @property
    def wanted(self) -> Wanted:
        sessions = self.sessions
        return Wanted(sessions.profiles, self.table.order, sessions.filter, sessions.grouping)

    def arrange_soon(self) -> None:
        self._changed_meanwhile = True
        if not self._arranging:
            self._arranging, self._changed_meanwhile = True, False
            self.sort_and_filter(self.wanted)

    def arrange_now(self) -> None:
        """It is asked for, and does not wait for its turn."""
        self._arranging, self._changed_meanwhile = True, False
        self.show_header()
        self.sort_and_filter(self.wanted)

    @work(thread=True, exclusive=True, group="arrange")
    def sort_and_filter(self, wanted: Wanted) -> None:
        began, now, worker = time.perf_counter(), time.time(), get_current_worker()
        rows = self.sessions.shown(wanted.order, now, lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.post_message(self.Arranged(wanted, rows, now, time.perf_counter() - began))

    def on_feeding_arranged(self, message: Arranged) -> None:
        began = time.perf_counter()
        if message.wanted.rows is self.wanted.rows and message.wanted[1:] == self.wanted[1:]:
            self.show_rows(message.rows, message.now)
        seconds = message.seconds + time.perf_counter() - began
        self.set_timer(max(LEAST_SECONDS, SHARE * seconds), self.arrange_again)

    def arrange_again(self) -> None:
        self._arranging = False
        if self._changed_meanwhile:
            self.arrange_soon()
