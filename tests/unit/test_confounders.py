"""Arms that differ in more than the template: it is said first, and no verdict is announced as the template's."""

from __future__ import annotations

from random import Random

import pytest

from tests.unit.test_compare import BAD, GOOD, arm, unit
from warm_tui.comparisons.compare import compare
from warm_tui.comparisons.confounders import confounders_of
from warm_tui.comparisons.saved import summary_of
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.comparisons.units import Unit
from warm_tui.reports.comparison import comparison_document
from warm_tui.reports.comparison_json import of_comparison
from warm_tui.reports.comparison_words import headline, sentence
from warm_tui.reports.document import Say


def of(prefix: str, field: str, values: list) -> list[Unit]:
    return [unit(f"{prefix}{at}", "..x", **{field: value}) for at, value in enumerate(values)]


@pytest.mark.parametrize(
    ("field", "warm", "cold", "found"),
    [
        ("model", ["a"] * 5, ["b"] * 5, "5 of 5 warm and 0 of 5 cold sessions are of a"),
        ("model", ["a"], ["b"], "1 of 1 warm and 0 of 1 cold sessions are of a"),
        ("model", ["a"] * 18 + ["b"] * 2, ["a"] * 8 + ["b"] * 12, "18 of 20 warm and 8 of 20 cold sessions are of a"),
        ("model", [""] * 5, ["b"] * 5, "5 of 5 warm and 0 of 5 cold sessions are of an unknown model"),
        ("model", ["a", "a", "b", "a"], ["a", "b", "b", "a"], None),
        ("source", ["cron"] * 5, ["cli"] * 5, "0 of 5 warm and 5 of 5 cold sessions are of cli"),
        ("source", ["cli"] * 5, ["cli"] * 3 + ["cron"], None),
        ("started_at", [5.0, 6.0], [1.0, 4.0], "every warm session began after the last cold one"),
        ("started_at", [1.0, 2.0], [3.0, 4.0], "every warm session began before the first cold one"),
        ("started_at", [1.0, 4.0], [2.0, 3.0], None),
        ("started_at", list(range(30)), list(range(20, 50)), "the warm sessions began at other times than the cold ones"),
        ("started_at", list(range(0, 60, 2)), list(range(1, 60, 2)), None),
        ("started_at", [None] * 5, [1.0] * 5, None),
        ("started_at", [1e308] * 5, [1.0] * 5, "every warm session began after the last cold one"),
    ],
)  # fmt: skip
def test_what_sets_arms_apart(field: str, warm: list, cold: list, found: str | None) -> None:
    told = confounders_of(of("w", field, warm), of("c", field, cold))
    assert [confounder.words for confounder in told] == ([found] if found else [])


def test_empty_arms_have_none() -> None:
    assert confounders_of([], arm("c", "..x")) == []


def test_arms_dealt_by_lot_are_seldom_said_to_differ() -> None:
    rng = Random(7)
    said = 0
    for _ in range(200):
        units = [
            unit(str(at), ".x", model=rng.choice("aab"), source=rng.choice(("cli", "cron")), started_at=rng.random())
            for at in range(20)
        ]
        said += bool(confounders_of(units[:10], units[10:]))
    assert said <= 10, f"{said} of 200"


def test_a_verdict_on_confounded_arms_is_not_announced() -> None:
    warm, cold = arm("w", *GOOD, model="new"), arm("c", *BAD, model="old")
    told = compare(warm, cold)
    assert told.verdict == "warm better", "of the figures"
    assert sentence(told).startswith(
        "the arms differ in model (10 of 10 warm and 0 of 10 cold sessions are of new), so what differs may be due to that"
    )
    assert headline(told) == f"CONFOUNDED: {sentence(told)}"
    compared = ArmComparison(ComparisonSpec("marks"), "t", "", told, [])
    first = comparison_document(compared).parts[0]
    assert isinstance(first, Say)
    assert first.style == "unknown", "nor in green"
    assert first.text == "The arms differ in model: warm sessions failed less, and it may be due to that."
    assert summary_of(compared).verdict == "confounded", "nor on the template's row"
    facts = of_comparison(compared)
    assert facts["confounders"][0]["name"] == "model"
    assert (facts["verdict"], facts["warm_better"]) == ("confounded", None), "nor to a script"
    assert not {"warm better", "warm worse"} & {row["verdict"] for row in facts["differences"].values()}


def test_where_nothing_is_claimed_the_verdict_says_so_and_the_confounder_too() -> None:
    told = compare(arm("w", "..x", model="new"), arm("c", "x.x", model="old"))
    assert headline(told).startswith("NOT ENOUGH DATA: the arms differ in model")
    assert "Two sessions prove nothing" in headline(told)


def test_arms_alike_are_announced() -> None:
    told = compare(arm("w", *GOOD), arm("c", *BAD))
    assert told.confounders == []
    assert headline(told).startswith("WARM BETTER: 2.0%")


@pytest.mark.parametrize(("warm", "cold", "answer"), [(GOOD, BAD, True), (BAD, GOOD, False), (BAD, BAD, None)])
def test_warm_better_answers_only_where_the_verdict_does(warm, cold, answer: bool | None) -> None:
    told = compare(arm("w", *warm), arm("c", *cold))
    assert of_comparison(ArmComparison(ComparisonSpec("marks"), "t", "", told, []))["warm_better"] is answer
