"""The Overview on 10,000 sessions: until it stands there, and how long a key takes while it is gathered.

python tests/bench/overview.py
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

from database import large_database
from screens import SIZE, report
from textual import events

from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.overview.screen import OverviewScreen


async def opened(app: WarmTui) -> tuple[OverviewScreen, float]:
    """From the key until the first of it is painted."""
    began = time.perf_counter()
    app.post_message(events.Key("0", "0"))
    while not isinstance(app.screen, OverviewScreen) or app.screen.gathered is None:
        await asyncio.sleep(0.001)
    painted = asyncio.Event()
    app.screen.call_after_refresh(painted.set)
    await painted.wait()
    return app.screen, time.perf_counter() - began


async def key_to_paint(app: WarmTui, screen: OverviewScreen, key: str) -> float:
    before, painted = screen.view.cursor, asyncio.Event()
    began = time.perf_counter()
    app.post_message(events.Key(key, key))
    while screen.view.cursor == before:
        await asyncio.sleep(0)
    screen.call_after_refresh(painted.set)
    await painted.wait()
    return time.perf_counter() - began


async def looked_at(home: Home, what: str) -> None:
    app = WarmTui(home)
    async with app.run_test(size=SIZE) as pilot:
        while app.screen_stack[0].sessions.feeding or not app.screen_stack[0].sessions.total:  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
        screen, seconds = await opened(app)
        print(f"{f'0 to the Overview, {what}':50} {seconds * 1000:6.0f} ms")
        at_rest, gathering = [], []
        while screen.reading:
            gathering.append(await key_to_paint(app, screen, "jk"[len(gathering) % 2]))
            await asyncio.sleep(0.005)
        for number in range(6):
            screen.action_period()
            while screen.reading:
                gathering.append(await key_to_paint(app, screen, "jk"[len(gathering) % 2]))
                await asyncio.sleep(0.005)
            await pilot.pause(0.1)
            at_rest += [await key_to_paint(app, screen, "jk"[at % 2]) for at in range(20)]
            del number
        report("key to paint on the Overview", at_rest)
        report(f"the same while it is gathered ({len(gathering)} keys)", gathering)


def main() -> None:
    path = large_database(10_000, 1_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch), (path,))
        with Catalog(home) as catalog:
            began = time.perf_counter()
            catalog.profiles()
            print(f"{'profiling 1,000,000 messages':50} {time.perf_counter() - began:6.1f} s")
        asyncio.run(looked_at(home, "never opened before"))
        asyncio.run(looked_at(home, "opened before"))
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
