"""How sessions go over time: what was done, what failed, what it took, by day, week or month.

The time before now is cut into two halves. What changed from the one to the other is called a change only where an
interval over sessions says so, widened for the number of lines that were looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Rate, rate_of

Unit: TypeAlias = Literal["day", "3-days", "week", "month"]
UNITS: tuple[Unit, ...] = get_args(Unit)
DAY = 86_400.0


class Scale(NamedTuple):
    """What a line is drawn by."""

    seconds: float
    half: int
    """So many points are now, and as many before."""

    @property
    def days(self) -> int:
        """In a half."""
        return round(self.seconds * self.half / DAY)


SCALES: dict[Unit, Scale] = {
    "day": Scale(DAY, 14), "3-days": Scale(3 * DAY, 10), "week": Scale(7 * DAY, 8), "month": Scale(30 * DAY, 6),
}  # fmt: skip

BY: dict[str, Callable[[Profile], str]] = {
    "source": lambda p: p.source,
    "model": lambda p: p.model or "",
    "home": lambda p: p.home,
    "agent": lambda p: p.agent,
}
TOOL, ALL = "tool", "all"
MOST_LINES = 8
"""Of each kind, those with the most calls: the more lines are looked at, the less is seen of each."""
FEW_ON_A_MODEL = 3
"""A model is marked once so many sessions ran on it."""


class Sums(msgspec.Struct, frozen=True):
    """What some sessions come to."""

    sessions: int = 0
    calls: int = 0
    """With a known outcome: what the rate is of."""
    failures: int = 0
    tokens: int | None = None
    """Of the sessions of which it is known."""
    cost_usd: float | None = None
    outcomes: Rate = Rate()
    learned: int = 0
    """What agents kept for later sessions, and of that what their reviews did."""
    learned_by_review: int = 0

    @property
    def rate(self) -> float | None:
        return self.failures / self.calls if self.calls else None


class Point(msgspec.Struct, frozen=True):
    start: float
    sums: Sums
    low: float | None = None
    high: float | None = None
    """Between what the rate lies, as far as so many sessions tell."""


class Line(msgspec.Struct, frozen=True):
    by: str
    name: str
    """Which of them: empty where it is of all."""
    before: Sums
    now: Sums
    points: tuple[Point, ...]
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    """Of the rate now less the rate before, as wide as so many lines ask for; None where there are too few sessions."""

    @property
    def change(self) -> Literal["better", "worse", "none shown", "too few"]:
        if self.low is None or self.high is None:
            return "too few"
        return "worse" if self.low > 0 else "better" if self.high < 0 else "none shown"


class Mark(msgspec.Struct, frozen=True):
    """Something that happened at a time, which may have changed the line, or not."""

    at: float
    kind: Literal["activation", "revision", "deactivation", "agent", "model"]
    words: str


class Trends(msgspec.Struct, frozen=True):
    unit: Unit
    start: float
    middle: float
    end: float
    lines: tuple[Line, ...]
    """That of all first."""
    looked_at: int = 0
    """How many lines had sessions enough to be looked at for a change."""
    marks: tuple[Mark, ...] = ()
    is_past: bool = False
    """It ends with the newest session, as none is of the days up to now."""

    @property
    def all(self) -> Line:
        return self.lines[0]

    @property
    def days(self) -> int:
        return SCALES[self.unit].days

    @property
    def by(self) -> str:
        """What a point of it is of, in words."""
        return self.unit.replace("-", " ")

    def of(self, by: str) -> list[Line]:
        return [line for line in self.lines if line.by == by]


def sums_of(profiles: Iterable[Profile], tool: str = "") -> Sums:
    """`tool`: of its calls alone."""
    found = list(profiles)
    if tool:
        failed, calls = (sum(p.tool_failures.get(tool, (0, 0))[at] for p in found) for at in (0, 1))
        return Sums(len(found), calls, failed)
    tokens = [p.known_tokens for p in found if p.known_tokens is not None]
    costs = [p.cost_usd for p in found if p.cost_usd is not None]
    return Sums(
        len(found),
        sum(p.known_calls for p in found),
        sum(p.failed_calls for p in found),
        sum(tokens) if tokens else None,
        sum(costs) if costs else None,
        rate_of(p.outcome for p in found),
        sum(p.learned_in_all for p in found if p.learned),
        sum(p.learned_by_review for p in found),
    )


class _Chosen(NamedTuple):
    by: str
    name: str
    profiles: list[Profile]

    @property
    def tool(self) -> str:
        return self.name if self.by == TOOL else ""

    def failures(self, profile: Profile) -> tuple[int, int]:
        if self.by == TOOL:
            return profile.tool_failures.get(self.name, (0, 0))
        return profile.failed_calls, profile.known_calls


def trends_of(profiles: Sequence[Profile], unit: Unit, end: float, marks: Sequence[Mark] = ()) -> Trends:
    """`end`: of the last day, week or month, which may not be over yet."""
    scale = SCALES[unit]
    middle, start = end - scale.half * scale.seconds, end - 2 * scale.half * scale.seconds
    within = [p for p in profiles if p.started_at is not None and start <= p.started_at < end]
    chosen = _chosen(within)
    lines = [_line(each, start, scale) for each in chosen]
    lines, looked_at = _with_intervals(lines, chosen, roots_of(profiles), start, scale)
    shown = [mark for mark in (*marks, *model_marks(profiles)) if start <= mark.at < end]
    return Trends(unit, start, middle, end, tuple(lines), looked_at, tuple(sorted(shown, key=lambda mark: mark.at)))


def _chosen(profiles: Sequence[Profile]) -> list[_Chosen]:
    """All, then what there are several of, by kind, those with the most calls first."""
    found = [_Chosen(ALL, "", list(profiles))]
    for by, name_of in BY.items():
        groups: dict[str, list[Profile]] = {}
        for profile in profiles:
            groups.setdefault(name_of(profile), []).append(profile)
        if len(groups) > 1:
            found += _most([_Chosen(by, name, group) for name, group in groups.items() if name])
    tools: dict[str, list[Profile]] = {}
    for profile in profiles:
        for tool in profile.tool_failures:
            tools.setdefault(tool, []).append(profile)
    # What one tool alone did is what all did.
    return found + (_most([_Chosen(TOOL, name, group) for name, group in tools.items()]) if len(tools) > 1 else [])


def _most(lines: list[_Chosen]) -> list[_Chosen]:
    def calls(line: _Chosen) -> tuple[int, str]:
        return -sum(line.failures(profile)[1] for profile in line.profiles), line.name

    return sorted(lines, key=calls)[:MOST_LINES]


def _line(chosen: _Chosen, start: float, scale: Scale) -> Line:
    at_point: list[list[Profile]] = [[] for _ in range(2 * scale.half)]
    for profile in chosen.profiles:
        at_point[_place(profile, start, scale)].append(profile)
    halves = [
        [profile for group in half for profile in group] for half in (at_point[: scale.half], at_point[scale.half :])
    ]
    before, now = (sums_of(half, chosen.tool) for half in halves)
    points = (Point(start + at * scale.seconds, sums_of(group, chosen.tool)) for at, group in enumerate(at_point))
    return Line(chosen.by, chosen.name, before, now, tuple(points))


def _place(profile: Profile, start: float, scale: Scale) -> int:
    return min(2 * scale.half - 1, int(((profile.started_at or 0.0) - start) / scale.seconds))


class _Counted:
    """Failures and calls of each unit by line, however many sessions it has."""

    def __init__(self) -> None:
        self._units: dict[str, dict[int, tuple[int, int]]] = {}

    def add(self, unit: str, line: int, failures: int, calls: int) -> None:
        lines = self._units.setdefault(unit, {})
        before = lines.get(line, (0, 0))
        lines[line] = before[0] + failures, before[1] + calls

    @property
    def sessions(self) -> list[list[tuple[int, float, float]]]:
        return [[(line, *counts) for line, counts in lines.items()] for lines in self._units.values()]


def _with_intervals(
    lines: list[Line], chosen: list[_Chosen], roots: dict[str, str], start: float, scale: Scale
) -> tuple[list[Line], int]:
    """The line of all with a band about each point, and each line with the interval of its change."""
    from warm_tui.reliability.over_sessions import differences, rates

    before, now, by_point = _Counted(), _Counted(), _Counted()
    for number, line in enumerate(chosen):
        for profile in line.profiles:
            failures, calls = line.failures(profile)
            if not calls:
                continue
            unit, place = roots.get(profile.session_id, profile.session_id), _place(profile, start, scale)
            (before if place < scale.half else now).add(unit, number, failures, calls)
            if line.by == ALL:
                by_point.add(unit, place, failures, calls)
    found, looked_at = differences(before.sessions, now.sessions, len(chosen))
    told = [
        replace(line, difference=each.value, low=each.low, high=each.high)
        for line, each in zip(lines, found, strict=True)
    ]
    bands = zip(told[0].points, rates(by_point.sessions, 2 * scale.half), strict=True)
    points = tuple(replace(point, low=band.low, high=band.high) for point, band in bands)
    return [replace(told[0], points=points), *told[1:]], looked_at


def roots_of(profiles: Iterable[Profile]) -> dict[str, str]:
    """For each branch the session that it came from, at last: together they are one unit."""
    profiles = list(profiles)
    # A branch is made of what then was the last session of a life, which is known by its first.
    life_of = {member: p.session_id for p in profiles for member in p.session_ids[1:]}
    before = {
        p.session_id: life_of.get(p.parent_session_id, p.parent_session_id)
        for p in profiles
        if p.relation == "branch" and p.parent_session_id
    }
    roots = {}
    for name, parent in before.items():
        seen = {name}
        while parent in before and parent not in seen:
            seen.add(parent)
            parent = before[parent]
        roots[name] = parent
    return roots


def model_marks(profiles: Iterable[Profile]) -> list[Mark]:
    """When a model came in that several sessions have run on since; the first of all is no change."""
    first: dict[str, float] = {}
    count: Counter[str] = Counter()
    for profile in profiles:
        if profile.model and profile.started_at is not None:
            count[profile.model] += 1
            first[profile.model] = min(profile.started_at, first.get(profile.model, profile.started_at))
    came = sorted((at, model) for model, at in first.items() if count[model] >= FEW_ON_A_MODEL)
    return [Mark(at, "model", f"first session on {model}") for at, model in came[1:]]
