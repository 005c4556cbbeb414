"""Small statistics that need no library. Each is tested against scipy, or against the paper it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import lgamma, sqrt
from typing import Any, NamedTuple

import msgspec

LEVEL = 0.05
"""How often, where there is no difference, one may be shown all the same."""
POWER = 0.8
"""How often a difference is to be shown where there is one."""
MIN_NAMED, EVEN = 20, 1.2
"""Of fewer sessions an arm (or tasks), or where one arm has more times those of the other, no size of difference is
named: by simulation, what would then be named is shown in a tenth to nineteen twentieths of cases."""
MIN_NAMED_BETTER = 40
"""Nor that of an improvement of fewer sessions an arm; of tasks it is, from `MIN_NAMED` on."""
FEW_SESSIONS = 10
"""In an arm of fewer next to nothing is known of how alike calls of a session are, and intervals are wider for it."""
ABOUT_ONE_SIZE = 1.5
Z_95 = 1.959963984540054
# What differs by less than this is as likely, rounding aside.
AS_LIKELY = 1 + 1e-7


def wilson(failures: int, calls: int) -> tuple[float, float] | None:
    """The 95 % Wilson interval of a rate within one session; None where there is no rate."""
    if calls <= 0:
        return None
    rate = failures / calls
    z2 = Z_95 * Z_95
    center = rate + z2 / (2 * calls)
    half = Z_95 * sqrt(rate * (1 - rate) / calls + z2 / (4 * calls * calls))
    scale = 1 + z2 / calls
    return max(0.0, (center - half) / scale), min(1.0, (center + half) / scale)


def newcombe(before: tuple[int, int], after: tuple[int, int], factor: float = 1.0) -> tuple[float, float] | None:
    """The 95 % interval of the rate after, less `factor` times the rate before; each as failures and calls.

    Newcombe's hybrid of two Wilson intervals (1998, method 10), which never leaves what is possible.
    """
    first, second = wilson(*before), wilson(*after)
    if first is None or second is None:
        return None
    rate, later = before[0] / before[1], after[0] / after[1]
    difference = later - factor * rate
    low = difference - sqrt((later - second[0]) ** 2 + (factor * (first[1] - rate)) ** 2)
    high = difference + sqrt((second[1] - later) ** 2 + (factor * (rate - first[0])) ** 2)
    return low, high


class Difference(msgspec.Struct, frozen=True):
    """The second group less the first, of one metric. None: it cannot be computed from what there is."""

    first: float | None
    second: float | None
    units: tuple[int, int]
    """Sessions (or tasks) that have this metric."""
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    mde: float | None = None
    """The smallest difference that so many sessions show, four times in five."""
    wanted: int | None = None
    """How many sessions an arm (or pairs) would show the difference found, four times in five."""
    mde_up: float | None = None
    mde_down: float | None = None
    """The same by direction, since the spread is that of the rate there would be; None where none is named."""


def is_named(first: int, second: int) -> bool:
    """Whether so many show a size of difference reliably enough to name one."""
    fewer, more = sorted((first, second))
    return fewer >= MIN_NAMED and more <= EVEN * fewer


class Stratum(NamedTuple):
    """Failures and calls before and after, of what may be compared: the calls of one tool."""

    failures_before: int
    before: int
    failures_after: int
    after: int


class Exact(NamedTuple):
    p_value: float
    excess: float
    """Failures after, beyond those expected if nothing had changed."""


def exact_test(strata: Iterable[Stratum]) -> Exact:
    """Are there more failures after than before, each stratum compared with itself? Two-sided, exact.

    With one stratum this is Fisher's test, with several its conditional extension (scipy has none). Work
    that turns to another tool, which fails more often, is no change of how well it is done.
    """
    import numpy as np

    chances, seen, expected, lowest = np.ones(1), 0, 0.0, 0
    for failures_before, before, failures_after, after in strata:
        failures, calls = failures_before + failures_after, before + after
        if not calls:
            continue
        low, high = max(0, failures - before), min(failures, after)
        whole = _log_choose(calls, failures)
        logs = [_log_choose(after, k) + _log_choose(before, failures - k) - whole for k in range(low, high + 1)]
        chances = np.convolve(chances, np.exp(logs))
        seen, lowest, expected = seen + failures_after, lowest + low, expected + failures * after / calls
    p_value = float(chances[chances <= chances[seen - lowest] * AS_LIKELY].sum())
    return Exact(min(1.0, p_value), seen - expected)


def p_values(before: int, after: int, failures: int) -> Any:
    """Fisher's, for each number of failures after; 1 where there can be none such."""
    import numpy as np

    late = np.arange(max(0, failures - before), min(failures, after) + 1)
    logs = _log_chooses(after)[late] + _log_chooses(before)[failures - late]
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    order = np.argsort(chances)
    sums = np.cumsum(chances[order])
    p_values = np.ones(after + 1)
    p_values[late] = sums[np.searchsorted(chances[order], chances * AS_LIKELY, side="right") - 1]
    return p_values


@lru_cache(maxsize=8)
def _log_chooses(n: int) -> Any:
    import numpy as np

    return np.array([_log_choose(n, k) for k in range(n + 1)])


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number, after Holm, in the order they came in."""
    corrected = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = highest
    return corrected
