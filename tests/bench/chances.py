"""Do comparisons keep what they say? On simulated sessions:

    python tests/bench/chances.py [cells|power|paired|lives|amounts ...]

cells: false verdicts, and how often the 95 % interval holds the truth, for arms of every size and clustering.
power: how often a size is named, and a difference as large as that is then shown, better and worse.
paired: the same for tasks that ran in both arms.
lives: the same for what is said of one session's change over a compaction.
amounts: how often the interval of lopsided amounts (tokens, seconds, money) holds the truth.

Of 390 cells, 1,000 draws each, no interval held the truth in fewer than 93.3 %, and false verdicts were at most 6.2 %;
the nine that came nearest a limit, drawn 10,000 times: 94.0 % or more, and 5.5 % or fewer. Above 97 % are most of those
with an arm of fewer than 10 sessions, of which the sentence says so, and 11 of 144 others, up to 98.0 %.

A worsening is named from 20 sessions an arm on. All 90 cells of 20 to 40 of about one size, with clusterings of 0.02, 0.1
and 0.5, alike and unlike, of which 15 or 30 % fail, drawn 400 to 1,600 times and each size planted two to seven times: it
was named in all draws, and shown in 75.6 to 83.8 % (in the middle 80.3). Of 20, 40 and 60 sessions that fail at 5 and 10 %:
69.8 to 84.7 %, below 75 where calls of the cold sessions are 0.5 alike, and those of the warm ones less.

An improvement is named from 40 sessions an arm on, where even an arm in which nothing fails would be shown to be better. How
large it has to be hangs on the rate and on how alike calls are, both as they were seen. Where it takes most of the
failures, a bar on what is seen, be it of failures, of what they are worth or of their share, sorts draws by the same chance:
with one at 85 % of the failures, what was named of 20 to 30 sessions was shown in 70 to 84 %; with one at failures that fill
five sessions, of 40 in up to 91. As it is, of 40 sessions against 40, drawn 400 times (1,600 near a limit) and each size
planted two or three times, in the order of `CLUSTERINGS`; in brackets in how many of 100 draws, where in fewer than 90:

    15 %:  81.2       80.0       77.1 (34)  79.1       81.3       76.9       82.1 (69)  76.3 (88)  79.3 (68)
    20 %:  80.2       80.7       84.4 (75)  79.5       80.5       79.3       83.3       77.1       80.9
    30 %:  81.1       81.2       80.3       81.2       84.3       79.8       80.8       78.4       79.7
    10 %:  78.5 (69)  82.1 (55)  30.0 (4)   82.7 (65)  87.3 (60)  63.9 (30)  41.2 (18)  58.5 (18)  37.6 (21)

So it is true from 15 % on. At 10 % it is not where calls of an arm are 0.5 alike: it takes more failures than there are, and
is named in those draws in which the cold arm fails more often than it does. At 5 % it is named in at most 2 % of draws (7 %
of 60 sessions). Of 40 against 48, and 48 against 40, at 15 %: 76.0 to 84.2.

With the interval alone, and a quarter of each arm's own clustering, a worsening is named in a tenth of draws or more in 46 of
these cells, and shown in 74.7 to 84.0 % there, in 38 to 78 % in others; an improvement in 29, and shown in 76.5 to 86.1 %.

Tasks in both arms, 1,000 draws, each size planted seven times: 75.0 to 82.8 % in all cells of 20 and 40 tasks in which a
size is named in a tenth of draws or more; false verdicts at most 5.0 %. Of one session's change: 76 to 83 %.
"""

from __future__ import annotations

import os

# Matrices as small as these take longer in several threads, ten times so where other work goes on beside.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from placebo import changed

from warm_tui.comparisons.compare import verdict_of
from warm_tui.reliability import clusters
from warm_tui.reliability.compaction import Change, Counts
from warm_tui.reliability.stats import FEW_SESSIONS, Difference, is_named

