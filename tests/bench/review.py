"""Suggestions over 1,000 new sessions beyond profiling them, and Templates with 1,000 of them, each in 50 revisions.

python tests/bench/review.py [suggestions|revisions]
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from database import large_database
from templates import many_in, opening

from warm_tui.demo import build_demo
from warm_tui.library.catalog import Catalog
from warm_tui.library.revisions import Note, keep_revisions, kept_revisions
from warm_tui.paths import Home
from warm_tui.review.gathering import Review, review

SESSIONS, TEMPLATES, REVISIONS, TIMES = 1_000, 1_000, 50, 5


def suggestions() -> None:
    path = large_database(SESSIONS, 100 * SESSIONS)
    with tempfile.TemporaryDirectory() as scratch, Catalog(Home(Path(scratch), (path,))) as catalog:
        profiling, _ = taken(catalog.profiles)
        first = [taken(lambda: review(catalog))]
        assert first[0][1].sessions == SESSIONS, first[0][1].waits
        for _ in range(TIMES - 1):
            catalog.library.connection.execute("DELETE FROM reviewed")
            first.append(taken(lambda: review(catalog)))
        again, nothing = taken(lambda: review(catalog))
        fresh, twice = len(first[0][1].fresh), sum(len(each[1].fresh) for each in first[1:])
    wall = [each[0][0] for each in first]
    work = [each[0][1] for each in first]
    print(f"{f'profiling {SESSIONS:,} sessions of 100 messages':60} {profiling[0]:.2f} s")
    print(
        f"{f'suggestions of them, {TIMES} times':60} {statistics.median(wall):.2f} s, longest {max(wall):.2f},"
        f" at work {statistics.median(work):.2f}, at most {max(work):.2f}   wanted: < 2 s"
    )
    print(f"{'of none that is new':60} {again[0]:.2f} s, {nothing.sessions} sessions")
    print(f"{'suggested at first, and when all were read again':60} {fresh}, {twice}   wanted: 0 again")


def taken(run: Callable[[], Review]) -> tuple[tuple[float, float], Review]:
    """By the clock, and of this process at work."""
    wall, work = time.perf_counter(), time.process_time()
    result = run()
    return (time.perf_counter() - wall, time.process_time() - work), result


def revisions() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = build_demo(Path(scratch))
        names = many_in(home, TEMPLATES)
        without = opened(home)
        with Catalog(home) as catalog:
            for name in names:
                document = json.loads((home.root / "warm_sessions" / f"{name}.json").read_text())
                states = [
                    (f"{name}-{at}", {**document, "description": f"As it was at {at}."}, Note(why=f"{at}"))
                    for at in range(REVISIONS)
                ]
                keep_revisions(catalog.library, name, states)
            one = [taken(lambda: kept_revisions(catalog.library, names[-1]))[0][0] for _ in range(TIMES)]
            count = catalog.library.connection.execute("SELECT COUNT(*) FROM template_revisions").fetchone()[0]
        with_them = opened(home)
    print(f"{f'{TEMPLATES:,} templates: the first stand there, all of them':60} {shown(without)}")
    print(f"{f'the same with {count:,} revisions':60} {shown(with_them)}")
    ratios = [new / old for old, new in zip(without, with_them, strict=True)]
    print(f"{'ratio':60} {ratios[0]:.2f}, {ratios[1]:.2f}   wanted: as before")
    print(f"{f'the {REVISIONS} revisions of one':60} {statistics.median(one) * 1000:.1f} ms")


def opened(home: Home) -> tuple[float, float]:
    runs = [asyncio.run(opening(home)) for _ in range(TIMES)]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def shown(times: tuple[float, float]) -> str:
    return f"{times[0] * 1000:.0f} ms, {times[1]:.2f} s"


if __name__ == "__main__":
    for part in sys.argv[1:] or ("suggestions", "revisions"):
        {"suggestions": suggestions, "revisions": revisions}[part]()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
