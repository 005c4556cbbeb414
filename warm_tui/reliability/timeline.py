"""A life call by call: how often the last calls failed, how full the context was, and where compaction cut it.

Computed once, and drawn the same on a screen, in a report and in a picture.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from warm_tui.reliability.bounds import RUNNING
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.stats import wilson
from warm_tui.reliability.survival import FATES, Survival
from warm_tui.sessions.lineage import Life
from warm_tui.sessions.tokens import estimate_messages


class Point(msgspec.Struct, frozen=True, gc=False):
    """One call that counts, trivial tools left out."""

    segment: int
    failed: bool | None
    """None where the verdict is unknown."""
    rate: float | None
    """Of the last calls of its segment, this one included; None where none of them has a verdict."""
    low: float
    high: float
    of: int
    """How many calls the rate is of."""
    context: int
    """How many tokens stood in the context when it was made, about."""


class CutMark(msgspec.Struct, frozen=True):
    """A compaction: before which call, and what it left."""

    index: int
    at: int
    before: int
    """Tokens of the context, about; 0 where what stood before is not recorded."""
    after: int
    kept: int | None = None
    """Calls that were kept word for word, of `calls`; None where that was not looked at."""
    calls: int = 0


class Timeline(msgspec.Struct, frozen=True):
    points: list[Point]
    cuts: list[CutMark]
    outcomes: list[str]
    """For each point how its call ended, as pictures name it."""
    calls: list[Judged]
    """For each point its call."""

    @property
    def fullest(self) -> int:
        return max([1, *(point.context for point in self.points), *(cut.before for cut in self.cuts)])

    def spans(self) -> list[tuple[int, int, int]]:
        """Each segment with its first point and the one behind its last."""
        edges = [0, *(cut.at for cut in self.cuts), len(self.points)]
        return [(at, edges[at], edges[at + 1]) for at in range(len(edges) - 1)]


def timeline_of(
    life: Life, calls: Sequence[Judged], survived: Sequence[Survival], outcome: Callable[[Judged], str]
) -> Timeline:
    """`outcome` names how a call ended, as pictures name it."""
    contexts, cuts = _contexts(life)
    counted = sorted((each for each in calls if not each[0].trivial), key=lambda each: each[0].segment)
    rates = _running([(call.segment, _failed(verdict)) for call, verdict in counted])
    points = [
        Point(call.segment, _failed(verdict), *rate, contexts.get((call.session_id, call.message_id), 0))
        for (call, verdict), rate in zip(counted, rates, strict=True)
    ]
    segments = [point.segment for point in points]
    by_index = {survival.index: survival for survival in survived if survival.recorded}
    marks = []
    for index in range(1, life.segments):
        before, after = cuts[index - 1] if index <= len(cuts) else (0, 0)
        mark = CutMark(index, bisect_left(segments, index), before, after)
        if (survival := by_index.get(index)) is not None:
            # Each message for itself is rounded, and so their sum is another one than that of all at once.
            before, after = survival.tokens_before, survival.tokens_after
            mark = replace(
                mark, before=before, after=after, kept=survival.calls("kept"), calls=sum(map(survival.calls, FATES))
            )
        marks.append(mark)
    return Timeline(points, marks, [outcome(each) for each in counted], counted)


def _failed(verdict: Verdict) -> bool | None:
    return None if verdict.outcome == "unknown" else verdict.outcome == "failure"


def _running(calls: Sequence[tuple[int, bool | None]]) -> Iterator[tuple[float | None, float, float, int]]:
    """The rate of the last calls of each segment, with its interval: what was before a cut says nothing after it."""
    last: deque[bool] = deque(maxlen=RUNNING)
    failures, segment = 0, 0
    for own, failed in calls:
        if own != segment:
            last.clear()
            failures, segment = 0, own
        if failed is not None:
            failures += failed - (last[0] if len(last) == RUNNING else False)
            last.append(failed)
        interval = wilson(failures, len(last))
        yield (None, 0.0, 1.0, 0) if interval is None else (failures / len(last), *interval, len(last))


def _contexts(life: Life) -> tuple[dict[tuple[str, int], int], list[tuple[int, int]]]:
    """The tokens in the context at each message, and before and after each cut."""
    found: dict[tuple[str, int], int] = {}
    cuts: list[tuple[int, int]] = []
    context = 0
    for at, (session, part, messages) in enumerate(life.walk()):
        inherits = len(part.blocks) > part.compactions
        blocks = iter(part.blocks)
        block = next(blocks, None)
        before = 0
        for nth, message in enumerate([*messages, None]):
            if block is not None and nth == block.start:
                before, context = context, 0
            if block is not None and nth == block.stop:
                # What a first session begins with was cut in a life that is not this one.
                if at or not (inherits and block == part.blocks[0]):
                    cuts.append((before, context))
                block = next(blocks, None)
                if block is not None and nth == block.start:
                    before, context = context, 0
            if message is not None:
                context += estimate_messages([message])
                found[session.id, message.id] = context
    return found, cuts
