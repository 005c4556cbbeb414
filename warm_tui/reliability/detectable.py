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
Z_POWER, Z_POWER_WORSE = float(ndtri(POWER)), float(ndtri(POWER + 0.015))
"""More for a worsening: where the rate, or how alike sessions are, was seen too low, too small a one is named."""
MOST_OF_RATE = 0.6
"""No larger share of the failures is named as an improvement: where it takes more, it may well take nearly all."""
MOST_SESSIONS = 10**9


class Group(NamedTuple):
    cautious: Array
    """How many independent calls it is worth to the interval, for each rate of PLANNED, and"""
    likely: float
    """as far as one knows."""

    def worth_at(self, rate: Array) -> Array:
        return np.asarray(np.interp(rate, PLANNED, self.cautious))


def detectable(rate: float, first: Group, second: Group, sign: int) -> float | None:
    """The smallest change from this rate, up or down, that is shown four times in five; None where none could be."""
    changes = np.linspace(0, 1 - rate if sign > 0 else MOST_OF_RATE * rate, STEPS + 1)[1:]
    needed = _needed(rate, first, second, sign, changes)
    if needed is None:
        return None
    reached = (changes - needed) / _spread(rate, rate + sign * changes, first, second) >= (
        Z_POWER_WORSE if sign > 0 else Z_POWER
    )
    return float(changes[np.argmax(reached)]) if reached.any() else None


def _needed(rate: float, first: Group, second: Group, sign: int, changes: Array) -> float | None:
    """The smallest change whose interval holds no zero, when it is seen."""
    whole = np.full_like(changes, rate)
    seen = np.clip(rate + sign * changes, 0.0, 1.0)
    low, high = between((whole, first.worth_at(whole)), (seen, second.worth_at(seen)), Z_95)
    shown = low > 0 if sign > 0 else high < 0
    return float(changes[np.argmax(shown)]) if shown.any() else None


def _spread(rate: float, other: Array, first: Group, second: Group) -> Array:
    other = np.clip(other, 0.0, 1.0)
    return np.sqrt(np.maximum(rate * (1 - rate) / first.likely + other * (1 - other) / second.likely, 1e-12))


def sessions_wanted(rate: float, change: float, first: float, second: float) -> int | None:
    """Sessions an arm that show this change, each worth so many independent calls."""
    low, high = 1, 2
    while not _shows(rate, change, first * high, second * high):
        low, high = high, high * 2
        if high > MOST_SESSIONS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shows(rate, change, first * middle, second * middle) else (middle, high)
    return high


def _shows(rate: float, change: float, first: float, second: float) -> bool:
    groups = [Group(np.full(len(PLANNED), worth), worth) for worth in (first, second)]
    needed = _needed(rate, groups[0], groups[1], 1 if change > 0 else -1, np.linspace(0, abs(change), STEPS + 1)[1:])
    spread = _spread(rate, np.array(rate + change), groups[0], groups[1])
    return needed is not None and bool((abs(change) - needed) / spread >= Z_POWER)
