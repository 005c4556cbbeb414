"""The statistics agree with scipy's, and with the papers they come from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from warm_tui.reliability.stats import Stratum, exact_test, holm, newcombe, p_values, wilson


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


@pytest.mark.parametrize(("before", "after", "failures"), [(13, 32, 5), (40, 25, 1), (3000, 2000, 300), (9, 9, 0)])
def test_the_exact_p_of_all_that_may_be_seen_is_scipys(before: int, after: int, failures: int) -> None:
    found = p_values(before, after, failures)
    for late in {max(0, failures - before), failures // 2, failures // 3, min(failures, after)}:
        early = failures - late
        known = scipy_stats.fisher_exact([[early, before - early], [late, after - late]]).pvalue
        assert found[late] == pytest.approx(known, rel=1e-6)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
