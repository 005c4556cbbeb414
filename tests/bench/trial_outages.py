"""Is each session recorded once, whatever ends its agent? With the real Hermes: python tests/bench/trial_outages.py [KILLS]

Sessions under a rule of share 0.5 are killed (SIGKILL, with all they began): at any moment of the time that a whole one
takes, just when its record is there, and while the model is being asked. A session whose model was asked must have its record, of the arm that it was given, and no task two. Then: a
session while the library is held, and one while its disk is full (a small one is mounted for it; needs root). At last
what the plugin's work takes while the library is held, and what it would cost to wait for the disk at each draw.
"""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.e2e.test_hermes import HERMES, warm_tui
from tests.e2e.trial_model import TrialModel
from tests.unit.test_request_forms import MESSAGES
from warm_tui.agent.plugin import _Memory
from warm_tui.library.db import Library
from warm_tui.library.trials import Circumstances, Draw, keep_rule, statements_of
from warm_tui.paths import Home
from warm_tui.trials.drawing import Decision
from warm_tui.trials.rules import Revision, Rule, When

KILLS, CALLS, SMALL_DISK = 50, 4, "3m"


def begun(home: Home, folder: Path, task: str) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HERMES")}
    null = subprocess.DEVNULL
    command = [str(HERMES), "chat", "-q", f"Do the work (ref {task}).", "-Q", "--yolo"]
    environment = {**kept, "HERMES_HOME": str(home.root), "HOME": str(home.root)}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdin=null, stdout=null, stderr=null, start_new_session=True
    )


def given(model: TrialModel) -> dict[str, bool]:
    """For each task that the model was asked with tools for, whether the template stood before it."""
    told: dict[str, bool] = {}
    for request in model.requests:
        messages = request["messages"]
        at = next(n for n, message in enumerate(messages) if "(ref " in json.dumps(message))
        task = json.dumps(messages[at]).split("(ref ")[1].split(")")[0]
        told[task] = any(message["role"] != "system" for message in messages[:at])
    return told


def recorded(home: Home) -> dict[str, list[str]]:
    """The sessions of each task, by what the agent wrote down."""
    sessions: dict[str, list[str]] = {}
    with closing(sqlite3.connect(f"file:{home.databases[0]}?mode=ro", uri=True)) as database:
        for session, content in database.execute("SELECT session_id, content FROM messages WHERE role = 'user'"):
            if "(ref " in (content or ""):
                sessions.setdefault(content.split("(ref ")[1].split(")")[0], []).append(session)
    return {task: sorted(set(names)) for task, names in sessions.items()}


def draws(home: Home) -> dict[str, tuple[bool, str]]:
    with closing(sqlite3.connect(f"file:{home.library}?mode=ro", uri=True)) as library:
        rows = library.execute("SELECT session_id, content, reason FROM draws").fetchall()
    assert len({row[0] for row in rows}) == len(rows)
    return {session: (bool(content), reason) for session, content, reason in rows}


def wait(
    home: Home, model: TrialModel, process: subprocess.Popen[bytes], number: int, whole: float, rng: random.Random
) -> None:
    """By turns: some time of a whole session; just when the record is there; while the model is being asked."""
    if number % 3 == 0:
        time.sleep(rng.uniform(0.0, 1.0) * whole)
        return
    with closing(sqlite3.connect(f"file:{home.library}?mode=ro", uri=True)) as library:

        def records() -> int:
            return int(library.execute("SELECT COUNT(*) FROM draws").fetchone()[0])

        asked, drawn = len(model.requests), records()
        while process.poll() is None and (records() == drawn if number % 3 == 1 else len(model.requests) == asked):
            time.sleep(0.001)
    time.sleep(rng.uniform(0.0, 0.05 if number % 3 == 1 else 2.0))


def kills(home: Home, folder: Path, model: TrialModel, count: int) -> None:
    began = time.monotonic()
    assert begun(home, folder, "whole").wait() == 0
    whole = time.monotonic() - began
    rng = random.Random(11)
    for number in range(count):
        process = begun(home, folder, f"k{number}")
        wait(home, model, process, number, whole, rng)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    told, sessions, drew = given(model), recorded(home), draws(home)
    asked = [task for task in told if task.startswith("k")]
    named = [task for task in asked if task in sessions]
    without = [task for task in named if not any(name in drew for name in sessions[task])]
    other = [task for task in named if any(drew.get(name, (None,))[0] is not told[task] for name in sessions[task])]
    twice = [task for task, names in sessions.items() if len(names) > 1]
    with closing(sqlite3.connect(home.library)) as library:
        whole_file = library.execute("PRAGMA integrity_check").fetchone()[0]
    print(
        f"killed {count} of {whole:.1f} s each: the model was asked in {len(asked)}, of which the agent itself recorded "
        f"{len(named)}; without a record of ours {len(without)}, of another arm than given {len(other)}, in two sessions "
        f"{len(twice)}; {len(drew)} records in all, more than were asked {max(0, len(drew) - len(told))} (killed between); "
        f"library {whole_file}",
        flush=True,
    )


