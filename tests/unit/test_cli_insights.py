"""The commands on all sessions together, as scripts and people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.unit.commands import at, document, run
from warm_tui.comparisons.saved import ComparisonSummary
from warm_tui.insights.answers import Insights, Trial
from warm_tui.insights.gathering import activation_marks, agent_marks, overview_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.drafts import Drafts
from warm_tui.library.uses import Window
from warm_tui.library.visits import SAME_VISIT, Visit, last_visit, note_visit
from warm_tui.paths import Home
from warm_tui.reliability.pooled import pooled
from warm_tui.reliability.questions import Beginnings, Change, Lengths
from warm_tui.reports.insights import QUESTIONS, conclusion, insights_parts, sentences
from warm_tui.reports.overview import NEW, NOT_COMPARED, _share, overview_document

DAY = 86_400.0


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


@pytest.mark.parametrize("unit", ["day", "3-days", "week", "month"])
def test_the_overview_tells_key_figures_against_the_time_before(demo: Home, unit: str) -> None:
    told = document(*at(demo), "overview", "--by", unit)
    assert told.keys() >= {"at", "trends", "total", "profiled", "since", "new", "running", "waiting"}
    trends = told["trends"]
    assert trends["unit"] == unit
    assert trends["lines"][0]["by"] == "all"
    assert {"before", "now", "points", "difference", "low", "high", "change"} <= trends["lines"][0].keys()
    assert trends["lines"][0]["change"] in ("better", "worse", "none_shown", "too_few")
    assert "What changed" in run(*at(demo), "overview", "--by", unit).stdout


def test_the_four_questions_have_an_answer_figures_and_a_caution(demo: Home) -> None:
    told = document(*at(demo), "insights")
    assert [each["question"] for each in told["questions"]] == list(QUESTIONS)
    for each in told["questions"]:
        assert each["answer"].endswith(".")
        assert each["caution"].endswith(".")
    printed = run(*at(demo), "insights").stdout
    assert all(question[:30] in printed for question in QUESTIONS)


def test_each_experiment_stands_there_with_the_interval_that_was_kept_with_its_result(demo: Home) -> None:
    trials = document(*at(demo), "insights")["questions"][3]["experiments"]
    (result,) = [each["result"] for each in trials if each["result"]]
    assert result["low"] < result["warm_error_rate"] - result["cold_error_rate"] < result["high"] < 0


@pytest.mark.parametrize(("low", "told"), [(-0.2, "-20.0 to -5.0 pp"), (None, "it was not kept with the result")])
def test_a_result_without_an_interval_says_so(low: float | None, told: str) -> None:
    result = ComparisonSummary("warm better", 9, 9, 0.1, 0.2, 0.01, low, None if low is None else -0.05)
    nothing = Change("")
    insights = Insights(
        18, Lengths((), nothing, (), ()), Beginnings((), ()), pooled([]), (Trial(1, "one", "t", "done", result),)
    )
    assert told in "\n".join(str(each.part) for each in insights_parts(insights))


def test_it_begins_with_what_is_shown_and_tells_of_nothing_that_there_is_none_of() -> None:
    better = ComparisonSummary("warm better", 9, 9, 0.1, 0.2, 0.01, -0.2, -0.05)
    nothing = Change("")
    parts = (18, Lengths((), nothing, (), ()), Beginnings((), ()), pooled([]))
    none = "In 18 sessions no difference is shown by length, how they begin, compaction or warmth."
    assert conclusion(Insights(*parts, ())) == none
    shown = Insights(*parts, (Trial(1, "one", "t", "done", better),))
    one = "In 18 sessions a difference is shown by warmth; none by length, how they begin or compaction."
    assert conclusion(shown) == one
    assert "Of 1 experiment with a result 1 showed warm better." in sentences(shown)


@pytest.mark.parametrize("form", ["html", "md", "svg", "json"])
@pytest.mark.parametrize("command", ["overview", "insights"])
def test_a_report_in_each_form(demo: Home, tmp_path: Path, command: str, form: str) -> None:
    path = tmp_path / f"report.{form}"
    run(*at(demo), command, "--report", str(path))
    text = path.read_text()
    if form == "json":
        assert json.loads(text)
    elif form == "html":
        assert "<svg" in text
    else:
        assert len(text) > 1_000
    assert run(*at(demo), command, "--report", str(path), check=False).returncode == 1


def test_a_home_without_sessions_has_little_to_tell(tmp_path: Path) -> None:
    home = tmp_path / "empty"
    home.mkdir()
    answer = run("--home", str(home), "overview", check=False)
    assert answer.returncode == 1
    assert "Traceback" not in answer.stderr


def test_ones_own_word_on_an_outcome(demo: Home) -> None:
    name = document(*at(demo), "sessions", "--limit", "1")["sessions"][0]["session_id"]
    told = document(*at(demo), "outcome", name, "not-done", "--why", "called again")
    assert (told["outcome"], told["outcome_reason"], told["outcome_confidence"]) == (
        "not-done",
        "called again",
        "yours",
    )
    assert told["ruled_outcome"]["outcome"] in ("done", "not-done", "unknown")
    assert "yours: called again" in run(*at(demo), "outcome", name).stdout
    assert document(*at(demo), "outcome", name, "--take-back")["ruled_outcome"] is None
    assert run(*at(demo), "outcome", name, "--why", "x", check=False).returncode == 2
    assert run(*at(demo), "outcome", name, "done", "--take-back", check=False).returncode == 2
    assert run(*at(demo), "outcome", "nobody", check=False).returncode == 1


# --- visits ---


def test_who_is_back_at_once_has_not_been_away(tmp_path: Path) -> None:
    with open_library(tmp_path / "library.db") as library:
        assert note_visit(library, 1_000.0, "Hermes 0.18") is None
        assert note_visit(library, 1_000.0 + SAME_VISIT / 2, "Hermes 0.18") is None
        assert note_visit(library, 90_000.0, "Hermes 0.18") == 1_000.0
        assert note_visit(library, 90_001.0, "Hermes 0.18") == 1_000.0
        assert last_visit(library, 90_002.0) == 1_000.0
        assert last_visit(library, 200_000.0) == 90_000.0


def test_another_agent_than_at_the_visit_before_is_a_mark() -> None:
    marks = agent_marks([Visit(1, "Hermes 0.18"), Visit(2, ""), Visit(3, "Hermes 0.19"), Visit(4, "Hermes 0.19")])
    assert [(mark.at, mark.words) for mark in marks] == [(3, "Hermes 0.18 → Hermes 0.19")]


def test_activations_and_revisions_are_marks() -> None:
    windows = [Window("a", "x", 1, 2), Window("a", "y", 2, 3), Window("b", "z", 5, None)]
    assert [(mark.at, mark.kind, mark.words) for mark in activation_marks(windows)] == [
        (1, "activation", "a activated"), (2, "revision", "a revised"), (3, "deactivation", "a deactivated"),
        (5, "activation", "b activated"),
    ]  # fmt: skip


# --- what is new, and what waits ---


def words(items: object) -> str:
    return "\n".join(item.words for item in items)  # type: ignore[attr-defined]


def test_what_is_new_since_the_last_visit(demo: Home) -> None:
    with Catalog(demo) as catalog:
        profiles = catalog.profiles()
        overview = overview_of(demo, catalog.library, profiles, "day", NOW, NOW - 3 * DAY)
        fresh = [p for p in profiles if (p.started_at or 0) >= NOW - 3 * DAY]
        assert words(overview.new).startswith(f"{len(fresh)} session")
        assert overview.new[0].target.place == "sessions"
        first = overview_of(demo, catalog.library, profiles, "day", NOW, None)
    assert first.new == ()
    assert "New since" not in "\n".join(getattr(part, "text", "") for part in overview_document(first).parts)


def test_what_waits_for_somebody(demo: Home) -> None:
    with Catalog(demo) as catalog:
        Drafts(catalog.library).create("half-done", {"name": "half-done", "patterns": []})
        overview = overview_of(demo, catalog.library, catalog.profiles(), "day", NOW, None)
    assert "draft half-done" in words(overview.waiting)
    assert "is paused: go on, or cancel it" in words(overview.waiting)
    assert {item.target.place for item in overview.waiting} >= {"curate", "experiments"}


def test_cron_sessions_on_a_model_with_a_small_window_are_told(demo: Home) -> None:
    with Catalog(demo) as catalog:
        profiles = catalog.profiles()
        model = next(p.model for p in profiles if p.source == "cron")
        (demo.root / "config.yaml").write_text(f"model:\n  default: {model}\n  context_length: 32000\n")
        overview = overview_of(demo, catalog.library, profiles, "day", NOW, None)
        assert "window of 32,000 tokens is small (below 64,000)" in words(overview.waiting)
        (demo.root / "config.yaml").write_text(f"model:\n  default: {model}\n  context_length: 64000\n")
        assert "window" not in words(overview_of(demo, catalog.library, profiles, "day", NOW, None).waiting)


def test_while_not_all_are_profiled_that_is_told(demo: Home) -> None:
    with Catalog(demo) as catalog:
        overview = overview_of(demo, catalog.library, catalog.profiles()[:5], "day", NOW, None, total=52)
    texts = [getattr(part, "text", "") for part in overview_document(overview).parts]
    assert any("Still reading: 5 of 52 sessions are profiled" in text for text in texts)


def test_where_nothing_was_before_a_change_says_so() -> None:
    changes = [_share(*each) for each in ((6, 4), (0, 4), (4, 0), (0, 0), (4, None), (None, 4))]
    assert changes[:2] == [("+50%", "dim"), ("-100%", "dim")]
    assert changes[2:] == [NEW, *[NOT_COMPARED] * 3]


def test_a_page_for_others_shows_its_picture_below_the_conclusion(demo: Home) -> None:
    with Catalog(demo) as catalog:
        overview = overview_of(demo, catalog.library, catalog.profiles(), "day", NOW, None)
    kinds = [type(part).__name__ for part in overview_document(overview).parts]
    assert kinds[:2] == ["Say", "Heading"]
    assert kinds.index("Curves") == 2 < kinds.index("Table")
