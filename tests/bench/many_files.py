"""A thousand files of another agent: what a first and a second start cost, in time of the processor.

    python tests/bench/many_files.py FOLDER SCRATCH

FOLDER holds files of Claude Code (a folder `projects`); SCRATCH gets twenty copies of each under new ids, and what the
library remembers of them. A second start is compared with that of a Hermes database with as many sessions.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import feed
from warm_tui.paths import Home
from warm_tui.sessions.hermes.archive import SCHEMA

COPIES = 20
LONG_AGO = 1.7e9


def copied(projects: Path, target: Path) -> None:
    for number in range(COPIES):
        for path in sorted(projects.rglob("*.jsonl")):
            name = str(uuid5(NAMESPACE_URL, f"{number} {path.stem}"))
            copy = target / path.relative_to(projects).with_name(f"{name}.jsonl")
            copy.parent.mkdir(parents=True, exist_ok=True)
            told = path.read_bytes().replace(path.stem.encode(), name.encode())
            copy.write_bytes(told.replace(b'"toolu_', b'"toolu_%02d' % number))
            os.utime(copy, (LONG_AGO, LONG_AGO))


def hermes_with(sessions: int, path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        for number in range(sessions):
            name, when = f"session-{number}", LONG_AGO + number
            database.execute("INSERT INTO sessions (id, source, started_at) VALUES (?, 'cli', ?)", (name, when))
            database.execute(
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', 'hello', ?)",
                (name, when),
            )
    os.utime(path, (LONG_AGO, LONG_AGO))


def start(place: Path, ours: Path) -> None:
    """In a process of its own, as the app does."""
    began = time.process_time()
    told = []
    with Catalog(Home(ours, (place,))) as catalog:
        for batch in feed(catalog, str, lambda: False):
            if len(told) < 2:
                told.append(f"{time.process_time() - began:.3f} s ({batch.total:,} sessions)")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{place.name}: first rows {told[0]}, all rows {told[1]}, at most {memory:.0f} MB")


def main() -> None:
    if len(sys.argv) == 4:
        start(Path(sys.argv[2]), Path(sys.argv[3]))
        return
    projects, scratch = Path(sys.argv[1]) / "projects", Path(sys.argv[2])
    scratch.mkdir(parents=True)
    copied(projects, scratch / "projects")
    with Catalog(Home(scratch / "none", (scratch / "projects",))) as catalog:
        hermes_with(len(catalog.sources[0].sessions()), scratch / "state.db")
    for place in ("projects", "state.db"):
        for _ in range(3):
            asked = ("--start", str(scratch / place), str(scratch / f"ours-{place}"))
            subprocess.run([sys.executable, __file__, *asked], check=True)


if __name__ == "__main__":
    main()
