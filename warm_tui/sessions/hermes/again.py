"""Messages that a session holds twice: 0.19 writes all of a session once more that was resumed and left without a word.

Every `/resume` of it doubles what stands there. The new rows keep the time of the first making, to a millionth of a
second, which is what tells them from words that were said, and from calls that were made, once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warm_tui.sessions.hermes.identity import DRAWN_BY_LOT, identity_of
from warm_tui.sessions.model import Message


def find_again(messages: Sequence[Message]) -> list[range]:
    """The runs of messages that stood there before, in order."""
    times = [message.timestamp for message in messages]
    if len(set(times)) == len(times):
        return []
    seen: set[tuple[Any, ...]] = set()
    runs: list[range] = []
    first: int | None = None
    for at, message in enumerate(messages):
        mark = mark_of(message)
        if message.timestamp is not None and mark in seen:
            first = at if first is None else first
            continue
        seen.add(mark)
        if first is not None:
            runs.append(range(first, at))
            first = None
    if first is not None:
        runs.append(range(first, len(messages)))
    return [run for run in runs if _is_certain(messages[run.start : run.stop])]


def mark_of(message: Message) -> tuple[Any, ...]:
    calls = tuple(map(identity_of, message.calls))
    # What is loaded to be written again is stripped.
    return message.timestamp, message.role, message.answers, calls or message.text.strip()


def _is_certain(run: Sequence[Message]) -> bool:
    """All of one moment: a history that was written at once may tell what was said, or called, twice."""
    drawn = any(DRAWN_BY_LOT.search(call.id) for message in run for call in message.calls)
    return drawn or len({message.timestamp for message in run}) > 1
