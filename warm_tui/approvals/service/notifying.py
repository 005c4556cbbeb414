"""Tell people that something waits: by one way, and where nobody answers in half the time by the next one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from warm_tui.approvals.model import Request
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import beginning

SECONDS = 30.0
"""A way that takes longer is none."""
LONGEST_TEXT = 300


class Way(NamedTuple):
    name: str
    words: tuple[str, ...]
    """The command; the message is put behind it, and the request, as JSON, is what it reads."""


class Delivery(NamedTuple):
    way: str
    delivered: bool
    said: str

    @property
    def event(self) -> str:
        return "notified" if self.delivered else "not_notified"


def message(request: Request) -> str:
    """In no words of whoever asks: some of them have a messenger send files, and what is answered is read whole."""
    minutes = max(1, round(request.timeout_seconds / 60))
    risk = " (high risk)" if request.high_risk else ""
    return (
        f"Approval wanted within {minutes} min: {request.action}{risk}."
        f" Read it by `warm-tui confirm list`; its id begins with {request.id[:8]}."
    )


def is_due(request: Request, told: int, gone: float) -> bool:
    """The first way at once, the second at half the time, each further one at half of what is left."""
    return gone >= request.timeout_seconds * (1 - 0.5**told)


async def deliver(way: Way, request: Request, document: dict[str, Any]) -> Delivery:
    try:
        process = await asyncio.create_subprocess_exec(
            *way.words, message(request), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
    except OSError as error:
        return Delivery(way.name, False, f"{error.strerror or error}")
    try:
        said, _ = await asyncio.wait_for(process.communicate(json.dumps(document).encode()), SECONDS)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return Delivery(way.name, False, f"it took more than {SECONDS:g} seconds")
    told = beginning(shown_line(said.decode("utf-8", "replace").strip()), LONGEST_TEXT)
    return Delivery(way.name, process.returncode == 0, told or f"exit code {process.returncode}")


class Notifier:
    """Which ways were tried for what waits. Begun anew, it tells again: better twice than never."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self.ways = ways
        self._tried: dict[str, int] = {}

    def forget(self, name: str) -> None:
        self._tried.pop(name, None)

    def take_due(self, request: Request, gone: float) -> Way | None:
        tried = self._tried.get(request.id, 0)
        if tried >= len(self.ways) or not is_due(request, tried, gone):
            return None
        self._tried[request.id] = tried + 1
        return self.ways[tried]

    def failed(self, request: Request) -> Way | None:
        """What did not arrive goes the next way at once."""
        return self.take_due(request, float(request.timeout_seconds))
