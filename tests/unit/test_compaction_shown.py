"""What compaction did, as it looks: grey where nothing is shown, and tokens as the estimates they are."""

from __future__ import annotations

import pytest

from tests.unit.commands import run
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import effects, examine
from warm_tui.paths import Home
from warm_tui.presentation.pictures import Span
from warm_tui.reliability.compaction import Counts
from warm_tui.reliability.pooled import Effect, Group, pooled
from warm_tui.reliability.stats import Difference
from warm_tui.reliability.timeline import timeline_of
from warm_tui.reports.compaction import group_table, life_document, pooled_document, pooled_sentence
from warm_tui.reports.document import Document, Say, Table
from warm_tui.reports.html import html_of
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


def test_calls_that_were_lost_read_as_they_do_on_screens(demo: Home) -> None:
    with Catalog(demo) as catalog:
        life = next(iter(effects(catalog)))
        document = life_document(examine(catalog, life.session_id), whole=True)
    lost = [
        table for table in tables(document).values() if [column.title for column in table.columns] == ["fate", "call"]
    ]
    calls = [str(row[1]) for table in lost for row in table.rows]
    assert any(call.startswith("git ") for call in calls), "a command speaks for itself"
    assert not any('{"command"' in call for call in calls)


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


def test_every_count_of_calls_says_what_it_counts(demo: Home) -> None:
    """The same session has calls of tools that are not rated, too: figures that differ by them look like an error."""
    with Catalog(demo) as catalog:
        compacted = [examine(catalog, effect.session_id) for effect in effects(catalog)]
    examined = next(each for each in compacted if any(call.trivial for call, _ in each.calls))
    uncounted = sum(call.trivial for call, _ in examined.calls)
    said = [part.text for part in life_document(examined, whole=True).whole if isinstance(part, Say)]
    assert any(
        f"{len(examined.calls) - uncounted:,} fresh calls, {uncounted:,} more not counted" in text for text in said
    )
    assert any("rated calls are those of the others" in text for text in said)
    printed = run("--home", str(demo.root), "calls", examined.life.sessions[0].id).stdout
    assert f"{len(examined.calls) - uncounted:,} calls, {uncounted:,} more not counted" in printed


def test_the_picture_and_the_table_have_the_same_tokens(demo: Home) -> None:
    with Catalog(demo) as catalog:
        for effect in effects(catalog):
            examined = examine(catalog, effect.session_id)
            cuts = timeline_of(examined.life, examined.calls, examined.survived, lambda _: "").cuts
            drawn = {cut.index: (cut.before, cut.after) for cut in cuts}
            for each in examined.survived:
                if each.recorded:
                    assert drawn[each.index] == (each.tokens_before, each.tokens_after)


def test_on_a_telephone_the_words_of_the_picture_stand_below_it(demo: Home) -> None:
    with Catalog(demo) as catalog:
        examined = next(examine(catalog, each.session_id) for each in effects(catalog) if each.compactions > 1)
    page = html_of(life_document(examined, whole=True))
    below = page[page.index("</svg>") :]
    assert below.count('<p class="small dim">▲ ') == len(examined.impact.segments) - 1
    assert "below: tokens of context" in below
    assert ".picture{min-width:0}" in page
