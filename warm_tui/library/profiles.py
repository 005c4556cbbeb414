"""Profiles, computed once and remembered until the session, the rules or a verdict change.

A stamp stands for all that a profile depends on. While the database's files are untouched, nothing is
looked at but the library; when they change, one pass over an index tells which sessions did.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from warm_tui.library import profiling
from warm_tui.library.db import Library
from warm_tui.library.profiling import Task, computed, decode_profile, encode_profile
from warm_tui.library.verdicts import own_verdicts, verdict_marks
from warm_tui.reliability.filters import newest_last
from warm_tui.reliability.outcome import RULES_VERSION
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.lineage import ONE_UNIT, chain, lives_of, parent_of
from warm_tui.sessions.model import Session
from warm_tui.sessions.pairing import READING_VERSION
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.source import NO_MESSAGES, Source, Stamp
from warm_tui.watching import FileState

# Rises when a field of a profile changes its meaning under the same name and type.
MEANING_VERSION = 3


def version_of(profile: type[msgspec.Struct]) -> int:
    """Another for other fields, rules or ways of reading: what was made by others is made anew."""
    fields = [(field.name, str(field.type)) for field in msgspec.structs.fields(profile)]
    return zlib.crc32(repr((fields, RULES_VERSION, READING_VERSION, MEANING_VERSION)).encode()) & 0x7FFFFFFF


RULES = version_of(Profile)

# A file may change twice within one tick of its clock: only a state this old is believed.
SETTLED_SECONDS = 2.0
BATCH = 200

_encode = msgspec.json.Encoder().encode

Progress = Callable[[int, int], None]


def profile_one(source: Source, session: Session, library: Library) -> Profile:
    """The profile of the life that a session belongs to, remembered or computed, without a look at any other."""
    life = chain(source, session)
    parent = parent_of(source, life[0])
    task = _task(source, library, life, parent, source.stamp, verdict_marks(library))
    key = _key(source.path)
    row = library.connection.execute(
        "SELECT profile FROM profiles WHERE database = ? AND session_id = ? AND stamp = ? AND rules = ?",
        (key, task.name, task.stamp, RULES),
    ).fetchone()
    if row and (remembered := _decoded(row[0])):
        return remembered
    profile = profiling.compute(source, task)
    _remember(library, [(key, task.name, task.stamp, RULES, encode_profile(profile))])
    return profile


def _task(
    source: Source,
    library: Library,
    life: list[Session],
    parent: Session | None,
    stamp_of: Callable[[str], Stamp],
    marks: Mapping[str, str],
) -> Task:
    """What a life's profile is computed from, with the stamp of all that."""
    relation = source.facts.relation(life[0], parent)
    stamps = [stamp_of(session.id) for session in life]
    inherits = stamp_of(parent.id) if parent and relation in ONE_UNIT else None
    judged = [session.id for session in life if session.id in marks]
    parts = _encode((life, stamps, relation, inherits, [marks[session_id] for session_id in judged]))
    size = sum(stamp.messages for stamp in stamps)
    own = {session_id: own_verdicts(library, session_id) for session_id in judged}
    return Task(life, parent, relation, f"{zlib.crc32(parts):08x}-{size}-{stamps[-1].mark}", size, own)


class Look(NamedTuple):
    """What a database and the verdicts were before anything was read: what changes later is seen as a change."""

    key: str
    mark: str
    settled: bool

    @classmethod
    def at(cls, source: Source, library: Library) -> Look:
        state = state_of(source.path)
        settled = time.time() - state.newest >= SETTLED_SECONDS
        return cls(_key(source.path), _state_mark(library, state), settled)

    def remembered(self, library: Library) -> list[Profile] | None:
        """Every life's profile, the newest first, if nothing has changed since all were computed."""
        return _unchanged(library, self.key, self.mark)

    def note(self, library: Library, lives: int) -> None:
        """All have been computed: until this changes, none has to be looked at."""
        if self.settled:
            _note_state(library, self.key, self.mark, lives)


def profile_all(source: Source, library: Library, progress: Progress | None = None) -> list[Profile]:
    """Every life's profile, the newest first."""
    look = Look.at(source, library)
    if (known := look.remembered(library)) is not None:
        return known
    found = survey(source, library)
    profiles, total = list(found.known.values()), len(found.known) + len(found.missing)
    for profile in perform(source, library, found.missing.values(), found.volume):
        profiles.append(profile)
        if progress:
            progress(len(profiles), total)
    profiles.sort(key=newest_last, reverse=True)
    look.note(library, len(profiles))
    return profiles


