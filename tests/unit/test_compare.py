"""Warm against cold: units, metrics, pairing, and what the verdict may say."""

from __future__ import annotations

import json
import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from warm_tui.comparisons.compare import METRICS, Comparison, compare, rows_of
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.comparisons.units import Unit
from warm_tui.reliability.stats import Difference
from warm_tui.reports.comparison import comparison_document
from warm_tui.reports.comparison_words import sentence
from warm_tui.reports.document import Heading
from warm_tui.reports.lines import lines_of


def unit(name: str, course: str, task: str = "", **fields) -> Unit:
    """A session of calls that went so: '.' succeeded, 'x' failed, '?' is unknown."""
    known = len(course) - course.count("?")
    given = {
        "life": name, "session_id": name, "session_ids": (name,), "title": name, "model": "m", "task": task,
        "started_at": 0.0, "calls": len(course), "failures": course.count("x"), "known": known, "course": course,
        "first_success": course.find(".") + 1 or None,
        "tools": {"terminal": (course.count("x"), known)} if known else {},
        "streak": max(map(len, course.replace("?", "").split("."))), "seconds": None, "tokens": None, "cost_usd": None,
    }  # fmt: skip
    return Unit(**given | fields)


def arm(prefix: str, *courses: str, **fields) -> list[Unit]:
    return [unit(f"{prefix}{at}", course, **fields) for at, course in enumerate(courses)]


def rows(told: Comparison) -> dict[str, tuple[float | None, float | None]]:
    """Warm and cold, of each metric."""
    return {row.name: (row.difference.second, row.difference.first) for row in told.rows}


# --- metrics ---


def test_the_metrics_of_two_arms_by_hand() -> None:
    warm = arm("w", "..x.", "x...", tokens=100, cost_usd=0.5, seconds=3.0)
    cold = arm("c", "xx..", "xxx.?", tokens=300, cost_usd=1.5, seconds=9.0)
    told = rows(compare(warm, cold))
    assert told["error_rate"] == (2 / 8, 5 / 8)
    assert told["first_30_error_rate"] == (2 / 8, 5 / 8)
    assert told["calls_to_first_success"] == (1.5, 3.5)
    assert told["seconds_to_first_success"] == (3.0, 9.0)
    assert told["errors_a_session"] == (1.0, 2.5)
    assert told["tool_diversity"] == (1.0, 1.0)
    assert told["longest_failure_streak"] == (1.0, 2.5)
    assert told["tokens"] == (100.0, 300.0)
    assert told["cost_usd"] == (0.5, 1.5)
    assert told["task_success"] == (None, None), "nobody knows"


def test_only_the_first_thirty_calls_are_first() -> None:
    told = rows(compare(arm("w", "." * 30 + "x" * 30), arm("c", "x" * 30 + "." * 30)))
    assert told["first_30_error_rate"] == (0.0, 1.0)
    assert told["error_rate"] == (0.5, 0.5)


def test_a_session_that_never_succeeded_says_nothing_of_its_first_success() -> None:
    told = compare(arm("w", "xxx", ".x"), arm("c", ".."))
    assert rows(told)["calls_to_first_success"] == (1.0, 1.0)
    assert any("1 warm never did" in note for note in told.notes)
    late = compare(arm("w", *["xxxxx."] * 8), arm("c", *["x.", "xxxx"] * 4))
    (row,) = [row for row in late.rows if row.name == "calls_to_first_success"]
    assert row.verdict == "not enough data", "the slow ones of the cold arm are missing"


# --- what may be said ---

BAD, GOOD = (
    ("xxx.......", "xx........", "x.x.x.....", "xxxx......", "xx.xx.....") * 2,
    (("..........",) * 4 + ("x.........",)) * 2,
)


def test_a_clear_difference() -> None:
    told = compare(arm("w", *GOOD), arm("c", *BAD))
    assert told.verdict == "warm better"
    assert compare(arm("w", *BAD), arm("c", *GOOD)).verdict == "warm worse"
    assert "2.0% of the warm calls failed and 32.0% of the cold ones" in sentence(told)


def test_no_difference_tells_what_would_have_shown_and_what_it_takes() -> None:
    told = compare(arm("w", *BAD * 2), arm("c", *BAD * 2)[:-1] + arm("d", "x........."))
    assert told.verdict == "no difference shown"
    said = sentence(told)
    assert "A worsening of" in said
    assert "or more would have been shown four times in five" in said
    assert "sessions in each arm" in said


