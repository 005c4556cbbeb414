"""What several sessions come to, added up one by one, and under which names they can be grouped."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from warm_tui.errors import Trouble
from warm_tui.reliability.bounds import rate_bounds
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import Rate


class Totals(msgspec.Struct):
    """The sum over sessions. It grows with each that is added, and shrinks with each that is taken out."""

    sessions: int = 0
    message_count: int = 0
    tool_call_count: int = 0
    successful_calls: int = 0
    failed_calls: int = 0
    unknown_calls: int = 0
    compactions: int = 0
    known_tokens: int = 0
    known_cost: float = 0.0
    sessions_without_tokens: int = 0
    """Whose tokens nobody counted."""
    sessions_without_cost: int = 0
    sessions_done: int = 0
    sessions_not_done: int = 0

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> Totals:
        totals = cls()
        for profile in profiles:
            totals.add(profile)
        return totals

    @classmethod
    def together(cls, several: Iterable[Totals]) -> Totals:
        totals = cls()
        for each in several:
            totals.gain(each)
        return totals

    def add(self, profile: Profile, times: int = 1) -> None:
        """`times`: -1 takes it out."""
        self.sessions += times
        self.message_count += times * profile.message_count
        self.tool_call_count += times * profile.tool_call_count
        self.successful_calls += times * profile.successful_calls
        self.failed_calls += times * profile.failed_calls
        self.unknown_calls += times * profile.unknown_calls
        self.compactions += times * profile.compactions
        self.sessions_done += times * (profile.outcome == "done")
        self.sessions_not_done += times * (profile.outcome == "not-done")
        cost = profile.cost_usd
        self.sessions_without_tokens += times * (profile.total_tokens is None)
        self.known_tokens += times * (profile.known_tokens or 0)
        if cost is None:
            self.sessions_without_cost += times
        else:
            self.known_cost += times * cost

    def gain(self, others: Totals) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(others, name))

    @property
    def known_calls(self) -> int:
        """Those with a verdict: what the error rate is of."""
        return self.successful_calls + self.failed_calls

    @property
    def error_rate(self) -> float | None:
        return self.failed_calls / self.known_calls if self.known_calls else None

    @property
    def outcomes(self) -> Rate:
        return Rate(
            self.sessions_done, self.sessions_not_done, self.sessions - self.sessions_done - self.sessions_not_done
        )

    @property
    def done_rate(self) -> float | None:
        """Of the sessions of which it is known."""
        return self.outcomes.rate

    @property
    def total_tokens(self) -> int | None:
        """As far as they are known; None where none are."""
        return None if self.sessions_without_tokens == self.sessions and not self.known_tokens else self.known_tokens

    @property
    def cost_usd(self) -> float | None:
        # What was taken out again may have left a trace behind the last digit that anybody pays.
        return None if self.sessions_without_cost == self.sessions else round(self.known_cost, 9) + 0.0


PUBLIC_TOTALS = (
    "sessions", "message_count", "tool_call_count", "successful_calls", "failed_calls", "unknown_calls", "error_rate",
    "compactions", "total_tokens", "cost_usd", "sessions_without_tokens", "sessions_without_cost",
    "sessions_done", "sessions_not_done", "done_rate",
)  # fmt: skip


def public_totals(totals: Totals) -> dict[str, Any]:
    return {name: getattr(totals, name) for name in PUBLIC_TOTALS}


# --- groups ---


def _day(profile: Profile) -> str:
    """Of the operator's own calendar."""
    if profile.started_at is None:
        return ""
    try:
        return datetime.date.fromtimestamp(profile.started_at).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


GROUPINGS: Mapping[str, Callable[[Profile], str]] = {
    "source": lambda p: p.source,
    "model": lambda p: p.model or "",
    "agent": lambda p: p.agent,
    "home": lambda p: p.home,
    "machine": lambda p: p.machine,
    "project": lambda p: p.project or "",
    "day": _day,
}
"""By what sessions are grouped, and the name of a session's group; nothing where it is not known."""


def check_grouping(name: str) -> str:
    """No name is no groups; any other that is none is told in one sentence."""
    if name and name.casefold() not in GROUPINGS:
        raise Trouble(f"Sessions cannot be grouped by {name!r}, but by {', '.join(GROUPINGS)}.")
    return name.casefold()


def groups_in_order(found: Mapping[str, Totals], order: str) -> list[str]:
    """By what they come to, where that can be added up; else in the order in which the first of each came."""
    first = order.partition(",")[0]
    field, down = first.removeprefix("-"), first.startswith("-")
    names = list(found)
    if field == "sessions" or field not in PUBLIC_TOTALS:
        return names
    values = {name: _value(totals, field, down) for name, totals in found.items()}
    known = [name for name in names if values[name] is not None]
    return sorted(known, key=values.__getitem__, reverse=down) + [name for name in names if values[name] is None]


def _value(totals: Totals, field: str, down: bool) -> Any:
    """A rate by what is known of it, as that of a session is."""
    if field == "error_rate":
        bounds = rate_bounds(totals.failed_calls, totals.known_calls)
        return bounds.sorted_by(down) if bounds else None
    return getattr(totals, field)


def grouped(profiles: Iterable[Profile], grouping: str, order: str) -> dict[str, list[Profile]]:
    """Sessions that stand in this order, under the names of their groups."""
    name_of = GROUPINGS[grouping]
    found: dict[str, list[Profile]] = {}
    for profile in profiles:
        found.setdefault(name_of(profile), []).append(profile)
    names = groups_in_order({name: Totals.of(group) for name, group in found.items()}, order)
    return {name: found[name] for name in names}