class Survey(NamedTuple):
    """What there is of a database: the profiles that are still true, and those to compute; by the life's name."""

    known: dict[str, Profile]
    missing: dict[str, Task]

    @property
    def volume(self) -> int:
        """How many messages stand in what is to be computed."""
        return sum(task.size for task in self.missing.values())


def survey(source: Source, library: Library, left: Callable[[], bool] = lambda: False) -> Survey:
    """Look at every life's stamp. Those that are gone are forgotten. `left`: nobody wants to know any more."""
    key = _key(source.path)
    sessions = source.sessions()
    by_id = {session.id: session for session in sessions}
    stamps = source.stamps()
    marks = verdict_marks(library)
    sql = "SELECT session_id, stamp, profile FROM profiles WHERE database = ? AND rules = ?"
    cached = {sid: (stamp, blob) for sid, stamp, blob in library.connection.execute(sql, (key, RULES))}
    known: dict[str, Profile] = {}
    missing: dict[str, Task] = {}
    lives = lives_of(sessions, source.facts)
    for life in lives:
        if left():
            return Survey({}, {})
        parent = by_id.get(life[0].came_from) if life[0].came_from else None
        task = _task(source, library, life, parent, lambda session_id: stamps.get(session_id, NO_MESSAGES), marks)
        was = cached.get(task.name)
        profile = _decoded(was[1]) if was and was[0] == task.stamp else None
        if profile is not None:
            known[task.name] = profile
        else:
            missing[task.name] = task
    _forget(library, key, [name for name in cached if name not in known and name not in missing])
    return Survey(known, missing)


def perform(source: Source, library: Library, tasks: Iterable[Task], volume: int) -> Iterator[Profile]:
    """Compute profiles, and remember them by the batch, also when nobody wants any more.

    `volume`: how many messages there are to read in all.
    """
    key = _key(source.path)
    fresh: list[tuple[str, str, str, int, bytes]] = []
    try:
        for task, profile, encoded in computed(source, tasks, volume):
            fresh.append((key, task.name, task.stamp, RULES, encoded))
            if len(fresh) >= BATCH:
                _remember(library, fresh)
                fresh = []
            yield profile
    finally:
        _remember(library, fresh)


def _unchanged(library: Library, key: str, mark: str) -> list[Profile] | None:
    """All profiles from the library, if the database's files are what they were."""
    row = library.connection.execute(
        "SELECT state, rules, sessions FROM databases WHERE database = ?", (key,)
    ).fetchone()
    if row is None or row[:2] != (mark, RULES):
        return None
    blobs = library.connection.execute(
        "SELECT profile FROM profiles WHERE database = ? AND rules = ?", (key, RULES)
    ).fetchall()
    if len(blobs) != row[2]:
        return None
    try:
        profiles = [decode_profile(blob) for (blob,) in blobs]
    except msgspec.MsgspecError:
        return None
    profiles.sort(key=newest_last, reverse=True)
    return profiles


def _note_state(library: Library, key: str, mark: str, lives: int) -> None:
    library.remember(
        "INSERT OR REPLACE INTO databases (database, state, rules, sessions) VALUES (?, ?, ?, ?)",
        [(key, mark, RULES, lives)],
    )


def _state_mark(library: Library, state: FileState) -> str:
    """The files and the operator's verdicts: while both are as they were, so is every profile."""
    return f"{state.key}|{zlib.crc32(repr(sorted(verdict_marks(library).items())).encode())}"


def _key(path: Path) -> str:
    return os.fsencode(path.absolute()).decode("utf-8", "backslashreplace")


def _decoded(blob: bytes) -> Profile | None:
    try:
        return decode_profile(blob)
    except msgspec.MsgspecError:
        return None


def _remember(library: Library, rows: list[tuple[str, str, str, int, bytes]]) -> None:
    library.remember(
        "INSERT OR REPLACE INTO profiles (database, session_id, stamp, rules, profile) VALUES (?, ?, ?, ?, ?)",
        rows,
        # What was noted of the whole database was noted without these.
        first=("DELETE FROM databases WHERE database = ?", rows[0][:1]) if rows else None,
    )


def _forget(library: Library, key: str, session_ids: list[str]) -> None:
    library.remember(
        "DELETE FROM profiles WHERE database = ? AND session_id = ?",
        [(key, session_id) for session_id in session_ids],
    )
