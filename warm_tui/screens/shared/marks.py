"""The marks on sessions: one, a range, all that match; the warm and the cold arm; and taking a marking back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from threading import Lock
from typing import NamedTuple, TypeAlias

from warm_tui.library.db import Library, open_library
from warm_tui.library.marks import Kept, keep_marks, kept_marks
from warm_tui.library.rows import Rows
from warm_tui.paths import Home

MARKED = "marked"

Change: TypeAlias = Mapping[str, str | None]
"""Sessions, by the names under which they are shown, and their new mark, or none."""


class SavedMarks(NamedTuple):
    kept: Kept
    changes: int


class Marks:
    """Which mark each session has, what may be taken back, and what the library has not been told yet."""

    def __init__(self) -> None:
        self.by_session: dict[str, str] = {}
        self._rows = Rows()
        """Where sessions have the names under which they are shown."""
        self._taken = SavedMarks({}, 0)
        self._changes: list[Change] = []
        self._saved = 0
        """So many of the changes does the library know."""
        self._one_writer = Lock()
        self._undo: list[Change] = []
        self._last_marked: str | None = None

    # --- the library beside it ---

    @property
    def unsaved(self) -> list[Change]:
        return self._changes[self._saved :]

    def read(self, library: Library) -> SavedMarks:
        """What the library holds, and how many of the changes are in that. For a worker."""
        with self._one_writer:
            return SavedMarks(kept_marks(library), self._saved)

    def take(self, saved: SavedMarks) -> None:
        """What the library held, with the changes that it had not been told of then."""
        self._taken = saved
        self._settle()

    def settle_in(self, rows: Rows) -> None:
        """Other sessions are shown, and one of the same id may be among them."""
        if rows is not self._rows:
            self._rows = rows
            self._settle()

    def _settle(self) -> None:
        shown = ((self._rows.shown_name(name), mark) for name, mark in self._taken.kept.items())
        self.by_session = {name: mark for name, mark in shown if name}
        for change in self._changes[self._taken.changes :]:
            self.by_session = changed(self.by_session, change)

    def save(self, home: Home) -> None:
        """Tell the library, in the order in which it was done. For a worker: the library may be busy."""
        with self._one_writer:
            if changes := list(self.unsaved):
                own_name = self._rows.own_name
                with open_library(home.library) as library:
                    keep_marks(library, ({own_name(each): mark for each, mark in change.items()} for change in changes))
                self._saved += len(changes)

    def put_on_lives(self, life_of: Callable[[str], str]) -> None:
        """A mark on a session that has become part of a life goes over to that; nobody did this, so none undoes it."""
        moved = {each: life for each in self.by_session if (life := life_of(each)) != each}
        if moved:
            marks = {life: self.by_session.get(life, self.by_session[each]) for each, life in moved.items()}
            self._change({**marks, **dict.fromkeys(moved)})

    # --- marking ---

    def toggle(self, session_id: str) -> None:
        """A session in an arm stays there: its arm is taken off by the arm's own key."""
        if self._is_free(session_id):
            self._put(MARKED, [session_id])
            self._last_marked = session_id

    def mark_up_to(self, shown: Sequence[str], cursor: int) -> None:
        """From the last marked session, where it is shown, to the one under the cursor."""
        anchor = self._last_marked if self._last_marked in self.by_session else None
        start = shown.index(anchor) if anchor in shown else cursor
        low, high = sorted((start, cursor))
        self._mark({each: MARKED for each in shown[low : high + 1] if each not in self.by_session})

    def mark_all(self, shown: Sequence[str]) -> None:
        self._put(MARKED, [each for each in shown if self._is_free(each)])

    def unmark_all(self) -> None:
        """Marks go, arms stay."""
        marked = [session_id for session_id, mark in self.by_session.items() if mark == MARKED]
        if marked:
            self._mark(dict.fromkeys(marked))

    def put_in_arm(self, arm: str, shown: Sequence[str], under_cursor: Sequence[str]) -> Sequence[str]:
        """The marked sessions that are shown; without any, what is under the cursor. Which these were."""
        chosen = [each for each in shown if self.by_session.get(each) == MARKED] or under_cursor
        self._put(arm, chosen)
        return chosen

    def undo(self) -> bool:
        """Take the last marking back, if there is one."""
        if not self._undo:
            return False
        self._change(self._undo.pop())
        return True

    def counts(self, sessions: Container[str]) -> str:
        """How many of these sessions have each mark."""
        counts = Counter(mark for session_id, mark in self.by_session.items() if session_id in sessions)
        return ", ".join(f"{counts[mark]} {mark}" for mark in (MARKED, "warm", "cold") if counts[mark])

    @property
    def arms(self) -> dict[str, str]:
        return {session_id: mark for session_id, mark in self.by_session.items() if mark != MARKED}

    def _is_free(self, session_id: str) -> bool:
        return self.by_session.get(session_id, MARKED) == MARKED

    def _put(self, mark: str, sessions: Sequence[str]) -> None:
        """Mark, or take the mark off where all have it already."""
        all_have_it = all(self.by_session.get(session_id) == mark for session_id in sessions)
        self._mark(dict.fromkeys(sessions, None if all_have_it else mark))

    def _mark(self, change: Change) -> None:
        self._undo.append({session_id: self.by_session.get(session_id) for session_id in change})
        self._change(change)

    def _change(self, change: Change) -> None:
        self.by_session = changed(self.by_session, change)
        self._changes.append(change)


def changed(marks: Mapping[str, str], change: Change) -> dict[str, str]:
    return {session_id: mark for session_id, mark in {**marks, **change}.items() if mark is not None}
