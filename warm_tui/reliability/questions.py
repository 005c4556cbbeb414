"""What the research behind warm sessions claims, asked of one's own sessions: are long ones more reliable, does code
help, as what a session began with. Sessions are the units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import msgspec

from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_LETTER, LONGEST_COURSE, fifth_of
from warm_tui.reliability.trends import roots_of


class Group(msgspec.Struct, frozen=True):
    """Some sessions, or some of their calls, with the rate at which these fail."""

    name: str
    sessions: int = 0
    calls: int = 0
    failures: int = 0
    low: float | None = None
    high: float | None = None

    @property
    def rate(self) -> float | None:
        return self.failures / self.calls if self.calls else None


class Change(msgspec.Struct, frozen=True):
    """From one thing to another; below nought is better. None where too few sessions tell."""

    name: str
    sessions: int = 0
    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_shown(self) -> bool:
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Lengths(msgspec.Struct, frozen=True):
    """Are long sessions more reliable?"""

    bands: tuple[Group, ...]
    difference: Change
    """The longest less the middle ones."""
    places: tuple[Group, ...]
    within: tuple[Change, ...]
    """Within the same sessions, at equal tool mix: the calls at a later place less the first ones."""


class Beginnings(msgspec.Struct, frozen=True):
    """Do sessions that begin with code improve, and those that begin with files degrade?"""

    groups: tuple[Group, ...]
    changes: tuple[Change, ...]
    """From early to late, within the same sessions, at equal tool mix."""


LOOKS = 3
"""So many changes stand beside each other, of each of which one is looked at: their intervals are as much wider."""
BANDS = (("under 20 messages", 0, 20), ("20 to 99", 20, 100), ("100 and more", 100, None))
BEGAN = {"code": ("code", "terminal"), "files": ("file",), "research": ("research",)}
"""The kinds of tool that most of the first calls were of. A command may be code as well as anything."""
PLACES = ((0, 10), (10, 30), (30, 100), (100, LONGEST_COURSE))
"""The calls of a session by their place in it, as far as that is kept."""
PLACE_NAMES = tuple(f"calls {start + 1} to {stop}" for start, stop in PLACES)


def lengths_of(profiles: Sequence[Profile]) -> Lengths:
    roots = roots_of(profiles)
    bands = [_band(profile) for profile in profiles]
    groups = _groups([name for name, *_ in BANDS], profiles, roots, lambda at: [(bands[at], _known(profiles[at]))])
    long_enough = [p for p in profiles if len(p.course) > PLACES[0][1]]
    counted = [_by_place(p) for p in long_enough]
    places = _groups(list(PLACE_NAMES), long_enough, roots, lambda at: list(enumerate(map(_together, counted[at]))))
    within = tuple(_within(counted, at) for at in range(1, len(PLACES)))
    return Lengths(groups, _longest_less_middle(profiles, bands, roots), places, within)


def beginnings_of(profiles: Sequence[Profile]) -> Beginnings:
    names = list(BEGAN)
    began = [next((at for at, kinds in enumerate(BEGAN.values()) if p.first_tool_type in kinds), -1) for p in profiles]
    groups = _groups(
        names, profiles, roots_of(profiles), lambda at: [(began[at], _known(profiles[at]))] if began[at] >= 0 else []
    )
    changes = [
        _mean_change(name, [p for p, each in zip(profiles, began, strict=True) if each == at])
        for at, name in enumerate(names)
    ]
    return Beginnings(groups, tuple(changes))


def _band(profile: Profile) -> int:
    return next(
        at
        for at, (_, low, high) in enumerate(BANDS)
        if profile.message_count >= low and (high is None or profile.message_count < high)
    )


def _known(profile: Profile) -> tuple[int, int]:
    return profile.failed_calls, profile.known_calls


_Counts: TypeAlias = dict[str, tuple[int, int]]
"""Failures and calls of each tool."""


def _by_place(profile: Profile) -> list[_Counts]:
    tools = list(profile.tool_distribution)
    places: list[_Counts] = []
    for start, stop in PLACES:
        counts: _Counts = {}
        for letter, went in zip(profile.course_tools[start:stop], profile.course[start:stop], strict=True):
            if went != "?":
                tool = tools[ord(letter) - FIRST_LETTER]
                failures, calls = counts.get(tool, (0, 0))
                counts[tool] = failures + (went == "x"), calls + 1
        places.append(counts)
    return places


def _together(counts: _Counts) -> tuple[int, int]:
    return sum(failures for failures, _ in counts.values()), sum(calls for _, calls in counts.values())


def _groups(
    names: Sequence[str],
    profiles: Sequence[Profile],
    roots: dict[str, str],
    parts_of: Callable[[int], Iterable[tuple[int, tuple[int, int]]]],
) -> tuple[Group, ...]:
    """`parts_of`: in which groups a session has a part, and with how many failures and calls."""
    from warm_tui.reliability.over_sessions import rates

    units: dict[str, list[tuple[int, float, float]]] = {}
    totals = [(0, 0, 0)] * len(names)
    for at, profile in enumerate(profiles):
        for group, (failures, calls) in parts_of(at):
            if calls:
                units.setdefault(roots.get(profile.session_id, profile.session_id), []).append((group, failures, calls))
                sessions, made, failed = totals[group]
                totals[group] = sessions + 1, made + calls, failed + failures
    bounds = rates([_summed(parts) for parts in units.values()], len(names))
    return tuple(
        Group(name, *counts, bound.low, bound.high) for name, counts, bound in zip(names, totals, bounds, strict=True)
    )


def _summed(parts: Iterable[tuple[int, float, float]]) -> list[tuple[int, float, float]]:
    sums: dict[int, tuple[float, float]] = {}
    for group, failures, calls in parts:
        before = sums.get(group, (0.0, 0.0))
        sums[group] = before[0] + failures, before[1] + calls
    return [(group, *counts) for group, counts in sums.items()]


def _longest_less_middle(profiles: Sequence[Profile], bands: Sequence[int], roots: dict[str, str]) -> Change:
    from warm_tui.reliability.over_sessions import differences

    sides: list[dict[str, list[tuple[int, float, float]]]] = [{}, {}]
    for profile, band in zip(profiles, bands, strict=True):
        failures, calls = _known(profile)
        if band and calls:
            unit = roots.get(profile.session_id, profile.session_id)
            sides[band - 1].setdefault(unit, []).append((0, failures, calls))
    middle, longest = ([_summed(parts) for parts in side.values()] for side in sides)
    (found,), _ = differences(middle, longest, 1)
    return Change("100 and more, less 20 to 99", len(middle) + len(longest), found.value, found.low, found.high)


def _within(sessions: Sequence[Sequence[_Counts]], place: int) -> Change:
    """Each tool late less early in the same session, as often as it was used at both places."""
    from warm_tui.reliability.over_sessions import weighted_mean

    values = []
    for places in sessions:
        total = weight = 0.0
        for tool, (late_failed, late_calls) in places[place].items():
            failed, calls = places[0].get(tool, (0, 0))
            share = min(calls, late_calls)
            if share:
                total += share * (late_failed / late_calls - failed / calls)
                weight += share
        if weight:
            values.append((total / weight, weight))
    found = weighted_mean(values, LOOKS)
    return Change(f"{PLACE_NAMES[place]}, less {PLACE_NAMES[0]}", len(values), found.value, found.low, found.high)


def _mean_change(name: str, profiles: Iterable[Profile]) -> Change:
    from warm_tui.reliability.over_sessions import weighted_mean

    values = [(p.adjusted_gain, float(fifth_of(p.known_calls))) for p in profiles if p.adjusted_gain is not None]
    found = weighted_mean(values, LOOKS)
    return Change(name, len(values), found.value, found.low, found.high)
