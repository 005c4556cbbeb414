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
        """A session in an arm stays there: its arm is taken off by the arm's own key."""
        profile = self.table.under_cursor
        if profile is None:
            return
        if self.table.marks.get(profile.session_id, "marked") == "marked":
            self.put_mark("marked", [profile.session_id])
            self.last_marked = profile.session_id
        self.table.action_cursor_down()

    def action_mark_up_to(self) -> None:
        rows, marks = self.table.rows, self.table.marks
        anchor = self.last_marked if self.last_marked in marks else None
        at = next((at for at, row in enumerate(rows) if row.session_id == anchor), self.table.cursor)
        low, high = sorted((at, self.table.cursor))
        for row in rows[low : high + 1]:
            marks.setdefault(row.session_id, "marked")
        self.changed_marks()
        self.table.action_cursor_down()

    def action_mark_all(self) -> None:
        marks = self.table.marks
        free = [row.session_id for row in self.table.rows if marks.get(row.session_id, "marked") == "marked"]
        self.put_mark("marked", free)

    def unmark_all(self) -> None:
        """Marks go, arms stay."""
        marks = self.table.marks
        self.table.marks = {session_id: mark for session_id, mark in marks.items() if mark != "marked"}
        self.changed_marks()

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
