"""How many calls would tell what compaction did, where there are too few."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, sqrt
from typing import NamedTuple

from warm_tui.reliability.compaction import Change, Counts, change
from warm_tui.reliability.stats import Stratum, exact_test

MOST = 20_000
FOUR_IN_FIVE = 0.8416212335729143
"""One draw in five lies below the rate by more than so many standard errors, and one above it."""


class Wanted(NamedTuple):
    """If calls go on to fail as often as they did: what would give a verdict, four times in five."""

    more: int | None
    """So many more after the compaction; None where those before it are too few for that, and they are over."""
    in_all: int | None
    """So many before and after it together, in the same proportion; None where nobody makes so many."""


def calls_wanted(found: Change) -> Wanted:
    before, after = found.before, found.after
    if found.why not in ("too few", "within tolerance") or before.rate is None or after.rate is None:
        return Wanted(None, None)
    more = _least(1, lambda more: _tells_after(found, more))
    calls = before.calls + after.calls
    in_all = None if more is not None else _least(calls + 1, lambda in_all: _tells_all(found, in_all / calls))
    return Wanted(more, in_all)


def _least(start: int, tells: Callable[[int], bool]) -> int | None:
    """The smallest number that tells, taken for granted that every larger one does."""
    low, high = start - 1, start
    while not tells(high):
        low, high = high, high * 2
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tells(middle) else (middle, high)
    return high


def _tells_after(found: Change, more: int) -> bool:
    """Whether it is told as well where the calls to come go rather well as where they go rather badly."""
    rate = found.after.rate or 0.0
    spread = FOUR_IN_FIVE * sqrt(more * rate * (1 - rate))
    ends = {max(0, floor(more * rate - spread)), min(more, ceil(more * rate + spread))}
    return all(_is_told(found.before, found.after + Counts(more, failures)) for failures in ends)


def _tells_all(found: Change, times: float) -> bool:
    """The same with all of it done so many times over: both rates may come out otherwise, told as one of them does."""
    before, after = (
        Counts(round(side.calls * times), round(side.failures * times)) for side in (found.before, found.after)
    )
    spreads = [(side.rate or 0.0) * (1 - (side.rate or 0.0)) / side.calls for side in (before, after)]
    spread = FOUR_IN_FIVE * sqrt(sum(spreads)) * after.calls
    ends = {max(0, floor(after.failures - spread)), min(after.calls, ceil(after.failures + spread))}
    return all(_is_told(before, Counts(after.calls, failures)) for failures in ends)


def _is_told(before: Counts, after: Counts) -> bool:
    test = exact_test([Stratum(before.failures, before.calls, after.failures, after.calls)])
    return change(before, after, test, test.p_value).verdict != "inconclusive"
