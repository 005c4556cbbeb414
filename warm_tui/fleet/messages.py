"""What the machines of a fleet say to each other: named fields, so that one may know more of them than the other.

A request names a function and the versions of this language that its sender reads; what is answered is of the newest
that both do. Where there is none, that is told in words, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import msgspec

from warm_tui import __version__
from warm_tui.errors import Trouble

PROTOCOL, OLDEST = 2, 2
"""The language that is spoken here, and the oldest that is still understood. The first was asked by pickles."""

T = TypeVar("T")
encode = msgspec.msgpack.Encoder().encode


class Asked(msgspec.Struct, frozen=True):
    function: str
    body: bytes = b""
    seconds: float = 0.0
    """How long the answer is waited for: clocks differ, so that no moment is named."""
    newest: int = PROTOCOL
    oldest: int = OLDEST
    version: str = __version__


class Answered(msgspec.Struct, frozen=True):
    body: bytes = b""
    trouble: str = ""
    """Why there is no answer, as a sentence."""
    spoken: int = PROTOCOL


class HomeThere(msgspec.Struct, frozen=True):
    """A place with sessions on a member."""

    name: str
    agent: str
    sign: str
    """Which of the member's places it is, without where that stands."""


class Standing(msgspec.Struct, frozen=True):
    """What a member tells of itself with each beat."""

    version: str = ""
    hermes: str = ""
    python: str = ""
    engine: str = ""
    newest: int = PROTOCOL
    oldest: int = OLDEST
    homes: tuple[HomeThere, ...] = ()
    slots: int = 0
    """How many runs it takes at once."""
    running: int = 0
    """How many requests it is at."""
    runs: int = 0
    """How many of these are runs of experiments."""
    drained: bool = False
    """It gets no new runs."""
    ahead_seconds: float | None = None
    """How far its clock is ahead of the scheduler's."""
    offers: Mapping[str, float] = {}
    """What a plan may ask for: docker, gpu, the system."""


class Member(NamedTuple):
    """One machine, as the scheduler knows it, or as it was when it was last heard of."""

    name: str
    address: str
    standing: Standing
    load: float | None
    """Of its processors, 1 for one."""
    memory: int | None
    last_seen: float
    away: bool = False

    @property
    def refused(self) -> str:
        """Why nothing can be asked of it, where the two do not understand each other."""
        return why_not_understood(self.name, self.standing.newest, self.standing.oldest, self.standing.version)

    @property
    def skew(self) -> str:
        """What is told of its version, where it is another one and is understood."""
        theirs = self.standing.version
        if self.refused or theirs == __version__:
            return ""
        return (
            f"{self.name} runs Warm TUI {theirs}, this machine {__version__}: what only one of them knows is left out."
        )


def why_not_understood(name: str, newest: int, oldest: int, version: str) -> str:
    if oldest > PROTOCOL:
        return f"{name} runs Warm TUI {version}, which speaks to none as old as {__version__}: update this machine."
    if newest < OLDEST:
        return f"{name} runs Warm TUI {version}, which is too old for {__version__}: update {name}."
    return ""


def spoken_with(newest: int) -> int:
    return min(PROTOCOL, newest)


_decoders: dict[type, msgspec.msgpack.Decoder[Any]] = {}
_learning = Lock()


def decoded(body: bytes, kind: type[T], sender: str) -> T:
    # Two threads that make msgspec learn one type at the same moment end the process.
    with _learning:
        decoder: msgspec.msgpack.Decoder[T] = _decoders.get(kind) or _decoders.setdefault(
            kind, msgspec.msgpack.Decoder(kind)
        )
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise Trouble(f"What {sender} says cannot be read: {error}.") from error
