"""A life of 100 compactions and 50,000 messages: from Enter to its picture, against a bare read of its rows."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from random import Random

from database import message_rows

from warm_tui.app import WarmTui
from warm_tui.demo.recorder import Recorder
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import examine
from warm_tui.paths import Home
from warm_tui.reports.compaction import life_document
from warm_tui.reports.lines import lines_of
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.sessions.hermes.archive import Archive

CUTS, MESSAGES = 100, 50_000


def long_life(path: Path, *, chained: bool) -> str:
    """Compacted after every 500th message, each time to its last 40."""
    rng = Random(1)
    recorder = Recorder(rng, "life-0", 1e9)
    recorder.user("Go on with the work, please.")
    parent = None
    with Archive(path) as archive:
        for cut in range(CUTS + 1):
            for row in message_rows(rng, recorder.id, MESSAGES // (CUTS + 1))[1:]:
                recorder.rows.append({**row, "active": 1, "compacted": 0})
            if cut == CUTS:
                break
            if chained:
                recorder.save(archive, source="cli", parent_session_id=parent, end_reason="compression")
                parent, recorder = recorder.id, recorder.continue_in(f"life-{cut + 1}")
            else:
                recorder.compact_in_place(40)
        recorder.save(archive, source="cli", parent_session_id=parent)
    return recorder.id


def bare(path: Path) -> float:
    began = time.perf_counter()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        connection.execute("SELECT * FROM messages ORDER BY id").fetchall()
    return time.perf_counter() - began


def headless(home: Home, session: str) -> float:
    began = time.perf_counter()
    with Catalog(home) as catalog:
        lines_of(life_document(examine(catalog, session)), 100)
    return time.perf_counter() - began


async def on_screen(home: Home, session: str) -> list[float]:
    app = WarmTui(home)
    taken = []
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("5")
        screen = app.screen
        assert isinstance(screen, CompactionScreen)
        while not screen.done or screen.life_read is None:
            await asyncio.sleep(0.01)
        for _ in range(5):
            screen.table.move(0)
            while screen.life_read is None or screen.life_read.session_id:
                await asyncio.sleep(0.01)
            began = time.perf_counter()
            screen.move_to(session)
            while screen.life_read.session_id != session and screen.life_read.session_id != "life-0":
                await asyncio.sleep(0.02)
            await pilot._wait_for_screen()
            taken.append(time.perf_counter() - began)
            while screen.life_read.examined is None:
                await asyncio.sleep(0.02)
    return taken


def main() -> None:
    for chained in (False, True):
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "state.db"
            session = long_life(path, chained=chained)
            home = Home(Path(scratch) / "home", (path,))
            read = statistics.median(bare(path) for _ in range(5))
            told = statistics.median(headless(home, session) for _ in range(5))
            shown = statistics.median(asyncio.run(on_screen(home, session)))
        name = "chained" if chained else "in place"
        print(
            f"{f'a life of {CUTS} compactions, {name}':50} examined / bare read of its rows {told / read:.2f} ({told:.2f} s)"
            f"   on screen {shown:.2f} s   wanted: under a second"
        )


if __name__ == "__main__":
    main()
