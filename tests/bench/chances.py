"""Do comparisons keep what they say? On simulated sessions: python tests/bench/chances.py [cells|power|paired ...]

cells: false verdicts, and how often the 95 % interval holds the truth, for arms of every size and clustering.
power: how often a difference as large as the sentence names is shown, better and worse.
paired: the same for tasks that ran in both arms.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from warm_tui.comparisons.compare import verdict_of
from warm_tui.reliability import clusters
from warm_tui.reliability.stats import Difference

SIZES = (4, 6, 10, 20, 40)
CLUSTERINGS = (
    (0.02, 0.02), (0.1, 0.1), (0.5, 0.5), (0.02, 0.1), (0.1, 0.02), (0.02, 0.5), (0.5, 0.02), (0.1, 0.5), (0.5, 0.1),
)  # fmt: skip
RATES = (0.15,)
DRAWS, AT_ONCE = 2_000, 100
CALLS, UNLIKE = 30, 0.6
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
    wide = [cell for cell, one in found.items() if one["shown"] and one["holds"] > 0.97]
    none = [cell for cell, one in found.items() if not one["false"]]
    print(
        f"rate {rate:.0%}: of {len(found)} cells, false verdicts above 6 %: {len(wrong)}   wanted: 0; interval below 93 %: "
        f"{len(narrow)}   wanted: 0; above 97 % (cautious): {len(wide)}; nothing was ever claimed in {len(none)}"
    )
    for cell in wrong + narrow:
        print(f"    {cell}: {found[cell]}")
    print("    above 97 %:", ", ".join(sorted({named(cell[2:]) for cell in wide})), flush=True)


def named(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]} and {sizes[1]}"


def power() -> None:
    """Each draw's sentence names a difference; arms that differ by it are drawn, and told apart how often?"""
    rng = np.random.default_rng(2)
    for cold, warm, clustering, rate in (
        (10, 10, 0.05, 0.15), (20, 20, 0.02, 0.15), (20, 20, 0.05, 0.15), (20, 20, 0.1, 0.3), (40, 40, 0.1, 0.15),
        (40, 40, 0.5, 0.3), (10, 40, 0.05, 0.15), (40, 10, 0.05, 0.15), (20, 40, 0.1, 0.3), (40, 40, 0.02, 0.05),
    ):  # fmt: skip
        said: dict[str, list[float]] = {"worse": [], "better": []}
        impossible = shown_better = shown_worse = 0
        for _ in batches(DRAWS):
            told = clusters.independent(drawn(rng, cold, clustering, rate), drawn(rng, warm, clustering, rate))
            worse, better = ([_named(one, sign, rate) for one in told] for sign in (1, -1))
            impossible += sum(reach is None for reach in better)
            up = np.array([np.nan if reach is None else reach for reach in worse])
            down = np.array([np.nan if reach is None else reach for reach in better])
            shown_worse += planted(rng, cold, warm, clustering, rate, up)
            shown_better += planted(rng, cold, warm, clustering, rate, -down)
            said["worse"] += list(up[~np.isnan(up)])
            said["better"] += list(down[~np.isnan(down)])
        parts = [
            f"{way} by {np.median(reaches) if reaches else float('nan'):.1%}: shown in {shown / max(1, len(reaches)):6.1%}"
            for (way, reaches), shown in zip(said.items(), (shown_worse, shown_better), strict=True)
        ]
        print(
            f"{cold} cold and {warm} warm, clustering {clustering}, rate {rate:.0%}: {parts[0]}   {parts[1]}"
            f"   wanted: 75 to 85 %   (no improvement could be shown: {impossible / (DRAWS):.0%})",
            flush=True,
        )


def _named(one: Difference, sign: int, rate: float) -> float | None:
    reach = getattr(one, "mde_up" if sign > 0 else "mde_down", one.mde)
    return reach if reach is not None and 0 < rate + sign * reach < 1 else None


def planted(rng: np.random.Generator, cold: int, warm: int, clustering: float, rate: float, by: NDArray) -> int:
    known = ~np.isnan(by)
    moved = np.where(known, rate + np.nan_to_num(by), rate)
    told = clusters.independent(
        drawn(rng, cold, clustering, rate, len(by)), drawn(rng, warm, clustering, moved, len(by))
    )
    return sum(claimed(one) and is_known for one, is_known in zip(told, known, strict=True))


def paired() -> None:
    """Tasks that ran in both arms: each task has a rate, and each run of it departs from that."""
    rng = np.random.default_rng(3)
    for tasks in (6, 10, 20, 40):
        for of_tasks, of_runs, rate in ((0.1, 0.02, 0.15), (0.5, 0.02, 0.15), (0.1, 0.1, 0.3), (0.5, 0.5, 0.3)):
            told: list[Difference] = []
            for _ in batches(DRAWS):
                told += clusters.paired(*runs(rng, tasks, of_tasks, of_runs, rate, 0.0))
            found, said = tally(told, 0.0), []
            for way, sign in (("worse", 1), ("better", -1)):
                reaches = [reach for one in told if (reach := _named(one, sign, rate)) is not None]
                if len(reaches) < len(told) / 2:
                    said.append(f"{way}: mostly said to be impossible")
                    continue
                by = sign * float(np.median(reaches))
                planted_pairs = [clusters.paired(*runs(rng, tasks, of_tasks, of_runs, rate, by)) for _ in range(5)]
                shown = sum(claimed(one) for batch in planted_pairs for one in batch) / (5 * AT_ONCE)
                said.append(f"{way} by {abs(by):.1%}: shown in {shown:6.1%}")
            print(
                f"{tasks} tasks, clustering of tasks {of_tasks}, of runs {of_runs}, rate {rate:.0%}: false verdicts "
                f"{found['false']:6.1%}   wanted: at most 6 %; interval holds the truth {found['holds']:6.1%}   {'; '.join(said)}",
                flush=True,
            )


def runs(rng: np.random.Generator, tasks: int, of_tasks: float, of_runs: float, rate: float, by: float):
    cold = np.clip(risks(rng, tasks, of_tasks, rate, AT_ONCE), 1e-4, 1 - 1e-4)
    # A better arm fails at a share of what failed; a worse one also at a share of what did not.
    warm = cold * (rate + by) / rate if by < 0 else 1 - (1 - cold) * (1 - rate - by) / (1 - rate)
    size = 1 / of_runs - 1
    arms = [np.clip(arm, 1e-6, 1 - 1e-6) for arm in (cold, warm)]
    return [called(rng, rng.beta(arm * size, (1 - arm) * size)) for arm in arms]


PARTS: dict[str, Callable[[], None]] = {"cells": cells, "power": power, "paired": paired}


def main() -> None:
    for part in sys.argv[1:] or PARTS:
        began = time.perf_counter()
        PARTS[part]()
        print(f"({part}: {time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
