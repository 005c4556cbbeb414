"""Keys under load: while 200,000 sessions are profiled and sorted, and while an agent writes 200 messages a second.

    python tests/bench/load.py [many|writing]

Beside each, at the same time, as many keys in an empty Textual app in a process of its own: the machine's share.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from threading import Event, Thread

from database import large_database, message_rows
from memory import megabytes
from screens import SIZE, Empty, key_to_paint, screen_of
from textual.events import Key
from textual.widgets import Static

from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive

SESSIONS, MESSAGES = 200_000, 1_200_000
KEYS, REST = 100, 0.02
A_SECOND = 200
WRITTEN_SESSIONS = 300


Taken = tuple[float, float, float]
"""When a key came, how long it took, and how much of that the screen's thread was at work."""


class Keyed(Empty):
    """What an empty app takes to paint a key."""

    pressed = 0

    def on_key(self) -> None:
        self.pressed += 1
        self.query_one(Static).update(f"pressed {self.pressed} times", layout=False)


async def reference(path: str) -> None:
    """Until nobody listens any more."""
    app = Keyed()
    async with app.run_test(size=SIZE):
        while Path(path).exists():
            before, painted = app.pressed, asyncio.Event()
            began = time.perf_counter()
            app.post_message(Key("j", "j"))
            while app.pressed == before:
                await asyncio.sleep(0)
            app.screen.call_after_refresh(painted.set)
            await painted.wait()
            print(json.dumps((time.time(), time.perf_counter() - began)), flush=True)
            await asyncio.sleep(REST)


async def keys(app: WarmTui, count: int = KEYS) -> list[Taken]:
    taken = []
    screen = screen_of(app)
    for at in range(count):
        if at % 20 == 0:
            screen.table.move(at % 40)
            await asyncio.sleep(REST)
        came, used = time.time(), time.thread_time()
        taken.append((came, await key_to_paint(app), time.thread_time() - used))
        await asyncio.sleep(REST)
    return taken


async def many(home: Home) -> dict[str, list[Taken]]:
    """From the first row on; then again after a sort."""
    app = WarmTui(home)
    found: dict[str, list[Taken]] = {}
    async with app.run_test(size=SIZE):
        screen = screen_of(app)
        while not screen.table.rows:
            await asyncio.sleep(0.01)
        found["while the sessions are read"] = await keys(app, 100)
        while len(screen.table.rows) < SESSIONS:
            await asyncio.sleep(0.01)
        found["while they are profiled"] = await keys(app)
        screen.sort("-error_rate")
        found["the same, sorted"] = await keys(app)
        assert screen.table.pending, "profiling was over too soon to measure beside it"
        screen.set_filter("calls>1")
        found["the same, filtered"] = await keys(app)
        beside = sum(megabytes(process=child) for child in children())
        began_at = time.time()
    found["quit"] = [(began_at, beside, 0.0)]
    return found


async def writing(home: Home) -> dict[str, list[Taken]]:
    app = WarmTui(home)
    found: dict[str, list[Taken]] = {}
    async with app.run_test(size=SIZE):
        screen = screen_of(app)
        while len(screen.table.rows) < WRITTEN_SESSIONS or screen.sessions.feeding:
            await asyncio.sleep(0.05)
        found["nothing is written"] = await keys(app)
        done = Event()
        writer = Thread(target=write, args=(home.databases[0], done))
        writer.start()
        found[f"{A_SECOND} messages a second"] = await keys(app)
        done.set()
        writer.join()
    return found


def write(path: Path, done: Event) -> None:
    """As an agent does, a message a transaction."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; import load; load.write_beside({str(path)!r})"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        done.wait()
        process.kill()


def write_beside(path: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    rows = message_rows(Random(2), f"session-{WRITTEN_SESSIONS - 1}", 100_000)
    names = tuple(rows[0])
    sql = f"INSERT INTO messages ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    began = time.monotonic()
    for at, row in enumerate(rows):
        connection.execute(sql, tuple(row.values()))
        time.sleep(max(0.0, began + (at + 1) / A_SECOND - time.monotonic()))


def written_to(path: Path) -> None:
    rows = message_rows(Random(1), "", 4_000)
    with Archive(path) as archive:
        for at in range(WRITTEN_SESSIONS):
            name = f"session-{at}"
            length = len(rows) if at == WRITTEN_SESSIONS - 1 else 60
            archive.add_session(id=name, source="cli", started_at=1e9 + at)
            archive.add_messages({**row, "session_id": name} for row in rows[:length])
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def in_process(what: str, scratch: str, database: str) -> None:
    home = Home(Path(scratch), (Path(database),))
    found = asyncio.run(many(home) if what == "many" else writing(home))
    print(json.dumps(found))
    print(megabytes(), flush=True)


def children() -> list[str]:
    return [child for each in Path("/proc/self/task").iterdir() for child in (each / "children").read_text().split()]


def measured(what: str, database: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch, tempfile.NamedTemporaryFile("w+") as beside:
        listening = Path(scratch) / "listening"
        listening.touch()
        empty = subprocess.Popen(
            _words(f"asyncio.run(load.reference({str(listening)!r}))"), stdout=beside, stderr=subprocess.DEVNULL
        )
        ours = _words(f"load.in_process({what!r}, {scratch!r}, {str(database)!r})")
        done = subprocess.run(ours, check=True, stdout=subprocess.PIPE, text=True)
        ended = time.time()
        listening.unlink()
        empty.wait()
        pressed = [json.loads(line) for line in Path(beside.name).read_text().splitlines()]
    figures, most = done.stdout.splitlines()[-2:]
    told = json.loads(figures)
    left_at, workers, _ = told.pop("quit", [(0.0, 0.0, 0.0)])[0]
    for name, taken in told.items():
        p50, p95, longest = shares([seconds for _, seconds, _ in taken])
        _, at_work, most_work = shares([work for *_, work in taken])
        low, high = taken[0][0], taken[-1][0]
        empty50, empty95, _ = shares([seconds for at, seconds in pressed if low <= at <= high])
        print(
            f"{name:28} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms  most {longest:6.1f} ms"
            f"   empty app: {empty50:6.1f}, {empty95:6.1f} ms: {p95 / empty95:.1f} times   wanted: p95 ≤ 50 ms"
            f"   at work: p95 {at_work:5.1f}, most {most_work:5.1f} ms"
        )
    if left_at:
        print(f"{'quit':28} {ended - left_at:.2f} s   wanted: ≤ 1 s")
    print(f"{'memory':28} {float(most):.0f} MB, and {workers:.0f} MB in the processes beside   wanted: ≤ 500 MB in all")
    print(f"{'load of the machine':28} {os.getloadavg()[0]:.1f}", flush=True)


def _words(code: str) -> list[str]:
    return [sys.executable, "-c", f"import asyncio, sys; sys.path[:0] = {sys.path!r}; import load; {code}"]


def shares(seconds: list[float]) -> tuple[float, float, float]:
    """The middle, the 95th of a hundred and the longest, in milliseconds."""
    ordered = sorted(seconds) or [float("nan")]
    return ordered[len(ordered) // 2] * 1000, ordered[int(len(ordered) * 0.95)] * 1000, ordered[-1] * 1000


def main(chosen: list[str]) -> None:
    if not chosen or "writing" in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "state.db"
            written_to(path)
            measured("writing", path)
    if not chosen or "many" in chosen:
        measured("many", large_database(SESSIONS, MESSAGES))


if __name__ == "__main__":
    main(sys.argv[1:])
