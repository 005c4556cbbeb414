"""Whether what a member tells can be: all that is reckoned with it here ends, and gives figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from warm_tui.reliability.failure_records import WEAKENED, Failure, LifeFailures
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_LETTER
from warm_tui.sessions.model import Session

LARGEST_FIGURE, MOST_CALLS, LAST_MOMENT = 1e14, 10_000_000, 4.2e9
"""The last: some year in which nobody has recorded anything yet."""
GAINS = ("proficiency_gain", "adjusted_gain")
MOMENTS = ("started_at", "ended_at")


def figures_can_be(value: Any) -> bool:
    """However deep they stand."""
    return all(-1 <= each <= LARGEST_FIGURE for each in _figures(msgspec.to_builtins(value)))


def _figures(value: Any) -> Iterator[float]:
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _figures(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for inner in value:
            yield from _figures(inner)


def profile_can_be(profile: Profile) -> bool:
    told = {name: getattr(profile, name) for name in Profile.__struct_fields__}
    numbers = {name: each for name, each in told.items() if isinstance(each, int | float)}
    calls = profile.successful_calls + profile.failed_calls + profile.unknown_calls
    return (
        figures_can_be(profile)
        and all((-1 if name in GAINS else 0) <= each for name, each in numbers.items())
        and all(each <= 1 for name, each in numbers.items() if "rate" in name or name in GAINS)
        and _can_be_moments(profile)
        and calls <= MOST_CALLS
        and len(profile.course) == len(profile.course_tools)
        and all(0 <= ord(letter) - FIRST_LETTER < len(profile.tool_distribution) for letter in profile.course_tools)
        and all(map(profile_can_be, profile.parts))
    )


def session_can_be(session: Session) -> bool:
    return figures_can_be(session) and _can_be_moments(session)


def _can_be_moments(told: Profile | Session) -> bool:
    return all((getattr(told, name) or 0.0) <= LAST_MOMENT for name in MOMENTS)


def failures_can_be(kept: LifeFailures, sessions: int) -> bool:
    return figures_can_be(kept) and all(
        failure.family in kept.fingerprints
        and 0 <= failure.shape < len(kept.shapes)
        and (failure.at or 0.0) <= LAST_MOMENT
        and all(WEAKENED <= each.shape < len(kept.shapes) for each in failure.tries)
        and all(0 <= session < sessions for session in _sessions_of(failure))
        for failure in kept.failures
    )


def _sessions_of(failure: Failure) -> Iterator[int]:
    yield failure.session
    for each in failure.tries:
        yield each.session
