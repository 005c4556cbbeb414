"""What is looked after while the app is open, whatever is shown: a rule of a trial that does harm is switched off, and
sessions that come to their end may teach something. What is found is said once.
"""

from __future__ import annotations

import time
from contextlib import closing, suppress
from sqlite3 import Error

from textual.app import App

from warm_tui.agent.recording import opened
from warm_tui.config import NOTIFY, Config
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.trials import Notice, untold_notices
from warm_tui.paths import Home
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.sessions.text import clean_line, plural
from warm_tui.widgets.working import work
from warm_tui.writing import looks_only

LOOK_SECONDS = 15.0
AT_LEAST_EVERY = 3_600.0
"""A session that nobody closes comes to its end by time alone."""


REVIEWS_AT_LEAST_APART = 60.0
REST = 30
"""Sessions are read again no sooner than after so many times as long as that took."""


class Guarded(App[None]):
    """An app that looks after its home, when what is to be looked at has changed."""

    home: Home
    choices: Config

    def on_mount(self) -> None:
        self._opened_at = time.time()
        self._told: set[tuple[int, float]] = set()
        self._looked_at = 0.0
        self._watch = FileWatch((self.home.library, *self.home.databases))
        self._reads = FileWatch((self.home.library, *self.home.databases))
        self._reviewed_at = self._no_review_before = 0.0
        self.set_interval(LOOK_SECONDS, self.look_after_trials)
        self.set_interval(LOOK_SECONDS, self.look_after_sessions)
        self.tell_of_the_past()

    @work(thread=True, group="notices")
    def tell_of_the_past(self) -> None:
        """What others switched off while no app was open, once."""
        for notice in self._untold():
            self.call_from_thread(self.tell_of, notice)

    def _untold(self) -> list[Notice]:
        if looks_only() or not self.home.library.is_file():
            return []
        with suppress(Trouble, Error, OSError), closing(opened(self.home.library)) as connection:
            return untold_notices(connection)
        return []

    def tell_of(self, notice: Notice) -> None:
        self._told.add((notice.rule, notice.at))
        self.notify(clean_line(notice.said), severity="warning", markup=False, timeout=60)

    def look_after_trials(self) -> None:
        now = time.monotonic()
        if self._looked_at and not self._watch.changed() and now - self._looked_at < AT_LEAST_EVERY:
            return
        self._looked_at = now
        self._watch.note()
        self.look_at_trials(self.choices.text(NOTIFY))

    @work(thread=True, exclusive=True, group="trials")
    def look_at_trials(self, target: str) -> None:
        from warm_tui.comparisons.guarding import look

        # What cannot be read is told by the screen that shows it.
        with suppress(Trouble, Error):
            for notice in look(self.home, target):
                if notice.at > self._opened_at and (notice.rule, notice.at) not in self._told:
                    self._untold()
                    self.call_from_thread(self.tell_of, notice)

    def look_after_sessions(self) -> None:
        now = time.monotonic()
        due = not self._reviewed_at or self._reads.changed() or now - self._reviewed_at >= AT_LEAST_EVERY
        if due and now >= self._no_review_before and not looks_only():
            self._reviewed_at = now
            self._reads.note()
            self.review_sessions()

    @work(thread=True, exclusive=True, group="review")
    def review_sessions(self) -> None:
        """What the inbox would show is found before somebody opens it."""
        from warm_tui.review.gathering import review_what_is_profiled

        began = time.monotonic()
        with suppress(Trouble, Error), Catalog(self.home.present) as catalog:
            if fresh := review_what_is_profiled(catalog).fresh:
                words = f"{plural(len(fresh), 'suggestion')} for the templates: i on Curate shows "
                self.call_from_thread(
                    self.notify, words + ("it." if len(fresh) == 1 else "them."), markup=False, timeout=20
                )
        took = time.monotonic() - began
        self._no_review_before = began + took + max(REVIEWS_AT_LEAST_APART, REST * took)
