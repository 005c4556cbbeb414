"""How much the calls of one session resemble each other, and so how many independent calls a group is worth.

Of few sessions the spread that was seen tells too little: one that fails throughout may not have been among
them. So the clustering is taken as large as it may well be: from the likelihood of a beta-binomial model (each
session has a rate of its own, its calls fail by that), with every clustering from none to whole as likely beforehand.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from warm_tui.reliability.stats import FEW_SESSIONS

Array: TypeAlias = "NDArray[np.float64]"

MAY_WELL_BE, OF_FEW = 0.6, 0.8
"""The chance that the clustering is not larger than it is taken to be; of fewer sessions that has to be larger. By
simulation: with less, arms whose clustering differs are told apart too often; with more, intervals are wider, and real
differences found more seldom, than need be."""
CENTRE = 0.5
ONE_ERROR, TINY = (0.1587, 0.8413), 1e-9
# Rates at which a group's worth is worked out beforehand, in how many drawn groups each, and what most are worth.
PLANNED = (0.0, 0.002, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95)
DRAWN, MANY_SESSIONS, OFTEN_LESS = 15, 100, 0.35
SEED = 20_261_118
CLUSTERING = np.array(
    [0.003, 0.01, 0.02, 0.04, 0.06, 0.09, 0.13, 0.18, 0.24, 0.31, 0.39, 0.48, 0.58, 0.69, 0.8, 0.9, 0.97]
)
RATES = np.array([
    0.003, 0.01, 0.02, 0.035, 0.055, 0.08, 0.11, 0.15, 0.2, 0.26, 0.33, 0.41, 0.5,
    0.59, 0.67, 0.74, 0.8, 0.85, 0.89, 0.92, 0.945, 0.965, 0.98, 0.99, 0.997,
])  # fmt: skip


class Worth(NamedTuple):
    """The rate of a group of sessions, of each metric, and how many independent calls it is worth."""

    rate: Array
    cautious: Array
    """With a clustering as large as it may well be."""
    likely: Array


def worth(sessions: Array) -> Worth:
    """`sessions`: by session and metric, failures and calls."""
    calls = sessions[..., 1].sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = sessions[..., 0].sum(axis=0) / calls
        seen = rate * (1 - rate) / _jackknife(sessions, rate)
    # Where all sessions are alike, their spread says nothing; the model's is left.
    seen = np.where(np.isfinite(seen), seen, np.inf)
    chances = _clustering(sessions)
    may_well_be = np.where(np.count_nonzero(sessions[..., 1], axis=0) < FEW_SESSIONS, OF_FEW, MAY_WELL_BE)
    cautious, likely = (
        np.clip(np.minimum(seen, likely_worth(sessions, _quantile(chances, at))), 1.0, None)
        for at in (may_well_be, np.full_like(may_well_be, CENTRE))
    )
    return Worth(rate, cautious, likely)


def planned_clusterings(first: tuple[Array, Worth], second: tuple[Array, Worth]) -> list[Array]:
    """How alike the calls of a session are likely to be, in either group.

    A small group tells little of it, so what both have in common counts; the less, the farther they are apart beyond
    what chance sets them apart by. As logarithms, whose error hangs little on how alike calls are.
    """
    seen = [np.log(_clustering_of(sessions, told.likely)) for sessions, told in (first, second)]
    errors = [_variance_of_log(sessions) for sessions, _ in (first, second)]
    chance = errors[0] + errors[1]
    common = (seen[0] * errors[1] + seen[1] * errors[0]) / chance
    own_share = np.clip(1 - chance / np.maximum((seen[0] - seen[1]) ** 2, TINY), 0.0, 1.0)
    return [np.exp(common + own_share * (own - common)) for own in seen]


def _variance_of_log(sessions: Array) -> Array:
    chances = _clustering(sessions)
    low, high = (np.log(_quantile(chances, np.full(len(chances), at))) for at in ONE_ERROR)
    return np.asarray(np.maximum((high - low) / 2, TINY) ** 2)


def _clustering_of(sessions: Array, independent_calls: Array) -> Array:
    """How alike the calls of a session are, where the group is worth so many independent ones."""
    calls = sessions[..., 1].sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (calls / independent_calls - 1) / (_calls_about_a_call(sessions) - 1)
    return np.asarray(np.clip(np.nan_to_num(found), CLUSTERING[0], CLUSTERING[-1]))


def likely_worth(sessions: Array, clustering: Array) -> Array:
    return np.asarray(sessions[..., 1].sum(axis=0) / (1 + (_calls_about_a_call(sessions) - 1) * clustering))


def worth_at(sessions: Array, clustering: Array) -> Array:
    """What a group would cautiously be worth with other rates, for each of PLANNED and each metric.

    The fewer failures there are, the less is known of how alike sessions are, and where there are none, nothing. So
    sessions are drawn that are as long as these, and so alike.
    """
    none_failed = worth(np.stack([np.zeros_like(sessions[..., 1]), sessions[..., 1]], axis=-1)).cautious
    if len(sessions) > MANY_SESSIONS:
        likely = likely_worth(sessions, clustering)
        return np.stack([np.minimum(none_failed, likely), *[likely] * (len(PLANNED) - 1)])
    rng = np.random.default_rng(SEED)
    calls = np.repeat(sessions[..., 1], DRAWN, axis=1).astype(int)
    size = np.repeat(1 / clustering - 1, DRAWN)
    found = [none_failed]
    for rate in PLANNED[1:]:
        risks = rng.beta(rate * size, (1 - rate) * size, calls.shape)
        drawn = np.stack([rng.binomial(calls, risks), calls], axis=-1).astype(float)
        found.append(np.quantile(worth(drawn).cautious.reshape(-1, DRAWN), OFTEN_LESS, axis=1))
    return np.array(found)


def _calls_about_a_call(sessions: Array) -> Array:
    """How long the session of a call is, on average over calls."""
    return np.asarray((sessions[..., 1] ** 2).sum(axis=0) / sessions[..., 1].sum(axis=0))


def _jackknife(sessions: Array, rate: Array) -> Array:
    """The variance of the rate, as the sessions pull it."""
    above, below = sessions[..., 0], sessions[..., 1]
    count = (below > 0).sum(axis=0)
    return np.asarray((count - 1) / count * (((above - rate * below) / (below.sum(axis=0) - below)) ** 2).sum(axis=0))


def _clustering(sessions: Array) -> Array:
    """Of each metric: how likely the clustering is at most so large, for each of CLUSTERING."""
    failures, calls = sessions[..., 0], sessions[..., 1]
    size = (1 / CLUSTERING - 1)[:, None]
    logs = _rising(failures, (RATES * size).ravel()) + _rising(calls - failures, ((1 - RATES) * size).ravel())
    logs = logs.reshape(-1, len(CLUSTERING), len(RATES)) - _rising(calls, size[:, 0])[:, :, None]
    likelihood = np.exp(logs - logs.max(axis=(1, 2), keepdims=True))
    by_rate = np.gradient(RATES) / np.sqrt(RATES * (1 - RATES))
    chances = np.cumsum((likelihood * by_rate).sum(axis=2) * np.gradient(CLUSTERING), axis=1)
    return np.asarray(chances / chances[:, -1:])


def _rising(counts: Array, starts: Array) -> Array:
    """The sum over sessions of log(start · (start + 1) · ... · (start + count - 1)), by metric and start."""
    values, at = np.unique(counts, return_inverse=True)
    metrics = counts.shape[1]
    places = at.reshape(counts.shape) + np.arange(metrics) * len(values)
    how_often = np.bincount(places.ravel(), minlength=metrics * len(values)).reshape(metrics, len(values))
    return np.asarray(how_often @ (gammaln(starts + values[:, None]) - gammaln(starts)))


def _quantile(chances: Array, at: Array) -> Array:
    return np.array([np.interp(one, each, CLUSTERING) for one, each in zip(at, chances, strict=True)])


def wilson_by(rate: Array, calls: Array, z: float | Array) -> tuple[Array, Array]:
    """Wilson's interval, of as many independent calls as the sessions are worth."""
    scale = 1 + z * z / calls
    center = (rate + z * z / (2 * calls)) / scale
    half = z * np.sqrt(rate * (1 - rate) / calls + z * z / (4 * calls * calls)) / scale
    return center - half, center + half


def between(first: tuple[Array, Array], second: tuple[Array, Array], z: float | Array) -> tuple[Array, Array]:
    """The interval of the second rate less the first, each with its worth: Newcombe's, from two Wilson intervals."""
    (rate, calls), (later, later_calls) = first, second
    low, high = wilson_by(rate, calls, z)
    later_low, later_high = wilson_by(later, later_calls, z)
    difference = later - rate
    return (
        difference - np.hypot(later - later_low, high - rate),
        difference + np.hypot(later_high - later, rate - low),
    )
