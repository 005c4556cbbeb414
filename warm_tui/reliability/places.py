"""Does what changed over a cut stand out among the other places of the same work, where nothing was cut?

Work drifts, and failures come in runs: a test that takes calls for independent finds a change over most cuts of a long
life, wherever they are made. So the same change is measured at each place between two calls. Were the cut a place like
any other, it would be among the twentieth where it is largest once in twenty times.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from warm_tui.reliability.stats import LEVEL, POWER, p_values

Course: TypeAlias = Sequence[tuple[str, bool]]
"""Of each call in order, its tool and whether it failed."""

LEAST_ASIDE = 3
"""A place with fewer calls on one side is none: what a call or two shows is chance."""
DRAWN_CALLS, MOST_DRAWN, FEWEST_DRAWN, HALVINGS = 200_000, 500, 100, 8
SEED = 20_261_119
TIE = 1e-9


def share_as_large(course: Course, at: int) -> float:
    """Of all places, the share where as much changed in the same direction as over the cut behind `at` calls."""
    import numpy as np

    tools = {tool: row for row, tool in enumerate(dict.fromkeys(tool for tool, _ in course))}
    ran = np.zeros((len(tools), len(course)))
    failed = np.zeros_like(ran)
    for place, (tool, failure) in enumerate(course):
        ran[tools[tool], place], failed[tools[tool], place] = 1, failure
    return float(_share(_changes(ran, failed)[None], at)[0])


def _changes(ran: Any, failed: Any) -> Any:
    """Failures after each place beyond those expected, by their error, each tool compared with itself.

    The statistic of Mantel and Haenszel (1959).
    """
    import numpy as np

    calls, failures = ran.sum(axis=-1, keepdims=True), failed.sum(axis=-1, keepdims=True)
    after = calls - ran.cumsum(axis=-1)
    excess = failures - failed.cumsum(axis=-1) - failures * after / np.maximum(calls, 1)
    spread = failures * (calls - failures) * after * (calls - after) / np.maximum(calls**2 * (calls - 1), 1)
    return (excess.sum(axis=-2) / np.sqrt(np.maximum(spread.sum(axis=-2), TIE)))[..., :-1]


def _share(changes: Any, at: int) -> Any:
    """By row. The nth change stands behind n + 1 calls."""
    import numpy as np

    at = min(max(at - 1, 0), changes.shape[-1] - 1)
    here = changes[:, at : at + 1]
    places = np.arange(changes.shape[-1])
    counted = (places >= LEAST_ASIDE - 1) & (places <= changes.shape[-1] - LEAST_ASIDE) | (places == at)
    as_large = changes * np.sign(here) >= np.abs(here) - TIE
    return as_large[:, counted].mean(axis=-1)


class Reach(NamedTuple):
    """The smallest changes that are shown, four times in five; None where none could be."""

    worse: float | None
    better: float | None


@lru_cache(maxsize=200)
def reach(before: tuple[int, int], after: int, tolerance: float, level: float) -> Reach:
    """From the rate before: how much more, or less, so many calls after would show, by the test and among the places.

    More is only told beyond `tolerance` times the rate before. Found by drawing: what is told hangs on the order.
    """
    failures, calls = before
    rate = failures / calls
    worse, better = (_reached(rate, calls, after, end - rate, tolerance, level) for end in (1.0, 0.0))
    return Reach(worse, -better if better is not None else None)


def _reached(rate: float, before: int, after: int, most: float, tolerance: float, level: float) -> float | None:
    import numpy as np

    draws = int(np.clip(DRAWN_CALLS // (before + after), FEWEST_DRAWN, MOST_DRAWN))
    chance = np.random.default_rng(SEED).random((draws, before + after))
    if not most or _power(chance, rate, before, rate + most, tolerance, level) < POWER:
        return None
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        shown = _power(chance, rate, before, rate + middle, tolerance, level) >= POWER
        low, high = (low, middle) if shown else (middle, high)
    return high


def _power(chance: Any, rate: float, before: int, later: float, tolerance: float, level: float) -> float:
    import numpy as np

    failed = (chance < np.where(np.arange(chance.shape[1]) < before, rate, later)).astype(float)
    early, all_failures = failed[:, :before].sum(axis=1).astype(int), failed.sum(axis=1).astype(int)
    after = chance.shape[1] - before
    late = all_failures - early
    chances = np.array([_p_values(before, after, int(sum_))[k] for sum_, k in zip(all_failures, late, strict=True)])
    first, second = early / before, late / after
    told = (second > first) & (second > tolerance * first) if later > rate else second < first
    told &= chances < level
    if not told.any():
        return 0.0
    places = _share(_changes(np.ones_like(failed[told])[:, None], failed[told][:, None]), before)
    return float((places <= LEVEL).sum() / len(chance))


_p_values = lru_cache(maxsize=2_000)(p_values)
