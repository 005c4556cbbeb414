"""How a trial went on, what is proposed when it helps, and the sample's two trials."""

from __future__ import annotations

import pytest

from tests.conftest import NOW
from tests.unit.test_trial_verdicts import drawn
from warm_tui.comparisons.trials import Trial, courses_of, proposed, trials_of
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reports.charts import curve_lines
from warm_tui.reports.document import Curve, Curves
from warm_tui.reports.lines import lines_of
from warm_tui.reports.trials import trial_document
from warm_tui.trials.course import course_of
from warm_tui.trials.rules import Revision, Rule, When
from warm_tui.trials.verdict import Shown, shown

RULE = Rule(1, When(), (Revision("careful", "c"), Revision("quick", "q")), "salt", share=0.5)


def test_a_course_is_what_was_told_after_each_of_its_sessions() -> None:
    sessions = drawn(0.5, 0.5, 0.05, 60)
    course = course_of([(float(at), each) for at, each in enumerate(sessions)], 0.05, most=60)
    told = [shown("careful", sessions[:count]) for count in range(1, 61)]
    assert [(p.low, p.high) for p in course.points] == pytest.approx([(each.low, each.high) for each in told])
    assert all(point.low <= point.value <= point.high for point in course.points)
    first = next(at for at, each in enumerate(told) if each.verdict == "harms")
    assert (course.harm_at, course.harm_after) == (float(first), first + 1)


def test_a_long_course_ends_where_the_trial_stands() -> None:
    sessions = drawn(0.9, 0.1, 0.3, 300)
    course = course_of([(float(at), each) for at, each in enumerate(sessions)], 0.05)
    now = shown("careful", sessions)
    assert len(course.points) == 60
    assert course.points[-1][2:] == pytest.approx((now.low, now.high))
    assert course.harm_at is None
    assert not course_of([], 0.05).points


@pytest.mark.parametrize(
    ("verdicts", "changed", "larger"),
    [
        (("helps", "helps"), {}, (("careful", "quick"), 0.95, 0.05)),
        (("helps", "nothing shown yet"), {}, (("careful",), 0.95, 0.05)),
        (("helps", "harms"), {"holdout": 0.0}, (("careful",), 0.95, 0.05)),
        (("helps", "helps"), {"share": 0.95}, None),
        (("helps", "helps"), {"running": False}, None),
        (("nothing shown yet", "harms"), {}, None),
    ],
)
def test_a_larger_share_is_proposed_of_what_helps_and_some_stay_cold(
    verdicts: tuple[str, str], changed: dict[str, float], larger: tuple[tuple[str, ...], float, float] | None
) -> None:
    each = [Shown(name, verdict, 9, 9, 0.1, 0.2) for name, verdict in zip(("careful", "quick"), verdicts, strict=True)]  # type: ignore[arg-type]
    found = proposed(Trial(RULE._replace(**changed), 18, 0, 0, each))  # type: ignore[arg-type]
    told = (tuple(r.template for r in found.revisions), found.warm_share, found.holdout) if found else None
    assert told == larger


def test_of_the_samples_trials_one_helps_and_one_was_switched_off_as_soon_as_it_harmed(with_trials: Home) -> None:
    with Catalog(with_trials) as catalog:
        helps, harms = trials_of(catalog, NOW)
        (course,) = courses_of(catalog, harms.rule, NOW)
    assert (helps.shown[0].verdict, helps.rule.state) == ("helps", "running")
    assert (harms.shown[0].verdict, harms.rule.state) == ("harms", "switched off")
    assert course.harm_after == harms.drawn, "no session was drawn after that"


def test_what_is_said_of_a_trial(with_trials: Home) -> None:
    with Catalog(with_trials) as catalog:
        told = [
            "\n".join(
                "".join(text for text, _ in line)
                for line in lines_of(trial_document(trial, courses_of(catalog, trial.rule, NOW), proposed(trial), "a"), 120)
            )
            for trial in trials_of(catalog, NOW)
        ]  # fmt: skip
    assert (
        "Proposed: 95% warm in place of 50%. 5% go on cold, so that it is known for how long it helps. (a)" in told[0]
    )
    assert "Switched off: harm was shown of log-triage, first on 2026-11-08" in told[1].replace("\n", " ")
    assert "randomised" in told[1]


def test_changes_are_drawn_about_a_line_at_nought() -> None:
    curve = Curve("careful", "warm", [(0.0, 0.1), (9.0, -0.3)], [(0.0, -0.5, 0.5), (9.0, -0.4, -0.2)])
    rows = curve_lines(Curves("", "", [curve], are_changes=True), 40, 9)[:9]
    ticks = [row[0][0].strip("│ ") for row in rows]
    assert (ticks[0][0], ticks[-1][0]) == ("+", "-")
    (nought,) = (row for row, tick in zip(rows, ticks, strict=True) if tick == "0")
    assert sum(len(text) for text, style in nought[1:] if style == "dim") > 20
