"""The fleet as an operator's machine sees it: who is there, and what they answer. For any thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future, wait
from typing import Any, Generic, TypeVar

import msgspec

from warm_tui.errors import Trouble
from warm_tui.fleet.credentials import Credentials, check_welcome
from warm_tui.fleet.folder import NAME, Away, Folder, check_address
from warm_tui.fleet.functions import FUNCTIONS
from warm_tui.fleet.line import Line
from warm_tui.fleet.messages import Answered, Asked, Member, Standing, decoded, encode
from warm_tui.fleet.possible import can_be
from warm_tui.fleet.quiet import quiet
from warm_tui.fleet.wire import LARGEST_BYTES
from warm_tui.paths import Home
from warm_tui.sessions.text import beginning, clean_line

AWAY_SECONDS = 10.0
"""A member that beats every second, and was silent for so long, is away."""
PATIENCE_SECONDS = 5.0
ANSWER_BYTES = 32_000_000
"""Of what a member may answer, where nothing larger was asked for."""
LONGEST_TROUBLE = 500
BESIDE_BYTES = 1_000
"""Of an answer, what stands around it."""

T = TypeVar("T", bound=msgspec.Struct)


class Listed(msgspec.Struct):
    """A member, as the scheduler tells of it. Only names that the authority would sign are taken: folders have them."""

    name: str
    address: str
    last_seen: float
    metrics: Any


class Roll(msgspec.Struct):
    members: list[Any]
    time: float
    """When the scheduler says so, by its own clock."""


class Request(Generic[T]):
    """What was asked of a member: it is answered once, or never."""

    def __init__(self, member: str, future: Future[Any], kind: type[T], seconds: float) -> None:
        self.member, self.kind, self.until = member, kind, time.monotonic() + seconds
        self._future = future

    @property
    def done(self) -> bool:
        return self._future.done()

    def waited(self, seconds: float) -> bool:
        """Whether it is answered by then, or will not be."""
        wait([self._future], seconds)
        return self.done

    def answer(self) -> T:
        """Waits until the deadline. Trouble is what the member says; Away, that it says nothing."""
        answered = decoded(self._body(), Answered, self.member)
        if answered.trouble:
            raise Trouble(f"{self.member}: {beginning(clean_line(answered.trouble), LONGEST_TROUBLE)}")
        return decoded(answered.body, self.kind, self.member)

    def _body(self) -> bytes:
        try:
            told = self._future.result(max(0.0, self.until - time.monotonic()))
        except (TimeoutError, CancelledError) as error:
            self.cancel()
            raise Away(f"{self.member} did not answer in time.") from error
        except Exception as error:
            raise Away(f"The scheduler went away while {self.member} was asked.") from error
        told = told if isinstance(told, dict) else {}
        if told.get("late"):
            raise Away(f"{self.member} did not answer in time.")
        if told.get("much"):
            raise Trouble(f"{self.member} answers more than was asked for: it is not taken.")
        if not isinstance(told.get("body"), bytes):
            raise Away(f"{self.member} went away while it was asked.")
        body: bytes = told["body"]
        return body

    def cancel(self) -> None:
        """Nobody hears of it any more; what was begun goes on there."""
        self._future.cancel()


class Fleet:
    def __init__(self, home: Home, address: str = "", patience: float = PATIENCE_SECONDS) -> None:
        """`patience`: the seconds for which an answer of the scheduler itself is waited for."""
        quiet()
        self.patience = patience
        folder = Folder.of(home)
        self.credentials = Credentials.of(folder, "operator")
        self.address = check_address(address or folder.known_address())
        check_welcome(self.address, self.credentials, patience)
        self._line = Line(self.address, self.credentials)
        if address:
            folder.note_address(self.address)

    def close(self) -> None:
        self._line.close()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _told(self, op: str, **given: Any) -> Any:
        """By the scheduler itself."""
        try:
            asked = self._line.ask(op, given, deadline=self.patience, most=LARGEST_BYTES)
            return asked.result(2 * self.patience)
        except Exception as error:
            check_welcome(self.address, self.credentials, self.patience)
            raise Away(f"No scheduler answers at {self.address}.") from error

    # --- who is there ---

    def members(self) -> list[Member]:
        """By name."""
        told, now = self._told("members"), time.time()
        roll = _converted(told, Roll)
        if roll is None or not can_be(roll.time):
            what = f"What the scheduler at {self.address} tells of the members"
            raise Trouble(f"{what} cannot be read: it may run another version of Warm TUI.")
        listed = [each for each in (_converted(one, Listed) for one in roll.members) if each is not None]
        named = {each.name: each for each in listed if NAME.fullmatch(each.name) and can_be(each.last_seen)}
        return [_member(named[name], roll.time, now) for name in sorted(named)]

    def member(self, name: str) -> Member:
        for each in self.members():
            if each.name == name:
                return each
        raise Away(f"{name} is not in the fleet just now.")

    # --- what is asked of them ---

    def submit(
        self,
        member: Member,
        function: str,
        request: msgspec.Struct,
        kind: type[T],
        *,
        seconds: float,
        most: int = ANSWER_BYTES,
    ) -> Request[T]:
        """Of this member alone, and once: who asks decides what is tried again. `kind`: of the answer."""
        assert function in FUNCTIONS, function
        if member.refused:
            raise Trouble(member.refused)
        asked = encode(Asked(function, encode(request), seconds))
        told = {"name": member.name, "request": asked, "seconds": seconds, "most": most}
        future = self._line.ask("ask", told, deadline=seconds, most=most + BESIDE_BYTES)
        return Request(member.name, future, kind, seconds)

    def ask(
        self,
        name: str,
        function: str,
        request: msgspec.Struct,
        kind: type[T],
        *,
        seconds: float,
        most: int = ANSWER_BYTES,
    ) -> T:
        return self.submit(self.member(name), function, request, kind, seconds=seconds, most=most).answer()


def _converted(told: Any, kind: type[T]) -> T | None:
    """Nothing where it is none."""
    try:
        return msgspec.convert(told, kind)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return None


def _can_be(standing: Standing) -> bool:
    """A clock may be behind, too."""
    return can_be(msgspec.structs.replace(standing, ahead_seconds=abs(standing.ahead_seconds or 0.0)))


def _member(told: Listed, at: float, now: float) -> Member:
    """Both moments of the scheduler are of its clock, which may be another."""
    metrics = told.metrics if isinstance(told.metrics, dict) else {}
    standing = _converted(metrics.get("fleet") or {}, Standing)
    if standing is None or not _can_be(standing):
        standing = Standing(newest=0, oldest=0, version="another version")
    silent = max(0.0, at - told.last_seen)
    figures = (metrics.get("cpu"), metrics.get("memory"))
    cpu, memory = (each if isinstance(each, int | float) and can_be(each) else None for each in figures)
    return Member(
        told.name,
        told.address,
        standing,
        None if cpu is None else cpu / 100,
        None if memory is None else int(memory),
        now - silent,
        silent > AWAY_SECONDS,
    )


def each_answer(requests: list[Request[T]]) -> Iterator[tuple[Request[T], T | Trouble]]:
    """In the order they were asked; one that is not answered keeps none of the others."""
    for request in requests:
        try:
            yield request, request.answer()
        except Trouble as trouble:
            yield request, trouble
