"""How fast, and how much memory: ratios against a reference in the same process."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from database import large_database
from recorded import database, folder

from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.profiles import profile_all
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.verdict import judge
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.lineage import parent_of, read_members

SHORT = (
    ("terminal", '{"command": "ls -la"}', '{"output": "a.py\\nb.py\\nREADME.md", "exit_code": 0, "error": null}'),
    ("terminal", '{"command": "mkdir x"}', '{"output": "", "exit_code": 0, "error": null}'),
    ("read_file", '{"path": "a"}', '{"content": "1|import sys\\n2|", "total_lines": 2, "truncated": false}'),
    ("patch", '{"path": "a"}', '{"success": true, "diff": "--- a\\n+++ b\\n", "files_modified": ["a"]}'),
    ("execute_code", '{"code": "print(1)"}', '{"status": "success", "output": "1\\n", "exit_code": 0}'),
    ("search_files", '{"pattern": "x"}', '{"total_count": 1, "matches": [{"path": "a", "line": 1, "content": "error"}]}'),
    ("web_extract", '{"urls": []}', "# A page\n\nwith words."),
    ("terminal", '{"command": "cat none"}', '{"output": "cat: none: No such file or directory", "exit_code": 1, "error": null}'),
)  # fmt: skip


def seconds(run: Callable[[], object], times: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """The median of some runs."""
    taken = []
    for _ in range(times):
        gc.collect()
        began = clock()
        run()
        taken.append(clock() - began)
    return statistics.median(taken)


def bare_read(path: Path) -> int:
    """The same rows with nothing but sqlite3: every session's messages, in order."""
    columns = "id, role, content, tool_call_id, tool_calls, tool_name, timestamp"
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    rows = 0
    for (session_id,) in connection.execute("SELECT id FROM sessions ORDER BY started_at DESC").fetchall():
        sql = f"SELECT {columns} FROM messages WHERE session_id = ? ORDER BY id"
        rows += len(connection.execute(sql, (session_id,)).fetchall())
    connection.close()
    return rows


def profile_from_nothing(path: Path) -> int:
    with (
        tempfile.TemporaryDirectory() as scratch,
        Library(Path(scratch) / "library.db") as library,
        HermesDb(path) as db,
    ):
        return len(profile_all(db, library))


def line(what: str, figure: str, wanted: str) -> None:
    print(f"{what:66}{figure:>22}   wanted: {wanted}")


def processor_time() -> float:
    """Of this process and of those that it started."""
    times = os.times()
    return sum(times[:4])


def profiling(name: str, path: Path, times: int) -> float:
    rows = bare_read(path)
    profile_from_nothing(path)
    bare = seconds(lambda: bare_read(path), times)
    ours = seconds(lambda: profile_from_nothing(path), times)
    at_work = seconds(lambda: profile_from_nothing(path), 1, processor_time)
    per_message = at_work / rows
    wanted = "≤ 2 on two cores" if rows >= 1_000_000 else "≤ 4"
    line(f"{name}: profiling from nothing / bare read of {rows:,} rows", f"{ours / bare:.2f} ({ours:.2f} s)", wanted)
    if rows >= 1_000_000:
        # What a busy machine cannot hide: half of all the work, against that of the bare read.
        share = at_work / 2 / seconds(lambda: bare_read(path), 1, processor_time)
        line(
            f"{name}: the same by time at work, on two cores", f"{share:.2f} ({per_message * 1e6:.2f} µs a row)", wanted
        )
    return per_message


def cache(path: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Home(Path(scratch), (path,))
        with Catalog(home) as catalog:
            catalog.profiles()

        def look() -> None:
            with Catalog(home) as catalog:
                catalog.window(parse_filter(""), "-error_rate", 50)

        taken = seconds(look, 9)
        line("listing and sorting 10,000 profiles from the cache", f"{taken * 1000:.0f} ms", "< 150 ms")
        start_up(home, path)


def start_up(home: Home, path: Path) -> None:
    def run(*words: str) -> float:
        return seconds(lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True), 15)

    reference = run("-c", "import click")
    program = ("-m", "warm_tui")
    version = run(*program, "--version")
    first = run(*program, "--home", str(home.root), "--db", str(path), "sessions", "--limit", "1")
    line("warm-tui --version / python -c 'import click'", f"{version / reference:.2f} ({version * 1000:.0f} ms)", "≤ 2")
    line("sessions --limit 1 / python -c 'import click'", f"{first / reference:.2f} ({first * 1000:.0f} ms)", "≤ 4")


def memory(path: Path) -> None:
    """The peak of a process that profiles everything from nothing, and of those that it starts for it."""
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; import resource, speed; from warm_tui.library import profiling; "
        f"speed.profile_from_nothing(speed.Path({str(path)!r})); "
        "own, each = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)); "
        "print(own + each * min(profiling._cores(), profiling.MOST_PROCESSES))"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, check=True, cwd=Path(__file__).parent, capture_output=True, text=True)
    line("peak memory while profiling 1,000,000 messages, in all", f"{int(done.stdout) / 1024:.0f} MB", "< 300 MB")


def judging() -> None:
    calls = SHORT * 2_000
    taken = seconds(lambda: [judge(*call[1:]) for call in calls], 7, time.process_time)
    line("calls judged a second, short results", f"{len(calls) / taken:,.0f}", "≥ 400,000")


def judging_recorded(name: str, path: Path) -> None:
    """Of real sessions, whose outputs are long: against a bare read of their rows."""
    with HermesDb(path) as db:
        lives = [read_members(db, [session], parent_of(db, session)) for session in db.sessions()]
    calls = [(call.arguments, call.result) for life in lives for call in life.calls]
    taken = seconds(lambda: [judge(*call) for call in calls], 9, time.process_time)
    bare = seconds(lambda: bare_read(path), 9, time.process_time)
    told = f"{taken / bare:.1f} ({taken / len(calls) * 1e6:.1f} µs a call)"
    line(f"{name}: judging {len(calls):,} calls / bare read of their rows", told, "≤ 12")


def judging_long_lines() -> None:
    """As scripts write them: four times the commands, and no more than about four times the work."""
    said = "rm: cannot remove 'x': No such file or directory\nerror: x\nfrob: cannot open x\n" * 20

    def judged(each: str, commands: int) -> float:
        arguments = json.dumps({"command": each * commands})
        return seconds(lambda: judge(arguments, said), 5, time.process_time)

    for each in ("rm x; ", "python a.py; "):
        taken, reference = judged(each, 2_000), judged(each, 500)
        told = f"{taken / reference:.1f} ({taken * 1000:.0f} ms)"
        line(f"judging a line of 2,000 times `{each.strip()}` / of 500", told, "≤ 5")


def with_bytecode() -> None:
    """What is started finds bytecode, as what is installed does, also where this environment keeps none."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "warm-tui-bench" / "bytecode")


def main() -> None:
    with_bytecode()
    judging()
    judging_long_lines()
    where = folder()
    for name in ("swe-structured", "swe-text"):
        recorded = database(where, name) if where else None
        if recorded is None:
            print(f"{name}: skipped, there is no folder of recorded sessions here")
        else:
            judging_recorded(name, recorded)
            profiling(name, recorded, 9)
    small, large = large_database(1_000, 100_000), large_database(10_000, 1_000_000)
    memory(large)
    at_small = profiling("generated, 100,000 messages", small, 3)
    at_large = profiling("generated, 1,000,000 messages", large, 3)
    line("processor time per message, ten times the size", f"{at_large / at_small:.2f}", "≤ 2")
    cache(large)


if __name__ == "__main__":
    main()
