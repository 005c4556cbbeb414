"""All that the Overview tells: key figures against the time before, what is new, what runs, what waits."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import msgspec

from warm_tui.reliability.trends import Trends

Place: TypeAlias = Literal[
    "sessions", "session", "experiments", "templates", "curate", "compaction", "failures", "trends", "questions",
    "trials",
]  # fmt: skip


class Target(NamedTuple):
    """What stands behind something, and on which screen."""

    place: Place
    what: str = ""
    """A filter, a session's id, the number of an experiment or a rule, the name of a template."""


class Item(msgspec.Struct, frozen=True):
    """Something to be told in a line, with what stands behind it."""

    words: str
    target: Target
    style: str = ""


class FailuresTold(NamedTuple):
    costly: tuple[Item, ...] = ()
    new: tuple[Item, ...] = ()
    """Families that came, or came back, since the last visit."""


NONE_TOLD = FailuresTold()


class Overview(msgspec.Struct, frozen=True):
    at: float
    trends: Trends
    total: int
    """How many sessions there are; of fewer may be known how they went."""
    profiled: int
    since: float | None
    """The last visit."""
    costly: tuple[Item, ...]
    """What fails most."""
    new: tuple[Item, ...]
    running: tuple[Item, ...]
    waiting: tuple[Item, ...]
    still_reading: bool = False
    """It is of a part of the sessions, of which nothing is concluded."""
