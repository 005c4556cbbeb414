"""Lives as the units of a comparison: one and all that was branched from it are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from warm_tui.reliability.filters import each_once, newest_last
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import longest_streak


class Unit(msgspec.Struct, frozen=True):
    """A life and its branches, as far as a comparison needs them."""

    life: str
    """The session that it all began with."""
    session_id: str
    session_ids: tuple[str, ...]
    title: str
    model: str
    task: str
    started_at: float | None
    calls: int
    failures: int
    known: int
    course: str
    """How its calls went, as far as that is kept."""
    first_success: int | None
    """The number of the first call that succeeded."""
    tools: dict[str, tuple[int, int]]
    streak: int
    seconds: float | None
    """To its first success."""
    tokens: int | None
    cost_usd: float | None
    success: bool | None = None
    source: str = ""
    done: bool | None = None
    """Whether it reached its goal, as far as that is known, where no check of a task says so."""

    @property
    def error_rate(self) -> float | None:
        return self.failures / self.known if self.known else None


class Facts(NamedTuple):
    """What is known of a session from elsewhere: the task it worked at, and whether it was done."""

    task: str
    success: bool | None


def units_of(
    profiles: Iterable[Profile], roots: Mapping[str, str], facts: Mapping[str, Facts] | None = None
) -> list[Unit]:
    lives: dict[str, list[Profile]] = {}
    # A session may be named twice, or stand in two databases: it is one.
    for profile in each_once(profiles):
        lives.setdefault(roots.get(profile.session_id, profile.session_id), []).append(profile)
    return [_unit(life, parts, facts or {}) for life, parts in lives.items()]


def _unit(life: str, parts: list[Profile], facts: Mapping[str, Facts]) -> Unit:
    parts = sorted(parts, key=newest_last)
    first = parts[0]
    course, first_success = _course(parts)
    known = next((facts[name] for p in parts for name in p.session_ids if name in facts), None)
    tokens = [p.total_tokens for p in parts if p.total_tokens is not None]
    costs = [p.cost_usd for p in parts if p.cost_usd is not None]
    seconds = next((p for p in parts if p.seconds_to_first_success is not None), None)
    tools: dict[str, tuple[int, int]] = {}
    for profile in parts:
        for tool, (failures, calls) in profile.tool_failures.items():
            before = tools.get(tool, (0, 0))
            tools[tool] = (before[0] + failures, before[1] + calls)
    return Unit(
        life,
        first.session_id,
        tuple(name for p in parts for name in p.session_ids),
        first.title or first.first_message or first.session_id,
        first.model or "",
        known.task if known else " ".join(first.first_message.split()),
        first.started_at,
        sum(p.tool_call_count for p in parts),
        sum(p.failed_calls for p in parts),
        sum(p.failed_calls + p.successful_calls for p in parts),
        course,
        first_success,
        tools,
        max(longest_streak(course), *(p.longest_failure_streak for p in parts)),
        _seconds(first, seconds),
        sum(tokens) if tokens else None,
        sum(costs) if costs else None,
        known.success if known else None,
        first.source,
        {"done": True, "not-done": False}.get(parts[-1].outcome) if known is None or known.success is None else None,
    )


def _course(parts: list[Profile]) -> tuple[str, int | None]:
    """A course that was cut cannot be gone on with: the calls behind the cut are not known."""
    course, whole, first_success, before = "", True, None, 0
    for part in parts:
        course += part.course if whole else ""
        whole = whole and len(part.course) == part.tool_call_count
        if first_success is None and part.calls_to_first_success is not None:
            first_success = before + part.calls_to_first_success
        before += part.tool_call_count
    return course, first_success


def _seconds(first: Profile, succeeded: Profile | None) -> float | None:
    """From the start of the life, which may be an earlier session's."""
    if succeeded is None or succeeded.seconds_to_first_success is None:
        return None
    waited = (succeeded.started_at or 0.0) - (first.started_at or 0.0) if succeeded is not first else 0.0
    return max(0.0, waited) + succeeded.seconds_to_first_success
