"""What the table of sessions is fed with: first a window at once, then all rows, then profiles as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import Look, Survey, perform, survey
from warm_tui.library.profiling import Task
from warm_tui.reliability.filters import newest_last
from warm_tui.reliability.profile import Profile, unprofiled
from warm_tui.sessions.lineage import newest_lives

FIRST_WINDOW = 60
BEAT = 0.1


class Batch(msgspec.Struct, frozen=True):
    """A part of the whole. `rows` is the whole table, where it is known; else `profiles` to be put in it."""

    rows: list[Profile] | None
    profiles: list[Profile]
    pending: set[str] | None
    total: int


def _never() -> bool:
    return False


def feed(
    catalog: Catalog,
    wanted: Callable[[], str],
    stopped: Callable[[], bool],
    left: Callable[[], bool] = _never,
) -> Iterator[Batch]:
    """`wanted` names the life that is looked at: it is profiled before the others.

    `stopped`: no more profiles are wanted; `left`: nothing is.
    """
    sources = catalog.sources
    if len(sources) == 1:
        total, roots = newest_lives(sources[0], FIRST_WINDOW)
        window = [unprofiled([root]) for root in roots]
        yield Batch(window, [], {row.session_id for row in window}, total)
    looks = [Look.at(source, catalog.library) for source in sources]
    known = [look.remembered(catalog.library) for look in looks]
    found = [
        Survey({p.session_id: p for p in profiles}, {})
        if profiles is not None
        else survey(source, catalog.library, left)
        for source, profiles in zip(sources, known, strict=True)
    ]
    if left():
        return
    rows = [row for part in found for row in (*part.known.values(), *_unprofiled(part))]
    rows.sort(key=newest_last, reverse=True)
    yield Batch(rows, [], {session_id for part in found for session_id in part.missing}, len(rows))
    for source, part, look, was in zip(sources, found, looks, known, strict=True):
        if was is not None:
            continue
        total = len(part.known) + len(part.missing)
        if not part.missing:
            look.note(catalog.library, total)
            continue
        volume = part.volume
        tasks = _in_order(part.missing, wanted, stopped)
        done: list[Profile] = []
        beat = time.monotonic()
        for profile in perform(source, catalog.library, tasks, volume):
            done.append(profile)
            if time.monotonic() - beat > BEAT:
                yield Batch(None, done, None, len(rows))
                done, beat = [], time.monotonic()
        if not part.missing:
            look.note(catalog.library, total)
        yield Batch(None, done, None, len(rows))


def _unprofiled(part: Survey) -> list[Profile]:
    return [unprofiled(task.sessions) for task in part.missing.values()]


def _in_order(missing: dict[str, Task], wanted: Callable[[], str], stopped: Callable[[], bool]) -> Iterator[Task]:
    """The one that is looked at, then the newest of the rest."""
    while missing and not stopped():
        session_id = wanted()
        task = missing.pop(session_id, None)
        yield task or missing.pop(next(iter(missing)))
