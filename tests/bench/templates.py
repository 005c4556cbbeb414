"""Templates with 10,000 of them: until the first stand there, until all do, and a key meanwhile.

    python tests/bench/templates.py

Beside the same with three, and beside an empty Textual app that opens a screen.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from screens import SIZE, Empty, report
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Footer, Static

from warm_tui.app import WarmTui
from warm_tui.demo import build_demo
from warm_tui.paths import Home
from warm_tui.screens.templates.screen import TemplatesScreen

MANY = 10_000


class Another(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Static("another")
        yield Footer()


async def opening_another() -> float:
    app = Empty()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        painted = asyncio.Event()
        began = time.perf_counter()
        app.push_screen(screen := Another())
        while not screen.is_mounted:
            await asyncio.sleep(0)
        screen.call_after_refresh(painted.set)
        await painted.wait()
        return time.perf_counter() - began


async def opening(home: Home) -> tuple[float, float, list[float]]:
    app = WarmTui(home)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(1)
        painted = asyncio.Event()
        began = time.perf_counter()
        app.post_message(events.Key("4", "4"))
        while not (isinstance(app.screen, TemplatesScreen) and app.screen.is_mounted and app.screen.shelf.rows):
            await asyncio.sleep(0.001)
        screen = app.screen
        screen.call_after_refresh(painted.set)
        await painted.wait()
        first = time.perf_counter() - began
        keys = []
        while not screen.shelf.is_read or len(keys) < 20:
            keys.append(await key_to_paint(app, screen))
            await asyncio.sleep(0.02)
            if screen.shelf.is_read:
                whole = time.perf_counter() - began
        return first, whole, keys


async def key_to_paint(app: WarmTui, screen: TemplatesScreen) -> float:
    painted = asyncio.Event()
    before = screen.table.cursor
    screen.table.move(before % 3)
    began = time.perf_counter()
    key = "k" if screen.table.cursor else "j"
    app.post_message(events.Key(key, key))
    while screen.table.cursor == before % 3:
        await asyncio.sleep(0)
    screen.call_after_refresh(painted.set)
    await painted.wait()
    return time.perf_counter() - began


def many_in(home: Home, many: int = MANY) -> list[str]:
    folder = home.root / "warm_sessions"
    longest = max(folder.glob("*.json"), key=lambda path: path.stat().st_size)
    template = json.loads(longest.read_text())
    names = [f"template-{number:05}" for number in range(many)]
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps({**template, "name": name}))
    return names


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = build_demo(Path(scratch))
        empty = statistics.median(asyncio.run(opening_another()) for _ in range(5))
        few, _, keys = asyncio.run(opening(home))
        report("a key, three templates", keys)
        many_in(home)
        first, whole, keys = asyncio.run(opening(home))
    report(f"a key while {MANY:,} are read", keys)
    print(f"{'an empty app opens a screen':50} {empty * 1000:.0f} ms")
    print(f"{'three templates stand there':50} {few * 1000:.0f} ms, {few / empty:.1f} times")
    print(
        f"{f'the first of {MANY:,} stand there':50} {first * 1000:.0f} ms, {first / empty:.1f} times,"
        f" {first / few:.2f} times three   wanted: 500 ms"
    )
    print(f"{'all of them':50} {whole:.1f} s")
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
