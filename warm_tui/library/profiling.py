"""Computing profiles: here, or, where there is much to read, in processes beside this one.

Judging is Python, and one process judges on one core. A process beside takes a fifth of a second to start: a
home that is read sooner than that never starts one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from warm_tui.library.db import Library
from warm_tui.library.listings import keep_listing
from warm_tui.reliability.failure_records import LifeFailures, encode_failures
from warm_tui.reliability.life_profile import profile_life, verdicts_in
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import SessionOutcome
from warm_tui.sessions.learning import Learned
from warm_tui.sessions.lineage import read_members
from warm_tui.sessions.model import Relation, Session
from warm_tui.sessions.recordings import FileSource
from warm_tui.sessions.source import Source

if TYPE_CHECKING:
    from warm_tui.library.profiling_processes import Pool

WORTH_PROCESSES = 60_000
"""Messages to read."""
MOST_PROCESSES = 4
AT_A_TIME = 1_000
"""Messages of several lives; one life may have more."""


class Task(NamedTuple):
    """A profile that has to be computed, and all it is computed from but the messages."""

    size: int
    """How many messages there are."""
    sessions: list[Session]
    """One life."""
    parent: Session | None
    """The session that its first came from, and how."""
    relation: Relation
    stamp: str
    own: dict[str, dict[str, Verdict]]
    """The operator's verdicts, by session."""
    own_outcome: SessionOutcome | None = None
    """What the operator, or a check, said came of it."""
    noted: Sequence[Learned] = ()
    """What the agent's own reviews of it were seen to keep."""

    @property
    def name(self) -> str:
        return self.sessions[0].id


class _Head(msgspec.Struct, array_like=True):
    """What is read of a task by those that only hand it on."""

    size: int


encode_task = msgspec.msgpack.Encoder().encode
decode_task = msgspec.msgpack.Decoder(Task).decode
_decode_head = msgspec.msgpack.Decoder(_Head).decode


def size_of(task: bytes) -> int:
    return _decode_head(task).size


class Waiting:
    """Tasks of any number, by name, as bytes: there may be hundreds of thousands."""

    def __init__(self) -> None:
        self.volume = 0
        """How many messages stand in what is to be computed."""
        self._tasks: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def add(self, task: Task) -> None:
        self._tasks[task.name] = encode_task(task)
        self.volume += task.size

    def in_order(self, wanted: Callable[[], str] = str, stopped: Callable[[], bool] = bool) -> Iterator[bytes]:
        """The one that is looked at, then the newest of the rest."""
        # Asked for its first name again and again, a dictionary passes all that were taken out before.
        names = iter(tuple(self._tasks))
        while self._tasks and not stopped():
            body = self._tasks.pop(wanted(), b"")
            while not body:
                body = self._tasks.pop(next(names), b"")
            yield body


class Computed(NamedTuple):
    profile: Profile
    failures: LifeFailures


def compute(source: Source, task: Task) -> Computed:
    """One life's profile and its failures, from its messages."""
    return compute_each(source, [task])[0]


def compute_each(source: Source, tasks: Sequence[Task]) -> list[Computed]:
    """Of a few lives, step by step for all of them: so each step finds its code where the processor has it at hand."""
    from warm_tui.reliability.recorded_failures import failures_of

    lives = [read_members(source, task.sessions, task.parent) for task in tasks]
    judged = [verdicts_in(life, task.own) for life, task in zip(lives, tasks, strict=True)]
    failed = [
        failures_of([part.calls for part in life.parts], verdicts, life.facts)
        for life, verdicts in zip(lives, judged, strict=True)
    ]
    return [
        Computed(
            profile_life(life, task.relation, task.own, verdicts, failures, task.own_outcome, task.noted), failures
        )
        for life, task, verdicts, failures in zip(lives, tasks, judged, failed, strict=True)
    ]


encode_profile = msgspec.json.Encoder().encode
decode_profile = msgspec.json.Decoder(Profile).decode


class Encoded(NamedTuple):
    profile: bytes
    failures: bytes


def encoded(computed: Computed) -> Encoded:
    return Encoded(encode_profile(computed.profile), encode_failures(computed.failures))


class Done(NamedTuple):
    name: str
    stamp: str
    encoded: bytes
    """The profile."""
    failures: bytes
    kept: bool = False
    """In the library; without the failures then, which nobody else asks for."""


def computed(
    source: Source, tasks: Iterable[bytes], volume: int, library: Library, pool: Pool | None = None
) -> Iterator[Done]:
    """Each encoded task with its profile; in order, unless there is so much that it is shared out."""
    pool = pool or pool_for(source, volume, library)
    return pool.computed(tasks) if pool else _computed_here(source, tasks)


def pool_for(source: Source, volume: int, library: Library) -> Pool | None:
    """Processes, where there is so much to read that they are worth their start.

    What its files told is in the library by then, so that none of them has to look at all files again.
    """
    processes = min(_cores(), MOST_PROCESSES)
    if volume < WORTH_PROCESSES or processes < 2:
        return None
    from warm_tui.library.profiling_processes import Pool

    if isinstance(source, FileSource):
        keep_listing(source, library)
    return Pool(source.path, processes, library)


def _computed_here(source: Source, tasks: Iterable[bytes]) -> Iterator[Done]:
    # One by one: which comes next is asked for late, and nothing is taken that is not wanted any more.
    for task in map(decode_task, tasks):
        yield Done(task.name, task.stamp, *encoded(compute(source, task)))


def done_each(source: Source, tasks: Iterable[Task]) -> Iterator[Done]:
    """Of tasks that are given out together, in portions whose messages need little room."""
    for portion in _portions(tasks):
        for task, computed in zip(portion, compute_each(source, portion), strict=True):
            yield Done(task.name, task.stamp, *encoded(computed))


def _portions(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    portion: list[Task] = []
    size = 0
    for task in tasks:
        if portion and size + task.size > AT_A_TIME:
            yield portion
            portion, size = [], 0
        portion.append(task)
        size += task.size
    if portion:
        yield portion


def _cores() -> int:
    """Those that this process may use, which in a container may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
