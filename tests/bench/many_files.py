"""A thousand files of another agent, and one file of 200 MB: what starts and opening cost, in time of the processor.

    python tests/bench/many_files.py FOLDER SCRATCH

FOLDER holds files of Claude Code (a folder `projects`); SCRATCH gets twenty copies of each under new ids, and what the
library remembers of them. A second start is compared with that of a Hermes database with as many sessions, a first one
with that of the files alone that its first rows come of.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from start import time_until

from warm_tui.library.catalog import Catalog
from warm_tui.library.feed import FIRST_WINDOW, feed
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.sessions.hermes.archive import SCHEMA
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.transcript import beginning, transcript

COPIES = 20
LONG = 200_000_000
TIMES = 3
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


def long_session(projects: Path, target: Path) -> Path:
    """One of 200 MB: an ordinary session again and again, each record and call under a name of its own."""
    lines = max(projects.rglob("*.jsonl"), key=lambda path: path.stat().st_size).read_bytes().splitlines(keepends=True)
    name = str(uuid5(NAMESPACE_URL, "long"))
    path = target / "-long" / f"{name}.jsonl"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        number = 0
        while file.tell() < LONG:
            number += 1
            own = b'"uuid":"%06d' % number, b'"toolu_%06d' % number, b'"id":"msg_%06d' % number
            for line in lines:
                told = re.sub(rb'"uuid":"[0-9a-f]{6}', own[0], line).replace(b'"toolu_', own[1])
                file.write(told.replace(b'"id":"msg_', own[2]))
    return path


class Started(NamedTuple):
    first: float
    """Seconds of processor until the first rows, until all rows, and the most memory that was used, children's too."""
    all: float
    memory: float


def start(place: Path, ours: Path) -> Started:
    """In this process, as the app does."""
    began = time.process_time()
    told = []
    with Catalog(Home(ours, (place,))) as catalog:
        for _ in feed(catalog, str, lambda: False):
            if len(told) < 2:
                told.append(time.process_time() - began)
    used = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return Started(*told, max(used))


def opened(path: Path) -> Started:
    """A transcript's first page, and all of it."""
    began = time.process_time()
    with open_source(path) as source:
        (session,) = (each for each in source.sessions() if not each.delegated_from)
        assert beginning(source, session, 100)
        first = time.process_time() - began
        transcript(read_life(source, session))
    return Started(first, time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def apart(what: str, *paths: Path) -> Started:
    """In a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, what, *map(str, paths)], check=True, capture_output=True, text=True
    )
    return Started(*json.loads(done.stdout))


def whole_start(place: Path, ours: Path) -> float:
    """Of the app in a terminal, until a row stands there: seconds of processor, the least of a few times."""
    with Catalog(Home(ours, (place,))) as catalog:
        profile = catalog.window(parse_filter(""), limit=1).profiles[0]
    row = (profile.title or profile.first_message).split()[0].encode()
    (ours / "warm_tui" / "config.toml").write_text('opens = "sessions"\n')
    words = ["-m", "warm_tui", "--home", str(ours), "--db", str(place)]
    return min(time_until(words, row).processor for _ in range(TIMES))


def main() -> None:
    if sys.argv[1] in ("start", "opened"):
        print(json.dumps({"start": start, "opened": opened}[sys.argv[1]](*map(Path, sys.argv[2:]))))
        return
    projects, scratch = Path(sys.argv[1]) / "projects", Path(sys.argv[2])
    scratch.mkdir(parents=True)
    many, few, hermes = (scratch / name for name in ("projects", "few", "state.db"))
    copied(projects, many)
    for path in sorted(many.rglob("*.jsonl"))[:FIRST_WINDOW]:
        target = few / path.relative_to(many)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    with Catalog(Home(scratch / "none", (many,))) as catalog:
        hermes_with(len(catalog.sources[0].sessions()), hermes)
    homes = {place: scratch / f"ours-{place.name}" for place in (many, few, hermes)}
    started = {place: [apart("start", place, ours) for _ in range(3)] for place, ours in homes.items()}
    for place, times in started.items():
        for nth, each in enumerate(times, 1):
            print(
                f"{place.name}, start {nth}: first rows {each.first:.3f} s, all rows {each.all:.3f} s, {each.memory:.0f} MB"
            )
    ratio = started[many][0].first / started[few][0].first
    print(f"first rows of the first start: {ratio:.2f} times those of {FIRST_WINDOW} files alone")
    ours, theirs = (whole_start(place, homes[place]) for place in (many, hermes))
    print(
        f"second start of the app in a terminal: {ours / theirs:.2f} times that of Hermes ({ours:.2f} s, {theirs:.2f} s)"
    )
    print(f"memory at most, of one process: {max(each.memory for times in started.values() for each in times):.0f} MB")
    usual = sorted(projects.rglob("*.jsonl"), key=lambda path: path.stat().st_size)[-10]
    long = apart("opened", long_session(projects, scratch / "long"))
    short = apart("opened", usual)
    print(
        f"a session of {LONG / 1e6:.0f} MB: first page in {long.first / short.first:.2f} times the time of one of "
        f"{usual.stat().st_size / 1e6:.1f} MB ({long.first:.3f} s), all in {long.all:.1f} s, {long.memory:.0f} MB"
    )


if __name__ == "__main__":
    main()
