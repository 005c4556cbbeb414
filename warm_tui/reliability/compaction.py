"""What compaction did to proficiency: each life's calls by segment, and the change over each cut.

Only fresh calls count: the copies that compaction leaves are the same calls again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

import msgspec

from warm_tui.reliability.bounds import Bounds
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.stats import LEVEL, Exact, Stratum, exact_test, holm, newcombe, wilson
from warm_tui.reliability.steps import Course, Reach, Shape, reach, shape
from warm_tui.sessions.lineage import Life

TOLERANCE = 1.2
"""Not worse by more than 20 %."""

ChangeVerdict: TypeAlias = Literal["preserved", "degraded", "improved", "inconclusive"]
Why: TypeAlias = Literal[
    "", "no calls", "no failures", "within tolerance", "other tools", "no step", "too few", "drift"
]  # fmt: skip
"""Why a change is inconclusive; or, of one that is told, what else it could be."""


class Counts(msgspec.Struct, frozen=True):
    """Fresh calls whose verdict is known, trivial tools left out."""

    calls: int = 0
    failures: int = 0

    @property
    def rate(self) -> float | None:
        return self.failures / self.calls if self.calls else None

    @property
    def pair(self) -> tuple[int, int]:
        return self.failures, self.calls

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.calls + other.calls, self.failures + other.failures)


NOTHING = Counts()
ByTool: TypeAlias = Mapping[str, Counts]


class Segment(msgspec.Struct, frozen=True):
    """The work between two compactions."""

    index: int
    session_id: str
    calls: int
    """Fresh calls of all tools but the trivial ones, known or not."""
    carried_calls: int
    counts: Counts
    tools: dict[str, Counts]

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(*self.counts.pair)


class Change(msgspec.Struct, frozen=True):
    """The rate before and after, and what may be said of it."""

    before: Counts
    after: Counts
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None
    """For the number of compactions of the life."""
    verdict: ChangeVerdict
    why: Why = ""
    tests: int = 1
    """How many the p-value is corrected for."""

    @property
    def detectable(self) -> Reach:
        """How large a change would have had to be to be shown, four times in five. Counted out when it is asked for."""
        return reach(self.before.pair, self.after.calls, TOLERANCE, LEVEL / self.tests)

    @property
    def preserved(self) -> bool | None:
        """Answered only where the verdict is."""
        return None if self.verdict == "inconclusive" else self.verdict != "degraded"

    @property
    def bounds(self) -> Bounds | None:
        return None if self.low is None or self.high is None else Bounds(self.low, self.high)


class Impact(msgspec.Struct, frozen=True):
    """All of a life's segments, the change over each cut, and that from before the first cut to after it."""

    session_ids: list[str]
    segments: list[Segment]
    changes: list[Change]
    whole: Change | None
    """None where there was no compaction."""


def impact_of(life: Life, calls: Iterable[Judged]) -> Impact:
    calls = list(calls)
    segments, courses = segments_of(life, calls), _courses(life, calls)
    over_cuts = [_tested(before.tools, after.tools) for before, after in pairwise(segments)]
    corrected = holm([test.p_value for _, _, test in over_cuts])
    changes = [
        change(before, after, test, p_corrected, len(over_cuts), partial(_shape, courses[at : at + 2]))
        for at, ((before, after, test), p_corrected) in enumerate(zip(over_cuts, corrected, strict=True))
    ]
    return Impact([session.id for session in life.sessions], segments, changes, _whole_change(segments, courses))


def _courses(life: Life, calls: Iterable[Judged]) -> list[list[tuple[str, bool]]]:
    """By segment, what became of each call that counts, in order."""
    courses: list[list[tuple[str, bool]]] = [[] for _ in range(life.segments)]
    for call, verdict in calls:
        if not call.trivial and verdict.outcome != "unknown":
            courses[call.segment].append((call.tool_name, verdict.outcome == "failure"))
    return courses