def one_session(home: Home, folder: Path, model: TrialModel, task: str, what: str) -> None:
    began = time.monotonic()
    code = begun(home, folder, task).wait()
    seconds = time.monotonic() - began
    told = warm_tui(Path(home.root), "trials", "status")
    print(
        f"{what}: the agent ended with {code} after {seconds:.1f} s, the template was "
        f"{'given' if given(model).get(task) else 'not given'}, {told['unrecorded']} sessions are said to be unrecorded",
        flush=True,
    )


@contextmanager
def held(home: Home) -> Iterator[None]:
    with closing(sqlite3.connect(home.library, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield
        holder.execute("ROLLBACK")


@contextmanager
def full_disk(home: Home) -> Iterator[None]:
    """Under the folder of ours alone: the agent's own database has room."""
    aside = home.ours.with_name("aside")
    home.ours.rename(aside)
    home.ours.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(home.ours)], check=True)
    try:
        subprocess.run(["cp", "-r", f"{aside}/.", str(home.ours)], check=True)
        with (home.ours / "filling").open("wb", buffering=0) as filling:
            try:
                while True:
                    filling.write(b"\0" * 4096)
            except OSError:
                pass
        yield
    finally:
        subprocess.run(["umount", str(home.ours)], check=True)
        home.ours.rmdir()
        aside.rename(home.ours)


def timed(acts: list[Callable[[], Any]]) -> str:
    """By the clock, which other programs share, and by the processor's time of this one."""
    taken: dict[str, list[float]] = {"by the clock": [], "processor": []}
    for act in acts:
        began, worked = time.perf_counter(), time.thread_time()
        act()
        taken["by the clock"].append((time.perf_counter() - began) * 1000)
        taken["processor"].append((time.thread_time() - worked) * 1000)
    told = []
    for name, each in taken.items():
        each.sort()
        at = len(each)
        told.append(f"{name} p50 {each[at // 2]:.3f}, p95 {each[int(at * 0.95)]:.3f}, most {each[-1]:.1f} ms")
    return "   ".join(told)


def work_while_held(home: Home) -> None:
    """A hundred sessions of forty requests each, in one process, with every hook that Hermes calls."""
    os.environ["HERMES_HOME"] = str(home.root)
    logging.disable()
    memory = _Memory(lambda: None)
    about: dict[str, Any] = {"platform": "cli", "api_mode": "chat_completions", "model": "m"}
    request = {"messages": [{"role": "user", "content": "Deploy."}], "tools": [{}], "model": "m"}
    acts: dict[str, list[Callable[[], Any]]] = {"requests": [], "session starts and turns' ends": []}
    with held(home):
        for number in range(100):
            name = f"held {number}"
            start = partial(memory.on_start, session_id=name, model="m", platform="cli")
            ask = partial(memory.on_model_request, request=request, session_id=name, **about)
            end = partial(memory.on_end, session_id=name, completed=True)
            acts["session starts and turns' ends"] += [start, end]
            acts["requests"] += [ask] * 40
        for what, each in acts.items():
            print(f"library held, plugin's {what}: {timed(each)}")


def synchronous(folder: Path) -> None:
    for level in ("NORMAL", "FULL"):
        with Library(folder / f"{level}.db") as library:
            library.connection.execute(f"PRAGMA synchronous = {level}")

            def draw(number: int, library: Library = library) -> None:
                decision = Decision(f"s{number}", f"s{number}", 1, "", "", {"c": 0.5})
                with library.writing() as connection:
                    for sql, values in statements_of(Draw(decision, Circumstances("cli", "m", "m", number))):
                        connection.execute(sql, values)

            print(f"a draw written with synchronous {level}: {timed([lambda n=n: draw(n) for n in range(300)])}")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    with tempfile.TemporaryDirectory() as folder, TrialModel(calls=CALLS) as model:
        # An agent that is killed closes nothing.
        model._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        root, work = Path(folder) / "home", Path(folder) / "work"
        root.mkdir()
        work.mkdir()
        home = Home(root, (root / "state.db",))
        settings = {"default": "scripted", "provider": "custom", "base_url": model.url, "api_key": "x"}
        (root / "config.yaml").write_text(json.dumps({"model": settings}))
        warm_tui(root, "plugin", "enable", "--yes")
        with Library(home.library) as library:
            keep_rule(library, Rule(0, When(), (Revision("t", "c"),), "salt", 0.5, 0.0), {"c": MESSAGES})
        if count:
            kills(home, work, model, count)
        with held(home):
            one_session(home, work, model, "held", "library held")
        if os.geteuid() == 0:
            with full_disk(home):
                one_session(home, work, model, "full", "disk full")
        work_while_held(home)
        synchronous(Path(folder))


if __name__ == "__main__":
    main()
