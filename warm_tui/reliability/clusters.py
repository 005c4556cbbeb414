"""Differences between two groups of sessions, with the session, not the call, as the unit.

Calls of one session resemble each other: tests on pooled calls find differences that are not there three
times too often. A metric is a ratio of two sums over sessions (failures and calls; or a value and one, for
a mean), so that each session brings what it has, and nothing where it has nothing.

numpy and scipy are imported here and nowhere on the way to a first screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, sqrt
from typing import TypeAlias, TypedDict

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.special import stdtrit

from warm_tui.reliability import amounts
from warm_tui.reliability.clustering import between, likely_worth, planned_clusterings, worth, worth_at
from warm_tui.reliability.detectable import Group, detectable, sessions_wanted
from warm_tui.reliability.paired_reach import Runs, reach, tasks_wanted
from warm_tui.reliability.stats import ABOUT_ONE_SIZE, LEVEL, MIN_NAMED_BETTER, Z_95, Difference, is_named

Ratios: TypeAlias = Sequence[Sequence[tuple[float, float]]]
"""For each session (or each task), what it adds to above and below the line of each metric."""
Array: TypeAlias = "NDArray[np.float64]"

MIN_SESSIONS, MIN_PAIRS = 4, 6
"""With fewer, no arrangement of labels is rare enough for p < 0.05."""
MOST_ARRANGEMENTS = 10_000
DRAWN_ELEMENTS, MIN_DRAWN = 20_000_000, 1_999
BATCH_ELEMENTS = 1_000_000
SEED = 20_261_118
TIE = 1e-9


def independent(first: Ratios, second: Ratios, planned: int | None = None) -> list[Difference]:
    """Two groups of different sessions: cluster-robust intervals, p-values over session labels.

    `planned`: of how many rates, from the first, it is worked out what would be detectable; None: of all.
    """
    a, b = _array(first), _array(second)
    if not len(a) or not len(b):
        return _only_rates(a, b)
    # Between arms of one size the plain difference is sound, and finds more; between others its error is needed.
    statistic = _plain if max(len(a), len(b)) <= ABOUT_ONE_SIZE * min(len(a), len(b)) else _studentized
    seen = statistic(_moments(a).sum(axis=0), _moments(b).sum(axis=0))
    chances = _p_values(_rearranged(a, b, statistic), seen)
    differences = [
        _difference(a[:, at], b[:, at], None if np.isnan(p) else float(p), paired=False) for at, p in enumerate(chances)
    ]
    of_calls = [at for at, one in enumerate(differences) if min(one.units) > 1 and _counts_calls(a[:, at], b[:, at])]
    for at, (low, high) in zip(of_calls, _intervals(a[:, of_calls], b[:, of_calls]), strict=True):
        differences[at] = replace(differences[at], low=low, high=high)
    named = [at for at in of_calls[:planned] if is_named(*differences[at].units)]
    for at, reaches in zip(named, _reaches(a[:, named], b[:, named]), strict=True):
        differences[at] = replace(differences[at], **reaches)
    return differences


def paired(first: Ratios, second: Ratios) -> list[Difference]:
    """The same tasks in both groups, in the same order: intervals over tasks, p-values over swaps within them."""
    a, b = _array(first), _array(second)
    if not len(a):
        return _only_rates(a, b)
    # Of each metric only the tasks that have it in both arms can be compared.
    both = (a[..., 1:] > 0) & (b[..., 1:] > 0)
    a, b = np.where(both, a, 0.0), np.where(both, b, 0.0)
    chances = _p_values(_swapped(a, b), _plain(a.sum(axis=0), b.sum(axis=0)))
    return [
        _difference(a[:, at], b[:, at], None if np.isnan(p) else float(p), paired=True) for at, p in enumerate(chances)
    ]


def _array(ratios: Ratios) -> Array:
    return np.asarray(ratios, dtype=float).reshape(len(ratios), -1, 2) if len(ratios) else np.zeros((0, 0, 2))


def _only_rates(a: Array, b: Array) -> list[Difference]:
    metrics = max(a.shape[1], b.shape[1])
    return [
        Difference(_rate(a[:, at]) if a.shape[1] else None, _rate(b[:, at]) if b.shape[1] else None, (len(a), len(b)))
        for at in range(metrics)
    ]


def _counts_calls(a: Array, b: Array) -> bool:
    """Failures of calls, not the mean of something."""
    both = np.concatenate([a, b])
    above, below = both[:, 0], both[:, 1]
    return bool((below > 1).any() and (above >= 0).all() and (above <= below).all() and (both % 1 == 0).all())


def _intervals(a: Array, b: Array) -> list[tuple[float, float]]:
    """For failures of calls: never beyond what is possible, and wide enough where few sessions are."""
    if not a.shape[1]:
        return []
    first, second = worth(a), worth(b)
    lows, highs = between((first.rate, first.cautious), (second.rate, second.cautious), Z_95)
    return [(float(low), float(high)) for low, high in zip(lows, highs, strict=True)]


class Reach(TypedDict):
    mde: float | None
    mde_up: float | None
    mde_down: float | None
    wanted: int | None


def _reaches(a: Array, b: Array) -> Iterator[Reach]:
    """What would be detectable, with sessions as alike as they are likely to be, seen of both arms."""
    if not a.shape[1]:
        return
    first, second = worth(a), worth(b)
    planned = planned_clusterings((a, first), (b, second))
    cautious = [worth_at(arm, clustering) for arm, clustering in zip((a, b), planned, strict=True)]
    likely = [likely_worth(arm, clustering) for arm, clustering in zip((a, b), planned, strict=True)]
    sessions = [arm[..., 1].sum(axis=0) ** 2 / (arm[..., 1] ** 2).sum(axis=0) for arm in (a, b)]
    counted = [np.count_nonzero(arm[..., 1], axis=0) for arm in (a, b)]
    for at, rate in enumerate(first.rate):
        groups = [Group(cautious[arm][:, at], float(likely[arm][at]), float(sessions[arm][at])) for arm in (0, 1)]
        up = detectable(float(rate), groups[0], groups[1], 1)
        enough = min(arm[at] for arm in counted) >= MIN_NAMED_BETTER
        down = detectable(float(rate), groups[0], groups[1], -1) if enough else None
        change = float(second.rate[at] - rate)
        of_a_session = [float(likely[arm][at] / counted[arm][at]) for arm in (0, 1)]
        wanted = sessions_wanted(float(rate), change, of_a_session[0], of_a_session[1]) if change else None
        yield {
            "mde": max((reach for reach in (up, down) if reach is not None), default=None),
            "mde_up": up,
            "mde_down": down,
            "wanted": None if wanted is None else max(wanted, MIN_SESSIONS),
        }


def _rate(sessions: Array) -> float | None:
    above, below = sessions.sum(axis=0)
    return float(above / below) if below else None


def _pulls(sessions: Array, rate: float) -> Array:
    """How far each session pulls the ratio: what it would be without it, less what it is (the jackknife).

    For means this is Welch's variance. A session that is most of an arm leaves no rate without it to speak of,
    and so a wide interval, where the usual linearization would see a session that lies on its own rate.
    """
    above, below = sessions[:, 0], sessions[:, 1]
    return np.asarray((above - rate * below) / (below.sum() - below))


def _difference(a: Array, b: Array, p_value: float | None, *, paired: bool) -> Difference:
    first, second = _rate(a), _rate(b)
    has_a, has_b = a[:, 1] > 0, b[:, 1] > 0
    either = has_a & has_b if paired else None
    units = (int(either.sum()),) * 2 if either is not None else (int(has_a.sum()), int(has_b.sum()))
    if first is None or second is None:
        return Difference(first, second, units)
    difference = second - first
    if min(units) < 2:
        return Difference(first, second, units, difference)
    if either is not None:
        variance = _variance(_pulls(b[either], second) - _pulls(a[either], first))
        freedom = float(units[0] - 1)
    else:
        first_variance, second_variance = _variance(_pulls(a[has_a], first)), _variance(_pulls(b[has_b], second))
        variance = first_variance + second_variance
        parts = first_variance**2 / (units[0] - 1) + second_variance**2 / (units[1] - 1)
        freedom = float(variance**2 / parts) if parts else float(sum(units) - 2)
    p_value = p_value if min(units) >= (MIN_PAIRS if paired else MIN_SESSIONS) else None
    if variance <= TIE**2:
        # All alike: how much they might have differed, nothing tells.
        return Difference(first, second, units, difference, p_value=p_value)
    half = sqrt(variance) * float(stdtrit(freedom, 1 - LEVEL / 2))
    low, high = difference - half, difference + half
    of_calls = _counts_calls(a, b)
    if not of_calls and (means := _amounts(a, b, either)) is not None:
        ends = amounts.interval(*means, paired=paired) or (None, None)
        return Difference(first, second, units, difference, ends[0], ends[1], p_value)
    told = Difference(first, second, units, difference, low, high, p_value)
    if either is None or not of_calls or not is_named(*units):
        return told
    runs = Runs.of(a[either], b[either])
    up, down = (reach(runs, second, sign) for sign in (1, -1))
    largest = max((change for change in (up, down) if change is not None), default=None)
    wanted = tasks_wanted(units[0], variance, difference) if difference else None
    return replace(told, mde=largest, mde_up=up, mde_down=down, wanted=wanted)


def _amounts(a: Array, b: Array, either: NDArray[np.bool_] | None) -> tuple[Array, Array] | None:
    """The values of both arms, where each session (or task) has as many, and none is below nought."""
    known = [arm[arm[:, 1] > 0 if either is None else either] for arm in (a, b)]
    if any(np.ptp(arm[:, 1]) for arm in known):
        return None
    first, second = (arm[:, 0] / arm[:, 1] for arm in known)
    return (first, second) if amounts.are_amounts(np.concatenate([first, second])) else None


def _variance(pulls: Array) -> float:
    count = len(pulls)
    return float((count - 1) / count * (pulls**2).sum())


# --- permutations ---


def _p_values(arrangements: Iterator[tuple[Array, bool]], seen: Array) -> Array:
    """Two-sided: how often another arrangement gives a statistic as large. None are known of what has no rate."""
    reaching, arranged, drawn = np.zeros(len(seen)), np.zeros(len(seen)), False
    for observed, at_random in arrangements:
        drawn = at_random
        known = ~np.isnan(observed)
        with np.errstate(invalid="ignore"):
            reaching += (np.abs(observed) >= np.abs(seen) * (1 - TIE) - TIE).sum(axis=0, where=known)
        arranged += known.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Drawn at random, the arrangement that was seen counts as one of them.
        return np.where(np.isnan(seen), np.nan, (reaching + drawn) / (arranged + drawn))


# Of each session and metric: what is above and below the line, whether there is any, and their squares and product.
ABOVE, BELOW, ANY, ABOVE2, BOTH, BELOW2 = range(6)


def _moments(sessions: Array) -> Array:
    above, below = sessions[..., 0], sessions[..., 1]
    return np.stack([above, below, below > 0, above**2, above * below, below**2], axis=-1)


def _studentized(first: Array, second: Array) -> Array:
    """The difference of the ratios by its standard error.

    By the error, because a small arm of unlike sessions against a large one would otherwise differ too often.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        rates, variances = [], []
        for sums in (first, second):
            rate = sums[..., ABOVE] / sums[..., BELOW]
            squares = sums[..., ABOVE2] - 2 * rate * sums[..., BOTH] + rate**2 * sums[..., BELOW2]
            count = sums[..., ANY]
            rates.append(rate)
            variances.append(np.maximum(squares, 0) / sums[..., BELOW] ** 2 * count / np.maximum(count - 1, 1))
        difference, variance = rates[1] - rates[0], variances[0] + variances[1]
        alike = variance <= TIE**2
        nothing = np.where(np.abs(difference) <= TIE, 0.0, np.copysign(np.inf, difference))
        by_error = difference / np.sqrt(np.where(alike, 1.0, variance))
        return np.asarray(np.where(np.isnan(difference), np.nan, np.where(alike, nothing, by_error)))


