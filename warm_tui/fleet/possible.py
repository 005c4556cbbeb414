"""Whether what a member tells can be: all that is reckoned with it here ends, and gives figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from warm_tui.reliability.failure_records import WEAKENED, Failure, LifeFailures
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_LETTER
from warm_tui.sessions.model import Session

LARGEST_FIGURE, MOST_CALLS, LAST_MOMENT = 1e14, 10_000_000, 4.2e9
"""The last: some year in which nobody has recorded anything yet."""
LONGEST_TEXT = 100_000
"""Of a title, a family's words, a place: whoever lists sessions has all of them in memory."""
GAINS = ("proficiency_gain", "adjusted_gain")
MOMENTS = ("started_at", "ended_at")


def figures_can_be(value: Any, least: float = -1) -> bool:
    """However deep they stand. It is asked of all that ever comes, while keys are waited for: by kind, and in a row."""
    waiting = [msgspec.to_builtins(value)]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is int or kind is float:
            if not least <= each <= LARGEST_FIGURE:
                return False
        elif kind is dict:
            waiting.extend(each.values())
        elif kind is list or kind is tuple or kind is set:
            waiting.extend(each)
    return True


def texts_can_be(value: Any) -> bool:
    """However deep they stand, keys and bytes among them."""
    return all(size <= LONGEST_TEXT for size in _sizes(msgspec.to_builtins(value, builtin_types=(bytes,))))


def _sizes(value: Any) -> Iterator[int]:
    if isinstance(value, str | bytes):
        yield len(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _sizes(key)
            yield from _sizes(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _sizes(inner)


def profile_can_be(profile: Profile) -> bool:
    return figures_can_be(profile) and _is_sound(profile)


def _is_sound(profile: Profile) -> bool:
    told = {name: getattr(profile, name) for name in Profile.__struct_fields__}
    numbers = {name: each for name, each in told.items() if isinstance(each, int | float)}
    calls = profile.successful_calls + profile.failed_calls + profile.unknown_calls
    return (
        all((-1 if name in GAINS else 0) <= each for name, each in numbers.items())
        and all(each <= 1 for name, each in numbers.items() if "rate" in name or name in GAINS)
        and _can_be_moments(profile)
        and calls <= MOST_CALLS
        # There is a letter for each call, however many these are.
        and len(profile.course) == len(profile.course_tools) <= MOST_CALLS
        and texts_can_be(replace(profile, course="", course_tools="", parts=()))
        and all(0 <= ord(letter) - FIRST_LETTER < len(profile.tool_distribution) for letter in profile.course_tools)
        and all(map(_is_sound, profile.parts))
    )


def session_can_be(session: Session) -> bool:
    return figures_can_be(session) and texts_can_be(session) and _can_be_moments(session)


def _can_be_moments(told: Profile | Session) -> bool:
    return all((getattr(told, name) or 0.0) <= LAST_MOMENT for name in MOMENTS)


def failures_can_be(kept: LifeFailures, sessions: int) -> bool:
    return (
        figures_can_be(kept, WEAKENED)
        and texts_can_be(kept)
        and all(
            failure.family in kept.fingerprints
            and 0 <= failure.shape < len(kept.shapes)
            and (failure.at or 0.0) <= LAST_MOMENT
            and all(WEAKENED <= each.shape < len(kept.shapes) for each in failure.tries)
            and all(0 <= session < sessions for session in _sessions_of(failure))
            for failure in kept.failures
        )
    )


def _sessions_of(failure: Failure) -> Iterator[int]:
    yield failure.session
    for each in failure.tries:
        yield each.session
