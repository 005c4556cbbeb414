"""The table of a comparison: no figures under two names, and colours only where something is shown."""

from __future__ import annotations

from msgspec.structs import replace

from tests.unit.test_compare import BAD, GOOD, arm
from warm_tui.comparisons.compare import Comparison, compare, verdict_of
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.presentation.claims import CLAIMS
from warm_tui.presentation.glossary import explained
from warm_tui.presentation.pictures import Span
from warm_tui.reports.comparison import comparison_document
from warm_tui.reports.comparison_json import of_comparison
from warm_tui.reports.document import Heading, Table


def told(comparison: Comparison) -> ArmComparison:
    return ArmComparison(ComparisonSpec("marks"), "t", "", comparison, [])


def metrics(comparison: Comparison) -> dict[str, dict[str, str]]:
    """The styles of the difference, its picture and its verdict, by the title of the metric."""
    table = next(part for part in comparison_document(told(comparison)).whole if isinstance(part, Table))
    styles = {}
    for title, _, _, difference, _, picture, _, verdict in table.rows:
        assert isinstance(picture, Span)
        styles[str(title)] = {"difference": difference[1], "picture": picture.style, verdict[0]: verdict[1]}
    return styles


def headings(comparison: Comparison) -> list[str]:
    return [part.text for part in comparison_document(told(comparison)).whole if isinstance(part, Heading)]


def test_the_same_figures_stand_under_one_name() -> None:
    """The error rate is tested alone and the others corrected for their number: they might be told to differ."""
    short = compare(arm("w", *GOOD), arm("c", *BAD))
    assert "error rate" in metrics(short)
    assert "first 30 calls" not in metrics(short), "no session has more"
    assert "Error rate by tool" not in headings(short), "there is but one tool"
    assert of_comparison(told(short))["differences"]["first_30_error_rate"]["verdict"], "scripts rely on it"
    late = compare(arm("w", *(f"{'.' * 30}{course}" for course in GOOD)), arm("c", *BAD))
    assert "first 30 calls" in metrics(late)


def test_what_is_shown_has_a_colour() -> None:
    better, worse = compare(arm("w", *GOOD), arm("c", *BAD)), compare(arm("w", *BAD), arm("c", *GOOD))
    assert metrics(better)["error rate"] == {"difference": "ok", "picture": "ok", "warm better": "ok"}
    assert metrics(worse)["error rate"] == {"difference": "failed", "picture": "failed", "warm worse": "failed"}


def test_what_is_not_shown_is_grey() -> None:
    alike = metrics(compare(arm("w", *BAD), arm("c", *BAD[::-1])))
    assert alike["error rate"] == {"difference": "dim", "picture": "dim", "none shown": "dim"}
    assert {style for row in alike.values() for style in row.values()} == {"dim"}


def test_no_row_of_confounded_arms_is_told_as_the_templates_doing() -> None:
    confounded = metrics(compare(arm("w", *GOOD, model="new"), arm("c", *BAD, model="old")))
    assert confounded["error rate"] == {"difference": "dim", "picture": "dim", "confounded": "dim"}
    assert {style for row in confounded.values() for style in row.values()} == {"dim"}


def test_where_interval_and_p_do_not_agree_one_is_told_which_decides() -> None:
    """The interval is of one metric alone, p is corrected for their number: side by side they look like an error."""
    whole = compare(arm("w", *GOOD), arm("c", *BAD))
    row = next(row for row in whole.rows if row.name == "errors_a_session")
    apart = replace(row.difference, difference=-1.5, low=-2.9, high=-0.3)
    around = replace(row.difference, difference=-1.5, low=-3.1, high=0.1)
    for difference, p, verdict, words in (
        (apart, 0.212, "no difference shown", "none shown, by p"),
        (around, 0.02, "no difference shown", "none shown, by interval"),
        (around, 0.212, "no difference shown", "none shown"),
        (apart, 0.02, "warm better", "warm better"),
    ):
        assert verdict_of(difference, p, -1) == verdict
        changed = replace(row, difference=difference, p_corrected=p, verdict=verdict)
        told_so = metrics(replace(whole, rows=[whole.primary, changed]))["errors a session"]
        assert words in told_so, told_so
        assert words in CLAIMS or explained(words), "it is said what that means"


def test_what_is_neither_better_nor_worse_has_a_verdict_that_says_so() -> None:
    assert "neither is better" in metrics(compare(arm("w", *GOOD), arm("c", *BAD)))["tools a session"]


def test_what_too_few_sessions_cannot_show_is_said_to_be_untested() -> None:
    few = metrics(compare(arm("w", *GOOD[:3]), arm("c", *BAD[:3])))
    assert {"not tested"} <= few["errors a session"].keys() & few["error rate"].keys()
