"""What counts once in a comparison: a session, or a life."""

from __future__ import annotations

from warm_tui.comparisons.units import Facts, units_of
from warm_tui.reliability.profile import Profile


def test_a_life_that_compression_split_is_one_unit() -> None:
    parts = [
        Profile(session_id="a", started_at=1.0, course="..x", successful_calls=2, failed_calls=1, tool_call_count=3,
                longest_failure_streak=1, tool_failures={"t": (1, 3)}, input_tokens=5, output_tokens=5, first_message="do"),
        Profile(session_id="b", started_at=9.0, course="xx.", successful_calls=1, failed_calls=2, tool_call_count=3,
                longest_failure_streak=2, tool_failures={"t": (2, 3)}, cost_usd=2.0, seconds_to_first_success=4.0),
    ]  # fmt: skip
    (one,) = units_of(reversed(parts), {"a": "a", "b": "a"})
    assert (one.session_id, one.session_ids, one.course, one.failures, one.known) == ("a", ("a", "b"), "..xxx.", 3, 6)
    assert (one.streak, one.tools, one.tokens, one.cost_usd, one.task) == (3, {"t": (3, 6)}, 10, 2.0, "do")
    assert one.seconds == 12.0, "from the beginning of the life"


def test_a_session_that_is_named_twice_counts_once() -> None:
    profile = Profile(session_id="a", course="..x", successful_calls=2, failed_calls=1, tool_call_count=3)
    (one,) = units_of([profile, profile], {})
    assert (one.calls, one.failures) == (3, 1)


def test_the_first_success_may_come_late_and_in_a_later_session() -> None:
    parts = [
        Profile(session_id="a", started_at=1.0, course="x" * 200, failed_calls=300, tool_call_count=300),
        Profile(
            session_id="b", started_at=2.0, course=".", successful_calls=1, tool_call_count=1, calls_to_first_success=1
        ),
    ]
    (one,) = units_of(parts, {"a": "a", "b": "a"})
    assert one.first_success == 301
    assert one.course == "x" * 200, "what lies behind a cut is not glued to it"


def test_what_is_known_of_a_task_goes_before_its_first_words() -> None:
    profile = Profile(session_id="a", first_message="Hello")
    (one,) = units_of([profile], {}, {"a": Facts("task 3", True)})
    assert (one.task, one.success) == ("task 3", True)
