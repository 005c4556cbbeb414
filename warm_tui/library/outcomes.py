"""What came of sessions, where somebody knows better than their words: the operator, or the check of an experiment."""

from __future__ import annotations

import time
from collections.abc import Iterable

from warm_tui.library.db import Library
from warm_tui.reliability.session_outcome import Reached, SessionOutcome


def set_outcome(library: Library, session_id: str, reached: Reached, reason: str = "", at: float | None = None) -> None:
    """The operator's own word. `at`: when it was said, where that is not now."""
    with library.keeping() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO outcomes (session_id, outcome, reason, set_at) VALUES (?, ?, ?, ?)",
            (session_id, reached, reason, time.time() if at is None else at),
        )


def unset_outcome(library: Library, session_ids: Iterable[str]) -> None:
    with library.keeping() as connection:
        connection.executemany("DELETE FROM outcomes WHERE session_id = ?", [(each,) for each in session_ids])


def known_outcomes(library: Library) -> dict[str, SessionOutcome]:
    """By session: what checks said, and above that what the operator did."""
    checked = library.connection.execute(
        "SELECT session_id, success FROM runs WHERE success IS NOT NULL AND session_id <> ''"
    )
    known = {
        session_id: SessionOutcome(
            "done" if success else "not-done",
            f"the check of its task {'passed' if success else 'failed'}",
            "certain",
            "checked",
        )
        for session_id, success in checked
    }
    own = library.connection.execute("SELECT session_id, outcome, reason, set_at FROM outcomes")
    return known | {
        session_id: SessionOutcome(reached, reason or "", "yours", "operator", at)
        for session_id, reached, reason, at in own
    }
