"""Between which bounds a rate lies, as far as its calls can tell: what sorting and colours go by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_CALLS, fifth_of
from warm_tui.reliability.stats import newcombe, wilson

RUNNING = 20
"""Of so many calls with a verdict a running rate is: the last ones of the segment."""
FEW_CALLS = 5
"""A rate of fewer calls with a verdict stands grey, wherever it is shown."""


class Bounds(NamedTuple):
    """The ends of a 95 % interval."""

    low: float
    high: float

    @property
    def exclude_zero(self) -> bool:
        return self.low > 0 or self.high < 0

    def sorted_by(self, down: bool) -> float:
        """Worst first by what it is at least, best first by what it is at most: a rate of 3 calls is neither."""
        return self.low if down else self.high


@lru_cache(maxsize=8192)
def rate_bounds(failures: int, calls: int) -> Bounds | None:
    interval = wilson(failures, calls)
    if interval is None:
        return None
    # Rounding would tell those apart that never failed.
    return Bounds(interval[0] if failures else 0.0, interval[1] if failures < calls else 1.0)


@lru_cache(maxsize=8192)
def _change_bounds(early: int, late: int, calls: int) -> Bounds | None:
    interval = newcombe((early, calls), (late, calls))
    return None if interval is None else Bounds(*interval)


def _whole(p: Profile) -> Bounds | None:
    return rate_bounds(p.failed_calls, p.known_calls)


def _early(p: Profile) -> Bounds | None:
    size = fifth_of(p.known_calls)
    return None if p.early_error_rate is None else rate_bounds(round(p.early_error_rate * size), size)


def _late(p: Profile) -> Bounds | None:
    size = fifth_of(p.known_calls)
    return None if p.late_error_rate is None else rate_bounds(round(p.late_error_rate * size), size)


def _first(p: Profile) -> Bounds | None:
    known = p.course[:FIRST_CALLS].replace("?", "")
    return rate_bounds(known.count("x"), len(known))


def change_bounds(p: Profile) -> Bounds | None:
    """Of the late error rate less the early one."""
    if p.early_error_rate is None or p.late_error_rate is None:
        return None
    size = fifth_of(p.known_calls)
    return _change_bounds(round(p.early_error_rate * size), round(p.late_error_rate * size), size)


def change_is_shown(p: Profile) -> bool:
    """More than chance, as far as this session alone can tell; of a few calls early and late, never."""
    bounds = change_bounds(p)
    return bounds is not None and bounds.exclude_zero and fifth_of(p.known_calls) >= FEW_CALLS


BOUNDS_OF: Mapping[str, Callable[[Profile], Bounds | None]] = {
    "error_rate": _whole,
    "early_error_rate": _early,
    "late_error_rate": _late,
    "first_30_error_rate": _first,
    "proficiency_gain": change_bounds,
}
"""The fields of a profile that are rates, or the change of one."""
