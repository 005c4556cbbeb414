"""Intervals of amounts that are never below nought: tokens, seconds, money, counts.

They lie lopsided: few sessions cost many times what most do. The usual interval (Welch's, Student's) then holds the
truth too seldom, down to eight times in ten where a small arm stands against a large one. So each mean gets an
interval on the scale of its logarithm, and the two are joined after Newcombe, as those of rates are.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from warm_tui.reliability.stats import LEVEL

Array: TypeAlias = "NDArray[np.float64]"

MOST_LOPSIDED = 4.0
"""A variance of logarithms that is not exceeded: beyond it no interval of a mean says anything."""


def are_amounts(values: Array) -> bool:
    """Done or not done is none."""
    return bool((values >= 0).all()) and not np.isin(values, (0, 1)).all()


def interval(first: Array, second: Array, *, paired: bool) -> tuple[float, float] | None:
    """Of the second mean less the first. None where an arm has nothing but noughts: no scale is known of it."""
    if not first.any() or not second.any():
        return None
    mean, low, high = _of_one(first)
    later, later_low, later_high = _of_one(second)
    alike = _alike(first, second) if paired else 0.0
    difference = later - mean
    return (
        difference - _joined(later - later_low, high - mean, alike),
        difference + _joined(later_high - later, mean - low, alike),
    )


def _of_one(values: Array) -> tuple[float, float, float]:
    """The mean and its ends. By the larger of two spreads: that seen, and that of logarithms spread as these are."""
    mean, count = float(values.mean()), len(values)
    spread = float(values.std(ddof=1)) / mean
    if (values > 0).all():
        # Few that are lopsided seldom show how much they are.
        of_logs = min(MOST_LOPSIDED, float(np.log(values).var(ddof=1)) * (count - 1) / max(count - 2, 1))
        spread = max(spread, float(np.sqrt(np.expm1(of_logs))))
    factor = float(np.exp(stdtrit(count - 1, 1 - LEVEL / 2) * spread / np.sqrt(count)))
    return mean, mean / factor, mean * factor


def _alike(first: Array, second: Array) -> float:
    if not np.ptp(first) or not np.ptp(second):
        return 0.0
    return max(0.0, float(np.corrcoef(first, second)[0, 1]))


def _joined(one: float, other: float, alike: float) -> float:
    return float(np.sqrt(max(0.0, one * one + other * other - 2 * alike * one * other)))
