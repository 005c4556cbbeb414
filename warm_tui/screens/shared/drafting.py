"""The draft that is worked on, shared by all screens: each change is on disk before it is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast

from textual import work

from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library
from warm_tui.library.drafts import ChangedElsewhereError, DraftRecord, Drafts
from warm_tui.paths import Home
from warm_tui.reliability.verdict import Verdict
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.frame import Frame
from warm_tui.secrets.redactor import Redactor, redactor_of
from warm_tui.sessions.model import Call
from warm_tui.sessions.text import clean_line
from warm_tui.templates import draft as drafts
from warm_tui.templates.budget import SHARE_OF_WINDOW
from warm_tui.templates.building import candidates_in
from warm_tui.templates.draft import Draft, Inspector, empty, from_document, to_document
from warm_tui.templates.mining import Candidate, pattern_of
from warm_tui.watching import FileState, file_state

Say = Callable[[str], Any]


class Drafting:
    """For the screen's own thread: a step is one short write."""

    def __init__(self, home: Home, say: Say) -> None:
        self.home, self.say = home, say
        self.kept: DraftRecord | None = None
        self.draft: Draft = empty()
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
            for note in self._library.notes:
                self.say(note)
        return Drafts(self._library)

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
        opened = self.drafts.open(draft)
        if opened is not None:
            self.kept, self.draft = opened[0], from_document(opened[1])

    def follow(self) -> bool:
        """Has another instance written it? Then it is read again."""
        if self.kept is None:
            return False
        try:
            if self.drafts.version(self.kept.id) in (None, self.kept.version):
                return False
            opened = self.drafts.open(self.kept.id)
        except sqlite3.Error:
            return False
        if opened is None:
            return False
        self.kept, self.draft = opened[0], from_document(opened[1])
        return True

    def start(self, draft: Draft) -> None:
        """Another draft beside those there are."""
        self.draft, self.kept = draft, None
        self._try(lambda: self._create(draft))

    def step(self, draft: Draft) -> None:
        """The draft after a change."""
        before, self.draft = self.draft, draft
        if self.kept is None:
            self._try(lambda: self._create(before))
        kept = self.kept
        if kept is not None:
            self._try(lambda: self._put(kept, draft))

    def undo(self) -> bool:
        return self._go(-1)

    def redo(self) -> bool:
        return self._go(1)

    def forget(self) -> None:
        """Done with it: it has been saved as a template, or thrown away."""
        kept = self.kept
        if kept is not None:
            self._try(lambda: self.drafts.delete(kept))
        self.draft, self.kept = empty(), None

    def _create(self, draft: Draft) -> None:
        self.kept = self.drafts.create(draft.name, to_document(draft))

    def _put(self, kept: DraftRecord, draft: Draft) -> None:
        self.kept = self.drafts.put(kept, draft.name, to_document(draft))

    def _go(self, by: int) -> bool:
        if self.kept is None:
            return False
        try:
            gone = self.drafts.go(self.kept, by)
        except ChangedElsewhereError:
            self._told_apart()
            return False
        except sqlite3.Error as error:
            self.say(f"The draft cannot be read: {error}")
            return False
        if gone is None:
            return False
        self.kept, self.draft = gone[0], from_document(gone[1])
        return True

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
        except ChangedElsewhereError:
            self._told_apart()
        except (sqlite3.Error, Trouble) as error:
            self.say(f"The draft is not kept on disk: {error}")

    def _told_apart(self) -> None:
        """Two instances changed one draft: ours goes on as a draft of its own."""
        self.say(
            "Another instance changed this draft meanwhile. Yours goes on as a draft of its own; theirs is in the list."
        )
        self.kept = None
        self._try(lambda: self._create(self.draft))


class OfDraft(Protocol):
    """What a screen on which calls are picked asks of the app it is in."""

    drafting: Drafting

    def show_template(self, name: str) -> None: ...

    def action_show_curate(self) -> None: ...


class Picking(Frame):
    """A screen on which calls are picked into the draft."""

    @property
    def drafting(self) -> Drafting:
        return self.app_of_draft.drafting

    @property
    def app_of_draft(self) -> OfDraft:
        return cast(OfDraft, self.app)

    @property
    def window_share(self) -> float:
        return self.choices.number("window_share", SHARE_OF_WINDOW)

    def pick_call(self, call: Call, verdict: Verdict) -> None:
        """Into the draft at hand, wherever the call was seen."""
        if not self.drafting.kept:
            self.drafting.open_last()
        if self.has_picked(call):
            self.notify("It is in the draft already.", markup=False)
        elif verdict.outcome == "success":
            self.find_candidate(call, "picked by hand")
        else:
            self.ask_reason(verdict, partial(self.find_candidate, call))

    def has_picked(self, call: Call) -> bool:
        return drafts.picked(self.drafting.draft, (call.session_id, call.key)) is not None

    def picked_calls(self) -> set[tuple[str, str]]:
        return {(p.origin.session_id, p.origin.call) for p in self.drafting.draft.patterns}

    @work(thread=True, group="pick")
    def find_candidate(self, call: Call, why: str) -> None:
        try:
            with Catalog(self.home) as catalog:
                found = candidates_in(catalog, catalog.profile(call.session_id))
        except Trouble as trouble:
            self.app.call_from_thread(self.notify, clean_line(str(trouble)), severity="error", markup=False)
            return
        candidate = next((each for each in found if each.call.key == call.key), None)
        if candidate is None:
            told = "This tool only looks into the agent's own head: it is not picked."
            self.app.call_from_thread(self.notify, told, markup=False)
        else:
            self.app.call_from_thread(self.put_in_draft, candidate, why)

    def put_in_draft(self, candidate: Candidate, why: str) -> None:
        if self.has_picked(candidate.call):
            return  # the key was pressed twice before it was there
        pattern = pattern_of(candidate, self.drafting.redactor, chosen_by="operator", why=why)
        self.drafting.step(drafts.added(self.drafting.draft, pattern))
        name = self.drafting.draft.name or "the draft"
        self.notify(f"Picked as number {len(self.drafting.draft.patterns)} of {name}.", markup=False)
        self.after_pick()

    def after_pick(self) -> None:
        """A screen may show what is picked."""

    def ask_reason(self, verdict: Verdict, pick: Callable[[str], Any]) -> None:
        """A call that did not succeed is picked only for a reason, which is kept."""
        told = "It failed" if verdict.outcome == "failure" else "Its outcome is unknown"

        def given(reason: str | None) -> None:
            if reason:
                pick(reason)
            elif reason is not None:
                self.notify("It was not picked: a reason is needed.", severity="warning", markup=False)

        self.app.push_screen(Ask(f"{told}: {clean_line(verdict.reason)[:40]}. Why pick it?"), given)
