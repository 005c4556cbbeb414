"""Where compaction copied rows: the blocks of carried-over messages, and so the cuts of a session.

In place, Hermes retires the live rows and writes the kept head, a summary and the kept tail again as
new rows of the same session. Chained, a child session begins with them. Either way a block of copies
stands around a new summary: before it the beginning of what was live, behind it the end of what was
live. What follows is fresh, even if it looks like something seen before: users say "continue" more
than once, and some models number their calls anew in every turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any, TypeAlias

from warm_tui.sessions.hermes.again import find_again
from warm_tui.sessions.hermes.identity import identity_of
from warm_tui.sessions.model import Message

Mark: TypeAlias = tuple[Any, ...]
"""What a copy of a message has in common with it. A tool's result has none: it goes with its call."""


def find_blocks(messages: Sequence[Message], parent: Sequence[Message] | None = None, begin: int = 0) -> list[range]:
    """The runs that compaction copied, in order. With a parent, the first is what it handed on, if only nothing.

    `begin`: how many messages stand before the session's own, copied when it was branched.
    """
    if parent is None and not _may_hold_copies(messages[begin:] if begin else messages):
        return []
    finder = _Finder(messages, parent, begin)
    finder.walk()
    return finder.blocks


def count_copies(messages: Sequence[Message], original: Sequence[Message]) -> int:
    """How many messages at the beginning repeat those of the session they were branched from, in its order.

    Calls decide: words may be kept otherwise than they were sent, and what was compacted is not copied.
    """
    calls = [tuple(map(identity_of, message.calls)) for message in original]
    words = [(message.role, message.text) for message in original]
    copied = passed = 0
    for at, message in enumerate(messages):
        if message.calls:
            place = _place(calls, tuple(map(identity_of, message.calls)), passed)
            if place is None:
                break
            copied, passed = at + 1, place + 1
    for message in messages[copied:]:
        if message.role != "tool":
            place = None if message.calls else _place(words, (message.role, message.text), passed)
            if place is None:
                break
            passed = place + 1
        copied += 1
    return copied


def _place(things: Sequence[Any], thing: Any, start: int) -> int | None:
    try:
        return things.index(thing, start)
    except ValueError:
        return None


def _may_hold_copies(messages: Sequence[Message]) -> bool:
    # On every message of every session, so by a list: that is faster.
    return any([message.retired or message.is_summary for message in messages])  # noqa: C419


class _Finder:
    """One pass over the messages, knowing at each what is live: what the next compaction can copy."""

    def __init__(self, messages: Sequence[Message], parent: Sequence[Message] | None, begin: int) -> None:
        self.messages = messages
        self.begin = begin
        self.marks = [_mark(message) for message in messages]
        self.blocks: list[range] = []
        self.live: list[Mark] = [mark for message in parent or () if not message.retired and (mark := _mark(message))]
        self.live += [mark for mark in self.marks[:begin] if mark]
        self.summaries: set[str] = {message.text for message in messages[:begin] if message.is_summary}
        self.inherits = parent is not None
        self.again = frozenset(chain.from_iterable(find_again(messages)))

    def walk(self) -> None:
        retired_end = self._retired_end()
        at = self.begin
        while at < len(self.messages):
            if self.messages[at].is_summary and at not in self.again:
                if self.inherits and self._has_worked(at):
                    self._inherit_without_summary(at)
                at = self._cut(at, retired_end)
            elif at == retired_end and (stop := self._end_of_copies(at)) > at:
                # Everything before was retired and some of it copied; no summary says why: a cut all the same.
                at = self._close(at, stop)
            else:
                if (mark := self.marks[at]) and not self.inherits:
                    self.live.append(mark)
                at += 1
        if self.inherits:
            self._close(0, self._end_of_tail(0, self.live) if self.messages else 0)

    def _has_worked(self, summary: int) -> bool:
        """Whether calls were made before this summary: then it is not the one that the session began with."""
        known = {mark for mark in self.live if _is_call(mark)}
        return any(_is_call(mark) and mark not in known for mark in self.marks[:summary])

    def _inherit_without_summary(self, stop: int) -> None:
        end = self._close(0, min(stop, self._end_of_tail(0, self.live)))
        self.live += [mark for mark in self.marks[end:stop] if mark]

    def _cut(self, summary: int, retired_end: int | None) -> int:
        """A block around this summary. Returns where it ends."""
        before = self.live
        if self.inherits:
            start = 0
        else:
            start = self._start_of_head(summary)
            if retired_end is not None and start <= retired_end <= summary:
                start = retired_end
            copied = sum(1 for mark in self.marks[start:summary] if mark)
            before = self.live[: len(self.live) - copied]
        return self._close(start, self._end_of_tail(summary, before))

    def _close(self, start: int, stop: int) -> int:
        self.blocks.append(range(start, stop))
        self.live = [mark for mark in self.marks[start:stop] if mark]
        self.summaries = {self.messages[at].text for at in range(start, stop) if self.messages[at].is_summary}
        self.inherits = False
        return stop

    def _start_of_head(self, summary: int) -> int:
        """The longest run of rows before the summary that repeats the beginning of what was live."""
        floor = self.blocks[-1].stop if self.blocks else self.begin
        since = [at for at in range(floor, summary) if self.marks[at]]
        for length in range(min(len(since), len(self.live) // 2), 0, -1):
            if [self.marks[at] for at in since[-length:]] == self.live[:length]:
                return since[-length]
        return summary

    def _end_of_tail(self, summary: int, before: list[Mark]) -> int:
        """Behind the longest run of calls from here on that repeats the end of what was live."""
        stop = min(summary + 1, len(self.messages)) if self.messages[summary].is_summary else summary
        known = [mark for mark in before if _is_call(mark)]
        behind = (at for at in range(summary, len(self.messages)) if _is_call(self.marks[at]))
        calls = list(islice(behind, len(known)))
        for length in range(len(calls), 0, -1):
            first = self.marks[calls[0]] == known[-length]
            if first and [self.marks[at] for at in calls[:length]] == known[-length:]:
                stop = calls[length - 1] + 1
                break
        while stop < len(self.messages) and (self.messages[stop].role == "tool" or self._is_old_summary(stop)):
            stop += 1
        return self._behind_words(stop, before)

    def _end_of_copies(self, at: int) -> int:
        if any(message.is_summary for message in self.messages[at:]):
            return at
        return self._end_of_tail(at, self.live)

    def _behind_words(self, stop: int, before: list[Mark]) -> int:
        """What was said after the last call was live too, and is copied with it."""
        last_call = max((at for at, mark in enumerate(before) if _is_call(mark)), default=-1)
        words = before[last_call + 1 :]
        for skipped in range(len(words)):
            length = len(words) - skipped
            if self.marks[stop : stop + length] == words[skipped:]:
                return stop + length
        return stop

    def _is_old_summary(self, at: int) -> bool:
        return self.messages[at].is_summary and self.messages[at].text in self.summaries

    def _retired_end(self) -> int | None:
        """Where the rows begin that the last compaction in place wrote."""
        last = max((at for at, message in enumerate(self.messages) if message.retired), default=None)
        return None if last is None or last + 1 >= len(self.messages) else last + 1


def _is_call(mark: Mark | None) -> bool:
    return mark is not None and mark[0] == "calls"


def _mark(message: Message) -> Mark | None:
    if message.role == "tool":
        return None
    if message.calls:
        return ("calls", *map(identity_of, message.calls))
    return (message.role, message.text)
