"""Bits of `state.db` and of `library.db` flipped: no command and no start of the app may end in a traceback."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random

from attacks import Figure
from warm_tui.sessions.model import SessionName

TRIALS = 60
APPS = 8
"""So many of the trials start the app, too: that takes longer than all the commands together."""
PATIENCE_SECONDS = 60
COMMANDS = (
    ("sessions", "--json"),
    ("sessions", "--sort", "error_rate", "--filter", "calls>0"),
    ("calls", "{session}", "--json"),
    ("compare", "{session}", "{other}"),
    ("compress-check", "--all"),
    ("list",),
    ("verdicts",),
    ("experiment", "list"),
    ("doctor",),
)


def run() -> Iterator[Figure]:
    from warm_tui.app import WarmTui
    from warm_tui.demo import build_demo

    assert WarmTui
    with tempfile.TemporaryDirectory() as folder:
        master = build_demo(Path(folder) / "home").root
        sessions = _prepared(master)
        for name in ("state.db", "warm_tui/library.db"):
            ends = Counter(
                _ended(master, Path(folder) / "trial", name, Random(f"{name} {n}"), sessions, n < APPS)
                for n in range(TRIALS)
            )
            bad = {why: count for why, count in ends.items() if why}
            for why, count in bad.items():
                print(f"    {count} × {why}", file=sys.stderr)
            yield Figure(
                f"{name} with flipped bits: tracebacks", f"{sum(bad.values())} of {TRIALS}", f"0 of {TRIALS}", not bad
            )


def _prepared(master: Path) -> list[str]:
    """What people said is in the library, all is in the files themselves, and little enough to be gone through."""
    from tests.unit.commands import run as command
    from warm_tui.library.db import Library
    from warm_tui.library.marks import keep_marks
    from warm_tui.library.verdicts import set_verdict

    database = sqlite3.connect(master / "state.db")
    kept = [row[0] for row in database.execute("SELECT id FROM sessions ORDER BY started_at DESC LIMIT 8")]
    marks = ", ".join("?" * len(kept))
    database.execute(f"DELETE FROM messages WHERE session_id NOT IN ({marks})", kept)
    database.execute(f"DELETE FROM sessions WHERE id NOT IN ({marks})", kept)
    database.commit()
    database.execute("VACUUM")
    database.close()
    command("--home", str(master), "sessions", "--sort", "error_rate")
    with Library(master / "warm_tui" / "library.db") as library:
        for number, session in enumerate(kept):
            set_verdict(library, SessionName(session), f"call-{number}", "failure", "as I saw it")
            keep_marks(library, [{SessionName(session): "warm" if number % 2 else "cold"}])
    for path in (master / "state.db", master / "warm_tui" / "library.db"):
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
    return kept


def _ended(master: Path, trial: Path, name: str, random: Random, sessions: list[str], with_app: bool) -> str:
    """Why it went wrong, or nothing."""
    shutil.rmtree(trial, ignore_errors=True)
    shutil.copytree(master, trial)
    flip(trial / name, random)
    wrong = in_child(lambda: _commands(trial, sessions))
    return wrong or (in_child(lambda: _start(trial)) if with_app else "")


def flip(path: Path, random: Random) -> None:
    """Some bits: of the schema in every other trial, else anywhere."""
    raw = bytearray(path.read_bytes())
    page = int.from_bytes(raw[16:18], "big")
    reach = page if random.random() < 0.5 else len(raw)
    for _ in range(random.choice((1, 3, 12))):
        raw[random.randrange(reach)] ^= 1 << random.randrange(8)
    path.write_bytes(raw)


def in_child(act: Callable[[], None]) -> str:
    """In a process of its own, which may die: what it died of."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            act()
        except BaseException as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            ours = [each for each in traceback.extract_tb(error.__traceback__) if "warm_tui" in each.filename]
            at = ours[-1] if ours else last
            os.write(writing, f"{type(error).__name__}: {error} ({at.filename}:{at.lineno})"[:600].encode())
        os._exit(0)
    os.close(writing)
    return _waited_for(child, reading)


def _waited_for(child: int, reading: int) -> str:
    until = time.monotonic() + PATIENCE_SECONDS
    ended, status = os.waitpid(child, os.WNOHANG)
    while not ended and time.monotonic() < until:
        time.sleep(0.005)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode()
    return "it hung" if not ended else f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else told


def _commands(home: Path, sessions: list[str]) -> None:
    from warm_tui.__main__ import main

    for words in COMMANDS:
        said = [word.format(session=sessions[0], other=sessions[1]) for word in words]
        sys.argv = ["warm-tui", "--home", str(home), *said]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors, suppress(SystemExit):
            main()
        assert "Traceback" not in errors.getvalue(), errors.getvalue()


def _start(home: Path) -> None:
    from warm_tui.app import WarmTui
    from warm_tui.paths import find_home

    async def drive() -> None:
        app = WarmTui(find_home(home))
        async with app.run_test(size=(100, 30)) as pilot:
            for key in ("enter", "f", "escape", "3", "4", "6", "7"):
                await pilot.press(key)
                await pilot.pause()
            await app.workers.wait_for_complete()

    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    asyncio.run(drive())
