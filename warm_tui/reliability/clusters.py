"""Differences between two groups of sessions, with the session, not the call, as the unit.

Calls of one session resemble each other: tests on pooled calls find differences that are not there three
times too often. A metric is a ratio of two sums over sessions (failures and calls; or a value and one, for
a mean), so that each session brings what it has, and nothing where it has nothing.

numpy and scipy are imported here and nowhere on the way to a first screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from warm_tui.reliability.stats import Difference

Ratios: TypeAlias = Sequence[Sequence[tuple[float, float]]]
"""For each session (or each task), what it adds to above and below the line of each metric."""
Array: TypeAlias = "NDArray[np.float64]"

LEAST_SESSIONS, LEAST_PAIRS = 4, 6
"""With fewer, no arrangement of labels is rare enough for p < 0.05."""
LEVEL, POWER = 0.05, 0.8
MOST_ARRANGEMENTS = 10_000
DRAWN_ELEMENTS, LEAST_DRAWN = 20_000_000, 1_999
BATCH_ELEMENTS = 1_000_000
SEED = 20_261_118
TIE = 1e-9


def independent(first: Ratios, second: Ratios) -> list[Difference]:
    """Two groups of different sessions: cluster-robust intervals, p-values over session labels."""
    a, b = _array(first), _array(second)
    if not len(a) or not len(b):
        return _only_rates(a, b)
    chances = _p_values(_rearranged(a, b), a, b)
    return [
        _difference(a[:, at], b[:, at], None if np.isnan(p) else float(p), paired=False) for at, p in enumerate(chances)
    ]


def paired(first: Ratios, second: Ratios) -> list[Difference]:
    """The same tasks in both groups, in the same order: intervals over tasks, p-values over swaps within them."""
    a, b = _array(first), _array(second)
    if not len(a):
        return _only_rates(a, b)
    chances = _p_values(_swapped(a, b), a, b)
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


def _rate(sessions: Array) -> float | None:
    above, below = sessions.sum(axis=0)
    return float(above / below) if below else None


def _residuals(sessions: Array, rate: float) -> Array:
    """How far each session pulls the ratio up or down (its linearization)."""
    return np.asarray((sessions[:, 0] - rate * sessions[:, 1]) / sessions[:, 1].sum())


def _difference(a: Array, b: Array, p_value: float | None, *, paired: bool) -> Difference:
    first, second = _rate(a), _rate(b)
    has_a, has_b = a[:, 1] > 0, b[:, 1] > 0
    either = has_a | has_b if paired else None
    units = (int(either.sum()),) * 2 if either is not None else (int(has_a.sum()), int(has_b.sum()))
    if first is None or second is None:
        return Difference(first, second, units)
    difference = second - first
    if min(units) < 2:
        return Difference(first, second, units, difference)
    if either is not None:
        pulls = _residuals(b, second)[either] - _residuals(a, first)[either]
        variance, freedom = _variance(pulls), float(units[0] - 1)
    else:
        one, two = _variance(_residuals(a, first)[has_a]), _variance(_residuals(b, second)[has_b])
        variance = one + two
        parts = one**2 / (units[0] - 1) + two**2 / (units[1] - 1)
        freedom = float(variance**2 / parts) if parts else float(sum(units) - 2)
    error = sqrt(variance)
    reach = float(student.ppf(1 - LEVEL / 2, freedom)) * error
    mde = (float(student.ppf(1 - LEVEL / 2, freedom)) + float(student.ppf(POWER, freedom))) * error
    return Difference(
        first,
        second,
        units,
        difference,
        difference - reach,
        difference + reach,
        p_value if min(units) >= (LEAST_PAIRS if paired else LEAST_SESSIONS) else None,
        mde,
        _wanted(max(units), mde, difference),
    )


def _variance(pulls: Array) -> float:
    """Of their sum: with the factor for having estimated the ratio from them."""
    count = len(pulls)
    return float(count / (count - 1) * (pulls**2).sum())


def _wanted(units: int, mde: float, difference: float) -> int | None:
    if not difference or not mde:
        return None
    return max(units, int(np.ceil(min(1e9, units * (mde / abs(difference)) ** 2))))


# --- permutations ---


def _p_values(arrangements: Iterator[tuple[Array, bool]], a: Array, b: Array) -> Array:
    """Two-sided: how often other labels give a difference as large. Each batch of arrangements is of group sums."""
    whole = a.sum(axis=0) + b.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = _ratio_difference(a.sum(axis=0)[None], whole)[0]
        reaching, arranged, drawn = np.zeros(len(seen)), np.zeros(len(seen)), False
        for sums, at_random in arrangements:
            drawn = at_random
            found = _ratio_difference(sums, whole)
            known = ~np.isnan(found)
            reaching += (np.abs(found) >= np.abs(seen) - TIE * (1 + np.abs(seen))).sum(axis=0, where=known)
            arranged += known.sum(axis=0)
        # Drawn at random, the arrangement that was seen counts as one of them.
        return np.where(np.isnan(seen), np.nan, (reaching + drawn) / (arranged + drawn))


def _ratio_difference(sums: Array, whole: Array) -> Array:
    other = whole - sums
    return np.asarray(other[..., 0] / other[..., 1] - sums[..., 0] / sums[..., 1])


def _draws(units: int) -> int:
    return min(MOST_ARRANGEMENTS - 1, max(LEAST_DRAWN, DRAWN_ELEMENTS // units))


def _batches(draws: int, units: int) -> Iterator[int]:
    size = max(1, BATCH_ELEMENTS // units)
    while draws > 0:
        yield min(size, draws)
        draws -= size


def _sums(chosen: Array, sessions: Array) -> Array:
    flat = sessions.reshape(len(sessions), -1)
    return np.asarray((chosen @ flat).reshape(len(chosen), *sessions.shape[1:]))


def _rearranged(a: Array, b: Array) -> Iterator[tuple[Array, bool]]:
    """The sums of the first group, for every way to deal the labels, or for as many as there is time for."""
    from itertools import combinations

    sessions = np.concatenate([a, b])
    units, size = len(sessions), len(a)
    if comb(units, size) <= MOST_ARRANGEMENTS:
        chosen = np.zeros((comb(units, size), units))
        for row, members in enumerate(combinations(range(units), size)):
            chosen[row, list(members)] = 1
        yield _sums(chosen, sessions), False
        return
    rng = np.random.default_rng(SEED)
    labels = np.zeros(units)
    labels[:size] = 1
    for count in _batches(_draws(units), units):
        yield _sums(rng.permuted(np.broadcast_to(labels, (count, units)), axis=1), sessions), True


def _swapped(a: Array, b: Array) -> Iterator[tuple[Array, bool]]:
    units, whole = len(a), a.sum(axis=0)
    if 2**units <= MOST_ARRANGEMENTS:
        swaps = (np.arange(2**units)[:, None] >> np.arange(units)) & 1
        yield whole + _sums(swaps.astype(float), b - a), False
        return
    rng = np.random.default_rng(SEED)
    for count in _batches(_draws(units), units):
        yield whole + _sums(rng.integers(0, 2, (count, units)).astype(float), b - a), True
