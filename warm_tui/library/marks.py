"""The operator's marks on sessions: picked out, or put in the warm or the cold arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from warm_tui.library.db import Library
from warm_tui.library.outcomes import known_outcomes
from warm_tui.library.verdicts import verdict_marks
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import SessionOutcome

Change: TypeAlias = Mapping[str, str | None]
"""Sessions and their new mark, or none. Only changes are written: another instance marks other sessions meanwhile."""


def kept_marks(library: Library) -> dict[str, str]:
    return dict(library.connection.execute("SELECT session_id, mark FROM marks"))


def mark_of(profile: Profile, marks: Mapping[str, str]) -> str | None:
    """A mark is on a life; one on a session that compaction made is on the life that this goes on with."""
    return next((marks[name] for name in profile.session_ids if name in marks), None)


Opinions: TypeAlias = tuple[dict[str, str], dict[str, str], dict[str, SessionOutcome]]
"""All that an operator said of sessions and calls."""


def opinions_in(library: Library) -> Opinions:
    return kept_marks(library), verdict_marks(library), known_outcomes(library)


def keep_marks(library: Library, changes: Iterable[Change]) -> None:
    with library.writing() as connection:
        for change in changes:
            gone = [(session_id,) for session_id, mark in change.items() if mark is None]
            put = [(session_id, mark) for session_id, mark in change.items() if mark is not None]
            connection.executemany("DELETE FROM marks WHERE session_id = ?", gone)
            connection.executemany("INSERT OR REPLACE INTO marks (session_id, mark) VALUES (?, ?)", put)


def changed(marks: Mapping[str, str], change: Change) -> dict[str, str]:
    return {session_id: mark for session_id, mark in {**marks, **change}.items() if mark is not None}