def _shape(courses: Sequence[Course]) -> Shape:
    """Over the cut behind the first."""
    return shape([call for course in courses for call in course], len(courses[0]))


def segments_of(life: Life, calls: Iterable[Judged]) -> list[Segment]:
    made = [0] * life.segments
    tools: list[dict[str, Counts]] = [{} for _ in made]
    for call, verdict in calls:
        if call.trivial:
            continue
        made[call.segment] += 1
        if verdict.outcome != "unknown":
            counts = tools[call.segment]
            counts_of_call = Counts(1, verdict.outcome == "failure")
            counts[call.tool_name] = counts.get(call.tool_name, NOTHING) + counts_of_call
    owners = [
        (session.id, carried)
        for session, part in zip(life.sessions, life.parts, strict=True)
        for carried in part.carried
    ]
    return [
        Segment(at, owner, made[at], carried, total(tools[at]), tools[at]) for at, (owner, carried) in enumerate(owners)
    ]


def total(tools: ByTool) -> Counts:
    return sum(tools.values(), start=NOTHING)


def merged(parts: Iterable[ByTool]) -> dict[str, Counts]:
    whole: dict[str, Counts] = {}
    for part in parts:
        for tool, counts in part.items():
            whole[tool] = whole.get(tool, NOTHING) + counts
    return whole


def _whole_change(segments: Sequence[Segment], courses: Sequence[Course]) -> Change | None:
    """Before the first compaction against all that came after it."""
    if len(segments) < 2:
        return None
    before, after, test = _tested(segments[0].tools, merged(segment.tools for segment in segments[1:]))
    return change(before, after, test, test.p_value, shape_of=partial(_shape, courses))


def _tested(before: ByTool, after: ByTool) -> tuple[Counts, Counts, Exact]:
    strata = [
        Stratum(first.failures, first.calls, second.failures, second.calls)
        for tool in {**before, **after}
        for first, second in [(before.get(tool, NOTHING), after.get(tool, NOTHING))]
    ]
    return total(before), total(after), exact_test(strata)


def change(
    before: Counts,
    after: Counts,
    test: Exact,
    p_corrected: float,
    tests: int = 1,
    shape_of: Callable[[], Shape] = lambda: "step",
) -> Change:
    """In words: a change is only called one where the rates and the test at equal tool mix agree on it.

    `shape_of`: is it a step, beside runs of failures and drift? Asked for what would be called a change.
    """
    if before.rate is None or after.rate is None:
        return Change(before, after, None, None, None, None, None, "inconclusive", why="no calls")
    difference = after.rate - before.rate
    low, high = newcombe(before.pair, after.pair) or (-1.0, 1.0)
    bound = newcombe(before.pair, after.pair, TOLERANCE) or (-1.0, 1.0)
    within = after.rate <= TOLERANCE * before.rate
    shown = p_corrected < LEVEL
    verdict: ChangeVerdict = "inconclusive"
    if shown and difference > 0 and test.excess > 0 and not within:
        verdict = "degraded"
    elif shown and difference < 0 and test.excess < 0:
        verdict = "improved"
    elif within and bound[1] <= 0:
        verdict = "preserved"
    why = _why(before, after, difference, test, shown, tests) if verdict == "inconclusive" else ""
    if verdict in ("degraded", "improved") and (looks := shape_of()) != "step":
        verdict, why = (verdict, "drift") if looks == "perhaps drift" else ("inconclusive", "no step")
    return Change(before, after, difference, low, high, test.p_value, p_corrected, verdict, why, tests)


def _why(before: Counts, after: Counts, difference: float, test: Exact, shown: bool, tests: int) -> Why:
    if not before.failures and not after.failures:
        return "no failures"
    if shown and difference > 0 and test.excess > 0:
        return "within tolerance"
    # All tools in one, it would have been shown.
    pooled = exact_test([Stratum(before.failures, before.calls, after.failures, after.calls)])
    return "other tools" if shown or pooled.p_value * tests < LEVEL else "too few"
