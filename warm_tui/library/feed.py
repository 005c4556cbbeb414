"""What the table of sessions is fed with: first a window at once, then all rows, then profiles as they come."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.profiles import Look, perform, profile_one, survey
from warm_tui.library.profiling import Task, Waiting, decode_profile
from warm_tui.library.rows import Rows
from warm_tui.reliability.filters import newest_last
from warm_tui.reliability.profile import Profile, unprofiled
from warm_tui.sessions.elsewhere import Elsewhere
from warm_tui.sessions.lineage import newest_lives
from warm_tui.sessions.model import Session
from warm_tui.sessions.recordings import FileSource
from warm_tui.sessions.source import Source

FIRST_WINDOW = 60
LARGE = 1_000
BEAT = 0.1


class Batch(msgspec.Struct, frozen=True):
    """A part of the whole. `rows` is the whole table, where it is known; else some of its rows have been profiled."""

    rows: Rows | None
    pending: set[str] | None
    total: int
    profiled: list[str] = []
    places: list[int] = []
    """In the table, of what was profiled."""


def _never() -> bool:
    return False


def feed(
    catalog: Catalog,
    wanted: Callable[[], str],
    stopped: Callable[[], bool],
    left: Callable[[], bool] = _never,
    before: Rows | None = None,
) -> Iterator[Batch]:
    """`wanted` names the life that is looked at: it is profiled before the others.

    `stopped`: no more profiles are wanted; `left`: nothing is. `before`: the table that stands, and needs no first
    window.
    """
    if before is None:
        yield _first_window(catalog)
    library = catalog.library
    looks = [(source, Look.at(source, library)) for source in catalog.sources]
    rows, parts = Rows(), []
    for source, look in looks:
        with catalog.going_on_without(source):
            if part := _fill(rows, source, library, look, left):
                parts.append((source, look, part))
        if left():
            return
    rows.sort()
    pending = {name for *_, part in parts for name in part.waiting}
    if before is not None and len(pending) < LARGE:
        rows.keep_first_words(pending, before)
    yield Batch(rows, pending, len(rows))
    for source, look, part in parts:
        with catalog.going_on_without(source):
            yield from _profiled(rows, source, library, part.waiting, wanted, stopped)
            if not part.waiting:
                look.note(library, part.lives)


class _Newest(NamedTuple):
    profile: Profile
    source: Source | None = None
    """Where it has to be profiled yet, or where a machine keeps how it did."""
    root: Session | None = None


def _first_window(catalog: Catalog) -> Batch:
    found: list[_Newest] = []
    total = 0
    for source in catalog.sources:
        if (remembered := _unchanged_files(source, catalog)) is not None:
            found += map(_Newest, remembered)
            total += len(remembered)
            continue
        with catalog.going_on_without(source):
            window = source.glimpse(FIRST_WINDOW) if isinstance(source, FileSource | Elsewhere) else None
            window = window or newest_lives(source, FIRST_WINDOW)
            found += [_Newest(unprofiled([root]), source, root) for root in window.roots]
            total += window.total
    rows = Rows()
    known: set[str] = set()
    for newest in sorted(found, key=lambda each: newest_last(each.profile), reverse=True)[:FIRST_WINDOW]:
        profile, there, root = newest
        if there is None or root is None:
            known.add(profile.session_id)
            rows.add(profile)
        elif not there.machine:
            rows.add(profile)
        else:
            with catalog.going_on_without(there):
                rows.add(profile_one(there, root, catalog.library))
                known.add(profile.session_id)
    return Batch(rows, set(rows.names) - known, total)


def _unchanged_files(source: Source, catalog: Catalog) -> list[Profile] | None:
    """Where a look at each file would take longer than what is remembered of all of them."""
    if not isinstance(source, FileSource) or not os.path.isfile(catalog.home.library):
        return None
    with suppress(msgspec.MsgspecError, sqlite3.Error):
        remembered = Look.at(source, catalog.library).remembered(catalog.library)
        return None if remembered is None else [decode_profile(each) for each in remembered]
    return None


class _Part(NamedTuple):
    """Of one source: what has to be computed, and how many lives there are."""

    waiting: Waiting
    lives: int


def _fill(rows: Rows, source: Source, library: Library, look: Look, left: Callable[[], bool]) -> _Part | None:
    """All rows of a source; None where nothing has changed since they were computed."""
    with suppress(msgspec.MsgspecError):
        if (remembered := look.remembered(library)) is not None:
            for encoded in remembered:
                rows.add(decode_profile(encoded), encoded)
            return None
    waiting, lives = Waiting(), 0
    for found in survey(source, library, left):
        lives += 1
        if isinstance(found, Task):
            waiting.add(found)
            rows.add(unprofiled(found.sessions))
        else:
            rows.add(*found)
    return _Part(waiting, lives)


def _profiled(
    rows: Rows,
    source: Source,
    library: Library,
    waiting: Waiting,
    wanted: Callable[[], str],
    stopped: Callable[[], bool],
) -> Iterator[Batch]:
    """Profiles as they come, put in the table here, where no key waits for it; told so many times a second."""
    encoded: list[bytes] = []
    beat = time.monotonic()
    for done in perform(source, library, waiting.in_order(wanted, stopped), waiting.volume):
        encoded.append(done.encoded)
        if time.monotonic() - beat > BEAT:
            yield _put(rows, encoded)
            encoded, beat = [], time.monotonic()
    yield _put(rows, encoded)


def _put(rows: Rows, encoded: list[bytes]) -> Batch:
    names, places = rows.put_all(encoded)
    return Batch(None, None, len(rows), names, places)
