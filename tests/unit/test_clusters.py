"""Sessions as units: estimates, intervals and p-values agree with scipy where scipy has them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from warm_tui.comparisons.compare import verdict_of
from warm_tui.reliability.clustering import worth
from warm_tui.reliability.clusters import independent, paired
from warm_tui.reliability.paired_reach import Runs, reach

values = st.lists(st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 3)), min_size=4, max_size=8)


def means(values: list[float]) -> list[list[tuple[float, float]]]:
    """A mean is a ratio with one below the line for each session."""
    return [[(value, 1.0)] for value in values]


@given(values, values)
def test_for_means_the_interval_is_welchs(one: list[float], other: list[float]) -> None:
    one = [*one, -1.0]
    (found,) = independent(means(one), means(other))
    if len(set(one)) < 2 and len(set(other)) < 2:
        assert (found.low, found.high, found.mde) == (None, None, None), "all alike: no interval is known"
        return
    known = scipy_stats.ttest_ind(other, one, equal_var=False).confidence_interval()
    assert found.difference == pytest.approx(np.mean(other) - np.mean(one), abs=1e-9)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(-900, 900).map(lambda n: n / 100)] * 2), min_size=4, max_size=9))
def test_for_paired_means_the_interval_is_students(pairs: list[tuple[float, float]]) -> None:
    one, other = [-1.0, *(a for a, _ in pairs)], [-1.0, *(b for _, b in pairs)]
    (found,) = paired(means(one), means(other))
    known = scipy_stats.ttest_rel(other, one).confidence_interval()
    if np.ptp(np.subtract(other, one)) > 1e-6:
        assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)


sessions = st.lists(
    st.integers(1, 9).flatmap(lambda calls: st.tuples(st.integers(0, calls), st.just(calls))), min_size=4, max_size=5
)


def rate(sessions: list[tuple[int, int]]) -> float:
    return sum(failures for failures, _ in sessions) / sum(calls for _, calls in sessions)


def studentized(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> float:
    """The difference by its cluster-robust error, worked out session by session."""
    variance = 0.0
    for arm in (one, other):
        calls, of_arm = sum(known for _, known in arm), rate(arm)
        squares = sum((failures - of_arm * known) ** 2 for failures, known in arm)
        variance += len(arm) / (len(arm) - 1) * squares / calls**2
    difference = rate(other) - rate(one)
    if variance <= 1e-18:
        return 0.0 if abs(difference) < 1e-9 else float("inf")
    return abs(difference) / variance**0.5


def plain(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> float:
    return abs(rate(other) - rate(one))


@settings(max_examples=40)
@given(sessions, sessions, st.booleans())
def test_the_p_value_is_every_way_to_deal_the_labels(
    one: list[tuple[int, int]], other: list[tuple[int, int]], unequal: bool
) -> None:
    """By the difference between arms of about one size, by its error's multiple between others."""
    other = other + other[:3] if unequal else other
    statistic = studentized if len(other) > 1.5 * len(one) else plain
    everyone = one + other
    seen = statistic(one, other)
    reaching = arranged = 0
    for chosen in combinations(range(len(everyone)), len(one)):
        first = [everyone[at] for at in chosen]
        second = [session for at, session in enumerate(everyone) if at not in chosen]
        arranged += 1
        reaching += statistic(first, second) >= seen * (1 - 1e-9) - 1e-9
    (found,) = independent([[pair] for pair in one], [[pair] for pair in other])
    assert found.p_value == pytest.approx(reaching / arranged)


def test_a_small_arm_of_unlike_sessions_against_a_large_one() -> None:
    """Both fail as often; the sessions of the small arm differ more from one another. By labels alone, p < 0.05
    would come out three times too often."""
    rng = np.random.default_rng(4)
    false = 0
    for _ in range(100):
        risks = np.concatenate([rng.beta(0.4, 2.27, 6), rng.beta(6, 34, 50)])
        pairs = [[(float(rng.binomial(30, risk)), 30.0)] for risk in risks]
        (found,) = independent(pairs[:6], pairs[6:])
        false += (found.p_value or 1) < 0.05
    assert false <= 12, f"{false} of 100"


