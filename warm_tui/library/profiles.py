"""Profiles, computed once and remembered until the session, the rules or a verdict change.

A stamp stands for all that a profile depends on. While the database's files are untouched, nothing is
looked at but the library; when they change, one pass over an index tells which sessions did.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.library import profiling
from warm_tui.library.db import Library
from warm_tui.library.learned import NotedReviews, noted_reviews
from warm_tui.library.outcomes import KnownOutcomes, known_outcome, known_outcomes
from warm_tui.library.profiling import Done, Task, computed, decode_profile, encode_task
from warm_tui.library.verdicts import VerdictMarks, own_verdicts, verdict_mark, verdict_marks
from warm_tui.reliability.failure_records import Failure, Fingerprint, LifeFailures, Try
from warm_tui.reliability.filters import newest_last
from warm_tui.reliability.outcome import RULES_VERSION
from warm_tui.reliability.profile import Profile, unprofiled
from warm_tui.sessions.elsewhere import Elsewhere
from warm_tui.sessions.lineage import ONE_UNIT, chain, lives_of, parent_of
from warm_tui.sessions.model import Session
from warm_tui.sessions.pairing import READING_VERSION
from warm_tui.sessions.readers import state_of
from warm_tui.sessions.source import Source, Stamp
from warm_tui.watching import FileState

if TYPE_CHECKING:
    from warm_tui.library.profiling_processes import Pool

# Rises when a field of a profile, or what is kept of failures, changes its meaning under the same name and type.
MEANING_VERSION = 12


def version_of(*kept: type[msgspec.Struct]) -> int:
    """Another for other fields, rules or ways of reading: what was made by others is made anew."""
    fields = [(field.name, str(field.type)) for each in kept for field in msgspec.structs.fields(each)]
    return zlib.crc32(repr((fields, RULES_VERSION, READING_VERSION, MEANING_VERSION)).encode()) & 0x7FFFFFFF


RULES = version_of(Profile, LifeFailures, Failure, Try, Fingerprint)

# A file may change twice within one tick of its clock: only a state this old is believed.
SETTLED_SECONDS = 2.0
BATCH = 200
NO_MORE = b""
"""No task."""

_encode = msgspec.json.Encoder().encode

Progress = Callable[[int, int], None]


def profile_one(source: Source, session: Session, library: Library) -> Profile:
    """The profile of the life that a session belongs to, remembered or computed, without a look at any other."""
    if isinstance(source, Elsewhere):
        return _had_of(source, session)
    life = chain(source, session)
    parent = parent_of(source, life[0])
    task = _task(source, library, life, parent, source.stamp, Said.by(library))
    key = key_of(source.path)
    row = library.connection.execute(
        "SELECT profile FROM profiles WHERE database = ? AND session_id = ? AND stamp = ? AND rules = ?",
        (key, task.name, task.stamp, RULES),
    ).fetchone()
    if row and (remembered := _decoded(row[0])):
        return remembered
    computed = profiling.compute(source, task)
    remember(library, key, [Done(task.name, task.stamp, *profiling.encoded(computed))])
    return computed.profile


def _had_of(source: Elsewhere, session: Session) -> Profile:
    """As its own machine told it; what was had by another version of ours is had anew, and not known till then."""
    kept = source.life_of(session.id) if source.about.shape == RULES else None
    return (_decoded(kept.profile) if kept else None) or _unknown([session], source)


def _unknown(life: list[Session], source: Elsewhere) -> Profile:
    return replace(unprofiled(life), machine=source.machine)


class Said(NamedTuple):
    """All that somebody said of sessions and their calls, by session."""

    marks: VerdictMarks
    """Of the calls: what changes when that does."""
    outcomes: KnownOutcomes
    learned: NotedReviews
    """Not what somebody said, but what an agent's review did, which no recording tells."""

    @classmethod
    def by(cls, library: Library) -> Said:
        return cls(verdict_marks(library), known_outcomes(library), noted_reviews(library))


def _task(
    source: Source,
    library: Library,
    life: list[Session],
    parent: Session | None,
    stamp_of: Callable[[str], Stamp],
    said: Said,
) -> Task:
    """What a life's profile is computed from, with the stamp of all that."""
    relation = source.facts.relation(life[0], parent)
    stamps = [stamp_of(session.id) for session in life]
    inherits = stamp_of(parent.id) if parent and relation in ONE_UNIT else None
    marks = {session.id: verdict_mark(session.name, said.marks) for session in life} if said.marks else {}
    outcome = known_outcome([session.name for session in life], said.outcomes) if said.outcomes else None
    opinions = [mark for mark in marks.values() if mark]
    noted = (
        [each for session in life for each in said.learned.get(session.id, ())] if source.facts.keeping_tools else []
    )
    parts = _encode((life, stamps, relation, inherits, opinions, *([outcome] if outcome else []), *noted))
    size = sum(stamp.messages for stamp in stamps)
    own = {session.id: own_verdicts(library, session.name) for session in life if marks.get(session.id)}
    return Task(size, life, parent, relation, f"{zlib.crc32(parts):08x}-{size}-{stamps[-1].mark}", own, outcome, noted)


