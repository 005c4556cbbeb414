"""How long is a trial of 10,000 drawn sessions looked at? python tests/bench/trial_status.py

Each look by the processor's time of its process, the least of several, and by how many times that of reading the rows
alone: nothing new, one session changed since, and twenty that came to an end since; then the whole command, with all
that it imports. Beside it what the same takes where
nothing was counted before, which is what a look took when it read all profiles each time.
"""

from __future__ import annotations

import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from warm_tui.comparisons.trials import trials_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trials import Circumstances, Draw, keep_rule, statements_of
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import SCHEMA
from warm_tui.trials.drawing import decide
from warm_tui.trials.rules import Beginning, Revision, Rule, When

SESSIONS, CALLS, TIMES = 10_000, 5, 7
BEGAN, APART = 1.7e9, 600.0
MOST_SECONDS = 0.2
SESSION = "INSERT INTO sessions (id, source, started_at, ended_at) VALUES (?, 'cli', ?, ?)"
MESSAGE = (
    "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, tool_name, timestamp)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def messages(name: str, at: float, rng: random.Random) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = [(name, "user", "Do it.", None, None, None, at)]
    for number in range(CALLS):
        function = {"name": "terminal", "arguments": json.dumps({"command": f"make {number}"})}
        call = json.dumps([{"id": f"c{number}", "type": "function", "function": function}])
        result = json.dumps({"output": "", "exit_code": int(rng.random() < 0.1), "error": None})
        rows.append((name, "assistant", "", call, None, None, at + number))
        rows.append((name, "tool", result, None, f"c{number}", "terminal", at + number))
    return rows


def fill(home: Home) -> None:
    rng = random.Random(1)
    with Library(home.library) as library, closing(sqlite3.connect(home.databases[0])) as database:
        rule = keep_rule(library, Rule(0, When(), (Revision("t", "c"),), "salt", 0.5, 0.05), {"c": [{"role": "user"}]})
        database.executescript(SCHEMA)
        with library.writing() as connection:
            for number in range(SESSIONS):
                at, name = BEGAN + number * APART, f"s{number}"
                decision = decide(Beginning(name), (rule,))
                assert decision is not None
                for sql, values in statements_of(Draw(decision, Circumstances("cli", "m", "chat_completions", at))):
                    connection.execute(sql, values)
                database.execute(SESSION, (name, at, at + 300))
                database.executemany(MESSAGE, messages(name, at, rng))
        database.commit()


def look(home: Home) -> None:
    with Catalog(home) as catalog:
        (trial,) = trials_of(catalog)
    assert trial.shown[0].warm + trial.shown[0].cold == SESSIONS


def rows_alone(home: Home) -> None:
    with closing(sqlite3.connect(home.library)) as library:
        for table in ("draws", "figures"):
            library.execute(f"SELECT * FROM {table}").fetchall()


def touch(home: Home) -> None:
    with closing(sqlite3.connect(home.databases[0])) as database:
        database.execute("UPDATE sessions SET title = ? WHERE id = 's5'", (str(time.time()),))
        database.commit()


def forget(home: Home, most: int) -> None:
    with Library(home.library) as library, library.writing() as connection:
        newest = "SELECT session_id FROM figures ORDER BY at DESC LIMIT ?"
        connection.execute(f"DELETE FROM figures WHERE session_id IN ({newest})", (most,))
        connection.execute("DELETE FROM standings")


def command(home: Home) -> float:
    """The processor's seconds of `trials status`."""
    words = [sys.executable, "-m", "warm_tui", "--home", str(home.root), "trials", "status", "--json"]
    taken = []
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def least(act: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    taken = []
    for _ in range(TIMES):
        before()
        began = time.process_time()
        act()
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), (Path(folder) / "state.db",))
        fill(home)
        look(home)
        bare = least(lambda: rows_alone(home))
        print(f"the rows alone: {bare * 1000:.0f} ms")
        for what, before in (
            ("nothing new", lambda: None),
            ("one session changed", lambda: touch(home)),
            ("twenty new", lambda: forget(home, 20)),
            ("nothing counted before", lambda: (touch(home), forget(home, SESSIONS))),
        ):
            taken = least(lambda: look(home), before)
            wanted = f"   wanted: under {MOST_SECONDS * 1000:.0f} ms" if "before" not in what else ""
            print(f"{what}: {taken * 1000:.0f} ms, {taken / bare:.1f} times the rows alone{wanted}", flush=True)
        look(home)
        print(f"the command, nothing new: {command(home) * 1000:.0f} ms   wanted: under {MOST_SECONDS * 1000:.0f} ms")


if __name__ == "__main__":
    main()
