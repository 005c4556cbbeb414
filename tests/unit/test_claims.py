"""How rates and differences look: what says little, and what is not shown, is grey."""

from __future__ import annotations

import pytest

from warm_tui.presentation.claims import change_style, claim_style, headline_style
from warm_tui.presentation.figures import change_in_words, rate_style
from warm_tui.reliability.bounds import FEW_CALLS, Bounds, change_is_shown, rate_bounds
from warm_tui.reliability.profile import Profile
from warm_tui.screens.shared.arranging import ordered


def test_a_rate_of_few_calls_is_grey() -> None:
    assert [rate_style(rate, FEW_CALLS) for rate in (0.0, 0.1, 0.5)] == ["ok", "unknown", "failed"]
    assert {rate_style(rate, FEW_CALLS - 1) for rate in (0.0, 0.1, 0.5)} == {"dim"}
    assert rate_style(None, 100) == "dim"


@pytest.mark.parametrize(
    ("verdict", "style"),
    [
        ("warm better", "ok"), ("warm worse", "failed"), ("improved", "dim"), ("preserved", "dim"),
        ("degraded", "dim"), ("inconclusive", "dim"), ("no difference shown", "dim"), ("not enough data", "dim"),
        ("confounded", "dim"), ("", "dim"),
    ],
)  # fmt: skip
def test_a_verdict_is_coloured_where_it_claims_something(verdict: str, style: str) -> None:
    assert claim_style(verdict) == style
    read_first = {"dim": "strong"}.get(style, style)
    assert headline_style(verdict) == ("unknown" if verdict == "confounded" else read_first)


def test_a_fall_of_the_error_rate_is_good_where_it_is_shown() -> None:
    assert [change_style(change, shown=True) for change in (-0.1, 0.0, 0.1, None)] == ["ok", "dim", "failed", "dim"]
    assert {change_style(change, shown=False) for change in (-0.1, 0.1)} == {"dim"}


def fifths(calls: int, early: float, late: float) -> Profile:
    return Profile(
        session_id="s",
        successful_calls=calls,
        early_error_rate=early,
        late_error_rate=late,
        proficiency_gain=late - early,
    )


def test_a_change_within_a_session_is_shown_where_its_interval_leaves_out_zero() -> None:
    assert not change_is_shown(fifths(2, 0.0, 1.0)), "one call early, one late"
    assert not change_is_shown(fifths(20, 0.0, 1.0)), "four early, four late"
    assert change_is_shown(fifths(50, 0.0, 0.5))
    assert change_is_shown(fifths(50, 0.8, 0.1))
    assert not change_is_shown(fifths(50, 0.2, 0.3))
    assert not change_is_shown(Profile(session_id="s"))


def test_a_change_in_words_has_a_sign_an_interval_and_says_whether_it_is_shown() -> None:
    assert change_in_words(fifths(50, 0.2, 0.3)) == "+10.0 pp, none shown (95 %: -26.5 to +43.5 pp)"
    assert change_in_words(fifths(50, 0.8, 0.1)).startswith("-70.0 pp (95 %: ")
    assert change_in_words(fifths(20, 0.0, 1.0)).startswith("+100.0 pp, too few calls to tell (95 %: ")
    assert change_in_words(Profile(session_id="s")) == "–"


def test_rows_are_sorted_by_what_is_known_of_a_rate() -> None:
    rates = {"one of one": rate_bounds(1, 1), "many": rate_bounds(15, 20), "none": rate_bounds(0, 0)}
    assert ordered(rates, "-errors", lambda name, _: rates[name]) == ["many", "one of one", "none"]
    assert ordered(rates, "errors", lambda name, _: rates[name]) == ["many", "one of one", "none"]


def test_what_never_failed_is_alike_in_what_it_is_at_least() -> None:
    bounds = [each for calls in range(1, 200) for each in (rate_bounds(0, calls), rate_bounds(calls, calls)) if each]
    assert {each.low for each in bounds[::2]} == {0.0}
    assert {each.high for each in bounds[1::2]} == {1.0}
    assert Bounds(0.1, 0.2).exclude_zero
    assert not Bounds(-0.1, 0.2).exclude_zero