class Look(NamedTuple):
    """What a database and the verdicts were before anything was read: what changes later is seen as a change."""

    key: str
    mark: str
    settled: bool

    @classmethod
    def at(cls, source: Source, library: Library) -> Look:
        state = state_of(source.path)
        settled = time.time() - state.newest >= SETTLED_SECONDS
        return cls(key_of(source.path), _state_mark(library, state), settled)

    def remembered(self, library: Library) -> list[bytes] | None:
        """Every life's profile, if nothing has changed since all were computed."""
        return _unchanged(library, self.key, self.mark)

    def note(self, library: Library, lives: int) -> None:
        """All have been computed: until this changes, none has to be looked at."""
        if self.settled:
            _note_state(library, self.key, self.mark, lives)


def remembered_profiles(source: Source, library: Library) -> list[Profile]:
    """What is known without a look at the source, which may have changed since."""
    sql = "SELECT profile FROM profiles WHERE database = ? AND rules = ?"
    found = (_decoded(blob) for (blob,) in library.connection.execute(sql, (key_of(source.path), RULES)))
    return [profile for profile in found if profile is not None]


def is_all_remembered(source: Source, library: Library) -> bool:
    """Whether nothing has changed since all profiles were computed."""
    return Look.at(source, library).remembered(library) is not None


def profile_all(source: Source, library: Library, progress: Progress | None = None) -> list[Profile]:
    """Every life's profile, the newest first."""
    look = Look.at(source, library)
    if (known := look.remembered(library)) is not None:
        with suppress(msgspec.MsgspecError):
            # One by one, so that other threads come to their turn between.
            profiles = [decode_profile(each) for each in known]
            return sorted(profiles, key=newest_last, reverse=True)
    # Where nothing is known and much is to be read, processes start while that is looked through.
    pool = None if _knows_any(library, look.key) else profiling.pool_for(source, source.most_messages(), library)
    try:
        profiles = _computed_all(source, library, pool, progress)
    finally:
        if pool:
            pool.stop()
    profiles.sort(key=newest_last, reverse=True)
    look.note(library, len(profiles))
    return profiles


def _computed_all(source: Source, library: Library, pool: Pool | None, progress: Progress | None) -> list[Profile]:
    profiles: list[Profile] = []
    total = volume = 0
    given: SimpleQueue[bytes] = SimpleQueue()
    tasks = iter(given.get, NO_MORE)
    try:
        if pool:
            # Profiling begins while the rest is still looked through.
            pool.begin(tasks)
        for found in survey(source, library):
            total += 1
            if isinstance(found, Task):
                given.put(encode_task(found))
                volume += found.size
            else:
                profiles.append(found.profile)
    finally:
        given.put(NO_MORE)
    for done in perform(source, library, tasks, volume, pool):
        profiles.append(decode_profile(done.encoded))
        if progress:
            progress(len(profiles), total)
    return profiles


class Known(NamedTuple):
    """A profile that is still true."""

    profile: Profile
    encoded: bytes


def survey(source: Source, library: Library, left: Callable[[], bool] = lambda: False) -> Iterator[Known | Task]:
    """Look at every life's stamp: what is known of it, or what has to be computed. Those that are gone are forgotten.

    `left`: nobody wants to know any more.
    """
    if isinstance(source, Elsewhere):
        yield from _had(source, library, left)
        return
    key, said = key_of(source.path), Said.by(library)
    related = {session.id: session for session in source.related()}
    chains = {life[0].id: life for life in lives_of(list(related.values()), source.facts)}
    later = {member.id for life in chains.values() for member in life[1:]}
    seen: set[str] = set()
    for sessions, stamps in source.portions():
        if left():
            return
        firsts = [session for session in sessions if session.id not in later]
        cached = _cached(library, key, [session.id for session in firsts])
        for first in firsts:
            seen.add(first.id)
            life = chains.get(first.id, [first])
            parent = related.get(first.came_from or "") or parent_of(source, first)
            task = _task(source, library, life, parent, _stamp_of(source, stamps), said)
            was = cached.get(first.id)
            profile = _decoded(was[1]) if was and was[0] == task.stamp else None
            yield Known(profile, was[1]) if was and profile is not None else task
    _forget(library, key, list(_remembered_names(library, key) - seen))


def _remembered_names(library: Library, key: str) -> set[str]:
    sql = "SELECT session_id FROM profiles WHERE database = ? AND rules = ?"
    return {name for (name,) in library.connection.execute(sql, (key, RULES))}


