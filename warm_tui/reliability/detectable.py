"""How large a difference of rates so many sessions show, four times in five, and how many it takes to show one."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from warm_tui.reliability.clustering import PLANNED, between
from warm_tui.reliability.stats import POWER, Z_95

Array: TypeAlias = "NDArray[np.float64]"

STEPS = 1_000
Z_POWER = float(ndtri(POWER))
MOST_OF_RATE = 0.95
"""No larger share of the failures is named as an improvement: where it takes all there are, or more, less is named by
chance, as sessions look more alike, or fail more often, than they do. A lower bar would sort by the same chance."""
MOST_SESSIONS = 10**9
ASIDE, TINY = 0.002, 1e-12


class Group(NamedTuple):
    cautious: Array
    """How many independent calls it is worth to the interval, for each rate of PLANNED, and"""
    likely: float
    """as far as one knows."""
    sessions: float
    """How many sessions of one length would spread its rate as much."""

    def worth_at(self, rate: Array) -> Array:
        return np.asarray(np.interp(rate, PLANNED, self.cautious))

    def variance(self, rate: Array) -> Array:
        return np.asarray(rate * (1 - rate) / self.likely)


def detectable(rate: float, first: Group, second: Group, sign: int) -> float | None:
    """The smallest change from this rate, up or down, that is shown four times in five; None where none could be."""
    changes = np.linspace(0, 1 - rate if sign > 0 else MOST_OF_RATE * rate, STEPS + 1)[1:]
    reached = _shows(rate, sign * changes, first, second)
    # Where nothing fails it is not known how alike calls are, so that may not be shown, though less would be.
    if sign < 0 and (_left_over(np.array([rate]), np.zeros(1), first, second, sign) < 0).any():
        return None
    return float(changes[np.argmax(reached)]) if reached.any() else None


def _shows(rate: float, changes: Array, first: Group, second: Group) -> NDArray[np.bool_]:
    """Which of these changes, all up or all down, are shown four times in five.

    Interval and test both have to show one. Each leaves something over, of a change that is seen as it is; that is to
    be so many times what chance moves it by. Chance moves either rate, and with it not the difference alone: the
    interval is wider too, where more fails.
    """
    rates, others = np.full_like(changes, rate), np.clip(rate + changes, 0.0, 1.0)

    def left(rates: Array, others: Array) -> Array:
        return _left_over(rates, others, first, second, 1 if changes[0] > 0 else -1)

    moved = [
        (left(*above) - left(*below)) / (above[at] - below[at])
        for at, above, below in (
            (0, (_aside(rates, 1), others), (_aside(rates, -1), others)),
            (1, (rates, _aside(others, 1)), (rates, _aside(others, -1))),
        )
    ]
    variance = moved[0] ** 2 * first.variance(rates) + moved[1] ** 2 * second.variance(others)
    return np.asarray((left(rates, others) >= Z_POWER * np.sqrt(np.maximum(variance, TINY))).all(axis=0))


def _aside(rates: Array, sign: int) -> Array:
    return np.clip(rates + sign * ASIDE, 0.0, 1.0)


def _left_over(rates: Array, others: Array, first: Group, second: Group, sign: int) -> Array:
    """By how much the interval stays clear of no difference, and the difference above what the test asks for."""
    low, high = between((rates, first.worth_at(rates)), (others, second.worth_at(others)), Z_95)
    # What labels dealt anew would spread the difference by: each arm has sessions of both.
    dealt = (
        first.variance(rates) * first.sessions / second.sessions
        + second.variance(others) * second.sessions / first.sessions
        + (others - rates) ** 2 / (first.sessions + second.sessions)
    )
    return np.stack([low if sign > 0 else -high, sign * (others - rates) - Z_95 * np.sqrt(dealt)])


def sessions_wanted(rate: float, change: float, first: float, second: float) -> int | None:
    """Sessions an arm that show this change, each worth so many independent calls."""

    def show(sessions: int) -> bool:
        groups = [Group(np.full(len(PLANNED), one * sessions), one * sessions, sessions) for one in (first, second)]
        return bool(_shows(rate, np.array([change]), *groups)[0])

    low, high = 1, 2
    while not show(high):
        low, high = high, high * 2
        if high > MOST_SESSIONS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if show(middle) else (middle, high)
    return high