def test_between_arms_the_size_of_an_improvement_takes_more_sessions_than_that_of_a_worsening() -> None:
    def said(times: int, pairing: str) -> str:
        return sentence(compare(arm("w", *BAD * times), arm("c", *reversed(BAD * times)), pairing=pairing))

    few = said(2, "none")
    assert "A worsening of 15.9 pp or more would have been shown four times in five" in few
    assert "; of an improvement no size is named below 40 sessions in each arm" in few
    assert "improvement of" in said(2, "order"), "pairs tell more"
    assert "and an improvement of 9.5 pp or more would have been shown four times in five" in said(4, "none")


def test_of_few_failures_no_size_of_improvement_is_named() -> None:
    seldom = [*["." * 30] * 20, *["x" + "." * 29] * 20]
    said = sentence(compare(arm("w", *seldom), arm("c", *seldom)))
    assert "A worsening of" in said
    assert "no size is named: with so few failures, or sessions so unlike one another, none is shown reliably" in said


def test_where_no_size_shows_reliably_none_is_named() -> None:
    few = sentence(compare(arm("w", *BAD), arm("c", *BAD)))
    assert "So few show no size of difference reliably: none is named below 20 sessions in each arm." in few
    uneven = sentence(compare(arm("w", *BAD * 2), arm("c", *BAD * 4)))
    assert "Arms of so different a size show no size of difference reliably: none is named." in uneven
    assert not any("four times in five" in said for said in (few, uneven))


def test_of_few_sessions_the_sentence_says_that_the_interval_is_wide() -> None:
    wide = "Of fewer than 10 sessions in an arm little is known, so the interval is mostly wider than need be"
    assert wide in sentence(compare(arm("w", *GOOD[:9]), arm("c", *BAD)))
    assert wide in sentence(compare(arm("w", *BAD), arm("c", *BAD[:9])))
    assert wide not in sentence(compare(arm("w", *GOOD), arm("c", *BAD)))
    assert wide not in sentence(compare(arm("w", *GOOD[:9]), arm("c", *BAD[:9]), pairing="order"))


def test_two_sessions_prove_nothing() -> None:
    told = compare(arm("w", "." * 50), arm("c", "x" * 50))
    assert told.verdict == "not enough data"
    assert "Two sessions prove nothing" in sentence(told)
    one = told.primary.difference
    assert (one.p_value, one.difference) == (None, -1.0)
    assert one.low is not None
    assert one.high is not None
    assert -1.0 <= one.low <= one.high <= 0.0


@pytest.mark.parametrize(("size", "verdict"), [(3, "not enough data"), (4, "warm better")])
def test_fewer_than_four_sessions_cannot_show_anything(size: int, verdict: str) -> None:
    assert compare(arm("w", *["." * 20] * size), arm("c", *["x" * 20] * size)).verdict == verdict


def test_the_error_rate_is_tested_alone_and_the_rest_corrected() -> None:
    told = compare(arm("w", *(course * 4 for course in GOOD)), arm("c", *(course * 4 for course in BAD)))
    assert told.primary.p_corrected == told.primary.difference.p_value
    others = [row for row in told.rows[1:] if row.difference.p_value is not None]
    assert len(others) > 2
    least = min(others, key=lambda row: row.difference.p_value or 0)
    assert least.p_corrected == pytest.approx(min(1.0, (least.difference.p_value or 0) * len(others)))


def test_more_tools_are_neither_better_nor_worse() -> None:
    many = [unit(f"w{n}", "." * 9, tools={f"t{k}": (0, 1) for k in range(9)}) for n in range(6)]
    told = compare(many, arm("c", *["." * 9] * 6))
    (row,) = [row for row in told.rows if row.name == "tool_diversity"]
    assert (row.p_corrected or 1) < 0.05
    assert row.verdict == "no difference shown"


# --- odd arms ---


@pytest.mark.parametrize(
    ("warm", "cold", "says"),
    [
        ([], [], "both arms are empty"),
        ([], ["..x"], "the warm arm is empty"),
        (["..x"], [], "the cold arm is empty"),
        (["", ""], ["..x", "."], "no call with a verdict"),
        (["??", "?"], ["??"], "no call with a verdict"),
        (["x"], ["."], "Two sessions prove nothing"),
        (["x"] * 5, ["x"] * 5, "no difference"),
        (["."] * 5, ["."] * 5, "0% of the warm calls"),
    ],
)
def test_odd_arms_have_a_sentence_and_sound_numbers(warm: list[str], cold: list[str], says: str) -> None:
    told = compare(arm("w", *warm), arm("c", *cold))
    assert says in sentence(told) or says in told.verdict
    check_sound(told)