def test_a_session_that_is_most_of_an_arm_makes_the_interval_wide() -> None:
    small = [[(1.0, 10.0)] for _ in range(9)]
    (found,) = independent([*small, [(50_000.0, 100_000.0)]], [*small, [(1.0, 10.0)]])
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.tuples(st.integers(0, 3), st.integers(3, 6))] * 2), min_size=6, max_size=7))
def test_the_paired_p_value_is_every_way_to_swap(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    seen = abs(rate([b for _, b in pairs]) - rate([a for a, _ in pairs]))
    reaching = 0
    for swaps in product((False, True), repeat=len(pairs)):
        first = [b if swap else a for (a, b), swap in zip(pairs, swaps, strict=True)]
        second = [a if swap else b for (a, b), swap in zip(pairs, swaps, strict=True)]
        reaching += abs(rate(second) - rate(first)) >= seen - 1e-9
    (found,) = paired([[a] for a, _ in pairs], [[b] for _, b in pairs])
    assert found.p_value == pytest.approx(reaching / 2 ** len(pairs))


def test_drawn_arrangements_agree_with_scipys() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(0, 1, 30), rng.normal(0.5, 1, 30)
    (found,) = independent(means(list(one)), means(list(other)))

    def statistic(a, b, axis):
        return np.abs(np.mean(b, axis=axis) - np.mean(a, axis=axis))

    known = scipy_stats.permutation_test((one, other), statistic, vectorized=True, alternative="greater", rng=2)
    assert found.p_value == pytest.approx(known.pvalue, abs=0.01)


def test_no_draw_makes_a_p_value_of_nought() -> None:
    (found,) = independent(means([0.0] * 29 + [0.1]), means([9.0] * 29 + [9.1]))
    assert found.p_value == pytest.approx(1 / 10_000)


def test_too_few_sessions_have_numbers_but_no_p_value() -> None:
    (found,) = independent(means([1, 2, 3]), means([7, 8, 9]))
    assert (found.difference, found.p_value) == (6, None)
    assert found.low is not None
    (pairs,) = paired(means([1, 2, 3, 4, 5]), means([2, 3, 4, 5, 7]))
    assert pairs.p_value is None


def test_what_cannot_be_computed_is_none() -> None:
    assert independent([], []) == []
    (empty,) = independent([], means([1.0]))
    assert (empty.first, empty.second, empty.difference, empty.low) == (None, 1.0, None, None)
    (single,) = independent(means([1.0]), means([2.0]))
    assert (single.difference, single.low, single.p_value, single.mde) == (1.0, None, None, None)
    (nothing,) = independent([[(0, 0)]] * 5, [[(0, 0)]] * 5)
    assert (nothing.first, nothing.difference, nothing.p_value) == (None, None, None)
    (same,) = independent(means([7.0] * 5), means([7.0] * 5))
    assert (same.difference, same.low, same.high, same.p_value, same.wanted) == (0.0, None, None, 1.0, None)


def test_where_nothing_failed_the_interval_is_of_what_may_yet() -> None:
    """None of five sessions: as little is known as if each were one call, or little more."""
    (same,) = independent([[(0, 9)]] * 5, [[(0, 9)]] * 5)
    assert (same.difference, same.p_value) == (0.0, 1.0)
    assert same.low == -(same.high or 0)
    assert 0.3 < (same.high or 0) < 0.45


def test_a_session_without_a_metric_has_no_say_in_it() -> None:
    told = means([1, 2, 3, 4])
    (with_gap,) = independent([*told, [(0, 0)]], means([5, 6, 7, 8]))
    (without,) = independent(told, means([5, 6, 7, 8]))
    assert (with_gap.first, with_gap.low, with_gap.units) == (without.first, without.low, without.units)


def arms(rng: np.random.Generator, first: tuple[int, float], second: tuple[int, float], rate: float = 0.15):
    """Arms of so many sessions, whose calls are so alike: a hundred draws at once."""
    told = []
    for count, clustering in (first, second):
        size = 1 / clustering - 1
        risks = rng.beta(rate * size, (1 - rate) * size, (count, 100))
        told.append(np.stack([rng.binomial(30, risks), np.full(risks.shape, 30)], axis=-1).astype(float))
    return told


@pytest.mark.parametrize(("first", "second"), [((40, 0.02), (4, 0.5)), ((6, 0.02), (6, 0.5)), ((4, 0.1), (40, 0.1))])
def test_arms_of_unlike_clustering_seldom_differ_and_the_interval_holds(first, second) -> None:
    """The test alone is wrong up to three times in ten; tests/bench/chances.py has every size and clustering."""
    rng = np.random.default_rng(6)
    told = [one for _ in range(2) for one in independent(*arms(rng, first, second), planned=0)]
    assert sum(verdict_of(one, one.p_value, -1).startswith("warm") for one in told) <= 12, "of 200"
    assert sum(one.low <= 0 <= one.high for one in told) >= 186


def test_sessions_that_fail_wholly_or_not_at_all_are_worth_one_call_each() -> None:
    alike, unlike = np.array([[[3.0, 30.0]]] * 40), np.array([[[30.0, 30.0]]] * 4 + [[[0.0, 30.0]]] * 36)
    assert worth(alike).rate == worth(unlike).rate
    assert worth(alike).cautious[0] > 600
    assert 30 < worth(unlike).cautious[0] < 50
    assert worth(np.array([[[0.0, 30.0]]] * 4)).cautious[0] < 10, "where nothing failed, little is known of it"


@pytest.mark.parametrize(
    ("first", "second", "rate", "sign"),
    [
        ((40, 0.05), (40, 0.05), 0.2, 1),
        ((20, 0.02), (20, 0.5), 0.3, 1),
        ((20, 0.5), (20, 0.02), 0.3, 1),
        ((20, 0.5), (20, 0.5), 0.3, 1),
        ((24, 0.02), (20, 0.02), 0.15, 1),
        ((40, 0.05), (40, 0.05), 0.2, -1),
        ((40, 0.02), (40, 0.5), 0.3, -1),
        ((40, 0.5), (40, 0.02), 0.3, -1),
        ((40, 0.5), (40, 0.5), 0.3, -1),
        ((48, 0.02), (40, 0.02), 0.15, -1),
    ],
)
def test_what_would_be_detectable_is_shown_four_times_in_five(first, second, rate: float, sign: int) -> None:
    """Whatever the clustering of either arm; tests/bench/chances.py has every size."""
    rng = np.random.default_rng(8)
    told = independent(*arms(rng, first, second, rate))
    named = [size for one in told if (size := one.mde_up if sign > 0 else one.mde_down) is not None]
    assert len(named) > 60
    found = []
    for _ in range(3):
        cold = arms(rng, first, second, rate)[0]
        warm = arms(rng, first, second, rate + sign * float(np.median(named)))[1]
        found += [verdict_of(one, one.p_value, -1) for one in independent(cold, warm, planned=0)]
    assert 220 <= found.count("warm worse" if sign > 0 else "warm better") <= 264


@pytest.mark.parametrize(
    ("sessions", "failures", "named"), [(40, 1, False), (40, 3, True), (160, 1, True), (200, 0, False)]
)
def test_no_improvement_is_named_where_even_an_arm_without_failures_is_not_shown_to_be_better(
    sessions: int, failures: int, named: bool
) -> None:
    """How alike the calls of such an arm are is not known, so its interval is wide."""
    cold = [[(failures, 30)]] * sessions
    (told,), (none_failed,) = independent(cold, cold), independent(cold, [[(0, 30)]] * sessions)
    assert (told.mde_down is not None) == named
    assert (verdict_of(none_failed, none_failed.p_value, -1) == "warm better") == named


@pytest.mark.parametrize(
    ("cold", "warm", "worse", "better"),
    [
        (20, 20, True, False), (20, 24, True, False), (19, 20, False, False), (10, 10, False, False),
        (20, 25, False, False), (39, 40, True, False), (40, 39, True, False), (40, 40, True, True), (40, 48, True, True),
        (40, 49, False, False),
    ],
)  # fmt: skip
def test_a_size_is_named_of_enough_sessions_in_arms_of_about_one_size(
    cold: int, warm: int, worse: bool, better: bool
) -> None:
    sessions = [[(at % 3 * 6, 30)] for at in range(60)]
    (told,) = independent(sessions[:cold], sessions[:warm])
    assert (told.mde_up is not None, told.mde_down is not None) == (worse, better)
    assert told.low is not None


def test_how_alike_sessions_of_one_arm_are_counts_for_that_arm_where_the_other_is_far_from_it() -> None:
    alike, unlike = [[(6, 30)]] * 30, [[(0 if at % 5 else 30, 30)] for at in range(30)]
    sizes = [independent(*both)[0].mde_up or 0 for both in ((alike, alike), (unlike, alike), (unlike, unlike))]
    assert sizes == sorted(sizes)
    assert sizes[1] > 2 * sizes[0]
    assert sizes[2] > 1.2 * sizes[1]


def test_no_improvement_is_named_that_would_take_more_failures_than_there_are() -> None:
    """Sessions that fail wholly or not at all are worth a call each, however long they are."""
    sessions = [[(0 if at % 10 else 30, 30)] for at in range(160)]
    for each, named in ((40, False), (160, True)):
        (told,) = independent(sessions[:each], sessions[:each])
        assert told.mde_up is not None
        assert (told.mde_down is not None) == named


@pytest.mark.parametrize(("sessions", "least"), [(10, 0.93), (20, 0.93)])
def test_intervals_are_no_wider_than_need_be_from_ten_sessions_on(sessions: int, least: float) -> None:
    rng = np.random.default_rng(12)
    told = [one for _ in range(5) for one in independent(*arms(rng, (sessions, 0.1), (sessions, 0.1), 0.2), planned=0)]
    holds = sum(one.low <= 0 <= one.high for one in told if one.low is not None and one.high is not None)
    assert least <= holds / len(told) <= 0.98


def pairs_of_runs(rng: np.random.Generator, tasks: int, by: float) -> tuple[np.ndarray, np.ndarray]:
    """A hundred draws of tasks, whose rates are unlike, and which the second arm changes by so much on average."""
    rate, size = 0.3, 1 / 0.1 - 1
    risks = np.clip(rng.beta(rate * size, (1 - rate) * size, (tasks, 100)), 1e-4, 1 - 1e-4)
    changed = risks * (1 + by / rate) if by < 0 else 1 - (1 - risks) * (1 - by / (1 - rate))
    run = [rng.binomial(30, rng.beta(arm * size, (1 - arm) * size)) for arm in (risks, changed)]
    first, second = (np.stack([failed, np.full(failed.shape, 30)], axis=-1).astype(float) for failed in run)
    return first, second


@pytest.mark.parametrize("sign", [1, -1])
def test_what_tasks_would_have_shown_is_shown_four_times_in_five(sign: int) -> None:
    rng = np.random.default_rng(8)
    told = paired(*pairs_of_runs(rng, 24, 0.0))
    by = sign * float(np.median([(one.mde_up if sign > 0 else one.mde_down) or 1 for one in told]))
    found = [verdict_of(one, one.p_value, -1) for one in paired(*pairs_of_runs(rng, 24, by))]
    assert 70 <= found.count("warm worse" if sign > 0 else "warm better") <= 92


def test_that_a_task_is_longer_in_one_arm_is_not_taken_for_unlike_runs_of_it() -> None:
    first = [(36, 60), (7.2, 12), (0, 60), (0, 12)] * 10
    second = [first[at ^ 1] for at in range(40)]
    runs = Runs.of(np.array(first), np.array(second))
    assert (runs.rate, runs.of_tasks) == (pytest.approx(0.3), pytest.approx(0.09))
    assert runs.of_runs == pytest.approx(0)
    named = reach(runs, 0.3, -1)
    assert named is not None
    alike = reach(Runs.of(*(np.array([(21.6, 36), (0, 36)] * 20),) * 2), 0.3, -1)
    assert alike is None or alike < named, "which is still harder to tell than of tasks as long as each other"


def test_of_few_tasks_no_size_is_named() -> None:
    rng = np.random.default_rng(8)
    assert all(one.mde is None and one.low is not None for one in paired(*pairs_of_runs(rng, 19, 0.0)))
    assert all(one.mde is not None for one in paired(*pairs_of_runs(rng, 20, 0.0)))


def test_how_many_more_tasks_it_takes() -> None:
    rng = np.random.default_rng(3)
    told = [one for one in paired(*pairs_of_runs(rng, 20, 0.05)) if one.difference and one.difference > 0.03]
    for one in told:
        assert one.wanted is not None
        assert one.mde_up is not None
        assert (one.wanted > 20) == (one.mde_up > one.difference) or 15 < one.wanted < 30


# --- amounts ---


def amounts(rng: np.random.Generator, sessions: int, unlike: float, mean: float = 1.0) -> np.ndarray:
    """Lopsided, as tokens and seconds are: a hundred draws of so many sessions."""
    values = mean * np.exp(unlike * rng.normal(size=(sessions, 100)) - unlike**2 / 2)
    return np.stack([values, np.ones_like(values)], axis=-1)


@pytest.mark.parametrize(("sessions", "unlike"), [((4, 40), (1, 1)), ((40, 6), (0.5, 1)), ((10, 10), (1, 0.5))])
def test_the_interval_of_lopsided_amounts_holds_the_truth(sessions, unlike) -> None:
    """Welch's held it in 80 to 90 of 100."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(4):
        first, second = (amounts(rng, count, spread) for count, spread in zip(sessions, unlike, strict=True))
        held += sum(one.low <= 0 <= one.high for one in independent(first, second))
    assert held >= 368, "of 400"


def test_the_interval_of_paired_amounts_holds_the_truth() -> None:
    """Student's held a change by half in 85 of 100."""
    rng, held = np.random.default_rng(5), 0
    for _ in range(4):
        tasks = amounts(rng, 10, 1.0)[..., 0]
        runs = [amounts(rng, 10, 0.3, mean)[..., 0] * tasks for mean in (1.0, 1.5)]
        told = paired(*(np.stack([run, np.ones_like(run)], axis=-1) for run in runs))
        held += sum(one.low <= 0.5 <= one.high for one in told)
    assert held >= 368, "of 400"


def test_an_arm_of_noughts_has_no_scale_and_so_no_interval() -> None:
    (told,) = independent(means([0, 0, 0, 0, 0]), means([0, 2, 1, 0, 3]))
    assert (told.difference, told.low, told.high) == (1.2, None, None)
