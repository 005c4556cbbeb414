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

from warm_tui.trials.figures import LARGEST, Drawn

Array: TypeAlias = "NDArray[np.float64]"

STAKES = {0.03: 0.05, 0.15: 0.05, 0.5: 0.3, 0.9: 0.3}
"""The parts of all that could be staked which are staked side by side, with the part of the capital that each begins
with: none has to be right. Large ones show a large difference soon, small ones a small one of many sessions."""
LEARNING = 0.3
"""The part of the capital whose stake is learnt."""
MOST_STAKED = 0.95
LEARNT = (5.0, 0.01, 0.02)
"""For how many sessions it counts what is won of a session, and its square, before there has been one."""
GUESS, GUESSED = 0.05, 2.0
"""What the mean of an arm is taken for before its first session, and for how many sessions that counts."""
HALVINGS = 18


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


def bets(warm: NDArray[np.bool_], chance: Array, value: Array, largest: float = LARGEST, guess: float = GUESS) -> Bets:
    """Of values from 0 to the largest. Each arm's mean so far is what a session is measured by, so that only what is
    left of it is weighted."""
    mean_warm, mean_cold = _means_before(warm, value, guess), _means_before(~warm, value, guess)
    expected = mean_warm - mean_cold
    effect = expected + np.where(warm, (value - mean_warm) / chance, -(value - mean_cold) / (1 - chance))
    least = expected + np.minimum(-mean_warm / chance, -(largest - mean_cold) / (1 - chance))
    most = expected + np.maximum((largest - mean_warm) / chance, mean_cold / (1 - chance))
    return Bets(effect, least, most)


def _means_before(there: NDArray[np.bool_], value: Array, guess: float) -> Array:
    """Of an arm, before each session."""
    value, one = np.where(there, value, 0.0), there.astype(float)
    sums, counts = value.cumsum(axis=-1) - value, one.cumsum(axis=-1) - one
    means: Array = (sums + guess * GUESSED) / (counts + GUESSED)
    return means


def evidence(of: Bets, larger: bool, difference: float = 0.0) -> Array:
    """The logarithm of the capital after each session, of who bets that the true difference is larger, or smaller."""
    odds = _odds(of, larger, difference)
    each = [np.log1p(stake * odds).cumsum(axis=-1) + np.log(part) for stake, part in _placed(of, larger)]
    together: Array = np.logaddexp.reduce(each)
    return together


def _odds(of: Bets, larger: bool, difference: float) -> Array:
    """What a session wins of all that could be staked on it: at worst, all is lost."""
    if larger:
        return (of.effect - difference) / (difference - of.least)
    return (difference - of.effect) / (of.most - difference)


def _placed(of: Bets, larger: bool) -> list[tuple[float | Array, float]]:
    """Each stake, with the part of the capital that it begins with."""
    return [*STAKES.items(), (_learnt(of, larger), LEARNING)]


def _learnt(of: Bets, larger: bool) -> Array:
    """What would have been right for the sessions before: what they won, on average, by the mean of its squares.

    It is the same whatever difference is bet against: so the capital is the larger the further off that is.
    """
    odds = _odds(of, larger, 0.0)
    counted, won, squared = LEARNT
    before = np.arange(odds.shape[-1]) + counted
    mean = (odds.cumsum(axis=-1) - odds + counted * won) / before
    square = ((odds**2).cumsum(axis=-1) - odds**2 + counted * squared) / before
    stakes: Array = np.clip(mean / square, 0.0, MOST_STAKED)
    return stakes


def threshold(level: float) -> float:
    """The level is shared by the two directions."""
    return float(np.log(2 / level))


def interval(of: Bets, level: float, largest: float = LARGEST) -> Interval:
    """All differences that nobody has won enough against; none is larger than the largest value."""
    return Interval(_bound(of, level, True, largest), _bound(of, level, False, largest))


def _bound(of: Bets, level: float, larger: bool, largest: float) -> float:
    """Where the capital crosses what is wanted: it does so once, for it is the larger the further off one is."""
    refuted, held = (-largest, largest) if larger else (largest, -largest)
    placed = _placed(of, larger)
    for _ in range(HALVINGS):
        middle = (refuted + held) / 2
        odds = _odds(of, larger, middle)
        capital = np.logaddexp.reduce([np.log1p(stake * odds).sum() + np.log(part) for stake, part in placed])
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
        for stake in np.linspace(0.1, MOST_STAKED, 18)
    )
    return int(np.ceil((threshold(level) - np.log(LEARNING)) / growth)) if growth > 0 else None
