"""Families of failures: how long they take beside a bare read of the same rows, and pairs of failures for a reader.

`python tests/bench/families.py` prints ratios; `python tests/bench/families.py pairs DATABASE [SEED]` draws 30 pairs
within families and 30 across them, to be read one by one; `python tests/bench/families.py states` says how often chance
alone makes a family new, over or back.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

from database import large_database
from speed import line, seconds, with_bytecode
from textual import events

from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, families
from warm_tui.library.profiles import RULES
from warm_tui.paths import Home
from warm_tui.reliability.families import DAY, FailedCall, Family, state_of
from warm_tui.screens.failures.screen import FailuresScreen

PAIRS, DRAWS = 30, 3_000
REASON = 150


def speed() -> None:
    path = large_database(10_000, 1_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch), (path,))
        with Catalog(home) as catalog:
            catalog.profiles()

        def bare() -> None:
            with Catalog(home) as catalog:
                sql = "SELECT session_id, stamp, profile, failures FROM profiles WHERE rules = ?"
                catalog.library.connection.execute(sql, (RULES,)).fetchall()

        def from_kept() -> None:
            with Catalog(home) as catalog:
                families(catalog)

        reference = seconds(bare, 5)
        whole = seconds(from_kept, 5)
        line("families of 1,000,000 messages / bare read of what is kept", f"{whole / reference:.1f} ({whole:.2f} s)", "< 1.5 s")  # fmt: skip
        kept = KeptFailures()
        with Catalog(home) as catalog:
            found = families(catalog, kept=kept)
            name = found.all[0].lives[-1]
            catalog.library.connection.execute("UPDATE profiles SET stamp = 'other' WHERE session_id = ?", (name,))
            began = time.perf_counter()
            rows = sum(len(kept.read(catalog.library, place)) for place in list(kept._rows))
            again = time.perf_counter() - began
        line(f"reading anew what one new session of {rows:,} changed", f"{again * 1000:.0f} ms", "not all again")
        print(f"{found.failures:,} failures in {len(found.all):,} families")
        with Catalog(home) as catalog:
            catalog.profiles()
        asyncio.run(on_screen(home))


async def on_screen(home: Home) -> None:
    """From a key until what it did is painted, while what is under the cursor is told; and until all stands there."""
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        while app.screen_stack[0].sessions.feeding or not app.screen_stack[0].sessions.profiles:  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
        began = time.perf_counter()
        await pilot.press("2")
        screen = app.screen
        assert isinstance(screen, FailuresScreen)
        while not screen.table.rows:
            await asyncio.sleep(0.005)
        line("Failures: from its key until its rows stand there", f"{time.perf_counter() - began:.2f} s", "")
        taken = []
        for at in range(100):
            before, painted, began = screen.table.cursor, asyncio.Event(), time.perf_counter()
            app.post_message(events.Key("j" if at % 20 < 10 else "k", None))
            while screen.table.cursor == before:
                await asyncio.sleep(0)
            screen.call_after_refresh(painted.set)
            await painted.wait()
            taken.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)
        taken.sort()
        line("Failures: key to paint, p95", f"{taken[94] * 1000:.0f} ms", "< 50 ms")


def pairs(path: Path, seed: int) -> None:
    rng = Random(seed)
    with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (path,))) as catalog:
        found = families(catalog).all
        within = [pair for family in found for pair in combinations([(family, call) for call in family.calls], 2)]
        print("WITHIN A FAMILY")
        for pair in rng.sample(within, min(PAIRS, len(within))):
            _show(pair)
        print("ACROSS FAMILIES")
        calls = [(family, call) for family in found for call in family.calls]
        shown = 0
        while shown < PAIRS and len(found) > 1:
            first, second = rng.sample(calls, 2)
            if first[0].id != second[0].id:
                _show((first, second))
                shown += 1


def states() -> None:
    """Of failures that are as likely in every session: how often another state than ongoing is said of them."""
    rng = Random(5)
    for sessions in (20, 60, 300):
        for chance in (0.02, 0.1, 0.3, 0.7):
            counts: Counter[str] = Counter()
            while counts.total() < DRAWS:
                starts = [DAY * (100 + 60 * at / sessions) for at in range(sessions)]
                if hits := [start for start in starts if rng.random() < chance]:
                    counts[state_of(hits, starts, hits[-1], None, DAY * 160)] += 1
            told = ", ".join(f"{state} {count / DRAWS:.1%}" for state, count in sorted(counts.items()))
            line(f"{sessions} sessions, each with a chance of {chance}", told, "each ≤ 5 %, but ongoing")


def _show(pair: tuple[tuple[Family, FailedCall], ...]) -> None:
    for family, call in pair:
        print(f"  {family.title[:60]:60}  {call.tool}: {call.reason[:REASON]}")
    print()


def main() -> None:
    if sys.argv[1:2] == ["pairs"]:
        pairs(Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else 1)
        return
    if sys.argv[1:] == ["states"]:
        states()
        return
    with_bytecode()
    speed()


if __name__ == "__main__":
    main()
