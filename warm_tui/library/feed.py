"""What the table of sessions is fed with: first a window at once, then all rows, then profiles as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import Task, perform, profile_one, survey
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.model import Session

FIRST_WINDOW = 60
BEAT = 0.1


class Batch(msgspec.Struct, frozen=True):
    """A part of the whole. `rows` is the whole table, where it is known; else `profiles` to be put in it."""

    rows: list[Profile] | None
    profiles: list[Profile]
    pending: set[str] | None
    total: int


def feed(catalog: Catalog, wanted: Callable[[], str], stopped: Callable[[], bool]) -> Iterator[Batch]:
    """`wanted` names the session that is looked at: it is profiled before the others."""
    if len(catalog.databases) == 1:
        database = catalog.databases[0]
        first = [profile_one(database, session, catalog.library) for session in database.newest(FIRST_WINDOW, 0)]
        total = database.count_sessions()
        yield Batch(first, [], set(), total)
        if len(first) == total:
            return
    surveys = [survey(database, catalog.library) for database in catalog.databases]
    rows = [found.known.get(s.id) or _unprofiled(s) for found in surveys for s in found.sessions]
    rows.sort(key=lambda p: (p.started_at or 0.0, p.session_id), reverse=True)
    yield Batch(rows, [], {session_id for found in surveys for session_id in found.missing}, len(rows))
    for database, found in zip(catalog.databases, surveys, strict=True):
        done: list[Profile] = []
        beat = time.monotonic()
        for profile in perform(database, catalog.library, _in_order(found.missing, wanted, stopped)):
            done.append(profile)
            if time.monotonic() - beat > BEAT:
                yield Batch(None, done, None, len(rows))
                done, beat = [], time.monotonic()
        if done:
            yield Batch(None, done, None, len(rows))


def _in_order(missing: dict[str, Task], wanted: Callable[[], str], stopped: Callable[[], bool]) -> Iterator[Task]:
    """The one that is looked at, then the newest of the rest."""
    while missing and not stopped():
        session_id = wanted()
        task = missing.pop(session_id, None)
        yield task or missing.pop(next(iter(missing)))


def _unprofiled(session: Session) -> Profile:
    """What is known of a session before its calls are looked at."""
    return Profile(
        session_id=session.id,
        title=session.title,
        source=session.source,
        model=session.model,
        started_at=session.started_at,
        ended_at=session.ended_at,
        end_reason=session.end_reason,
        parent_session_id=session.parent_id,
        cost_usd=session.cost_usd,
    )