def _had(source: Elsewhere, library: Library, left: Callable[[], bool]) -> Iterator[Known]:
    """What another machine told of its lives; what is new of that is remembered like profiles of ours."""
    key = key_of(source.path)
    names = list(source.lives_stamps())
    for at in range(0, len(names), BATCH):
        if left():
            return
        cached = _cached(library, key, names[at : at + BATCH])
        fresh: list[Done] = []
        for life in source.lives(names[at : at + BATCH]):
            profile = _decoded(life.profile) if source.about.shape == RULES else None
            if profile is None:
                session = source.session(life.name)
                yield from [Known(each, _encode(each)) for each in ([_unknown([session], source)] if session else [])]
                continue
            if life.name not in cached or cached[life.name][0] != life.stamp:
                fresh.append(Done(life.name, life.stamp, life.profile, life.failures))
            yield Known(profile, life.profile)
        remember(library, key, fresh)
    before = library.connection.execute(
        "SELECT session_id FROM profiles WHERE database = ? AND rules = ?", (key, RULES)
    )
    _forget(library, key, list({name for (name,) in before} - set(names)))


def _cached(library: Library, key: str, names: list[str]) -> dict[str, tuple[str, bytes]]:
    among = ", ".join("?" * len(names))
    sql = (
        f"SELECT session_id, stamp, profile FROM profiles WHERE database = ? AND rules = ? AND session_id IN ({among})"
    )
    return {name: (stamp, blob) for name, stamp, blob in library.connection.execute(sql, (key, RULES, *names))}


def _stamp_of(source: Source, stamps: Mapping[str, Stamp]) -> Callable[[str], Stamp]:
    """Those of other sessions of a life may stand in another portion."""
    return lambda session_id: stamps.get(session_id) or source.stamp(session_id)


def perform(
    source: Source, library: Library, tasks: Iterable[bytes], volume: int, pool: Pool | None = None
) -> Iterator[Done]:
    """Compute profiles, and remember them by the batch, also when nobody wants any more.

    Processes remember what they compute themselves, where they can.
    `volume`: how many messages there are to read in all; `pool`: processes that were started for it.
    """
    key = key_of(source.path)
    fresh: list[Done] = []
    try:
        for done in computed(source, tasks, volume, library, pool):
            if not done.kept:
                fresh.append(done)
            if len(fresh) >= BATCH:
                remember(library, key, fresh)
                fresh = []
            yield done
    finally:
        remember(library, key, fresh)


def _knows_any(library: Library, key: str) -> bool:
    sql = "SELECT 1 FROM profiles WHERE database = ? AND rules = ? LIMIT 1"
    return library.connection.execute(sql, (key, RULES)).fetchone() is not None


def _unchanged(library: Library, key: str, mark: str) -> list[bytes] | None:
    """All profiles from the library, if the database's files are what they were."""
    row = library.connection.execute(
        "SELECT state, rules, sessions FROM databases WHERE database = ?", (key,)
    ).fetchone()
    if row is None or row[:2] != (mark, RULES):
        return None
    sql = "SELECT profile FROM profiles WHERE database = ? AND rules = ?"
    blobs = [blob for (blob,) in library.connection.execute(sql, (key, RULES))]
    return blobs if len(blobs) == row[2] else None


def _note_state(library: Library, key: str, mark: str, lives: int) -> None:
    library.remember(
        "INSERT OR REPLACE INTO databases (database, state, rules, sessions) VALUES (?, ?, ?, ?)",
        [(key, mark, RULES, lives)],
    )


def _state_mark(library: Library, state: FileState) -> str:
    """The files and what was said of sessions: while both are as they were, so is every profile."""
    return f"{state.key}|{judged_by(library)}"


def judged_by(library: Library) -> str:
    """The rules, and all that people said of sessions and calls: while these are the same, so is every verdict."""
    said = [sorted(each.items()) for each in Said.by(library)]
    return f"{RULES}|{zlib.crc32(repr(said).encode('utf-8', 'replace'))}"


def key_of(path: Path) -> str:
    return os.fsencode(path.absolute()).decode("utf-8", "backslashreplace")


def _decoded(blob: bytes) -> Profile | None:
    try:
        return decode_profile(blob)
    except msgspec.MsgspecError:
        return None


def remember(library: Library, key: str, computed: Sequence[Done]) -> None:
    library.remember(
        "INSERT OR REPLACE INTO profiles (database, session_id, stamp, rules, profile, failures)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(key, done.name, done.stamp, RULES, done.encoded, done.failures) for done in computed],
        # What was noted of the whole database was noted without these.
        first=("DELETE FROM databases WHERE database = ?", (key,)),
    )


def _forget(library: Library, key: str, session_ids: list[str]) -> None:
    library.remember(
        "DELETE FROM profiles WHERE database = ? AND session_id = ?",
        [(key, session_id) for session_id in session_ids],
    )
