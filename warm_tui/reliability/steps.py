"""Is what changed over a cut a step there, or what runs of failures and steady drift would show all the same?

A test that takes calls for independent finds a change over most cuts of a long life, wherever they are made. So two
things are asked beside it, of the same statistic at all places between two calls. Failures come in runs, and a run
begins where it will: at no other place did much more change. And work drifts: a step at the cut explains the failures
at least as well as a steady drift from the first call to the last, and beyond that drift something is left. To rule the
drift out takes more calls than to show a change: where it is not ruled out, that is told beside the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from warm_tui.reliability.stats import POWER, p_values

Course: TypeAlias = Sequence[tuple[str, bool]]
"""Of each call in order, its tool and whether it failed."""

Shape: TypeAlias = Literal["step", "perhaps drift", "none"]

LEAST_ASIDE, OF_LARGEST = 10, 0.85
"""Calls on either side below which a step is not told from a run, and how much of the largest change at any place that
over the cut has to be. By simulation (`bench/placebo.py`): with more, steps are seldom shown, as the largest change is
often found a few calls beside them; with less, runs and drift are called steps."""
SPEAKS_AGAINST_DRIFT, RULES_DRIFT_OUT = 1.1, 1.6
"""By how many errors a change has to go beyond what a drift explains to be told, and to be told without naming that
drift: hardly more than 5 % of drifts go beyond the second. No test could do that and show as many steps: of those from
10 to 50 % in 100 calls the second lets through three in four, the first five in six."""
DRAWN_CALLS, MOST_DRAWN, FEWEST_DRAWN, HALVINGS = 200_000, 500, 100, 8
BETTER_AIMS_HIGHER = 0.04
"""The rate before was only seen. Where it was seen too low, too small an improvement is named, and where too high, one
that is shown hardly more often: by simulation (`bench/chances.py lives`) that costs so much."""
SEED = 20_261_119
TIE = 1e-9


def shape(course: Course, at: int) -> Shape:
    """Of the change behind the first `at` calls; each tool is compared with itself."""
    import numpy as np

    tools = {tool: row for row, tool in enumerate(dict.fromkeys(tool for tool, _ in course))}
    ran = np.zeros((len(tools), len(course)))
    failed = np.zeros_like(ran)
    for place, (tool, failure) in enumerate(course):
        ran[tools[tool], place], failed[tools[tool], place] = 1, failure
    if not _are_steps(ran[None], failed[None], at)[0]:
        return "none"
    beyond, _ = _against_drift(ran[None], failed[None], at)
    return "step" if beyond[0] >= RULES_DRIFT_OUT else "perhaps drift"


def _are_steps(ran: Any, failed: Any, at: int) -> Any:
    """By row, of each tool and call whether it ran and failed."""
    import numpy as np

    calls = ran.shape[-1]
    if min(at, calls - at) < LEAST_ASIDE:
        return np.zeros(len(ran), dtype=bool)
    changes = _changes(ran, failed)
    here = changes[:, at - 1]
    largest = (changes * np.sign(here)[:, None])[:, LEAST_ASIDE - 1 : calls - LEAST_ASIDE].max(axis=1)
    stands_out = (np.abs(here) > TIE) & (np.abs(here) >= OF_LARGEST * largest - TIE)
    beyond, of_drift = _against_drift(ran, failed, at)
    return np.asarray(stands_out & (beyond >= SPEAKS_AGAINST_DRIFT) & (np.abs(here) >= of_drift - TIE))


def _changes(ran: Any, failed: Any) -> Any:
    """Failures after each place beyond those expected, by their error.

    The statistic of Mantel and Haenszel (1959): the nth stands behind n + 1 calls.
    """
    import numpy as np

    calls, failures = ran.sum(axis=-1, keepdims=True), failed.sum(axis=-1, keepdims=True)
    after = calls - ran.cumsum(axis=-1)
    excess = failures - failed.cumsum(axis=-1) - failures * after / np.maximum(calls, 1)
    spread = failures * (calls - failures) * after * (calls - after) / np.maximum(calls**2 * (calls - 1), 1)
    return (excess.sum(axis=-2) / np.sqrt(np.maximum(spread.sum(axis=-2), TIE)))[..., :-1]


def _against_drift(ran: Any, failed: Any, at: int) -> tuple[Any, Any]:
    """What of the change a steady drift does not explain, by its error; and the drift itself, by its own.

    Mantel's test of a trend (1963), once for the side and once for the place of each call: of the first is taken what
    the second leads one to expect.
    """
    import numpy as np

    calls, failures = ran.sum(axis=-1), failed.sum(axis=-1)
    weights = failures * (calls - failures) / np.maximum(calls * (calls - 1), 1)
    places = np.arange(ran.shape[-1])
    side, place = (
        ran * (values - (ran @ values / np.maximum(calls, 1))[..., None]) for values in (places >= at, places)
    )
    change, drift = ((centred * failed).sum(axis=(-2, -1)) for centred in (side, place))
    of_change, of_drift, of_both = (
        (weights * (one * other).sum(axis=-1)).sum(axis=-1)
        for one, other in ((side, side), (place, place), (side, place))
    )
    sign, explained = np.sign(change), of_both / np.maximum(of_drift, TIE)
    beyond = (change - explained * drift) / np.sqrt(np.maximum(of_change - explained * of_both, TIE))
    return sign * beyond, sign * drift / np.sqrt(np.maximum(of_drift, TIE))


class Reach(NamedTuple):
    """The smallest changes that are shown, four times in five; None where none could be."""

    worse: float | None
    better: float | None


@lru_cache(maxsize=200)
def reach(before: tuple[int, int], after: int, tolerance: float, level: float) -> Reach:
    """From the rate before: how much more, or less, so many calls after would show, by the test and as a step.

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
    wanted = POWER if most > 0 else POWER + BETTER_AIMS_HIGHER
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        shown = _power(chance, rate, before, rate + middle, tolerance, level) >= wanted
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
    one_tool = failed[told][:, None]
    return float(_are_steps(np.ones_like(one_tool), one_tool, before).sum() / len(chance))


_p_values = lru_cache(maxsize=2_000)(p_values)