def _plain(first: Array, second: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(second[..., ABOVE] / second[..., BELOW] - first[..., ABOVE] / first[..., BELOW])


def _draws(units: int) -> int:
    return min(MOST_ARRANGEMENTS - 1, max(MIN_DRAWN, DRAWN_ELEMENTS // units))


def _batches(draws: int, units: int) -> Iterator[int]:
    size = max(1, BATCH_ELEMENTS // units)
    while draws > 0:
        yield min(size, draws)
        draws -= size


def _sums(chosen: Array, sessions: Array) -> Array:
    flat = sessions.reshape(len(sessions), -1)
    return np.asarray((chosen @ flat).reshape(len(chosen), *sessions.shape[1:]))


def _rearranged(a: Array, b: Array, statistic: Callable[[Array, Array], Array]) -> Iterator[tuple[Array, bool]]:
    """The statistic for every way to deal the labels, or for as many as there is time for."""
    sessions = _moments(np.concatenate([a, b]))
    whole, units, size = sessions.sum(axis=0), len(sessions), len(a)
    if comb(units, size) <= MOST_ARRANGEMENTS:
        chosen = np.zeros((comb(units, size), units))
        for row, members in enumerate(combinations(range(units), size)):
            chosen[row, list(members)] = 1
        sums = _sums(chosen, sessions)
        yield statistic(sums, whole - sums), False
        return
    rng = np.random.default_rng(SEED)
    labels = np.zeros(units)
    labels[:size] = 1
    for count in _batches(_draws(units), units):
        sums = _sums(rng.permuted(np.broadcast_to(labels, (count, units)), axis=1), sessions)
        yield statistic(sums, whole - sums), True


def _swapped(a: Array, b: Array) -> Iterator[tuple[Array, bool]]:
    """The difference for every way to swap the arms within tasks, or for as many as there is time for."""
    units, first, second = len(a), a.sum(axis=0), b.sum(axis=0)
    if 2**units <= MOST_ARRANGEMENTS:
        swaps = ((np.arange(2**units)[:, None] >> np.arange(units)) & 1).astype(float)
        moved = _sums(swaps, b - a)
        yield _plain(first + moved, second - moved), False
        return
    rng = np.random.default_rng(SEED)
    for count in _batches(_draws(units), units):
        moved = _sums(rng.integers(0, 2, (count, units)).astype(float), b - a)
        yield _plain(first + moved, second - moved), True
