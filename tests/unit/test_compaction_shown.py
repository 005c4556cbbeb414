"""What compaction did, as it looks: grey where nothing is shown, and tokens as the estimates they are."""

from __future__ import annotations

import pytest

from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import effects, examine
from warm_tui.paths import Home
from warm_tui.presentation.pictures import Span
from warm_tui.reliability.compaction import Counts
from warm_tui.reliability.pooled import Effect, Group, pooled
from warm_tui.reliability.stats import Difference
from warm_tui.reports.compaction import group_table, life_document, pooled_document, pooled_sentence
from warm_tui.reports.document import Document, Say, Table
from warm_tui.screens.compaction.table import FIELDS, arranged


def group(name: str, low: float, high: float, p_value: float) -> Group:
    middle = (low + high) / 2
    difference = Difference(0.1, 0.1 + middle, (9, 9), middle, low, high, p_value)
    return Group(name, 9, 9, Counts(90, 9), Counts(90, 20), difference)


def styles(*groups: Group) -> list[str]:
    return [row[5][1] for row in group_table(groups).rows]


WORSE, BETTER, NOT_SHOWN = (0.02, 0.2, 0.001), (-0.2, -0.02, 0.001), (-0.02, 0.2, 0.2)


def test_a_group_is_coloured_where_a_difference_is_shown() -> None:
    assert styles(group("all", *WORSE)) == ["failed"]
    assert styles(group("all", *BETTER)) == ["ok"]
    assert styles(group("all", *NOT_SHOWN)) == ["dim"]


def test_of_many_groups_some_would_differ_by_chance() -> None:
    alone, among = group("a", 0.02, 0.2, 0.02), [group(str(at), *NOT_SHOWN) for at in range(5)]
    assert styles(group("all", *NOT_SHOWN), alone) == ["dim", "failed"]
    assert styles(group("all", *NOT_SHOWN), alone, *among) == ["dim"] * 7


@pytest.mark.parametrize(
    ("measured", "told"),
    [
        (WORSE, "more errors after compaction"), (BETTER, "fewer errors after compaction"),
        (NOT_SHOWN, "no difference shown"), ((-0.01, 0.2, 0.01), "no difference shown"),
    ],
)  # fmt: skip
def test_a_difference_is_told_where_test_and_interval_agree(measured: tuple[float, float, float], told: str) -> None:
    assert told in pooled_sentence(group("all", *measured))


def test_what_one_session_did_by_one_model_is_told_once(demo: Home) -> None:
    with Catalog(demo) as catalog:
        lives = list(effects(catalog))

    def of_one_kind(some: list[Effect]) -> list[str]:
        parts = pooled_document(pooled(some), some).whole
        return [part.text for part in parts if isinstance(part, Say) and part.text.startswith("All of it: ")]

    by_model, by_share = of_one_kind(lives[:1])
    assert by_model == f"All of it: {lives[0].model}."
    assert by_share == "All of it: more than four fifths."
    assert not of_one_kind(lives), "of several models each has its line"


def tables(document: Document) -> dict[str, Table]:
    """By the title of their first column."""
    return {str(part.columns[0].title): part for part in document.whole if isinstance(part, Table)}


def test_a_life_alone_has_no_colour_and_opens_with_what_is_known(demo: Home) -> None:
    """It drifts where nothing was compacted too: that it got worse is no claim that the compaction did it."""
    with Catalog(demo) as catalog:
        lives = list(effects(catalog))
        documents = [life_document(examine(catalog, life.session_id)) for life in lives]
    opened = {}
    for document, life in zip(documents, lives, strict=True):
        for row in tables(document)["segment"].rows:
            span, verdict = row[5], row[9]
            assert isinstance(span, Span)
            assert span.style in ("", "dim"), "a rate is no difference"
            assert (verdict or ("", ""))[1] in ("", "dim")
        assert all(row[3][1] == "dim" for row in tables(document)["tool"].rows), "no tool is tested alone"
        assert life.impact.whole is not None
        opened[life.impact.whole.verdict] = document.parts[0]
    assert isinstance(opened["degraded"], Say)
    assert opened["degraded"].text.startswith("Work went worse after compaction: ")
    assert "need not be the compaction's doing" in opened["degraded"].text
    assert {part.style for part in opened.values() if isinstance(part, Say)} == {"strong"}
    told = [field for field in FIELDS if field.name in ("verdict", "difference")]
    shown = [field.show(row, 0.0) for field in told for row in arranged(lives, "", "")]
    assert {style for _, style in shown} <= {"", "dim"}
    assert "worse after" in {text for text, _ in shown}


def test_lives_are_found_by_either_name_of_what_became_of_them(demo: Home) -> None:
    with Catalog(demo) as catalog:
        lives = list(effects(catalog))
    assert [row.session_id for row in arranged(lives, "degraded", "")] == [
        row.session_id for row in arranged(lives, "worse after", "")
    ]


def test_tokens_are_marked_as_estimates(demo: Home) -> None:
    with Catalog(demo) as catalog:
        life = next(effects(catalog))
        rows = tables(life_document(examine(catalog, life.session_id)))["compaction"].rows
    for row in rows:
        before, after = str(row[1]).split(" → ")
        assert before.startswith("≈")
        assert after.startswith("≈")
