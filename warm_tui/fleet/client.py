"""The fleet as an operator's machine sees it: who is there, and what they answer. For any thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, TypeVar

import distributed
import msgspec
from distributed.comm.core import CommClosedError

from warm_tui.errors import Trouble
from warm_tui.fleet.credentials import Credentials, FleetSecurity, check_welcome
from warm_tui.fleet.folder import Away, Folder, check_address
from warm_tui.fleet.functions import FUNCTIONS
from warm_tui.fleet.member import perform
from warm_tui.fleet.messages import Answered, Asked, Member, Standing, decoded, encode
from warm_tui.fleet.quiet import quiet
from warm_tui.paths import Home
from warm_tui.writing import read_ours

AWAY_SECONDS = 10.0
"""A member that beats every second, and was silent for so long, is away."""
PATIENCE_SECONDS = 5.0

T = TypeVar("T", bound=msgspec.Struct)
GONE = (CommClosedError, CancelledError, OSError, TimeoutError)


class Request(Generic[T]):
    """What was asked of a member: it is answered once, or never."""

    def __init__(self, member: str, future: Any, kind: type[T], seconds: float) -> None:
        self.member, self.kind, self.until = member, kind, time.monotonic() + seconds
        self._future = future

    @property
    def done(self) -> bool:
        return bool(self._future.done())

    def answer(self) -> T:
        """Waits until the deadline. Trouble is what the member says; Away, that it says nothing."""
        try:
            answered = decoded(self._future.result(max(0.0, self.until - time.monotonic())), Answered, self.member)
        except GONE as error:
            self.cancel()
            raise Away(f"{self.member} did not answer in time.") from error
        except (distributed.KilledWorker, RuntimeError) as error:
            raise Away(f"{self.member} went away while it was asked.") from error
        if answered.trouble:
            raise Trouble(f"{self.member}: {answered.trouble}")
        return decoded(answered.body, self.kind, self.member)

    def cancel(self) -> None:
        """It is not begun any more; what was begun goes on there, and nobody hears of it."""
        with suppress(Exception):
            self._future.cancel()


class Fleet:
    def __init__(self, home: Home, address: str = "") -> None:
        quiet()
        folder = Folder.of(home)
        self.credentials = Credentials.of(folder, "operator")
        self.address = check_address(address or folder.known_address())
        self._client: Any = None
        self._lock = Lock()
        self._connected()
        if address:
            folder.note_address(self.address)

    def _connected(self) -> Any:
        """The engine's client; another where the scheduler went away meanwhile."""
        with self._lock:
            if self._client is not None and self._client.status == "running":
                return self._client
            self._let_go()
            try:
                check_welcome(self.address, self.credentials, PATIENCE_SECONDS)
                self._client = distributed.Client(
                    self.address,
                    security=FleetSecurity(self.credentials),
                    timeout=PATIENCE_SECONDS,
                    set_as_default=False,
                    direct_to_workers=False,
                )
            except GONE as error:
                raise Away(f"No scheduler answers at {self.address}.") from error
            return self._client

    def _let_go(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):
                client.close(timeout=1)

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- who is there ---

    def members(self) -> list[Member]:
        """By name."""
        client = self._connected()
        try:
            told = client.sync(client.scheduler.identity, n_workers=-1)
        except GONE as error:
            raise Away(f"No scheduler answers at {self.address}.") from error
        now = time.time()
        # Both moments are of the scheduler's clock, which may be another.
        at = max((each["last_seen"] for each in told["workers"].values()), default=now)
        at = max(at, told.get("time", at))
        return sorted(_member(address, each, at, now) for address, each in told["workers"].items())

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
        resources: dict[str, float] | None = None,
        key: str | None = None,
    ) -> Request[T]:
        """Of this member alone, and once: who asks decides what is tried again. `kind`: of the answer.

        `key`: two requests of one key are one, as long as the scheduler lives.
        """
        assert function in FUNCTIONS, function
        if member.refused:
            raise Trouble(member.refused)
        client = self._connected()
        try:
            future = client.submit(
                perform,
                encode(Asked(function, encode(request), seconds)),
                key=key,
                workers=[member.address],
                allow_other_workers=False,
                resources=resources,
                retries=0,
                pure=False,
            )
        except (*GONE, RuntimeError, ValueError) as error:
            raise Away(f"The scheduler went away before {member.name} was asked.") from error
        return Request(member.name, future, kind, seconds)

    def ask(self, name: str, function: str, request: msgspec.Struct, kind: type[T], *, seconds: float) -> T:
        return self.submit(self.member(name), function, request, kind, seconds=seconds).answer()

    def tell_revoked(self, folder: Folder, name: str) -> None:
        client = self._connected()
        pem = read_ours(folder.revoked).decode()
        try:
            client.sync(client.scheduler.take_revoked, pem=pem, name=name)
        except GONE as error:
            raise Away(f"No scheduler answers at {self.address}.") from error


def _member(address: str, told: dict[str, Any], at: float, now: float) -> Member:
    metrics = told.get("metrics", {})
    try:
        standing = msgspec.convert(metrics.get("fleet", {}), Standing)
    except msgspec.ValidationError:
        standing = Standing(newest=0, oldest=0, version="another version")
    silent = max(0.0, at - told["last_seen"])
    cpu = metrics.get("cpu")
    return Member(
        str(told["name"]),
        address,
        standing,
        None if cpu is None else cpu / 100,
        metrics.get("memory"),
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
