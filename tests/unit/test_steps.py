"""A change over a cut is a step there, beside runs of failures and drift, or is called none."""

from __future__ import annotations

from random import Random

import pytest

from warm_tui.presentation.conclusions import of_change
from warm_tui.reliability.compaction import NOTHING, Change, Counts, change
from warm_tui.reliability.stats import Stratum, exact_test
from warm_tui.reliability.steps import reach, shape
from warm_tui.reports.compaction import sentence


def course(text: str, tools: str = "") -> list[tuple[str, bool]]:
    """`x` failed, any other letter did not; a tool for each call, or one for all."""
    return [(tool, letter == "x") for letter, tool in zip(text, tools or "t" * len(text), strict=True)]


def changed(calls: list[tuple[str, bool]], at: int) -> Change:
    tools: dict[str, list[Counts]] = {}
    for place, (tool, failed) in enumerate(calls):
        sides = tools.setdefault(tool, [NOTHING, NOTHING])
        sides[place >= at] += Counts(1, int(failed))
    strata = [Stratum(one.failures, one.calls, other.failures, other.calls) for one, other in tools.values()]
    before, after = (sum((sides[at] for sides in tools.values()), start=NOTHING) for at in (0, 1))
    test = exact_test(strata)
    return change(before, after, test, test.p_value, shape_of=lambda: shape(calls, at))


def test_where_all_changed_at_the_cut_it_is_a_step() -> None:
    steady = course("." * 30 + "x" * 30)
    assert shape(steady, 30) == "step"
    assert shape(steady[::-1], 30) == "step", "for better as for worse"
    assert shape(course("." * 40 + "x..xx.xx" * 3), 40) == "step"


def test_each_tool_is_compared_with_itself() -> None:
    """The work turns to a tool that always fails: over no cut did any tool change."""
    assert shape(course("." * 20 + "x" * 20, "a" * 20 + "b" * 20), 20) == "none"


@pytest.mark.parametrize("at", [0, 1, 9, 51, 59, 60])
def test_a_few_calls_on_a_side_are_not_told_from_a_run(at: int) -> None:
    assert shape(course("." * at + "x" * (60 - at)), at) == "none"


def test_what_began_well_before_the_cut_is_none() -> None:
    told = changed(course("." * 36 + "xx.xx.x.xx.x.x" + "x.xx.x.xx." * 3), 50)
    assert told.p_value is not None
    assert told.p_value < 0.05
    assert (told.verdict, told.why, told.preserved) == ("inconclusive", "no step", None)


def test_what_a_steady_drift_explains_better_is_called_none() -> None:
    drifting = course("." * 20 + "..x." * 5 + ".x" * 10 + "xx.x" * 5)
    told = changed(drifting, 30)
    assert told.p_value is not None
    assert told.p_value < 0.01
    assert (told.verdict, told.why, told.preserved) == ("inconclusive", "no step", None)
    assert "Runs of failures, or a steady drift of the work, would look like this too." in sentence(told)
    assert changed(course(".." * 20 + "xx.x" * 10), 40).verdict == "degraded"
    assert changed(course("xx.x" * 10 + ".." * 20), 40).verdict == "improved"


def test_a_change_that_a_drift_could_have_made_is_told_with_it() -> None:
    near = changed(course("." * 25 + "x....x.x..x.x..xx.xx.xxx..xxxx.xx.x"), 30)
    assert (near.verdict, near.why) == ("degraded", "drift")
    assert "a steady drift is not ruled out" in sentence(near)
    assert "a steady drift is not ruled out" in of_change(near)
    clear = changed(course(".." * 25 + "xx.x" * 12), 50)
    assert (clear.verdict, clear.why) == ("degraded", "")
    assert "ruled out" not in sentence(clear) + of_change(clear)


def in_runs(rng: Random, calls: int) -> list[tuple[str, bool]]:
    trouble, made = False, []
    for _ in range(calls):
        trouble = rng.random() < 0.25 if rng.random() < 0.15 else trouble
        made.append(("t", rng.random() < (0.8 if trouble else 0.05)))
    return made


def drifting(rng: Random, calls: int) -> list[tuple[str, bool]]:
    return [("t", rng.random() < 0.05 + 0.25 * place / calls) for place in range(calls)]


@pytest.mark.parametrize("work", [in_runs, drifting])
def test_a_cut_where_nothing_was_compacted_is_seldom_called_a_change(work) -> None:
    rng = Random(3)
    cuts = [changed(work(rng, 60), 45) for _ in range(300)]
    called = sum(one.verdict in ("degraded", "improved") for one in cuts)
    assert sum((one.p_value or 1) < 0.05 for one in cuts) > 40, "by the test alone it would be"
    assert called <= 30


def test_a_step_among_a_hundred_calls_is_shown() -> None:
    rng = Random(5)
    stepping = [[("t", rng.random() < (0.1 if place < 50 else 0.5)) for place in range(100)] for _ in range(200)]
    assert sum(changed(each, 50).verdict == "degraded" for each in stepping) >= 155


@pytest.mark.parametrize(("before", "after"), [((20, 100), 100), ((4, 60), 40)])
def test_what_a_change_would_have_to_be_is_shown_four_times_in_five(before: tuple[int, int], after: int) -> None:
    rng, rate = Random(4), before[0] / before[1]
    for by in (reach(before, after, 1.2, 0.05).worse, reach(before, after, 1.2, 0.05).better):
        if by is None:
            continue
        later = rate + by if by == reach(before, after, 1.2, 0.05).worse else rate - by
        draws = [
            [("t", rng.random() < (rate if place < before[1] else later)) for place in range(before[1] + after)]
            for _ in range(400)
        ]
        shown = sum(changed(draw, before[1]).verdict in ("degraded", "improved") for draw in draws)
        assert 0.73 < shown / len(draws) < 0.87


def test_no_improvement_goes_beyond_the_rate_before() -> None:
    assert reach((2, 13), 32, 1.2, 0.05).better is None
    assert reach((0, 50), 50, 1.2, 0.05).better is None
    assert reach((1, 2), 2, 1.2, 0.05) == (None, None)
