"""What an agent's reviews were seen to keep: they run beside the session, and most versions record nothing of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from warm_tui.library.db import Library
from warm_tui.sessions.learning import Learned

NotedReviews: TypeAlias = Mapping[str, Sequence[Learned]]
"""By session, in their order."""


def noted_reviews(library: Library) -> NotedReviews:
    sql = "SELECT session_id, call, what, words, CAST(at AS REAL) FROM learned ORDER BY at, rowid"
    found: dict[str, list[Learned]] = {}
    for session_id, call, what, words, at in library.connection.execute(sql):
        found.setdefault(session_id, []).append(Learned(session_id, call, what, words, "review", at))
    return found
