"""A change over a cut stands out among the other places of the same work, or is called none."""

from __future__ import annotations

from random import Random

import pytest

from warm_tui.reliability.compaction import NOTHING, Change, Counts, change
from warm_tui.reliability.places import reach, share_as_large
from warm_tui.reliability.stats import Stratum, exact_test
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
    return change(before, after, test, test.p_value, places=lambda: share_as_large(calls, at))


def test_where_all_changed_at_the_cut_no_other_place_is_like_it() -> None:
    steady = course("." * 30 + "x" * 30)
    assert share_as_large(steady, 30) == pytest.approx(1 / 55), "three calls are left out at either end"
    assert share_as_large(steady, 20) == pytest.approx(21 / 55), "at all places between as much changed, or more"
    assert share_as_large(steady[::-1], 30) == pytest.approx(1 / 55), "for better as for worse"


def test_each_tool_is_compared_with_itself() -> None:
    """The work turns to a tool that always fails: at no place did any tool change."""
    assert share_as_large(course("." * 20 + "x" * 20, "a" * 20 + "b" * 20), 20) == 1.0


@pytest.mark.parametrize("at", [0, 1, 4, 5])
def test_a_cut_near_an_end_is_a_place_too(at: int) -> None:
    assert 0 < share_as_large(course("..xx."), at) <= 1


def test_a_change_that_other_places_show_as_well_is_called_none() -> None:
    drifting = course("." * 20 + "..x." * 5 + ".x" * 10 + "xx.x" * 5)
    told = changed(drifting, 44)
    assert told.p_value is not None
    assert told.p_value < 0.01
    assert (told.verdict, told.why, told.preserved) == ("inconclusive", "other places", None)
    assert "As much changed at other places of the same work, where nothing was compacted." in sentence(told)
    assert changed(course(".." * 20 + "xx.x" * 10), 40).verdict == "degraded"
    assert changed(course("xx.x" * 10 + ".." * 20), 40).verdict == "improved"


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
    assert called <= 18


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