def check_sound(told: Comparison) -> None:
    for row in (*told.rows, *told.tools):
        for value in (
            row.difference.first,
            row.difference.second,
            row.difference.low,
            row.difference.p_value,
            row.p_corrected,
        ):
            assert value is None or math.isfinite(value)
        assert row.p_corrected is None or 0 <= row.p_corrected <= 1
        if row.form == "rate" and row.difference.low is not None and row.difference.high is not None:
            assert -1 <= row.difference.low <= row.difference.high <= 1


courses = st.lists(st.text("..x?", max_size=12), max_size=7)


@settings(max_examples=60)
@given(courses, courses, st.sampled_from(["auto", "order", "none"]))
def test_any_two_arms_compare(warm: list[str], cold: list[str], pairing) -> None:
    told = compare(arm("w", *warm), arm("c", *cold), pairing)
    check_sound(told)
    assert sentence(told)
    json.dumps([row.difference.second for row in told.rows], allow_nan=False)


def test_a_session_in_both_arms_is_in_neither() -> None:
    both = unit("b", "x....")
    told = compare([*arm("w", *GOOD), both], [*arm("c", *BAD), both])
    assert any("in both arms and left out of both" in note for note in told.notes)
    assert told.in_both_arms == 1
    assert (len(told.warm), len(told.cold)) == (10, 10)


# --- pairs ---


def tasks(prefix: str, *courses: str) -> list[Unit]:
    return [unit(f"{prefix}{at}", course, task=f"task {at}") for at, course in enumerate(courses)]


def test_the_same_tasks_in_both_arms_are_paired() -> None:
    courses = ("x...", "xx..", "....", "xxx.", "x.x.", "..x.", "....")
    told = compare(tasks("w", *courses), tasks("c", *reversed(courses)))
    assert (told.paired, told.tasks) == (True, 7)
    assert "paired" in told.method
    assert not compare(tasks("w", *courses), tasks("c", *courses), "none").paired


def test_runs_of_one_task_are_one_unit() -> None:
    warm = [unit(f"w{n}", "x..." if n % 2 else "....", task=f"task {n // 2}") for n in range(14)]
    cold = [unit(f"c{n}", "xx..", task=f"task {n // 2}") for n in range(14)]
    told = compare(warm, cold)
    assert (told.tasks, told.primary.difference.units) == (7, (7, 7))
    assert told.primary.difference.p_value == pytest.approx(2 / 2**7)


def test_rates_and_counts_of_pairs_are_of_the_same_sessions() -> None:
    warm = tasks("w", *["x..."] * 6, "xxxx", "xx")
    cold = tasks("c", *["...."] * 6, "??")
    told = compare(warm, cold, "order")
    assert (told.primary.difference.units, told.primary.difference.second) == ((6, 6), 0.25)
    assert (len(told.warm), len(told.cold)) == (6, 6)
    assert sum(one.failures for one in told.warm) / sum(one.known for one in told.warm) == 0.25
    assert any("No call with a verdict in one arm of 1 pair" in note for note in told.notes)


def test_two_rows_of_the_same_figures_say_the_same() -> None:
    """No session has more than thirty calls, and one tool made them all."""
    told = compare(arm("w", *GOOD), arm("c", *BAD))
    (first,) = [row for row in told.rows if row.name == "first_30_error_rate"]
    for row in (first, *told.tools):
        assert (row.same_as, row.verdict, row.p_corrected) == ("error_rate", "warm better", told.primary.p_corrected)
    document = comparison_document(ArmComparison(ComparisonSpec("marks"), "t", "", told, []))
    assert Heading("Error rate by tool") not in document.whole
    longer = compare(arm("w", *(course * 4 for course in GOOD)), arm("c", *(course * 4 for course in BAD)))
    assert [row.same_as for row in longer.rows[:2]] == ["", ""]


def test_what_repeats_the_error_rate_does_not_count_among_those_tested() -> None:
    """One tool made all calls, the other few of them: but one is tested besides the error rate."""
    primary = Difference(0.4, 0.2, (6, 6), difference=-0.2, low=-0.3, high=-0.1, p_value=0.001)
    other = Difference(0.4, 0.1, (6, 6), difference=-0.3, low=-0.5, high=-0.1, p_value=0.03)
    rows = rows_of(METRICS[:2] + METRICS[4:5], [primary, primary, other])
    assert [(row.same_as, row.p_corrected) for row in rows] == [("", 0.001), ("error_rate", 0.001), ("", 0.03)]


