"""Rates and differences with intervals over sessions, for many lines at once.

Quick enough for ten thousand sessions: intervals of what groups of sessions are worth, no arrangement of labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from warm_tui.reliability.clustering import between, wilson_by, worth
from warm_tui.reliability.clusters import MIN_SESSIONS
from warm_tui.reliability.stats import LEVEL, Z_95

Array: TypeAlias = "NDArray[np.float64]"
Counts: TypeAlias = Sequence[tuple[int, float, float]]
"""What a session adds to a line: the line, its failures and its calls; nothing of what it has no part in."""


SPENT = 0.8
"""Of the level, what many looks may spend: by simulation, small lines differ by chance a little more often than their
intervals have it."""


class Bounded(NamedTuple):
    """A rate, or a difference, and between what it lies; None where there is nothing to say it of."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_shown(self) -> bool:
        """As a difference: it is not nought."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


NOTHING = Bounded()


def rates(sessions: Sequence[Counts], lines: int) -> list[Bounded]:
    """The rate of each line, with its 95 % interval."""
    table = _table(sessions, lines)
    found = [NOTHING] * lines
    known = np.flatnonzero(table[..., 1].sum(axis=0) > 0)
    if len(known):
        group = worth(table[:, known])
        low, high = wilson_by(group.rate, group.cautious, Z_95)
        for at, *ends in zip(known, group.rate, np.clip(low, 0, 1), np.clip(high, 0, 1), strict=True):
            found[at] = Bounded(*map(float, ends))
    return found


def differences(before: Sequence[Counts], after: Sequence[Counts], lines: int) -> tuple[list[Bounded], int]:
    """Of each line the rate after less the rate before, and how many lines were looked at.

    The intervals are as wide as so many looks ask for: that any of them leaves out what holds happens once in
    twenty. The first line, that of all, has half of that for itself, and the others share the other half. A line with
    few sessions on a side has none.
    """
    first, second = _table(before, lines), _table(after, lines)
    counts = [(table[..., 1] > 0).sum(axis=0) for table in (first, second)]
    known = np.flatnonzero(np.minimum(*counts) >= MIN_SESSIONS)
    found = [NOTHING] * lines
    for at in np.flatnonzero(np.minimum(*counts) > 0):
        ends = [table[:, at, 0].sum() / table[:, at, 1].sum() for table in (first, second)]
        found[at] = Bounded(float(ends[1] - ends[0]))
    if len(known):
        groups = [worth(table[:, known]) for table in (first, second)]
        # Of few sessions, what is far out is reached more often than the normal curve has it.
        z = -stdtrit(counts[0][known] + counts[1][known] - 2, SPENT * LEVEL / 2 * _shares(known))
        low, high = between((groups[0].rate, groups[0].cautious), (groups[1].rate, groups[1].cautious), z)
        for at, *ends in zip(known, low, high, strict=True):
            found[at] = Bounded(found[at].value, *map(float, ends))
    return found, len(known)


def _shares(lines: NDArray[np.intp]) -> Array:
    """How much of the level each of these may spend."""
    if len(lines) == 1:
        return np.ones(1)
    others = np.full(len(lines), 0.5 / (len(lines) - 1)) if lines[0] == 0 else np.full(len(lines), 1 / len(lines))
    return np.where(lines == 0, 0.5, others)


def _table(sessions: Sequence[Counts], lines: int) -> Array:
    table = np.zeros((len(sessions), lines, 2))
    for row, counts in enumerate(sessions):
        for line, failures, calls in counts:
            table[row, line] = failures, calls
    return table


def weighted_mean(values: Sequence[tuple[float, float]], looks: int = 1) -> Bounded:
    """Of a change within each session, and what that weighs: with its interval over sessions, for so many looks."""
    kept = np.array([(value * weight, weight) for value, weight in values if weight > 0]).reshape(-1, 2)
    if not len(kept):
        return NOTHING
    above, below = kept[:, 0], kept[:, 1]
    mean = float(above.sum() / below.sum())
    if len(kept) < MIN_SESSIONS:
        return Bounded(mean)
    # How far each session pulls it: what it would be without that, less what it is.
    pulls = (above - mean * below) / (below.sum() - below)
    half = sqrt((len(kept) - 1) / len(kept) * float((pulls**2).sum())) * float(
        stdtrit(len(kept) - 1, 1 - LEVEL / 2 / looks)
    )
    return Bounded(mean, mean - half, mean + half) if half else Bounded(mean)
