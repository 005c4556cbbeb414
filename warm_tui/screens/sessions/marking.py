"""Marking sessions: one, a range, all that match; and putting them in the warm or the cold arm."""

from __future__ import annotations

import sqlite3
from threading import Lock

from textual import work
from textual.message import Message

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import Change, changed, keep_marks
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.text import clean_line


class Marking(Frame):
    """What a screen with a table of sessions can do about marks. They are kept in the library, for every screen."""

    class MarksRead(Message):
        def __init__(self, marks: dict[str, str]) -> None:
            self.marks = marks
            super().__init__()

    class MarksKept(Message):
        def __init__(self, changes: list[Change]) -> None:
            self.changes = changes
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.last_marked: str | None = None
        self.unkept: list[Change] = []
        self._undo: list[Change] = []
        self._one_writer = Lock()

    @property
    def table(self) -> SessionTable:
        return self.query_one(SessionTable)

    def show_header(self) -> None:
        raise NotImplementedError

    def on_marking_marks_read(self, message: MarksRead) -> None:
        """What the library holds, with what it has not been told yet."""
        self.table.marks = message.marks
        for change in self.unkept:
            self.table.marks = changed(self.table.marks, change)
        if self.table.rows:
            self.table.redraw()
            self.show_header()

    def on_marking_marks_kept(self, message: MarksKept) -> None:
        self.unkept = [change for change in self.unkept if not any(change is kept for kept in message.changes)]

    @work(thread=True, group="marks")
    def keep(self) -> None:
        """Beside the screen: the library may be busy. Changes are written in the order in which they were made."""
        try:
            with self._one_writer, Catalog(self.home) as catalog:
                changes = list(self.unkept)
                keep_marks(catalog.library, changes)
                self.post_message(self.MarksKept(changes))
        except (Trouble, sqlite3.Error) as error:
            sentence = f"The marks are not kept on disk: {error}"
            self.app.call_from_thread(self.notify, clean_line(sentence), severity="warning", markup=False)

    # --- marking ---

    def change_marks(self, change: Change) -> None:
        self.table.marks = changed(self.table.marks, change)
        self.unkept.append(change)
        self.table.redraw()
        self.show_header()
        self.keep()

    def mark_as(self, change: Change) -> None:
        self._undo.append({session_id: self.table.marks.get(session_id) for session_id in change})
        self.change_marks(change)

    def action_undo_mark(self) -> None:
        if self._undo:
            self.change_marks(self._undo.pop())
        else:
            self.notify("There is no marking to take back.", markup=False)

    def put_mark(self, mark: str, sessions: list[str]) -> None:
        """Mark, or take the mark off where all have it already."""
        taking = all(self.table.marks.get(session_id) == mark for session_id in sessions)
        self.mark_as(dict.fromkeys(sessions, None if taking else mark))

    def mark_one(self) -> None:
        """A session in an arm stays there: its arm is taken off by the arm's own key."""
        profile = self.table.under_cursor
        if profile is not None and self.table.marks.get(profile.session_id, "marked") == "marked":
            self.put_mark("marked", [profile.session_id])
            self.last_marked = profile.session_id

    def mark_up_to(self) -> None:
        rows, marks = self.table.rows, self.table.marks
        anchor = self.last_marked if self.last_marked in marks else None
        at = next((at for at, row in enumerate(rows) if row.session_id == anchor), self.table.cursor)
        low, high = sorted((at, self.table.cursor))
        self.mark_as({row.session_id: "marked" for row in rows[low : high + 1] if row.session_id not in marks})

    def on_line_table_mark_asked(self, message: SessionTable.MarkAsked) -> None:
        if message.up_to:
            self.mark_up_to()
        else:
            self.mark_one()

    def action_mark(self) -> None:
        self.mark_one()
        self.table.action_cursor_down()

    def action_mark_up_to(self) -> None:
        self.mark_up_to()
        self.table.action_cursor_down()

    def action_mark_all(self) -> None:
        marks = self.table.marks
        free = [row.session_id for row in self.table.rows if marks.get(row.session_id, "marked") == "marked"]
        self.put_mark("marked", free)

    def unmark_all(self) -> None:
        """Marks go, arms stay."""
        marked = [session_id for session_id, mark in self.table.marks.items() if mark == "marked"]
        if marked:
            self.mark_as(dict.fromkeys(marked))

    def action_mark_warm(self) -> None:
        self.put_in_arm("warm")

    def action_mark_cold(self) -> None:
        self.put_in_arm("cold")

    def put_in_arm(self, arm: str) -> None:
        """The marked sessions that are shown; without any, the one under the cursor."""
        marks = self.table.marks
        chosen = [row.session_id for row in self.table.rows if marks.get(row.session_id) == "marked"]
        profile = self.table.under_cursor
        if not chosen and profile is not None:
            chosen = [profile.session_id]
        self.put_mark(arm, chosen)
