"""The draft that is worked on, shared by all screens: each change is on disk before it is shown."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.library.drafts import ChangedElsewhereError, DraftRecord, Drafts
from warm_tui.library.suggestions import count_waiting
from warm_tui.paths import Home
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.secrets.redactor import Redactor, redactor_of
from warm_tui.sessions.text import plural
from warm_tui.templates import draft as drafts
from warm_tui.templates.draft import Draft, empty, from_document, to_document
from warm_tui.templates.inspector import Inspector
from warm_tui.templates.mining import Candidate, pattern_of
from warm_tui.templates.model import Pattern
from warm_tui.watching import FileState, file_state

Say = Callable[[str], Any]
Making = Callable[[], Pattern | None]
"""How a pattern is made of a call, if it can be. It takes a moment: for a worker."""


class NewerDraft(NamedTuple):
    """A draft that another instance has written since we read it."""

    known: DraftRecord
    """As we knew it."""
    record: DraftRecord
    draft: Draft


class Drafting:
    """For the screen's own thread: a step is one short write."""

    def __init__(self, home: Home, say: Say) -> None:
        self.home, self.say = home, say
        self.record: DraftRecord | None = None
        self.draft: Draft = empty()
        self.asked: deque[Making] = deque()
        """What was picked and is not in the draft yet, in the order it was picked."""
        self.turn = Lock()
        self.stopped = 0
        """How often the operator thought better of it."""
        self._watch = FileWatch([home.library])
        self._library: Library | None = None
        self._redactor: Redactor | None = None
        self._inspector: Inspector | None = None
        self._model: tuple[FileState, str, int | None] | None = None

    @property
    def redactor(self) -> Redactor:
        if self._redactor is None:
            self._redactor = redactor_of(self.home)
        return self._redactor

    def model(self) -> tuple[str, int | None]:
        """Whose rules hold and how large the window is: config.yaml is read again only when it has changed."""
        prefill = Prefill(self.home)
        state = file_state(prefill.config)
        if self._model is None or self._model[0] != state:
            self._model = (state, prefill.provider(), prefill.window())
        return self._model[1:]

    @property
    def inspector(self) -> Inspector:
        if self._inspector is None:
            self._inspector = Inspector(self.redactor)
        return self._inspector

    @property
    def drafts(self) -> Drafts:
        if self._library is None:
            self._library = open_library(self.home.library)
            # A checkpoint waits for the disk: that is left to the connections of worker threads.
            self._library.connection.execute("PRAGMA wal_autocheckpoint = 0")
            self._watch.note()
            for note in self._library.notes:
                self.say(note)
        return Drafts(self._library)

    @property
    def suggested(self) -> str:
        """How many suggestions wait, in words."""
        with suppress(sqlite3.Error, Trouble):
            if count := count_waiting(self.drafts.library):
                return f"{plural(count, 'suggestion')}: i"
        return ""

    def close(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = None

    def open_last(self) -> None:
        """Go on where one was, before a restart or a kill."""
        try:
            drafts = self.drafts.all()
            if drafts:
                self.open(drafts[0].id)
        except (sqlite3.Error, Trouble) as error:
            self.say(f"The drafts cannot be read: {error}")

    def open(self, draft: int) -> None:
        try:
            opened = self.drafts.open(draft)
            if opened is not None:
                self.record, self.draft = opened[0], from_document(opened[1])
        except (sqlite3.Error, Trouble) as error:
            self.say(f"The draft cannot be read: {error}")

    def may_have_changed(self) -> bool:
        """Has somebody written to the library? Its files alone are looked at."""
        return self.record is not None and self._watch.changed()

    def newer(self) -> NewerDraft | None:
        """What another instance made of the draft, if it did. For a worker: it has a connection of its own."""
        known = self.record
        self._watch.note()
        if known is None:
            return None
        try:
            with open_library(self.home.library) as library:
                drafts = Drafts(library)
                opened = None if drafts.version(known.id) in (None, known.version) else drafts.open(known.id)
        except (sqlite3.Error, Trouble):
            return None
        return NewerDraft(known, opened[0], from_document(opened[1])) if opened is not None else None

    def take(self, newer: NewerDraft) -> bool:
        """Go on with it, unless ours went on while it was read."""
        if self.record is not newer.known:
            return False
        self.record, self.draft = newer.record, newer.draft
        return True

    def start(self, draft: Draft) -> None:
        """Another draft beside those there are."""
        self.draft, self.record = draft, None
        self._try(lambda: self._create(draft))

    def step(self, draft: Draft) -> None:
        """The draft after a change."""
        before, self.draft = self.draft, draft
        if self.record is None:
            self._try(lambda: self._create(before))
        record = self.record
        if record is not None:
            self._try(lambda: self._put(record, draft))

    def has(self, call: tuple[str, str]) -> bool:
        """Whether this call, by its session and key, is picked already."""
        return drafts.picked(self.draft, call) is not None

    def picked_calls(self) -> set[tuple[str, str]]:
        return {call for pattern in self.draft.patterns for call in drafts.calls_of(pattern)}

    def pattern_of(self, candidate: Candidate, why: str, *, with_failure: bool = True) -> Pattern:
        """A call that mended a failure makes one pattern with it, unless it is wanted alone."""
        return pattern_of(candidate, self.redactor, chosen_by="operator", why=why, with_failure=with_failure)

    def pick(self, pattern: Pattern, at: int | None = None) -> None:
        self.step(drafts.added(self.draft, pattern, at))

    def undo(self) -> bool:
        return self._go(-1)

    def redo(self) -> bool:
        return self._go(1)

    def forget(self) -> None:
        """Done with it: it has been saved as a template, or thrown away."""
        record = self.record
        if record is not None:
            self._try(lambda: self.drafts.delete(record))
        self.draft, self.record = empty(), None

    def _create(self, draft: Draft) -> None:
        self.record = self.drafts.create(draft.name, to_document(draft))

    def _put(self, record: DraftRecord, draft: Draft) -> None:
        self.record = self.drafts.put(record, draft.name, to_document(draft))

    def _go(self, by: int) -> bool:
        if self.record is None:
            return False
        try:
            step = self.drafts.go(self.record, by)
        except ChangedElsewhereError:
            self._part_ways()
            return False
        except (sqlite3.Error, Trouble) as error:
            self.say(f"The draft cannot be read: {error}")
            return False
        if step is None:
            return False
        self.record, self.draft = step[0], from_document(step[1])
        return True

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
        except ChangedElsewhereError:
            self._part_ways()
        except (sqlite3.Error, Trouble) as error:
            self.say(f"The draft is not kept on disk: {error}")

    def _part_ways(self) -> None:
        """Two instances changed one draft: ours goes on as a draft of its own."""
        self.say(
            "Another instance changed this draft meanwhile. Yours goes on as a draft of its own; theirs is in the list."
        )
        self.record = None
        self._try(lambda: self._create(self.draft))
