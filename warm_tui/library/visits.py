"""When the operator looked in, and which agent was there: what is new since, and when the agent was another."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.library.db import Library
from warm_tui.writing import looks_only

SAME_VISIT = 1_800.0
"""Who leaves and is back so soon has not been away."""


class Visit(NamedTuple):
    at: float
    agent: str
    """The versions that were installed, in words; nothing where none was."""


def visits(library: Library) -> list[Visit]:
    """The first one first."""
    rows = library.connection.execute("SELECT CAST(at AS REAL), agent FROM visits ORDER BY at")
    return [Visit(at, agent or "") for at, agent in rows]


def note_visit(library: Library, now: float, agent: str) -> float | None:
    """When the visit before this one was; None where this is the first."""
    before = visits(library)
    if before and now - before[-1].at < SAME_VISIT and before[-1].agent == agent:
        before.pop()
    elif not looks_only():  # a guest who may only look is not the one who has been away
        library.remember("INSERT OR REPLACE INTO visits (at, agent) VALUES (?, ?)", [(now, agent)])
    return before[-1].at if before else None


def last_visit(library: Library, now: float) -> float | None:
    """Before the one that goes on, if one does."""
    earlier = [visit.at for visit in visits(library) if now - visit.at >= SAME_VISIT]
    return earlier[-1] if earlier else None
