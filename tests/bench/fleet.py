"""Three members with homes of their own, 30,000 sessions seen as one; who goes away, and who comes back.

python -m tests.bench.fleet [SESSIONS_OF_EACH [keys]]
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

sys.path.insert(0, str(Path(__file__).parent))

from database import large_database
from load import _words, shares
from screens import SIZE, key_to_paint, screen_of

from tests.unit.fleeting import RunningFleet, fleet_of, home_at
from warm_tui.app import WarmTui
from warm_tui.errors import Trouble
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.gathering import Gatherer, Round
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.sessions.elsewhere import places_of

NAMES = ("ada", "bob", "cyd")
MESSAGES_OF_EACH = 6
KEYS, REST = 150, 0.02


@contextmanager
def timed(what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{what:66} {time.perf_counter() - began:8.2f} s", flush=True)


def home_with(folder: Path, name: str, sessions: int) -> Home:
    """Sessions of its own, which no other machine has."""
    home = home_at(folder / name)
    home.root.mkdir(parents=True)
    shutil.copy(large_database(sessions, sessions * MESSAGES_OF_EACH), home.databases[0])
    with sqlite3.connect(home.databases[0]) as connection:
        connection.execute("UPDATE sessions SET id = ? || id, started_at = started_at + ?", (f"{name}-", len(name)))
        connection.execute("UPDATE messages SET session_id = ? || session_id", (f"{name}-",))
    connection.close()
    return home


def gathered(home: Home) -> Round:
    """Until all is had, also where the scheduler or a member goes away meanwhile."""
    total = Round()
    while True:
        try:
            with Fleet(home) as fleet:
                while True:
                    told = Gatherer(home, fleet).round()
                    total = told._replace(lives=total.lives + told.lives, bytes=total.bytes + told.bytes)
                    if not told.again and told.machines == len(NAMES) and not told.troubles:
                        return total
        except Trouble:
            time.sleep(0.2)


def with_places(running: RunningFleet) -> Home:
    return running.home._replace(databases=(*running.home.databases, *places_of(running.files.path)), fleet=True)


def forget(running: RunningFleet) -> None:
    shutil.rmtree(running.files.path / "homes", ignore_errors=True)
    for path in running.home.ours.glob("library.db*"):
        path.unlink()


def is_whole(running: RunningFleet, sessions: int) -> str:
    with Catalog(with_places(running)) as catalog:
        found = Counter((each.machine, each.session_id) for each in catalog.profiles() if each.machine)
    twice = sum(count > 1 for count in found.values())
    return f"{len(found):,} of {len(NAMES) * sessions:,} sessions, {twice} twice"


def three(running: RunningFleet, sessions: int) -> None:
    with timed("profiled on the members, and had"):
        told = gathered(running.home)
    print(f"{'bytes that travelled a session, all':66} {told.bytes / told.lives:8.0f}   {told.bytes:,}")
    with timed("asked again, nothing has changed"), Fleet(running.home) as fleet:
        again = Gatherer(running.home, fleet).round()
    print(f"{'lives, bytes of that':66} {again.lives, again.bytes}")
    forget(running)
    with timed("had anew, profiled before"):
        gathered(running.home)
    with timed("listed for the first time"), Catalog(with_places(running)) as catalog:
        catalog.profiles()
    with timed("listed again"), Catalog(with_places(running)) as catalog:
        catalog.profiles()
    with timed("the newest 50 by errors, of all machines"), Catalog(with_places(running)) as catalog:
        listing = catalog.window(parse_filter("machine:a calls>1"), "-error_rate", 50)
    print(f"{'of so many':66} {listing.total:8,}")
    print(is_whole(running, sessions))


def trouble(running: RunningFleet, sessions: int) -> None:
    for what in ("a member is killed and comes back", "the scheduler is killed and comes back"):
        forget(running)
        name = "bob" if "member" in what else "scheduler"

        def again(name: str = name) -> None:
            running.start_member(name) if name == "bob" else running.start_scheduler()

        ending = Timer(1.0, lambda name=name: running.processes[name].kill())  # type: ignore[misc]
        beginning = Timer(4.0, again)
        ending.start()
        beginning.start()
        with timed(f"had, while {what}"):
            time.sleep(0.9)
            gathered(running.home)
        ending.join()
        beginning.join()
        gathered(running.home)
        print(f"  {is_whole(running, sessions)}")


async def keys(running: RunningFleet, sessions: int) -> None:
    """From the first row on, while all are had, kept, and laid out."""
    forget(running)
    app = WarmTui(with_places(running))
    listening = running.folder / "listening"
    listening.touch()
    with tempfile.NamedTemporaryFile("w+") as beside:
        words = _words(f"asyncio.run(load.reference({str(listening)!r}))")
        empty = subprocess.Popen(words, stdout=beside, stderr=subprocess.DEVNULL)
        async with app.run_test(size=SIZE):
            screen = screen_of(app)
            while len(screen.table.rows) < 50:
                await asyncio.sleep(0.01)
            taken, used, began = [], [], time.time()
            while len(screen.sessions.profiles) < len(NAMES) * sessions or len(taken) < KEYS:
                if screen.table.cursor > 30:
                    screen.table.move(0)
                    await asyncio.sleep(REST)
                before = time.process_time()
                taken.append(await key_to_paint(app))
                used.append(time.process_time() - before)
                await asyncio.sleep(REST)
            whole = time.time() - began
        listening.unlink()
        empty.wait()
        pressed = [json.loads(line) for line in Path(beside.name).read_text().splitlines()]
    p50, p95, _ = shares(taken)
    empty50, empty95, _ = shares([seconds for at, seconds in pressed if began <= at <= began + whole])
    print(
        f"keys while {len(NAMES) * sessions:,} stream in, {len(taken)} in {whole:.1f} s: p50 {p50:.1f}, p95 {p95:.1f} ms;"
        f" an empty app beside: {empty50:.1f}, {empty95:.1f} ms; processor time of all threads meanwhile:"
        f" {shares(used)[0]:.1f}, {shares(used)[1]:.1f} ms",
        flush=True,
    )


def main() -> None:
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "operator").mkdir()
        shutil.copy(large_database(1, 2), folder / "operator" / "state.db")
        homes = {name: home_with(folder, name, sessions) for name in NAMES}
        with fleet_of(folder, homes) as running:
            three(running, sessions)
            asyncio.run(keys(running, sessions))
            if "keys" not in sys.argv:
                trouble(running, sessions)
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
