"""Computing profiles: here, or, where there is much to read, in processes beside this one.

Judging is Python, and one process judges on one core. A process beside takes a fifth of a second to start: a
home that is read sooner than that never starts one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from warm_tui.reliability.profile import Profile, profile_session
from warm_tui.reliability.verdict import Verdict
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.pairing import pair
from warm_tui.sessions.source import Source

WORTH_PROCESSES = 60_000
"""Messages to read."""
MOST_PROCESSES = 4


class Task(NamedTuple):
    """A profile that has to be computed, and all it is computed from but the messages."""

    session: Session
    parent: Session | None
    relation: Relation
    stamp: str
    size: int
    """How many messages there are."""
    own: dict[str, Verdict] | None


def compute(source: Source, task: Task) -> Profile:
    """One session's profile, from its messages. Calls it inherited through compaction are not its own."""
    session, parent = task.session, task.parent
    inherited = None
    if task.relation == "compression_chain" and parent is not None:
        inherited = source.messages(parent.id)
    messages, taken_back = source.messages(session.id), source.taken_back(session.id)
    paired = pair(messages, session.id, source.facts, parent=inherited, taken_back=taken_back)
    return profile_session(session, paired, task.relation, source.facts, task.own)


encode_profile = msgspec.json.Encoder().encode
decode_profile = msgspec.json.Decoder(Profile).decode


class Done(NamedTuple):
    task: Task
    profile: Profile
    encoded: bytes


def computed(source: Source, tasks: Iterable[Task], volume: int) -> Iterator[Done]:
    """Each task with its profile; in order, unless there is so much that it is shared out."""
    processes = min(_cores(), MOST_PROCESSES)
    if volume < WORTH_PROCESSES or processes < 2:
        return _computed_here(source, tasks)
    from warm_tui.library.profiling_processes import computed_beside

    return computed_beside(source.path, tasks, processes)


def _computed_here(source: Source, tasks: Iterable[Task]) -> Iterator[Done]:
    for task in tasks:
        profile = compute(source, task)
        yield Done(task, profile, encode_profile(profile))


def _cores() -> int:
    """Those that this process may use, which in a container may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
