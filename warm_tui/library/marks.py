"""The operator's marks on sessions: picked out, or put in the warm or the cold arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from warm_tui.library.db import Library
from warm_tui.library.outcomes import KnownOutcomes, known_outcomes
from warm_tui.library.verdicts import EVERYBODYS, VerdictMarks, verdict_marks
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.model import SessionName

Kept: TypeAlias = dict[SessionName, str]
Change: TypeAlias = Mapping[SessionName, str | None]
"""Sessions and their new mark, or none. Only changes are written: another instance marks other sessions meanwhile."""


def kept_marks(library: Library) -> Kept:
    rows = library.connection.execute("SELECT session_id, sign, mark FROM marks")
    return {SessionName(session_id, sign): mark for session_id, sign, mark in rows}


def mark_of(profile: Profile, marks: Kept) -> str | None:
    """A mark is on a life; one on a session that compaction made is on the life that this goes on with."""
    both = (each for name in profile.names for each in (name, SessionName(name.id, EVERYBODYS)))
    return next((marks[name] for name in both if name in marks), None)


Opinions: TypeAlias = tuple[Kept, VerdictMarks, KnownOutcomes]
"""All that an operator said of sessions and calls."""


def opinions_in(library: Library) -> Opinions:
    return kept_marks(library), verdict_marks(library), known_outcomes(library)


def keep_marks(library: Library, changes: Iterable[Change]) -> None:
    """What was marked before sessions had a sign is on this one from now on, or on none."""
    with library.writing() as connection:
        for change in changes:
            connection.executemany(
                "DELETE FROM marks WHERE session_id = ? AND sign IN (?, ?)", [(*name, EVERYBODYS) for name in change]
            )
            put = [(*name, mark) for name, mark in change.items() if mark is not None]
            connection.executemany("INSERT INTO marks (session_id, sign, mark) VALUES (?, ?, ?)", put)
