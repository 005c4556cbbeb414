"""Whether what a member tells can be: all that is reckoned with it here ends, and gives figures."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from warm_tui.reliability.failure_records import WEAKENED, Failure, LifeFailures
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_LETTER
from warm_tui.sessions.model import Session

LARGEST_FIGURE, MOST_CALLS, LAST_MOMENT = 1e14, 10_000_000, 4.2e9
"""The last: some year in which nobody has recorded anything yet."""
LONGEST_TEXT = 100_000
"""Of a title, a family's words, a place: whoever lists sessions has all of them in memory."""
GAINS = ("proficiency_gain", "adjusted_gain")
RATES = tuple(each.name for each in fields(Profile) if "rate" in each.name and each.type == float | None)
AMOUNTS = tuple(
    each.name for each in fields(Profile) if each.type in (int, int | None, float | None) and each.name not in GAINS
)
MOMENTS = ("started_at", "ended_at")
_gains, _rates, _amounts = attrgetter(*GAINS), attrgetter(*RATES), attrgetter(*AMOUNTS)


def can_be(value: Any, least: float = -1) -> bool:
    """Its figures and texts, however deep they stand.

    It is asked of all that ever comes, while keys are waited for: by kind, and in a row.
    """
    waiting = [msgspec.to_builtins(value, builtin_types=(bytes,))]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is str or kind is bytes:
            if len(each) > LONGEST_TEXT:
                return False
        elif kind is int or kind is float:
            if not least <= each <= LARGEST_FIGURE:
                return False
        elif kind is dict:
            waiting.extend(each)
            waiting.extend(each.values())
        elif kind is list or kind is tuple or kind is set:
            waiting.extend(each)
    return True


def profile_can_be(profile: Profile) -> bool:
    # There is a letter for each call, however many these are.
    is_whole = len(profile.course) == len(profile.course_tools) <= MOST_CALLS
    without_letters = replace(profile, course="", course_tools="", parts=())
    return is_whole and can_be(without_letters) and _is_sound(profile) and all(map(profile_can_be, profile.parts))


def _is_sound(profile: Profile) -> bool:
    calls = profile.successful_calls + profile.failed_calls + profile.unknown_calls
    return (
        all(each is None or each >= 0 for each in _amounts(profile))
        and all(each is None or 0 <= each <= 1 for each in _rates(profile))
        and all(each is None or -1 <= each <= 1 for each in _gains(profile))
        and _can_be_moments(profile)
        and calls <= MOST_CALLS
        and all(
            0 <= ord(letter) - FIRST_LETTER < len(profile.tool_distribution) for letter in set(profile.course_tools)
        )
    )


def session_can_be(session: Session) -> bool:
    return can_be(session) and _can_be_moments(session)


def _can_be_moments(told: Profile | Session) -> bool:
    return all((getattr(told, name) or 0.0) <= LAST_MOMENT for name in MOMENTS)


def failures_can_be(kept: LifeFailures, sessions: int) -> bool:
    return can_be(kept, WEAKENED) and all(
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