def test_tasks_that_are_not_in_both_arms_are_paired_only_when_asked() -> None:
    warm, cold = tasks("w", *["x..."] * 8), tasks("c", *["...."] * 7)
    assert not compare(warm, cold).paired
    assert any("7 tasks ran in both arms, but 1 session had others" in note for note in compare(warm, cold).notes)
    told = compare(warm, cold, "order")
    assert (told.paired, told.tasks) == (True, 7)
    assert any("1 session whose task did not run in both arms left out" in note for note in told.notes)


def test_known_tasks_are_never_paired_by_order() -> None:
    told = compare(tasks("w", *["x..."] * 4), tasks("c", *["...."] * 4)[::-1], "order")
    assert (told.paired, told.tasks, told.verdict) == (True, 4, "not enough data")
    assert "in 4 tasks" in sentence(told)


def test_without_tasks_the_nth_is_paired_with_the_nth_when_asked() -> None:
    told = compare(arm("w", *["x..."] * 6), arm("c", *["...."] * 6), "order")
    assert (told.paired, told.tasks) == (True, 6)
    unequal = compare(arm("w", *["x..."] * 6), arm("c", *["...."] * 5), "order")
    assert not unequal.paired
    assert any("nothing is paired" in note for note in unequal.notes)


def test_tasks_done_are_tested_exactly() -> None:
    done = [True] * 7 + [False] * 3
    paired = compare(
        [unit(f"w{n}", "..", task=f"t{n}", success=yes) for n, yes in enumerate(done)],
        [unit(f"c{n}", "..", task=f"t{n}", success=False) for n in range(10)],
    ).rows[-1]
    assert paired.difference.p_value == pytest.approx(scipy_stats.binomtest(7, 7).pvalue), "McNemar"
    apart = compare(
        [unit(f"w{n}", "..", success=yes) for n, yes in enumerate(done)],
        [unit(f"c{n}", "..", success=n < 1) for n in range(9)],
    ).rows[-1]
    assert apart.difference.p_value == pytest.approx(scipy_stats.boschloo_exact([[7, 3], [1, 8]]).pvalue)


# --- what is known exactly, and what is not ---


def test_all_done_or_none_is_no_difference() -> None:
    told = compare(arm("w", *[".x"] * 6, success=True), arm("c", *[".."] * 6, success=True), "none")
    assert told.rows[-1].difference.p_value == 1.0


def test_nothing_is_claimed_where_the_interval_holds_zero() -> None:
    """Two uneven sessions carry it: the shuffled labels and the interval then disagree."""
    rows = rows_of(METRICS[:2], [Difference(0.4, 0.2, (6, 6), difference=-0.2, low=-0.5, high=0.1, p_value=0.001)] * 2)
    assert [row.verdict for row in rows] == ["no difference shown"] * 2


# --- pictures ---


def test_no_line_says_nan() -> None:
    for warm, cold in (([], []), (["", "?"], ["x"]), (["."] * 6, ["."] * 6), (["x"] * 6, ["x"])):
        told = compare(arm("w", *warm), arm("c", *cold))
        document = comparison_document(ArmComparison(ComparisonSpec("marks"), "t", "", told, told.notes), whole=True)
        for width in (40, 80, 160):
            text = "\n".join("".join(piece for piece, _ in line) for line in lines_of(document, width))
            assert "nan" not in text.lower()
            assert "inf" not in text.lower().replace("information", "")


# --- simulated ---


def test_arms_drawn_at_random_seldom_differ() -> None:
    """A hundred draws of sessions that differ from one another; tests/bench/comparison.py draws thousands."""
    rng = Random(5)
    false = 0
    for _ in range(100):
        arms = []
        for prefix in "wc":
            risks = [rng.betavariate(1, 5) for _ in range(8)]
            arms.append(
                arm(prefix, *("".join("x" if rng.random() < risk else "." for _ in range(30)) for risk in risks))
            )
        false += compare(*arms, "none").verdict != "no difference shown"
    assert false <= 9, f"{false} of 100: 5 % would be 5"


def test_there_is_one_primary_metric() -> None:
    assert METRICS[0].name == "error_rate"
    assert len({metric.name for metric in METRICS}) == len(METRICS)
