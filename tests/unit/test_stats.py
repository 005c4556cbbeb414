"""The statistics agree with scipy's, and with the papers they come from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from warm_tui.reliability.stats import Stratum, exact_reach, exact_test, holm, newcombe, wilson


def counts(most: int = 60) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, most).flatmap(lambda calls: st.tuples(st.integers(0, calls), st.just(calls)))


def test_there_is_no_interval_without_calls() -> None:
    assert wilson(0, 0) is None
    assert newcombe((0, 0), (1, 2)) is None


@given(counts(10_000))
def test_the_wilson_interval(pair: tuple[int, int]) -> None:
    known = scipy_stats.binomtest(*pair).proportion_ci(method="wilson")
    assert wilson(*pair) == pytest.approx((known.low, known.high), abs=1e-9)


def test_newcombe_as_in_his_paper() -> None:
    """Statistics in Medicine 1998, table II, method 10: examples a, c, e and h."""
    for before, after, low, high in (
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((0, 56 - 27), (5, 56), -0.0381, 0.1926),
        ((0, 10), (10, 10), 0.6075, 1.0000),
    ):
        assert newcombe(before, after) == pytest.approx((low, high), abs=6e-5)


@given(counts(), counts())
def test_no_interval_leaves_what_is_possible(before: tuple[int, int], after: tuple[int, int]) -> None:
    low, high = newcombe(before, after) or (0.0, 0.0)
    difference = after[0] / after[1] - before[0] / before[1]
    assert -1 - 1e-12 <= low <= difference + 1e-12
    assert difference - 1e-12 <= high <= 1 + 1e-12


@given(counts(), counts())
def test_with_one_stratum_the_exact_test_is_fishers(before: tuple[int, int], after: tuple[int, int]) -> None:
    table = [[before[0], before[1] - before[0]], [after[0], after[1] - after[0]]]
    ours = exact_test([Stratum(*before, *after)]).p_value
    assert ours == pytest.approx(scipy_stats.fisher_exact(table).pvalue, abs=1e-9)


@settings(max_examples=30)
@given(st.lists(st.tuples(counts(4), counts(4)), min_size=1, max_size=3))
def test_with_several_it_is_every_way_to_deal_the_failures(
    tools: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    """Counted out: of each tool's calls, any may have been the ones that failed."""
    from itertools import combinations

    ways = {0: 1}
    for before, after in tools:
        calls, failures = before[1] + after[1], before[0] + after[0]
        more: dict[int, int] = {}
        for failed in combinations(range(calls), failures):
            late = sum(one >= before[1] for one in failed)
            for total, many in ways.items():
                more[total + late] = more.get(total + late, 0) + many
        ways = more
    seen = sum(after[0] for _, after in tools)
    rare = sum(many for many in ways.values() if many <= ways[seen])
    test = exact_test([Stratum(*before, *after) for before, after in tools])
    assert test.p_value == pytest.approx(rare / sum(ways.values()), abs=1e-9)


def test_work_that_turns_to_a_harder_tool_is_no_change() -> None:
    """Each tool fails as often as before; only the mix is another."""
    easy, hard = Stratum(5, 100, 1, 20), Stratum(10, 20, 50, 100)
    test = exact_test([easy, hard])
    assert test.p_value == pytest.approx(1.0)
    assert test.excess == pytest.approx(0.0)
    pooled = exact_test([Stratum(15, 120, 51, 120)])
    assert pooled.p_value < 1e-6, "pooled, it would be called one"


def shown(before: tuple[int, int], after: int, change: float, *, worse: bool) -> float:
    """By scipy: over all that may be seen, how often is this change told?"""
    calls, later = before[1], before[0] / before[1] + change
    early = scipy_stats.binom.pmf(range(calls + 1), calls, before[0] / before[1])
    late = scipy_stats.binom.pmf(range(after + 1), after, later)
    told = 0.0
    for x, of_x in enumerate(early):
        for y, of_y in enumerate(late):
            is_worse = y / after > 1.2 * x / calls
            if (is_worse if worse else y / after < x / calls) and of_x * of_y > 1e-7:
                told += of_x * of_y * (scipy_stats.fisher_exact([[x, calls - x], [y, after - y]]).pvalue < 0.05)
    return told


@pytest.mark.parametrize(("before", "after"), [((2, 13), 20), ((8, 20), 25), ((15, 20), 12)])
def test_what_a_change_would_have_to_be_is_shown_four_times_in_five(before: tuple[int, int], after: int) -> None:
    reach = exact_reach(before, after, 1.2, 0.05)
    if reach.worse is not None:
        assert 0.795 < shown(before, after, reach.worse, worse=True) < 0.82
    if reach.better is not None:
        assert 0.795 < shown(before, after, -reach.better, worse=False) < 0.82


def test_no_improvement_goes_beyond_the_rate_before() -> None:
    assert exact_reach((2, 13), 32, 1.2, 0.05).better is None
    assert exact_reach((0, 50), 50, 1.2, 0.05).better is None
    assert exact_reach((1, 2), 2, 1.2, 0.05) == (None, None)


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_of_many_calls_it_is_as_of_few(rate: float) -> None:
    """Where counting ends the normal curve goes on without a jump."""
    few, many = exact_reach((int(200 * rate), 200), 200, 1.2, 0.05), exact_reach((int(201 * rate), 201), 201, 1.2, 0.05)
    assert many.worse == pytest.approx(few.worse, rel=0.1)
    assert many.better == pytest.approx(few.better, rel=0.1)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
