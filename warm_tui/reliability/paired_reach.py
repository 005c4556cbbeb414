"""How large a change of tasks that ran in both arms would have been shown, four times in five."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from warm_tui.reliability.stats import LEVEL, POWER

Array: TypeAlias = "NDArray[np.float64]"

MOST_OF_RATE = 0.8
"""No larger share of the failures is named as an improvement. More than between arms: pairs tell more of the spread."""
AIM, AIM_WORSE = POWER + 0.01, POWER + 0.065
"""More for a worsening: what it spreads by grows with the rate, and where that was seen too low, too small a one is
named. By simulation."""
STEPS, ROUNDS, TINY = 1_000, 20, 1e-9
MOST_TASKS = 10**9


class Runs(NamedTuple):
    """How the rates of tasks, and of one task's runs, differ."""

    rate: float
    of_runs: float
    """The variance of an arm's rate that comes of its runs, and"""
    of_tasks: float
    """how unlike the rates of tasks are, as a variance, which both arms share."""
    lengths: tuple[float, float, float]
    """What tasks count in the first arm, in the second, and in both: squares, and products. A task that is long in one
    arm and short in the other moves the difference, however alike it fails in both."""
    tasks: int

    @classmethod
    def of(cls, first: Array, second: Array) -> Runs:
        """`first`, `second`: by task, failures and calls."""
        (rate, pulls, counted), (_, later_pulls, later_counted) = _pulled(first), _pulled(second)
        count = len(first)
        share = (count - 1) / count
        lengths = tuple(
            share * float((one * other).sum())
            for one, other in ((counted, counted), (later_counted, later_counted), (counted, later_counted))
        )
        of_tasks = max(0.0, share * float((pulls * later_pulls).sum()) / lengths[2])
        apart = share * float(((later_pulls - pulls) ** 2).sum())
        of_runs = max(0.0, apart - of_tasks * (lengths[0] + lengths[1] - 2 * lengths[2])) / 2
        return cls(rate, of_runs, of_tasks, (lengths[0], lengths[1], lengths[2]), count)


def _pulled(sessions: Array) -> tuple[float, Array, Array]:
    """The rate, how far each task pulls it (the jackknife), and what a task counts in it."""
    above, below = sessions[:, 0], sessions[:, 1]
    rate, others = float(above.sum() / below.sum()), below.sum() - below
    return rate, (above - rate * below) / others, below / others


def reach(runs: Runs, later: float, sign: int) -> float | None:
    """The smallest change, up or down. None where none could be.

    Better is taken to be a share of each task's failures, worse a share of its successes: so tasks that differ also
    change by different amounts, and each run varies as its rate has it.
    """
    if not 0 < runs.rate < 1:
        return None
    whole = 1 - runs.rate if sign > 0 else runs.rate
    shares = np.linspace(0, 1 if sign > 0 else MOST_OF_RATE, STEPS + 1)[1:]
    changes, left = shares * whole, 1 - shares
    squares = min(runs.of_tasks, 0.95 * runs.rate * (1 - runs.rate))
    within = max(runs.rate * (1 - runs.rate) - squares, TINY)
    there = runs.rate + sign * changes
    within_there = there * (1 - there) - left**2 * squares
    middle = (runs.rate + later) / 2
    seen = max(middle * (1 - middle) - squares, TINY)
    first, second, both = runs.lengths
    of_tasks = runs.of_tasks * (first + left**2 * second - 2 * left * both)
    variance = runs.of_runs * (within + within_there) / seen + np.maximum(of_tasks, 0)
    reached = changes >= _errors(runs.tasks - 1, AIM_WORSE if sign > 0 else AIM) * np.sqrt(variance)
    return float(changes[np.argmax(reached)]) if reached.any() else None


def tasks_wanted(count: int, variance: float, difference: float) -> int:
    """How many tasks as these show this difference, four times in five."""
    wanted = count * variance * (_errors(count - 1, AIM) / difference) ** 2
    return int(np.ceil(min(MOST_TASKS, wanted)))


def _errors(freedom: int, aim: float) -> float:
    """How many errors of the difference it takes, where that error is itself estimated: now, and when it is shown."""
    shown, power = float(stdtrit(freedom, 1 - LEVEL / 2)), float(ndtri(aim))
    both = shown + power
    for _ in range(ROUNDS):
        both = shown + power * float(np.sqrt(1 + (shown**2 + both**2) / (2 * freedom)))
    return both
