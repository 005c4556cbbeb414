"""Marking sessions: one, a range, all that match; and putting them in the warm or the cold arm."""

from __future__ import annotations

from abc import abstractmethod

from warm_tui.widgets.session_table import SessionTable


class Marking:
    """What a screen with a table of sessions can do about marks."""

    last_marked: str | None = None

    @property
    @abstractmethod
    def table(self) -> SessionTable: ...

    @abstractmethod
    def show_header(self) -> None: ...

    def put_mark(self, mark: str, sessions: list[str]) -> None:
        """Mark, or take the mark off where all have it already."""
        marks = self.table.marks
        taking = all(marks.get(session_id) == mark for session_id in sessions)
        for session_id in sessions:
            if taking:
                marks.pop(session_id, None)
            else:
                marks[session_id] = mark
        self.changed_marks()

    def changed_marks(self) -> None:
        self.table.redraw()
        self.show_header()

    def action_mark(self) -> None:
        profile = self.table.under_cursor
        if profile is not None:
            self.put_mark("marked", [profile.session_id])
            self.last_marked = profile.session_id
            self.table.action_cursor_down()

    def action_mark_up_to(self) -> None:
        rows = self.table.rows
        at = next((at for at, row in enumerate(rows) if row.session_id == self.last_marked), self.table.cursor)
        low, high = sorted((at, self.table.cursor))
        for row in rows[low : high + 1]:
            self.table.marks[row.session_id] = "marked"
        self.changed_marks()
        self.table.action_cursor_down()

    def action_mark_all(self) -> None:
        self.put_mark("marked", [row.session_id for row in self.table.rows])

    def action_mark_warm(self) -> None:
        self.put_in_arm("warm")

    def action_mark_cold(self) -> None:
        self.put_in_arm("cold")

    def put_in_arm(self, arm: str) -> None:
        chosen = [session_id for session_id, mark in self.table.marks.items() if mark == "marked"]
        profile = self.table.under_cursor
        if not chosen and profile is not None:
            chosen = [profile.session_id]
        self.put_mark(arm, chosen)
