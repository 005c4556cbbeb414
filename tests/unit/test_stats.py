"""The statistics agree with scipy's; the figures here were computed with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warm_tui.reliability.stats import wilson


@pytest.mark.parametrize(
    ("failures", "calls", "low", "high"),
    [
        (0, 1, 0.0, 0.7934506856227626),
        (1, 1, 0.20654931437723745, 1.0),
        (3, 10, 0.10779126740630099, 0.6032218525388546),
        (0, 31, 0.0, 0.11025539546043597),
        (50, 100, 0.4038315303659956, 0.5961684696340043),
    ],
)
def test_the_wilson_interval(failures: int, calls: int, low: float, high: float) -> None:
    assert wilson(failures, calls) == pytest.approx((low, high), abs=1e-9)


def test_there_is_no_interval_without_calls() -> None:
    assert wilson(0, 0) is None


@given(st.integers(1, 10_000).flatmap(lambda calls: st.tuples(st.integers(0, calls), st.just(calls))))
def test_an_interval_holds_its_rate(counts: tuple[int, int]) -> None:
    failures, calls = counts
    interval = wilson(failures, calls)
    assert interval is not None
    assert 0 <= interval[0] <= failures / calls + 1e-12
    assert failures / calls - 1e-12 <= interval[1] <= 1
