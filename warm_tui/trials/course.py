"""How what a trial shows went on: the interval as it would have been told after each of its sessions.

numpy is imported here, as in `betting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from warm_tui.trials.betting import Bets, bets_of, evidence, interval, threshold
from warm_tui.trials.figures import LARGEST, Drawn

MOST_POINTS = 60


class Point(NamedTuple):
    """After a session."""

    at: float
    value: float
    """The difference warm less cold, each session weighted by how likely it was drawn: it lies within the interval."""
    low: float
    high: float


class Course(NamedTuple):
    points: Sequence[Point] = ()
    harm_at: float | None = None
    """When harm was first shown."""
    harm_after: int = 0
    """How many sessions had ended then."""


def course_of(sessions: Sequence[tuple[float, Drawn]], level: float, most: int = MOST_POINTS) -> Course:
    """Of sessions with the moment each ended at, in that order; at most so many points of it."""
    telling = [(at, drawn) for at, drawn in sessions if 0 < drawn.chance < 1]
    if not telling:
        return Course()
    bets = bets_of([drawn for _, drawn in telling])
    means = np.clip(bets.effect.cumsum() / np.arange(1, len(telling) + 1), -LARGEST, LARGEST)
    ends = sorted({max(1, round(len(telling) * nth / most)) for nth in range(1, most + 1)})
    points = [
        Point(telling[end - 1][0], float(means[end - 1]), *interval(Bets(*(part[:end] for part in bets)), level))
        for end in ends
    ]
    harmed = np.flatnonzero(evidence(bets, larger=True) >= threshold(level))
    if not harmed.size:
        return Course(points)
    return Course(points, telling[harmed[0]][0], int(harmed[0]) + 1)
