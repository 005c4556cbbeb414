"""What is counted of a drawn session, once, when it has come to its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

LARGEST = 0.5
"""A session in which more than half of the calls failed counts as one in which half did. What one session may bring
bounds every bet, so without it nothing is shown for long: of trials with failures halved, by 200 sessions, in one of
a hundred, and with it in three of four."""


class Figures(NamedTuple):
    """Of a session with all that compaction and branching made of it."""

    failures: int
    known: int
    """Calls with a verdict."""
    first_failures: int = 0
    first_known: int = 0
    """The same of its first calls."""
    first_success: int | None = None
    """The number of the first call that succeeded."""
    done: int | None = None
    """Whether it reached its goal: 1, 0, or not known."""
    tokens: int | None = None
    cost_usd: float | None = None


class Finished(NamedTuple):
    """A session that came to its end, with what it drew."""

    at: float
    content: str
    """The revision; nothing where it drew cold."""
    chances: Mapping[str, float]
    figures: Figures


class InArm(NamedTuple):
    """A session of one of two arms."""

    warm: bool
    chance: float
    """That it would be warm, of these two."""
    figures: Figures


class Drawn(NamedTuple):
    """A session of one of two arms, with what came of it."""

    warm: bool
    chance: float
    """That it would be warm, of these two."""
    failures: int
    known: int
    """Calls with a verdict; one at least."""

    @property
    def rate(self) -> float:
        return min(self.failures / self.known, LARGEST)


def arms(content: str, finished: Iterable[Finished]) -> list[InArm]:
    """Those that drew this revision, and those that drew cold while they could have drawn it."""
    sessions = []
    for _, drew, chances, figures in finished:
        if drew not in (content, "") or content not in chances:
            continue
        warm, cold = chances[content], 1.0 - sum(chances.values())
        sessions.append(InArm(bool(drew), warm / (warm + cold) if warm + cold > 0 else 0.0, figures))
    return sessions
