"""How sessions go over time: sums, lines, and when a change is called one."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from warm_tui.insights.gathering import end_of_day, span_end
from warm_tui.presentation.figures import moment
from warm_tui.reliability.over_sessions import differences, rates, weighted_mean
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import DAY, MOST_LINES, SCALES, UNITS, Mark, Unit, model_marks, roots_of, trends_of
from warm_tui.reports.overview import headline, span

END = 1_800_000_000.0


def session(days_ago: float, failed: int = 0, calls: int = 10, **fields: object) -> Profile:
    fields = {"session_id": f"{days_ago:g}-{fields.get('source', '')}-{fields.get('model', '')}", **fields}
    fields.setdefault("tool_failures", {"terminal": (failed, calls)})
    return Profile(
        started_at=END - days_ago * DAY, failed_calls=failed, successful_calls=calls - failed, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


def weeks(first: int, second: int, count: int = 40, **fields: object) -> list[Profile]:
    """So many sessions before and now; of ten calls of each so many fail, more or less."""
    rng = random.Random(1)
    return [
        session(14 * half + 14 * (at + 0.5) / count, min(10, max(0, mean + rng.randint(-1, 1))), session_id=f"{half}-{at}", **fields)
        for half, mean in ((1, first), (0, second))
        for at in range(count)
    ]  # fmt: skip


def test_the_time_before_now_is_cut_into_two_halves() -> None:
    profiles = [session(0.5, 1), session(13.9, 2), session(14.1, 3), session(27.9, 4), session(28.1, 9)]
    trends = trends_of(profiles, "day", END)
    assert (trends.all.now.sessions, trends.all.now.failures) == (2, 3)
    assert (trends.all.before.sessions, trends.all.before.failures) == (2, 7)
    assert trends.days == 14


@pytest.mark.parametrize("unit", UNITS)
def test_points_come_in_order_and_hold_all(unit: Unit) -> None:
    profiles = [session(days, 1) for days in range(1, 300, 3)]
    trends = trends_of(profiles, unit, END)
    assert len(trends.all.points) == 2 * SCALES[unit].half
    assert [p.start for p in trends.all.points] == sorted(p.start for p in trends.all.points)
    inside = [p for p in profiles if trends.start <= (p.started_at or 0) < END]
    assert sum(point.sums.sessions for point in trends.all.points) == len(inside)


def test_what_is_not_known_is_no_nought() -> None:
    trends = trends_of([session(1), session(20, cost_usd=1.5, input_tokens=1, output_tokens=2)], "day", END)
    assert (trends.all.now.cost_usd, trends.all.now.tokens) == (None, None)
    assert (trends.all.before.cost_usd, trends.all.before.tokens) == (1.5, 3)


def test_a_change_that_sessions_show_is_called_one() -> None:
    assert trends_of(weeks(4, 1), "day", END).all.change == "better"
    assert trends_of(weeks(1, 4), "day", END).all.change == "worse"
    assert trends_of(weeks(3, 3), "day", END).all.change == "none shown"


def test_of_few_sessions_nothing_is_called_a_change() -> None:
    line = trends_of(weeks(9, 1, count=3), "day", END).all
    assert (line.change, line.low) == ("too few", None)
    assert line.difference is not None


def test_calls_of_one_session_are_no_evidence_by_themselves() -> None:
    profiles = [session(20 + at, 0, 5) for at in range(5)] + [session(at + 1, 0, 5) for at in range(5)]
    assert trends_of([*profiles, session(0.5, 400, 500)], "day", END).all.change == "none shown"


def test_a_branch_and_what_it_came_from_are_one_unit() -> None:
    branch = session(1, session_id="b", relation="branch", parent_session_id="a")
    twig = session(1, session_id="c", relation="branch", parent_session_id="b")
    assert roots_of([branch, twig]) == {"b": "a", "c": "a"}
    chain = session(1, session_id="root", parts=[session(1, session_id=n) for n in ("root", "a")])
    assert roots_of([branch, twig, chain]) == {"b": "root", "c": "root"}, "the life is known by its first"
    circle = [session(1, session_id=n, relation="branch", parent_session_id=p) for n, p in (("x", "y"), ("y", "x"))]
    assert set(roots_of(circle)) == {"x", "y"}


def test_lines_only_where_there_are_several_of_a_kind() -> None:
    two = [session(1, source="cli"), session(2, source="cron")]
    assert [(line.by, line.name) for line in trends_of(two, "day", END).lines] == [
        ("all", ""),
        ("source", "cli"),
        ("source", "cron"),
    ]
    assert len(trends_of([session(1, source="cli")], "day", END).lines) == 1


def test_of_each_kind_the_lines_with_the_most_calls() -> None:
    many = [session(1, calls=at + 1, source=f"s{at}") for at in range(MOST_LINES + 4)]
    lines = trends_of(many, "day", END).of("source")
    assert [line.name for line in lines] == [f"s{at}" for at in reversed(range(4, MOST_LINES + 4))]


def test_a_tool_is_told_by_its_own_calls() -> None:
    profiles = [session(1, 2, 10, tool_failures={"patch": (2, 4), "terminal": (0, 6)})]
    lines = {line.name: line.now for line in trends_of(profiles, "day", END).of("tool")}
    assert (lines["patch"].failures, lines["patch"].calls) == (2, 4)


def test_a_model_is_marked_when_several_sessions_ran_on_it_the_first_of_all_is_no_change() -> None:
    profiles = [session(9 - at, model="old", session_id=f"o{at}") for at in range(3)]
    profiles += [session(3 - at, model="new", session_id=f"n{at}") for at in range(3)] + [session(5, model="once")]
    assert [mark.words for mark in model_marks(profiles)] == ["first session on new"]


def test_marks_outside_of_the_time_that_is_shown_are_left_out() -> None:
    marks = [Mark(END - days * DAY, "activation", str(days)) for days in (1, 27, 29)]
    assert [mark.words for mark in trends_of([session(1)], "day", END, marks).marks] == ["27", "1"]


def test_nothing_at_all() -> None:
    trends = trends_of([], "day", END)
    assert (trends.all.now.sessions, trends.all.now.rate, trends.all.change) == (0, None, "too few")


# --- intervals over sessions ---


def test_a_rate_lies_within_its_interval_and_that_within_what_is_possible() -> None:
    sessions = [[(0, float(failures), 10.0)] for failures in (0, 2, 5, 1)]
    (found, empty) = rates(sessions, 2)
    assert found.value == pytest.approx(0.2)
    assert 0 <= found.low < 0.2 < found.high <= 1  # type: ignore[operator]
    assert empty.value is None


def test_more_looks_make_wider_intervals() -> None:
    before = [[(line, 5.0, 10.0) for line in range(9)] for _ in range(20)]
    after = [[(line, 4.0, 10.0) for line in range(9)] for _ in range(20)]
    alone, one = differences([each[:1] for each in before], [each[:1] for each in after], 1)
    among, nine = differences(before, after, 9)
    assert (one, nine) == (1, 9)
    widths = [found.high - found.low for found in (alone[0], among[0], among[1])]  # type: ignore[operator]
    assert widths == sorted(widths)
    assert widths[0] < widths[1] < widths[2]


def test_a_mean_change_over_sessions() -> None:
    found = weighted_mean([(0.1, 1.0), (0.3, 1.0), (0.2, 2.0), (0.2, 4.0)])
    assert found.value == pytest.approx(0.2)
    assert found.low < 0.2 < found.high  # type: ignore[operator]
    assert weighted_mean([(0.1, 1.0)] * 3).low is None
    assert weighted_mean([]).value is None


@pytest.mark.parametrize("unit", UNITS)
def test_where_all_is_past_what_is_looked_at_ends_with_the_newest_session(unit: Unit) -> None:
    profiles = [session(1_000, 1), session(1_003, 2), session(4_000, 3)]
    end = span_end(profiles, unit, END)
    trends = replace(trends_of(profiles, unit, end), is_past=True)
    newest = profiles[0].started_at
    assert newest is not None
    assert newest < end <= newest + DAY
    assert trends.all.now.sessions == 2
    day = moment(newest)[:10]
    assert headline(trends).startswith(f"No session began later than {day}. 15.0% of 20 calls failed in the ")
    assert span(trends) == f"{trends.days} days to {day}"


def test_one_session_of_now_is_enough_for_now() -> None:
    assert span_end([session(13)], "day", END) == end_of_day(END)
    assert span_end([], "day", END) == end_of_day(END)
    assert span_end([session(-3), session(1)], "day", END) == end_of_day(END), "a clock that was wrong is no time"
    assert span(trends_of([session(13)], "day", END)) == "last 14 days"
