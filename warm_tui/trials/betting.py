"""May one look at any time, and stop at any time? A confidence sequence for the difference of two drawn arms.

Somebody who believes that there is no difference is bet against, session by session, at fair odds: as long as they
are right the capital stays what it was, on average, and ever grows twentyfold in one of twenty cases at most,
however often one looks (Ville). The bets are of sessions weighted by how likely they were drawn (Waudby-Smith and
Ramdas, "Estimating means of bounded random variables by betting", 2023, and with others, "Anytime-valid off-policy
inference", 2024). Nothing is taken to be normal, so it holds for any share, few sessions, and rates that are mostly
zero: there a sequence by the central limit claims harm up to six times too often.

numpy is imported here and nowhere on the way to a first screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"

LARGEST = 0.5
"""A session in which more than half of the calls failed counts as one in which half did. What one session may bring
bounds every bet, so without it nothing is shown for long: of trials with failures halved, by 200 sessions, in one of
a hundred, and with it in three of four."""
STAKES = (0.2, 0.5, 0.9)
"""The parts of all that could be staked which are staked side by side: none has to be the right one."""
GUESS, GUESSED = 0.05, 2.0
"""What the mean of an arm is taken for before its first session, and for how many sessions that counts."""
HALVINGS = 18


class Drawn(NamedTuple):
    """A session of one of two arms, with what came of it."""

    warm: bool
    chance: float
    """That it would be warm, of these two."""
    failures: int
    known: int
    """Calls with a verdict; one at least."""

    @property
    def rate(self) -> float:
        return min(self.failures / self.known, LARGEST)


class Bets(NamedTuple):
    """What each session says of the difference warm less cold; by the last axis, in the order they came."""

    effect: Array
    """On average, the difference: whatever was drawn."""
    least: Array
    most: Array
    """What it could have been, known before it was seen."""


class Interval(NamedTuple):
    low: float
    high: float


def bets_of(sessions: Sequence[Drawn]) -> Bets:
    return bets(
        np.array([each.warm for each in sessions], dtype=bool),
        np.array([each.chance for each in sessions], dtype=float),
        np.array([each.rate for each in sessions], dtype=float),
    )


def bets(warm: NDArray[np.bool_], chance: Array, rate: Array) -> Bets:
    """Each arm's mean so far is what a session is measured by, so that only what is left of it is weighted."""
    mean_warm, mean_cold = _means_before(warm, rate), _means_before(~warm, rate)
    expected = mean_warm - mean_cold
    effect = expected + np.where(warm, (rate - mean_warm) / chance, -(rate - mean_cold) / (1 - chance))
    least = expected + np.minimum(-mean_warm / chance, -(LARGEST - mean_cold) / (1 - chance))
    most = expected + np.maximum((LARGEST - mean_warm) / chance, mean_cold / (1 - chance))
    return Bets(effect, least, most)


def _means_before(there: NDArray[np.bool_], rate: Array) -> Array:
    """Of an arm, before each session."""
    value, one = np.where(there, rate, 0.0), there.astype(float)
    sums, counts = value.cumsum(axis=-1) - value, one.cumsum(axis=-1) - one
    means: Array = (sums + GUESS * GUESSED) / (counts + GUESSED)
    return means


def evidence(of: Bets, larger: bool, difference: float = 0.0) -> Array:
    """The logarithm of the capital after each session, of who bets that the true difference is larger, or smaller."""
    each = [np.log1p(stake * _odds(of, larger, difference)).cumsum(axis=-1) for stake in STAKES]
    together: Array = np.logaddexp.reduce(each) - np.log(len(each))
    return together


def _odds(of: Bets, larger: bool, difference: float) -> Array:
    """What a session wins of all that could be staked on it: at worst, all is lost."""
    if larger:
        return (of.effect - difference) / (difference - of.least)
    return (difference - of.effect) / (of.most - difference)


def threshold(level: float) -> float:
    """The level is shared by the two directions."""
    return float(np.log(2 / level))


def interval(of: Bets, level: float) -> Interval:
    """All differences that nobody has won enough against."""
    return Interval(_bound(of, level, True), _bound(of, level, False))


def _bound(of: Bets, level: float, larger: bool) -> float:
    """Where the capital crosses what is wanted: it does so once, for it is the larger the further off one is."""
    refuted, held = (-LARGEST, LARGEST) if larger else (LARGEST, -LARGEST)
    for _ in range(HALVINGS):
        middle = (refuted + held) / 2
        odds = _odds(of, larger, middle)
        capital = np.logaddexp.reduce([np.log1p(stake * odds).sum() for stake in STAKES]) - np.log(len(STAKES))
        if capital >= threshold(level):
            refuted = middle
        else:
            held = middle
    return refuted


def wanted_to_halve(cold: Sequence[Drawn], chance: float, level: float) -> int | None:
    """In half of all trials or more, so many sessions show that failures are halved; None where none can be said."""
    rate = np.array([each.rate for each in cold], dtype=float)
    if not rate.any():
        return None
    failures = np.array([each.failures for each in cold], dtype=float)
    known = np.array([each.known for each in cold], dtype=float)
    # Half of the failures by chance: two values that have its mean and its spread.
    spread = np.sqrt(failures) / (2 * known)
    halved = np.clip(np.concatenate([rate / 2 - spread, rate / 2 + spread]), 0.0, LARGEST)
    mean_cold, mean_warm = float(rate.mean()), float(halved.mean())
    difference = mean_warm - mean_cold
    most = difference + max((LARGEST - mean_warm) / chance, mean_cold / (1 - chance))
    of_warm = (difference + (halved - mean_warm) / chance) / most
    of_cold = (difference - (rate - mean_cold) / (1 - chance)) / most
    growth = max(
        chance * float(np.log1p(-stake * of_warm).mean()) + (1 - chance) * float(np.log1p(-stake * of_cold).mean())
        for stake in STAKES
    )
    return int(np.ceil((threshold(level) + np.log(len(STAKES))) / growth)) if growth > 0 else None
