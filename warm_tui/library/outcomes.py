"""What came of sessions, where somebody knows better than their words: the operator, or the check of an experiment."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from warm_tui.library.db import Library
from warm_tui.library.verdicts import EVERYBODYS
from warm_tui.reliability.session_outcome import Reached, SessionOutcome
from warm_tui.sessions.model import SessionName

KnownOutcomes: TypeAlias = Mapping[SessionName, SessionOutcome]


def set_outcome(
    library: Library, session: SessionName, reached: Reached, reason: str = "", at: float | None = None
) -> None:
    """The operator's own word. `at`: when it was said, where that is not now."""
    with library.keeping() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO outcomes (session_id, sign, outcome, reason, set_at) VALUES (?, ?, ?, ?, ?)",
            (*session, reached, reason, time.time() if at is None else at),
        )


def unset_outcome(library: Library, sessions: Iterable[SessionName]) -> None:
    with library.keeping() as connection:
        connection.executemany("DELETE FROM outcomes WHERE session_id = ? AND sign = ?", sessions)


def own_outcomes(library: Library) -> int:
    """Of how many sessions the operator said it."""
    return int(library.connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])


def known_outcomes(library: Library) -> KnownOutcomes:
    """What checks said, and above that what the operator did."""
    checked = library.connection.execute(
        "SELECT session_id, success FROM runs WHERE success IS NOT NULL AND session_id <> ''"
    )
    known = {
        SessionName(session_id, EVERYBODYS): SessionOutcome(
            "done" if success else "not-done",
            f"the check of its task {'passed' if success else 'failed'}",
            "certain",
            "checked",
        )
        for session_id, success in checked
    }
    own = library.connection.execute("SELECT session_id, sign, outcome, reason, set_at FROM outcomes")
    return known | {
        SessionName(session_id, sign): SessionOutcome(reached, reason or "", "yours", "operator", at)
        for session_id, sign, reached, reason, at in own
    }


def known_outcome(life: Iterable[SessionName], known: KnownOutcomes) -> SessionOutcome | None:
    """Of a life: what is said of any of its sessions, the operator's own word before a check."""
    names = list(life)
    wanted = (*names, *(SessionName(name.id, EVERYBODYS) for name in names))
    return next((known[name] for name in wanted if name in known), None)
