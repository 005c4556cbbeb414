"""A profile's figures, worked by hand, and the laws they keep."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.profile import PUBLIC_FIELDS, Profile, profile_session, public
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import Call, Session
from warm_tui.sessions.pairing import Paired

CONTRACT = (
    "session_id, title, source, model, started_at, ended_at, end_reason, duration_seconds, message_count, tool_call_count, "
    "successful_calls, failed_calls, unknown_calls, error_rate, error_rate_low, error_rate_high, early_error_rate, "
    "late_error_rate, proficiency_gain, adjusted_gain, tool_distribution, tool_success_rates, dominant_tool_type, task_type, "
    "first_30_error_rate, calls_to_first_success, tool_diversity, longest_failure_streak, input_tokens, output_tokens, "
    "cache_read_tokens, cache_write_tokens, auxiliary_tokens, cost_usd, auxiliary_cost_usd, compactions, relation, "
    "parent_session_id, agent, home, machine, project, outcome, outcome_reason, outcome_confidence, learned, "
    "learned_by_review, part_of, total_tokens, session_ids"
)

RESULTS = {"S": '{"exit_code": 0, "output": ""}', "F": '{"exit_code": 1, "output": "no"}', "U": None}


def profile(
    story: str,
    tool: str | list[str] = "terminal",
    replies: int = 1,
    own: dict[str, Verdict] | None = None,
    first: float | None = None,
    last: float | None = 100.0,
    **session,
) -> Profile:
    """The profile of a story of successes, failures and unknowns: "SSFU"."""
    tools = [tool] * len(story) if isinstance(tool, str) else tool
    calls = [
        Call(
            str(at), str(at), at, 0, "s", name, json.dumps({"command": "make"}), RESULTS[letter], None, at, at,
            name in HERMES.trivial_tools,
        )
        for at, (letter, name) in enumerate(zip(story, tools, strict=True))
    ]  # fmt: skip
    paired = Paired(calls, 0, [0], 2 * len(calls), replies, "go", last, first_timestamp=first)
    return profile_session(Session(id="s", **session), paired, "none", HERMES, own)


def test_the_fields_are_those_of_the_contract() -> None:
    assert ", ".join(PUBLIC_FIELDS) == CONTRACT
    assert tuple(public(profile("S"))) == PUBLIC_FIELDS


def test_counts_and_rates_leave_the_unknown_out() -> None:
    p = profile("SFUSS")
    assert (p.tool_call_count, p.successful_calls, p.failed_calls, p.unknown_calls) == (5, 3, 1, 1)
    assert p.error_rate == 0.25
    assert (p.error_rate_low, p.error_rate_high) == pytest.approx((0.0455873, 0.6993582), abs=1e-6)


def test_early_and_late_are_the_first_and_the_last_fifth() -> None:
    p = profile("FF" + "S" * 6 + "SF")
    assert (p.early_error_rate, p.late_error_rate, p.proficiency_gain) == (1.0, 0.5, -0.5)
    nine = profile("SF" + "S" * 7)
    assert nine.early_error_rate == 0.0, "a fifth of nine calls is one"
    twenty = profile("F" * 4 + "S" * 12 + "F" * 4)
    assert (twenty.early_error_rate, twenty.late_error_rate) == (1.0, 1.0), "a fifth of twenty is four, not five"
    one = profile("F")
    assert (one.early_error_rate, one.late_error_rate, one.proficiency_gain) == (1.0, 1.0, 0.0)


def test_the_change_at_equal_tool_mix_compares_each_tool_with_itself() -> None:
    # Early: terminal fails 1 of 1, patch 0 of 1. Late: terminal fails 0 of 1, patch 1 of 1. 5 + 5 calls.
    tools = ["terminal", "patch"] * 5
    p = profile("FSSSSSSSSF", tools)
    assert p.adjusted_gain == pytest.approx((5 * (0 - 1) + 5 * (1 - 0)) / 10)
    apart = profile("F" + "S" * 9, ["terminal"] + ["patch"] * 9)
    assert apart.proficiency_gain == -0.5
    assert apart.adjusted_gain == 0.0, "only patch was used both early and late"


def test_there_is_no_change_to_compare_where_no_tool_was_used_early_and_late() -> None:
    assert profile("FS", ["terminal", "patch"]).adjusted_gain is None


def test_first_thirty_first_success_and_streaks() -> None:
    p = profile("FFFS" + "S" * 26 + "F" * 10)
    assert p.first_30_error_rate == 0.1
    assert p.calls_to_first_success == 4
    assert p.longest_failure_streak == 10
    assert profile("FFF").calls_to_first_success is None


def test_an_unknown_call_takes_a_place_among_the_first_thirty() -> None:
    assert profile("U" * 29 + "F" + "S" * 9).first_30_error_rate == 1.0


def test_trivial_tools_count_nowhere() -> None:
    for tool in HERMES.trivial_tools:
        p = profile("FS", [tool, "terminal"])
        assert (p.tool_call_count, p.failed_calls, p.tool_distribution) == (1, 0, {"terminal": 1})


def test_tools_types_and_tasks() -> None:
    p = profile("SFSSS", ["read_file", "patch", "read_file", "write_file", "terminal"])
    assert p.tool_distribution == {"read_file": 2, "patch": 1, "write_file": 1, "terminal": 1}
    assert p.tool_success_rates == {"read_file": 1.0, "patch": 0.0, "write_file": 1.0, "terminal": 1.0}
    assert (p.dominant_tool_type, p.task_type, p.tool_diversity) == ("file", "file", 4)
    assert profile("SSS", ["browser_click", "web_search", "terminal"]).task_type == "research"
    assert profile("SSSSS", ["execute_code"] * 3 + ["terminal"] * 2).task_type == "mixed", "60 % is not more than 60 %"
    assert profile("S", "warm_session").dominant_tool_type == "meta"
    assert profile("S", "bash").dominant_tool_type == "general"
    assert profile("U", "terminal").tool_success_rates == {"terminal": None}


def test_nothing_is_known_of_a_session_without_calls() -> None:
    p = profile("")
    unknown = (
        "error_rate",
        "error_rate_low",
        "error_rate_high",
        "early_error_rate",
        "proficiency_gain",
        "adjusted_gain",
    )
    assert [getattr(p, name) for name in unknown] == [None] * len(unknown)
    assert (p.dominant_tool_type, p.task_type, p.longest_failure_streak) == ("general", "mixed", 0)


def test_tokens_that_nobody_counted_are_unknown_not_zero() -> None:
    assert profile("S", replies=3).input_tokens is None
    assert profile("", replies=0).input_tokens == 0
    assert profile("S", replies=3, tokens=(0, 7, 0, 0, 0)).input_tokens == 0


def test_a_session_lasts_from_its_first_message_to_its_last() -> None:
    """However long before it was opened, and after closed."""
    assert profile("S", first=70.0, started_at=40.0, ended_at=99_999.0).duration_seconds == 30.0
    assert profile("S", started_at=40.0).duration_seconds == 60.0
    assert profile("S", last=None, started_at=40.0, ended_at=50.0).duration_seconds == 10.0, "no message has a time"
    assert profile("S", first=400.0).duration_seconds == 0.0, "clocks step back"
    assert profile("", started_at=40.0, ended_at=50.0).duration_seconds is None, "nothing was done"


def test_the_operators_own_verdict_wins() -> None:
    own = {"1": Verdict("success", "ok", "looked at it", "certain", "operator")}
    assert profile("SF", own=own).error_rate == 0.0


@given(
    st.text(alphabet="SFU", max_size=80),
    st.lists(st.sampled_from(["terminal", "patch", "memory"]), min_size=80, max_size=80),
)
def test_the_figures_of_any_story_hold_together(story: str, tools: list[str]) -> None:
    p = profile(story, tools[: len(story)])
    assert (
        p.successful_calls + p.failed_calls + p.unknown_calls == p.tool_call_count == sum(p.tool_distribution.values())
    )
    rates = (p.error_rate, p.early_error_rate, p.late_error_rate, p.first_30_error_rate, *p.tool_success_rates.values())
    assert all(rate is None or 0 <= rate <= 1 for rate in rates)
    if p.error_rate is not None:
        assert p.error_rate_low is not None
        assert p.error_rate_high is not None
        assert p.error_rate_low - 1e-12 <= p.error_rate <= p.error_rate_high + 1e-12
    assert p.longest_failure_streak <= p.failed_calls
    assert all(isinstance(value, (int, float, str, dict, tuple, type(None))) for value in public(p).values())
    json.dumps(public(p), allow_nan=False)
