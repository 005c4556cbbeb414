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
STEPS, ROUNDS, TINY = 1_000, 20, 1e-9
MOST_TASKS = 10**9


class Runs(NamedTuple):
    """How the rates of tasks, and of one task's runs, differ."""

    rate: float
    of_runs: float
    """The variance of an arm's rate that comes of its runs, and"""
    of_tasks: float
    """that which both arms share."""
    tasks: int

    @classmethod
    def of(cls, rate: float, pulls: Array, later_pulls: Array) -> Runs:
        count = len(pulls)
        share = (count - 1) / count
        of_runs = share * float(((later_pulls - pulls) ** 2).sum()) / 2
        return cls(rate, of_runs, max(0.0, share * float((pulls * later_pulls).sum())), count)


def reach(runs: Runs, later: float, sign: int) -> float | None:
    """The smallest change, up or down. None where none could be.

    Better is taken to be a share of each task's failures, worse a share of its successes: so tasks that differ also
    change by different amounts, and each run varies as its rate has it.
    """
    if not 0 < runs.rate < 1:
        return None
    whole = 1 - runs.rate if sign > 0 else runs.rate
    shares = np.linspace(0, 1 if sign > 0 else MOST_OF_RATE, STEPS + 1)[1:]
    changes = shares * whole
    squares = min(runs.of_tasks * runs.tasks, 0.95 * runs.rate * (1 - runs.rate))
    within = max(runs.rate * (1 - runs.rate) - squares, TINY)
    there = runs.rate + sign * changes
    within_there = there * (1 - there) - (1 - shares) ** 2 * squares
    middle = (runs.rate + later) / 2
    seen = max(middle * (1 - middle) - squares, TINY)
    variance = runs.of_runs * (within + within_there) / seen + shares**2 * runs.of_tasks
    reached = changes >= _errors(runs.tasks - 1) * np.sqrt(variance)
    return float(changes[np.argmax(reached)]) if reached.any() else None


def tasks_wanted(count: int, variance: float, difference: float) -> int:
    """How many tasks as these show this difference, four times in five."""
    wanted = count * variance * (_errors(count - 1) / difference) ** 2
    return int(np.ceil(min(MOST_TASKS, wanted)))


def _errors(freedom: int) -> float:
    """How many errors of the difference it takes, where that error is itself estimated: now, and when it is shown."""
    shown, power = float(stdtrit(freedom, 1 - LEVEL / 2)), float(ndtri(POWER))
    both = shown + power
    for _ in range(ROUNDS):
        both = shown + power * float(np.sqrt(1 + (shown**2 + both**2) / (2 * freedom)))
    return both
