"""From the start of a process in a real terminal until its first rows stand there, beside an empty Textual app.

    python tests/bench/start.py [TIMES]

The empty app imports nothing of ours. Both are started by turns, each in a process and a terminal of its own.
"""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from database import large_database

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.overview.gathering import Gathering

ROWS, COLUMNS = 48, 160
PATIENCE = 30.0
EMPTY = """
from textual.app import App
from textual.widgets import Footer, Static

class Empty(App):
    def compose(self):
        yield Static("nothing at all")
        yield Footer()

Empty().run()
"""


class Taken(NamedTuple):
    seconds: float
    processor: float
    """Of all its threads: on a busy machine the fairer figure."""


def time_until(words: Sequence[str], awaited: bytes) -> Taken:
    """Until the terminal has been sent what is awaited."""
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.execv(sys.executable, [sys.executable, *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    stream = b""
    try:
        while awaited not in stream:
            stream += os.read(terminal, 65_536)
            if time.perf_counter() - began > PATIENCE:
                raise TimeoutError(stream[-2000:])
        seconds = time.perf_counter() - began
    finally:
        os.kill(pid, signal.SIGKILL)
        _, _, used = os.wait4(pid, 0)
        os.close(terminal)
    return Taken(seconds, used.ru_utime + used.ru_stime)


def middle(taken: Sequence[Taken]) -> Taken:
    return Taken(*(statistics.median(figures) for figures in zip(*taken, strict=True)))


def words_of(home: Path, database: Path) -> list[str]:
    return ["-m", "warm_tui", "--home", str(home), "--db", str(database)]


def main(times: int) -> None:
    path = large_database(10_000, 1_000_000)
    empty: list[Taken] = []
    taken: dict[str, list[Taken]] = {"first rows, profiled before": [], "first rows, never profiled": []}
    taken["the Overview, shown before"] = []
    with tempfile.TemporaryDirectory() as scratch:
        known = Home(Path(scratch) / "known", (path,))
        with Catalog(known) as catalog:
            catalog.profiles()
        Gathering(known).overview("day", 0, compute=True, show=lambda _: None)
        config = known.ours / "config.toml"
        for turn in range(times):
            empty.append(time_until(["-c", EMPTY], b"nothing at all"))
            config.write_text('opens = "sessions"\n')
            for name, home in zip(taken, (known.root, Path(scratch) / str(turn)), strict=False):
                taken[name].append(time_until(words_of(home, path), b"Session 1 "))
            config.unlink()
            taken["the Overview, shown before"].append(time_until(words_of(known.root, path), b"What changed"))
    reference = middle(empty)
    print(
        f"{'an empty Textual app':35} {reference.seconds * 1000:5.0f} ms, processor {reference.processor * 1000:5.0f} ms"
    )
    for (name, each), wanted in zip(taken.items(), (2.5, 4, 2.5), strict=True):
        ours = middle(each)
        print(
            f"{name:35} {ours.seconds * 1000:5.0f} ms, processor {ours.processor * 1000:5.0f} ms:"
            f" {ours.seconds / reference.seconds:.2f} and {ours.processor / reference.processor:.2f} times   wanted: ≤ {wanted}"
        )
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
