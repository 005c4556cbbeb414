"""What is concluded, in plain words: the same claim as the verdict's, and how many calls would tell."""

from __future__ import annotations

import random

import pytest

from tests.unit.test_compare import BAD, GOOD, arm
from warm_tui.comparisons.compare import compare
from warm_tui.presentation import conclusions
from warm_tui.reliability.compaction import Change, Counts, change
from warm_tui.reliability.pooled import Group
from warm_tui.reliability.stats import Difference, Stratum, exact_test
from warm_tui.reliability.wanted import calls_wanted


def changed(before: tuple[int, int], after: tuple[int, int]) -> Change:
    """Each as failures and calls, all of one tool."""
    test = exact_test([Stratum(before[0], before[1], after[0], after[1])])
    return change(Counts(before[1], before[0]), Counts(after[1], after[0]), test, test.p_value)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((2, 40), (20, 40), "Work went worse after compaction: 5.0% of 40 rated calls failed before it, 50.0% of 40 after it."),
        ((20, 40), (2, 40), "Work went better after compaction: "),
        ((200, 2000), (150, 2000), "Work went better after compaction: "),
        ((400, 2000), (400, 2000), "Work went no worse after compaction: "),
        ((6, 30), (2, 30), "We cannot tell whether compaction hurt; about 58 more calls would tell."),
        ((5, 40), (11, 60), "We cannot tell whether compaction hurt: it takes about 1,351 calls to tell, and there are 100."),
        ((10, 100), (11, 100), "We cannot tell whether compaction hurt: before and after are too alike to be told apart by 200 calls."),
        ((0, 10), (0, 10), "Nothing failed, neither before compaction nor after it: there is nothing to compare."),
        ((0, 0), (1, 10), "We cannot tell whether compaction hurt: before it there is no call whose outcome is known."),
    ],
)  # fmt: skip
def test_one_session(before: tuple[int, int], after: tuple[int, int], said: str) -> None:
    found = changed(before, after)
    assert conclusions.of_change(found).startswith(said)
    assert ("need not be the compaction's doing" in conclusions.of_change(found)) == (
        found.verdict in ("degraded", "improved")
    ), "nothing is claimed that the verdict does not"


@pytest.mark.parametrize(("before", "after"), [((6, 30), (2, 30)), ((10, 40), (2, 20)), ((6, 120), (4, 30))])
def test_so_many_more_calls_tell_four_times_in_five(before: tuple[int, int], after: tuple[int, int]) -> None:
    found, draw = changed(before, after), random.Random(1)
    more = calls_wanted(found).more
    assert more is not None
    told = 0
    for _ in range(300):
        failed = sum(draw.random() < after[0] / after[1] for _ in range(more))
        told += changed(before, (after[0] + failed, after[1] + more)).verdict != "inconclusive"
    assert told / 300 > 0.75


def test_what_has_a_verdict_wants_no_more_calls() -> None:
    assert calls_wanted(changed((2, 40), (20, 40))) == (None, None)


def group(sessions: int, difference: float, wanted: int | None, p_value: float | None = 0.3) -> Group:
    measured = Difference(0.1, 0.1 + difference, (sessions, sessions), difference, -0.1, 0.2, p_value, wanted=wanted)
    return Group("all", sessions, sessions, Counts(100, 10), Counts(100, 10), measured)


def test_many_sessions() -> None:
    assert conclusions.of_group(group(30, 0.02, 240), shown=False) == (
        "We cannot tell whether compaction hurt; about 240 sessions would tell, and there are 30."
    )
    assert "240" not in conclusions.of_group(group(9, 0.02, 240), shown=False), "so few name no size"
    assert conclusions.of_group(group(30, 0.1, None), shown=True).startswith("After compaction more calls fail")
    assert conclusions.of_group(group(30, -0.1, None), shown=True).startswith("After compaction fewer calls fail")
    assert "from six on" in conclusions.of_group(group(4, 0.1, None, None), shown=False)


def test_warm_against_cold() -> None:
    assert conclusions.of_comparison(compare(arm("w", *GOOD), arm("c", *BAD))).startswith("Warm sessions fail less: ")
    assert conclusions.of_comparison(compare(arm("w", *BAD), arm("c", *GOOD))).startswith("Warm sessions fail more: ")
    alike = conclusions.of_comparison(compare(arm("w", *BAD), arm("c", *BAD[::-1])))
    assert alike.startswith("We cannot tell whether warm sessions fail less")
    few = conclusions.of_comparison(compare(arm("w", "x"), arm("c", ".")))
    assert "it takes 4 sessions in each arm at least" in few
    assert (
        conclusions.of_comparison(compare([], arm("c", "."))) == "There is nothing to compare: the warm arm is empty."
    )


@pytest.mark.parametrize(
    ("verdict", "phase", "told"),
    [
        ("warm better", "done", "Warm runs failed less than cold ones: the template helped."),
        ("warm worse", "done", "Warm runs failed more than cold ones: the template hurt."),
        ("no difference shown", "done", "We cannot tell whether the template helps: the difference between"),
        ("not enough data", "done", "We cannot tell whether the template helps: too few tasks ran in both arms."),
        ("confounded", "done", "We cannot tell whether the template helps: the arms differ in more than the template."),
        ("", "running", "Not decided yet: 5 of 16 runs have ended."),
        ("warm better", "cancelled", "It was cancelled: there is no result."),
    ],
)
def test_an_experiment_claims_what_its_verdict_does_and_nothing_more(verdict: str, phase: str, told: str) -> None:
    assert conclusions.of_experiment(verdict, phase, 5, 16).startswith(told)
