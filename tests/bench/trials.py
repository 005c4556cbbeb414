"""Is a trial's verdict to be trusted, whenever one looks? On recorded sessions: python tests/bench/trials.py FOLDER

Sessions of a recording are drawn again, with replacement, into arms; after each one it is looked whether anything is
claimed. Three kinds: nothing differs; the failures of warm sessions are halved; they are doubled. Beside each stand the
figures of a fixed test (Welch's, at the end alone, and looked at after each session as well). Then: whether the number
of sessions that is said to show failures halved does so in about half of the trials, how often the interval held the
truth at every look, and how long a verdict of 10,000 sessions takes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from comparison import recorded_units
from numpy.typing import NDArray
from recorded import folder
from scipy.stats import t as student

from warm_tui.trials.betting import bets, bets_of, evidence, interval, threshold, wanted_to_halve
from warm_tui.trials.figures import LARGEST, Drawn
from warm_tui.trials.verdict import shown

TRIALS, SESSIONS, BY, LEVEL = 1_000, 500, 200, 0.05
DATA, SHARES, KINDS = ("swe-structured", "tau-airline"), (0.5, 0.9), ("none", "halved", "doubled")
FIRST_LOOK = 20


def drawn(rng: np.random.Generator, units: NDArray, share: float, kind: str, trials: int, sessions: int = SESSIONS):
    """By trial and session: whether it was warm, its failures and its calls."""
    failures, known = np.moveaxis(units[rng.integers(0, len(units), (trials, sessions))], -1, 0)
    warm = rng.random((trials, sessions)) < share
    if kind == "halved":
        failures = np.where(warm, rng.binomial(failures, 0.5), failures)
    if kind == "doubled":
        failures = np.where(warm, np.minimum(known, 2 * failures), failures)
    return warm, failures, known


def fixed(warm: NDArray, rate: NDArray) -> NDArray:
    """Welch's p-value after each session, with the sign of the difference."""
    moments = []
    for arm in (warm, ~warm):
        n, s, q = (np.where(arm, x, 0.0).cumsum(axis=-1) for x in (np.ones_like(rate), rate, rate**2))
        mean = s / np.maximum(n, 1)
        moments.append((n, mean, np.maximum(q / np.maximum(n, 1) - mean**2, 0) / np.maximum(n - 1, 1)))
    (n1, m1, v1), (n0, m0, v0) = moments
    with np.errstate(all="ignore"):
        freedom = (v1 + v0) ** 2 / (v1**2 / np.maximum(n1 - 1, 1) + v0**2 / np.maximum(n0 - 1, 1))
        statistic = (m1 - m0) / np.sqrt(v1 + v0)
        p = np.where((np.minimum(n1, n0) < 2) | (v1 + v0 == 0), 1.0, 2 * student.sf(np.abs(statistic), freedom))
    return np.copysign(p, m1 - m0)


def claims(rng: np.random.Generator, units: NDArray, name: str) -> None:
    for share in SHARES:
        for kind in KINDS:
            warm, failures, known = drawn(rng, units, share, kind, TRIALS)
            of = bets(warm, np.full(warm.shape, share), np.minimum(failures / known, LARGEST))
            helps, harms = (evidence(of, larger) >= threshold(LEVEL) for larger in (False, True))
            p = fixed(warm, failures / known)
            significant = np.abs(p) < LEVEL
            better, worse = significant & (p < 0), significant & (p > 0)

            def ever(claimed: NDArray, by: int = SESSIONS, since: int = 0) -> str:
                return f"{claimed[:, since:by].any(axis=1).mean():6.1%}"

            wanted = {
                "none": "   wanted: at most 5 % together",
                "halved": f"   wanted: helps by {BY} in 50 %" if share == 0.5 else "",
            }
            print(
                f"{name}, share {share}, {kind:7}  ever claimed: helps {ever(helps)} (by {BY} {ever(helps, BY)}), "
                f"harms {ever(harms)} (by {BY} {ever(harms, BY)})   fixed test at {BY}: better "
                f"{better[:, BY - 1].mean():6.1%}, worse {worse[:, BY - 1].mean():6.1%}; at {SESSIONS}: better "
                f"{better[:, -1].mean():6.1%}, worse {worse[:, -1].mean():6.1%}; looked at after each from the "
                f"{FIRST_LOOK}th: {ever(significant, since=FIRST_LOOK)}{wanted.get(kind, '')}",
                flush=True,
            )


def forecasts(rng: np.random.Generator, units: NDArray, name: str) -> None:
    """The number that is said of sessions like these, against trials that go on so long."""
    for share in SHARES:
        cold = [Drawn(False, share, int(f), int(k)) for f, k in units]
        number = wanted_to_halve(cold, share, LEVEL)
        if number is None or number > 20_000:
            print(f"{name}, share {share}: no number of sessions is said ({number})")
            continue
        warm, failures, known = drawn(rng, units, share, "halved", max(50, 400_000 // number), number)
        rate = np.minimum(failures / known, LARGEST)
        smaller = evidence(bets(warm, np.full(warm.shape, share), rate), larger=False)
        part = (smaller >= threshold(LEVEL)).any(axis=1).mean()
        print(
            f"{name}, share {share}: {number:,} sessions are said to show failures halved: {part:6.1%}   wanted: about half"
        )


def coverage(rng: np.random.Generator, units: NDArray, name: str, trials: int = TRIALS) -> None:
    """Looked at after every session, with failures halved: the truth must be within each time."""
    truth = -float(np.minimum(units[:, 0] / units[:, 1], LARGEST).mean()) / 2
    for share in SHARES:
        warm, failures, known = drawn(rng, units, share, "halved", trials)
        of = bets(warm, np.full(warm.shape, share), np.minimum(failures / known, LARGEST))
        outside = np.maximum(evidence(of, True, truth), evidence(of, False, truth)) >= threshold(LEVEL)
        left = int(outside.any(axis=1).sum())
        print(
            f"{name}, share {share}: the truth was outside at some look in {left / trials:6.1%}   wanted: at most 5 %"
        )


def speed() -> None:
    rng = np.random.default_rng(3)
    sessions = [Drawn(bool(rng.random() < 0.9), 0.9, int(rng.integers(0, 9)), 30) for _ in range(10_000)]
    shown("t", sessions[:20])
    began = time.perf_counter()
    shown("t", sessions)
    taken = time.perf_counter() - began
    began = time.perf_counter()
    interval(bets_of(sessions), LEVEL)
    print(
        f"verdict of 10,000 sessions {taken * 1000:.0f} ms, of it the interval {(time.perf_counter() - began) * 1000:.0f} ms"
    )


def main() -> None:
    speed()
    where: Path | None = folder()
    if where is None:
        print("name the folder of recorded sessions for the rest", file=sys.stderr)
        return
    for name in DATA:
        recorded = recorded_units(where, name)
        units = np.array([(unit.failures, unit.known) for unit in recorded if unit.known])
        rates = units[:, 0] / units[:, 1]
        print(
            f"{name}: {len(units)} sessions, mean error rate {rates.mean():.1%}, {np.mean(rates == 0):.0%} without any"
        )
        claims(np.random.default_rng(1), units, name)
        forecasts(np.random.default_rng(2), units, name)
        coverage(np.random.default_rng(3), units, name)


if __name__ == "__main__":
    main()
