"""Does the comparison of arms keep what it promises? On recorded sessions: python tests/bench/comparison.py FOLDER

False positives where the arms are drawn at random, power where the failures of one arm are halved (against
scipy's permutation test on the same draws), an A/A test of paired trials, and the time for large arms.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from database import large_database
from recorded import database, folder
from scipy.stats import permutation_test
from textual import events

from warm_tui.app import WarmTui
from warm_tui.comparisons.compare import compare
from warm_tui.comparisons.units import Facts, Unit, units_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.reliability.clusters import independent
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.sessions.model import SessionName

DRAWS = 1_000
SIZES = (5, 10, 20, 30)


def recorded_units(where: Path, name: str, facts: dict[str, Facts] | None = None) -> list[Unit]:
    path = database(where, name)
    assert path is not None
    with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (path,))) as catalog:
        return units_of(catalog.profiles(), catalog.roots(), facts)


def ratios(units: list[tuple[int, int]]) -> list[list[tuple[float, float]]]:
    return [[(float(failures), float(known))] for failures, known in units]


def scipys(one: list[tuple[int, int]], other: list[tuple[int, int]], rng: np.random.Generator) -> float:
    """scipy's permutation test of the same statistic, by sessions."""
    a, b = np.array(one, dtype=float), np.array(other, dtype=float)
    everyone = np.concatenate([a, b])

    def statistic(x, y, axis):  # noqa: ARG001 - as scipy calls it
        first, second = everyone[x.astype(int)].sum(axis=-2), everyone[y.astype(int)].sum(axis=-2)
        return second[..., 0] / second[..., 1] - first[..., 0] / first[..., 1]

    labels = np.arange(len(a)), len(a) + np.arange(len(b))
    return float(permutation_test(labels, statistic, vectorized=True, n_resamples=1999, rng=rng, axis=-1).pvalue)


def draws(units: list[Unit], size: int) -> None:
    rng, numpy_rng = Random(size), np.random.default_rng(size)
    false, found, scipy_found, rates = 0, 0, 0, 0
    for _ in range(DRAWS):
        chosen = rng.sample(units, 2 * size)
        cold = [(unit.failures, unit.known) for unit in chosen[:size]]
        warm = [(unit.failures, unit.known) for unit in chosen[size:]]
        thinned = [(sum(rng.random() < 0.5 for _ in range(failures)), known) for failures, known in warm]
        (same,) = independent(ratios(cold), ratios(warm))
        (halved,) = independent(ratios(cold), ratios(thinned))
        false += (same.p_value or 0) < 0.05
        found += (halved.p_value or 0) < 0.05
        scipy_found += scipys(cold, thinned, numpy_rng) < 0.05
        rates += same.low is not None and same.high is not None and not same.low <= 0 <= same.high
    print(
        f"{f'{size} sessions an arm':24} false positives {false / DRAWS:6.1%} (wanted: 3 to 7)   "
        f"interval without zero {rates / DRAWS:6.1%}   power, failures halved {found / DRAWS:6.1%}   "
        f"scipy's {scipy_found / DRAWS:6.1%} (wanted: at most 2 points above ours)"
    )


def trials(where: Path) -> None:
    """The published trials 0 and 1 of the same tasks, by the same model: an A/A test."""
    meta = json.loads((where / "tau-airline.meta.json").read_text())
    trial = {row["session_id"]: row["trial"] for row in meta}
    facts = {row["session_id"]: Facts(f"task {row['task']}", row["reward"] > 0.5) for row in meta}
    units = recorded_units(where, "tau-airline", facts)
    warm, cold = ([unit for unit in units if trial[unit.session_id] == number] for number in (1, 0))
    told = compare(warm, cold)
    for row in (told.rows[0], told.rows[-1]):
        one = row.difference
        print(
            f"tau-airline, trial 1 against 0, {told.tasks} tasks paired: {row.title} {one.second:.3f} against {one.first:.3f}"
            f" ({one.low:+.3f} to {one.high:+.3f}), p = {row.p_corrected:.3f}: {row.verdict}   wanted: no difference shown"
        )


def speed() -> None:
    rng = Random(1)
    base = Unit("", "", (), "", "m", "", 0.0, 40, 4, 40, "." * 40, 1, {}, 2, 9.0, 9_000, 0.1)
    tools = ("terminal", "read_file", "patch", "write_file", "search_files", "execute_code", "web_search", "todo")
    arms = []
    for arm in range(2):
        units = []
        for number in range(5_000):
            course = "".join(rng.choice("......x?") for _ in range(40))
            failures, known = course.count("x"), 40 - course.count("?")
            by_tool = {tool: (rng.randint(0, 2), rng.randint(2, 9)) for tool in tools}
            name = f"{arm}-{number}"
            units.append(msgspec.structs.replace(
                base, life=name, session_id=name, session_ids=(name,), course=course, failures=failures, known=known, tools=by_tool,
            ))  # fmt: skip
        arms.append(units)
    compare(arms[0][:50], arms[1][:50])
    began = time.perf_counter()
    compare(*arms)
    print(
        f"2 × 5,000 sessions compared in {time.perf_counter() - began:.2f} s   wanted: under 2 s, from cached profiles"
    )


async def on_screen() -> None:
    """All sessions of a large database marked, half warm and half cold, their profiles remembered."""
    path = large_database(10_000, 1_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch), (path,))
        with Catalog(home) as catalog:
            arms = {p.session_id: "warm" if at % 2 else "cold" for at, p in enumerate(catalog.profiles())}
            keep_marks(catalog.library, [{SessionName(each): arm for each, arm in arms.items()}])
        app = WarmTui(home)
        async with app.run_test(size=(160, 48)) as pilot:
            sessions = app.screen_stack[0]
            while len(sessions.sessions.profiles) < 10_000 or sessions.sessions.feeding:  # type: ignore[attr-defined]
                await asyncio.sleep(0.05)
            await pilot.pause(0.3)
            began = time.perf_counter()
            app.action_show_compare()
            keys = []
            while not isinstance(app.screen, CompareScreen) or app.screen.compared is None:
                pressed = time.perf_counter()
                painted = asyncio.Event()
                app.post_message(events.Key("j", "j"))
                app.screen.call_after_refresh(painted.set)
                await painted.wait()
                keys.append(time.perf_counter() - pressed)
                await asyncio.sleep(0.01)
            taken = time.perf_counter() - began
    keys.sort()
    print(
        f"2 × 5,000 sessions compared on screen in {taken:.2f} s   wanted: under 2 s; a key meanwhile p95"
        f" {keys[int(len(keys) * 0.95)] * 1000:.0f} ms, at most {keys[-1] * 1000:.0f} ms   wanted: p95 ≤ 50 ms"
    )


def main() -> None:
    speed()
    asyncio.run(on_screen())
    where = folder()
    if where is None:
        print("name the folder of recorded sessions for the rest", file=sys.stderr)
        return
    trials(where)
    units = recorded_units(where, "swe-structured")
    for size in SIZES:
        draws(units, size)


if __name__ == "__main__":
    main()