SIZES = (4, 6, 10, 20, 40)
CLUSTERINGS = (
    (0.02, 0.02), (0.1, 0.1), (0.5, 0.5), (0.02, 0.1), (0.1, 0.02), (0.02, 0.5), (0.5, 0.02), (0.1, 0.5), (0.5, 0.1),
)  # fmt: skip
RATES = (0.15, 0.4)
BETWEEN, NAMED_RATES = ((20, 24), (24, 20), (24, 24), (30, 30), (40, 48), (48, 40), (60, 60)), (0.15, 0.3)
"""Sizes between those of the cells, in which a size of difference is named, and how many fail there."""
DRAWS, NAMED_DRAWS, AT_ONCE, JUDGED = 1_000, 500, 100, 7
"""`JUDGED`: how often each size that was named is planted."""
CALLS, UNLIKE = 30, 0.6
WIDE = (
    "    Why above 97 %: an interval has to hold for whatever clustering the sessions may have, and of 4 or 6 sessions "
    "next to nothing is known of it: what holds 95 % at 0.5 is wide at 0.02. Were it narrower, it would hold too "
    "seldom where calls of a session are alike and many fail (92 % at 40 % failures). Few failures are whole numbers, "
    "too: at 5 % no interval of these sizes comes nearer."
)
SELDOM = (
    "    Where a size is named in fewer than a tenth of draws, it is named by luck: these few look more alike, or fail more "
    "often, than they do. No rule that goes by what is seen is free of such."
)
OFTEN_NAMED = 0.1
clusters.MOST_ARRANGEMENTS = 500


def drawn(rng: np.random.Generator, sessions: int, clustering: float, rate: float | NDArray, count: int = AT_ONCE):
    """Sessions with a rate of their own each, some long and some short: by session and draw, failures and calls."""
    of_a_session = risks(rng, sessions, clustering, rate, count)
    return called(rng, of_a_session)


def risks(rng: np.random.Generator, sessions: int, clustering: float, rate: float | NDArray, count: int) -> NDArray:
    size = 1 / clustering - 1
    rate = np.clip(rate, 1e-9, 1 - 1e-9)
    return rng.beta(rate * size, (1 - rate) * size, (sessions, count))


def called(rng: np.random.Generator, of_a_session: NDArray) -> NDArray:
    calls = np.maximum(3, np.round(CALLS * np.exp(UNLIKE * rng.normal(size=of_a_session.shape)))).astype(int)
    return np.stack([rng.binomial(calls, of_a_session), calls], axis=-1).astype(float)


def claimed(one: Difference) -> bool:
    return verdict_of(one, one.p_value, -1).startswith("warm")


