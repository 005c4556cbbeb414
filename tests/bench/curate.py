"""Curate with 20,000 candidates: list, filter and pick, against the empty app's key to paint.

python tests/bench/curate.py
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from database import large_database
from textual import events
from textual.pilot import Pilot

from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen

SIZE = (160, 48)


async def main() -> None:
    path = large_database(420, 42_000)
    with tempfile.TemporaryDirectory() as scratch:
        app = WarmTui(Home(Path(scratch), (path,)))
        async with app.run_test(size=SIZE) as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("3")
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            screen = app.screen
            assert isinstance(screen, CurateScreen)
            began = time.perf_counter()
            screen.read_from("all")
            first = None
            keys = []
            while screen.calls.reading or not screen.calls.entries:
                await asyncio.sleep(0.02)
                if screen.calls.entries and first is None:
                    first = time.perf_counter() - began
                if screen.calls.entries:
                    keys.append(await key_to_paint(pilot, screen, "j"))
            print(
                f"{len(screen.calls.entries):,} candidates; the first after {first or 0:.2f} s, all after {time.perf_counter() - began:.1f} s"
            )
            report("key to paint while they load", keys)
            await pilot.pause(0.5)
            report("key to paint at rest", [await key_to_paint(pilot, screen, "j") for _ in range(60)])
            report("picking, on disk and painted", [await key_to_paint(pilot, screen, "space") for _ in range(60)])
            report(
                "sorting",
                [
                    await act(pilot, lambda order=order: screen.sort(order))
                    for order in ("-tokens", "arguments", "-count", "-recorded_at") * 3
                ],
                100,
            )  # type: ignore[misc]

            def ask(words: str) -> None:
                screen.filter_text = words
                screen.lay_out()

            report(
                "filtering",
                [await act(pilot, lambda words=words: ask(words)) for words in ("g", "gr", "grep", "grep src", "") * 3],
                100,
            )  # type: ignore[misc]


async def key_to_paint(pilot: Pilot[None], screen: CurateScreen, key: str) -> float:
    before = screen.table.cursor, len(screen.drafting.draft.patterns)
    painted = asyncio.Event()
    began = time.perf_counter()
    pilot.app.post_message(events.Key(key, None if key == "space" else key))
    for _ in range(2_000):
        if (screen.table.cursor, len(screen.drafting.draft.patterns)) != before:
            break
        await asyncio.sleep(0)
    screen.call_after_refresh(painted.set)
    await painted.wait()
    return time.perf_counter() - began


async def act(pilot: Pilot[None], what) -> float:  # type: ignore[no-untyped-def]
    began = time.perf_counter()
    what()
    await pilot._wait_for_screen()
    return time.perf_counter() - began


def report(what: str, taken: list[float], limit: int = 50) -> None:
    ordered = sorted(taken)
    if not ordered:
        print(f"{what}: over too soon to measure")
        return
    p95 = ordered[int(len(ordered) * 0.95)] * 1000
    print(f"{what:40} p50 {statistics.median(ordered) * 1000:6.1f} ms   p95 {p95:6.1f} ms   wanted: p95 ≤ {limit} ms")


if __name__ == "__main__":
    asyncio.run(main())
