"""Courses of days with other programs than were recorded: what mended a failure is found, what only looks so is not."""

from __future__ import annotations

import json

import pytest

from tests.unit.daily_mends import LOOK_ALIKES, MENDED, Course, edited, ran
from warm_tui.reliability.failure_records import Try
from warm_tui.reliability.recorded_failures import failures_of
from warm_tui.reliability.verdict import judge
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.model import Call


def mends_in(course: Course) -> list[Try]:
    calls = [
        Call(f"c{at}", f"c{at}", at, 0, "s", tool, json.dumps(arguments), answer, float(at), 2 * at, 2 * at + 1)
        for at, (tool, arguments, answer) in enumerate(course.steps)
    ]
    verdicts = [judge(call.arguments, call.result) for call in calls]
    assert verdicts[0].outcome == "failure", "there is something to mend"
    found = failures_of([calls], [verdicts], HERMES)
    return [each for failure in found.failures for each in failure.tries if each.worked and each.shape >= 0]


@pytest.mark.parametrize("course", MENDED, ids=lambda course: course.name)
def test_what_mended_it_is_found(course: Course) -> None:
    assert [each.call for each in mends_in(course)] == [f"c{course.mend}"]


@pytest.mark.parametrize("course", LOOK_ALIKES, ids=lambda course: course.name)
def test_what_only_looks_like_a_mend_is_none(course: Course) -> None:
    assert mends_in(course) == []


@pytest.mark.parametrize(("path", "is_test"), [("tests/test_a.py", True), ("src/a.py", False)])
def test_a_change_of_what_failed_itself_says_so(path: str, is_test: bool) -> None:
    """Whether the test was wrong, or was bent to what it tests, nobody knows."""
    failed, worked = (ran("pytest tests -q", code, f"{code} failed") for code in (1, 0))
    (mend,) = mends_in(Course("", [failed, edited(path, "given = 1", "given = 2"), worked], 1))
    assert mend.words.endswith(", in the test itself") is is_test