def batches(draws: int) -> Iterator[int]:
    return (AT_ONCE for _ in range(draws // AT_ONCE))


def tally(differences: list[Difference], truth: float) -> dict[str, float]:
    shown = [one for one in differences if one.low is not None and one.high is not None]
    return {
        "false": sum(claimed(one) for one in differences) / len(differences),
        "by p alone": sum((one.p_value or 1) < 0.05 for one in differences) / len(differences),
        "shown": len(shown) / len(differences),
        "holds": sum(one.low - 1e-12 <= truth <= one.high + 1e-12 for one in shown) / max(1, len(shown)),
    }


def differences(cold: NDArray, warm: NDArray) -> list[Difference]:
    """Without what would be detectable, which takes long."""
    return clusters.independent(cold, warm, planned=0)


def cells(test: Callable[[NDArray, NDArray], list[Difference]] = differences) -> None:
    rng = np.random.default_rng(1)
    for rate in RATES:
        found = {}
        for first, second in CLUSTERINGS:
            for cold in SIZES:
                for warm in SIZES:
                    if first == second and warm < cold:
                        continue
                    told: list[Difference] = []
                    for _ in batches(DRAWS):
                        told += test(drawn(rng, cold, first, rate), drawn(rng, warm, second, rate))
                    found[first, second, cold, warm] = tally(told, 0.0)
        report(rate, found)


def report(rate: float, found: dict[tuple[float, float, int, int], dict[str, float]]) -> None:
    for clustering in CLUSTERINGS:
        here = {cell[2:]: one for cell, one in found.items() if cell[:2] == clustering}
        false, low, high = (
            max(here, key=lambda cell: here[cell]["false"]),
            min(here, key=lambda cell: here[cell]["holds"]),
            max(here, key=lambda cell: here[cell]["holds"]),
        )
        print(
            f"rate {rate:.0%}  clustering {clustering[0]:4} {clustering[1]:4}   false verdicts: most {here[false]['false']:6.1%} "
            f"at {named(false)}; by p alone {max(one['by p alone'] for one in here.values()):6.1%}   interval holds the truth: least "
            f"{here[low]['holds']:6.1%} at {named(low)}, most {here[high]['holds']:6.1%} at {named(high)}"
        )
    wrong = [cell for cell, one in found.items() if one["false"] > 0.06]
    narrow = [cell for cell, one in found.items() if one["shown"] and one["holds"] < 0.93]
    none = [cell for cell, one in found.items() if not one["false"]]
    print(
        f"rate {rate:.0%}: of {len(found)} cells, false verdicts above 6 %: {len(wrong)}   wanted: 0; interval below 93 %: "
        f"{len(narrow)}   wanted: 0; nothing was ever claimed in {len(none)}"
    )
    for cell in wrong + narrow:
        print(f"    {cell}: {found[cell]}")
    for title, few in ((f"both arms from {FEW_SESSIONS} sessions on", False), ("an arm of fewer", True)):
        here = {cell: one for cell, one in found.items() if (min(cell[2:]) < FEW_SESSIONS) is few}
        wide = {cell: one["holds"] for cell, one in here.items() if one["shown"] and one["holds"] > 0.97}
        told = ", ".join(f"{named(cell[2:])} at {cell[0]} {cell[1]}: {holds:.1%}" for cell, holds in wide.items())
        print(f"    {title}: above 97 % in {len(wide)} of {len(here)} cells: {told}")
    print(WIDE, flush=True)


def named(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]} and {sizes[1]}"


def power() -> None:
    """Of every two sizes of arm in which a size of difference is named, whatever the clustering."""
    rng = np.random.default_rng(2)
    of_cells = [(cold, warm) for cold in SIZES for warm in SIZES if is_named(cold, warm)]
    print(f"Of two arms of {SIZES} sessions a size is named where they are {of_cells}, and of no others")
    pairs = [*of_cells, *BETWEEN]
    found = {
        (cold, warm, clustering, rate): power_of(rng, cold, warm, clustering, rate)
        for cold, warm in pairs
        for clustering in CLUSTERINGS
        for rate in NAMED_RATES
    }
    table(found)


Cell: TypeAlias = tuple[int, int, tuple[float, float], float]


def power_of(
    rng: np.random.Generator,
    cold: int,
    warm: int,
    clustering: tuple[float, float],
    rate: float,
    draws: int = NAMED_DRAWS,
) -> _Told:
    """Each draw's sentence names a difference, or none; arms that differ by it are drawn, and told apart how often?"""
    first, second = clustering
    told = _Told()
    for _ in batches(draws):
        seen = clusters.independent(drawn(rng, cold, first, rate), drawn(rng, warm, second, rate))
        for sign in (1, -1):
            by = rate + told.named(seen, sign, rate)
            times = JUDGED if (by != rate).any() else 0
            told.shown(
                sign,
                [differences(drawn(rng, cold, first, rate), drawn(rng, warm, second, by)) for _ in range(times)],
            )
    print(f"{cold} cold and {warm} warm, clustering {first} {second}, rate {rate:.0%}: {told}", flush=True)
    return told


def table(found: dict[Cell, _Told]) -> None:
    print(f"How many of 100 showed the size that was named, where one was named in {OFTEN_NAMED:.0%} of draws or more:")
    for way, sign in (("worse", 1), ("better", -1)):
        for rate in NAMED_RATES:
            print(f"{way}, {rate:.0%} failing".ljust(22) + "".join(f"{a:>6} {b:<4}" for a, b in CLUSTERINGS))
            for cold, warm in dict.fromkeys(cell[:2] for cell in found):
                of_pair = [found[cold, warm, clustering, rate] for clustering in CLUSTERINGS]
                shown = [f"{100 * one.power(sign):.1f}" if one.share(sign) >= OFTEN_NAMED else "-" for one in of_pair]
                print(f"  {cold} cold, {warm} warm".ljust(22) + "".join(f"{one:>8}   " for one in shown))
    print(SELDOM)
    for way, sign in (("worse", 1), ("better", -1)):
        named = [one for one in found.values() if one.share(sign) >= OFTEN_NAMED]
        within = sum(0.75 <= one.power(sign) <= 0.85 for one in named)
        print(f"{way}: named in a tenth of draws or more in {len(named)} of {len(found)} cells, true in {within}")


class _Told:
    """The sizes that sentences named, by direction, and whether so large a difference was then shown."""

    def __init__(self) -> None:
        self.sizes: dict[int, list[float]] = {1: [], -1: []}
        self.claims: dict[int, list[float]] = {1: [], -1: []}

    def named(self, seen: list[Difference], sign: int, rate: float) -> NDArray:
        """The change to plant in each draw: none where none is named."""
        sizes = [one.mde_up if sign > 0 else one.mde_down for one in seen]
        self.sizes[sign] += [np.nan if size is None else size for size in sizes]
        # No better than that nothing fails, no worse than that all does: what is named may be more than there is.
        return np.array([0.0 if size is None else min(max(sign * size, -rate), 1 - rate) for size in sizes])

    def shown(self, sign: int, found: list[list[Difference]]) -> None:
        """Each of them, so many times."""
        claims = [[claimed(one) and (one.difference or 0) * sign > 0 for one in once] for once in found]
        self.claims[sign] += np.mean(claims, axis=0).tolist() if claims else [np.nan] * AT_ONCE

    def share(self, sign: int) -> float:
        """Of the draws those in which a size was named."""
        return float((~np.isnan(self.sizes[sign])).mean())

    def power(self, sign: int) -> float:
        """Of those, the ones in which so large a difference was then shown."""
        return float(self._of_named(sign).mean())

    def error(self, sign: int) -> float:
        of_named = self._of_named(sign)
        return float(of_named.std() / np.sqrt(len(of_named)))

    def _of_named(self, sign: int) -> NDArray:
        return np.array(self.claims[sign])[~np.isnan(self.sizes[sign])]

    def __str__(self) -> str:
        parts = []
        for way, sign in (("worse", 1), ("better", -1)):
            size = (
                f"by {np.nanmedian(self.sizes[sign]):.1%}: shown in {self.power(sign):.1%} ± {self.error(sign):.1%}"
                if self.share(sign)
                else ""
            )
            parts.append(f"{way} named in {self.share(sign):.0%} {size}")
        return "; ".join(parts) + "   wanted: shown in 75 to 85 %"


def paired() -> None:
    """Tasks that ran in both arms: each task has a rate, and each run of it departs from that."""
    rng = np.random.default_rng(3)
    for tasks in (6, 10, 20, 40):
        for of_tasks, of_runs, rate in (
            (0.1, 0.02, 0.15), (0.5, 0.02, 0.15), (0.1, 0.1, 0.3), (0.5, 0.5, 0.3), (0.3, 0.1, 0.5), (0.1, 0.5, 0.15),
        ):  # fmt: skip
            told, seen = _Told(), []
            for _ in batches(DRAWS):
                seen += clusters.paired(*runs(rng, tasks, of_tasks, of_runs, rate, np.zeros(AT_ONCE)))
                for sign in (1, -1):
                    by = told.named(seen[-AT_ONCE:], sign, rate)
                    told.shown(
                        sign,
                        [clusters.paired(*runs(rng, tasks, of_tasks, of_runs, rate, by)) for _ in range(JUDGED)],
                    )
            found = tally(seen, 0.0)
            print(
                f"{tasks} tasks, clustering of tasks {of_tasks}, of runs {of_runs}, rate {rate:.0%}: false verdicts "
                f"{found['false']:6.1%}   wanted: at most 6 %; interval holds the truth {found['holds']:6.1%}   {told}",
                flush=True,
            )


def runs(rng: np.random.Generator, tasks: int, of_tasks: float, of_runs: float, rate: float, by: NDArray):
    cold = np.clip(risks(rng, tasks, of_tasks, rate, AT_ONCE), 1e-4, 1 - 1e-4)
    # A better arm fails at a share of what failed; a worse one also at a share of what did not.
    warm = np.where(by < 0, cold * (rate + by) / rate, 1 - (1 - cold) * (1 - rate - by) / (1 - rate))
    size = 1 / of_runs - 1
    arms = [np.clip(arm, 1e-6, 1 - 1e-6) for arm in (cold, warm)]
    return [called(rng, rng.beta(arm * size, (1 - arm) * size)) for arm in arms]


def lives() -> None:
    """One session, before its compaction and after it; a step as large as was named stands at the cut."""
    rng = Random(5)

    def drawn_change(before: tuple[int, float], after: tuple[int, float]) -> Change:
        sides = [[rng.random() < rate for _ in range(calls)] for calls, rate in (before, after)]
        counts = [{"t": Counts(len(side), sum(side))} for side in sides]
        return changed([("t", failed) for side in sides for failed in side], *counts)

    for before, after in ((30, 30), (60, 30), (50, 50), (100, 50), (50, 100), (100, 100), (200, 200)):
        for rate in (0.1, 0.2, 0.4):
            told = _Told()
            for _ in range(DRAWS):
                seen = drawn_change((before, rate), (after, rate))
                reach = seen.detectable if seen.why == "too few" else None
                for sign, verdict in ((1, "degraded"), (-1, "improved")):
                    size = None if reach is None else reach.worse if sign > 0 else reach.better
                    later = rate + sign * abs(size or 0)
                    is_named = bool(size) and 0 <= later <= 1
                    told.sizes[sign].append(abs(size or 0) if is_named else np.nan)
                    shown = is_named and drawn_change((before, rate), (after, later)).verdict == verdict
                    told.claims[sign].append(shown)
            print(f"{before} calls before and {after} after, rate {rate:.0%}: {told}", flush=True)


def amounts() -> None:
    rng = np.random.default_rng(4)
    for unlike in ((0.5, 0.5), (1.0, 1.0), (1.5, 1.5), (0.5, 1.0)):
        for times in (1.0, 2.0):
            found = {}
            for first in SIZES:
                for second in SIZES:
                    arms = _lopsided(rng, first, unlike[0], 1.0), _lopsided(rng, second, unlike[1], times)
                    found[first, second] = tally(clusters.independent(*arms), times - 1)["holds"]
            low, high = min(found, key=lambda at: found[at]), max(found, key=lambda at: found[at])
            print(
                f"amounts, logarithms spread by {unlike}, the second {times:g} times the first: interval holds the truth: "
                f"least {found[low]:.1%} at {named(low)}, most {found[high]:.1%} at {named(high)}   wanted: at least 93 %",
                flush=True,
            )


def _lopsided(rng: np.random.Generator, sessions: int, unlike: float, mean: float) -> NDArray:
    values = mean * np.exp(unlike * rng.normal(size=(sessions, DRAWS)) - unlike**2 / 2)
    return np.stack([values, np.ones_like(values)], axis=-1)


PARTS: dict[str, Callable[[], None]] = {
    "cells": cells,
    "power": power,
    "paired": paired,
    "lives": lives,
    "amounts": amounts,
}


def main() -> None:
    for part in sys.argv[1:] or PARTS:
        began = time.perf_counter()
        PARTS[part]()
        print(f"({part}: {time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
