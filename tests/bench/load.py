"""Keys under load: while 200,000 sessions are profiled and sorted, and while an agent writes 200 messages a second.

    python tests/bench/load.py [many|writing]

Beside each, the same keys with nothing going on: the machine's own share.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from threading import Event, Thread

from database import large_database, message_rows
from screens import SIZE, key_to_paint, screen_of

from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import Archive

SESSIONS, MESSAGES = 200_000, 1_200_000
KEYS, REST = 100, 0.02
A_SECOND = 200
WRITTEN_SESSIONS = 300


async def keys(app: WarmTui, count: int = KEYS) -> list[float]:
    taken = []
    screen = screen_of(app)
    for at in range(count):
        if at % 20 == 0:
            screen.table.move(at % 40)
            await asyncio.sleep(REST)
        taken.append(await key_to_paint(app))
        await asyncio.sleep(REST)
    return taken


async def many(home: Home) -> dict[str, list[float]]:
    """From the first row on; then again after a sort."""
    app = WarmTui(home)
    found: dict[str, list[float]] = {}
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
        began_at = time.time()
    found["quit"] = [began_at]
    return found


async def writing(home: Home) -> dict[str, list[float]]:
    app = WarmTui(home)
    found: dict[str, list[float]] = {}
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
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    print(int(peak[1]) / 1024 if peak else 0.0, flush=True)


def measured(what: str, database: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        code = f"import sys; sys.path[:0] = {sys.path!r}; import load; load.in_process({what!r}, {scratch!r}, {str(database)!r})"
        done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
        ended = time.time()
    figures, peak = done.stdout.splitlines()[-2:]
    told = json.loads(figures)
    left_at = told.pop("quit", None)
    for name, taken in told.items():
        ordered = sorted(taken)
        p50, p95 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.95))
        print(
            f"{name:34} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms   most {ordered[-1] * 1000:8.1f} ms   wanted: p95 ≤ 50 ms"
        )
    if left_at:
        print(f"{'quit':34} {ended - left_at[0]:.2f} s   wanted: ≤ 1 s")
    print(f"{'memory':34} {float(peak):.0f} MB   wanted: ≤ 500 MB", flush=True)


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
