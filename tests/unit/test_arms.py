"""Arms: by marks, by filters, by a template and by name; what leaks is refused."""

from __future__ import annotations

import msgspec
import pytest

from tests.conftest import NOW
from warm_tui.comparisons.arms import compare_arms
from warm_tui.comparisons.saved import forget_comparison, latest_verdicts, save_comparison, saved_comparisons
from warm_tui.comparisons.spec import ArmComparison, ComparisonSpec
from warm_tui.errors import Leaking, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.library.warmth import begun_warm
from warm_tui.paths import Home
from warm_tui.screens.templates.template_shelf import read_shelf
from warm_tui.sessions.model import SessionName
from warm_tui.templates.files import TemplateFiles

DAY = 86_400.0


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


def compared(home: Home, asked: ComparisonSpec) -> ArmComparison:
    with Catalog(home) as catalog:
        return compare_arms(catalog, asked)


def titles(units) -> set[str]:
    return {unit.title for unit in units}


def test_by_marks(demo: Home) -> None:
    with Catalog(demo) as catalog:
        ids = [profile.session_id for profile in catalog.profiles()]
        keep_marks(
            catalog.library, [dict(zip(map(SessionName, ids), ("warm", "warm", "cold", "marked"), strict=False))]
        )
    told = compared(demo, ComparisonSpec("marks")).comparison
    assert {i for unit in told.warm for i in unit.session_ids} == set(ids[:2])
    assert {i for unit in told.cold for i in unit.session_ids} == {ids[2]}


def test_by_filters(demo: Home) -> None:
    told = compared(demo, ComparisonSpec("filters", "model:gpt", "model:llama -source:cron")).comparison
    assert told.warm
    assert all("gpt" in unit.model for unit in told.warm)
    assert all("llama" in unit.model for unit in told.cold)
    assert not titles(told.cold) & {f"Nightly backup check {n}" for n in (1, 2, 3)}


def test_a_chain_is_one_unit_however_many_of_its_sessions_match(demo: Home) -> None:
    told = compared(demo, ComparisonSpec("filters", '"test suite"', "model:gpt")).comparison
    (unit,) = told.warm
    assert (unit.title, len(unit.session_ids)) == ("Port the test suite", 3)


def test_by_a_template_the_others_are_of_its_time_source_and_model(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.library.catalog.time.time", lambda: NOW)
    found = compared(demo, ComparisonSpec("template", template="log-triage"))
    told = found.comparison
    assert found.template == "log-triage"
    assert all(NOW - 12 * DAY <= (unit.started_at or 0) < NOW - 4.5 * DAY for unit in told.warm)
    assert not any(NOW - 12 * DAY <= (unit.started_at or 0) < NOW - 4.5 * DAY for unit in told.cold)
    assert {unit.model for unit in told.cold} <= {unit.model for unit in told.warm}
    assert min(unit.started_at or 0 for unit in told.cold) >= NOW - 26 * DAY, "fourteen days around"
    assert any("by the time when the template was active" in note for note in found.notes)


def test_a_template_that_was_never_active(demo: Home) -> None:
    with pytest.raises(Trouble, match="was never active"):
        compared(demo, ComparisonSpec("template", template="notes"))
    with pytest.raises(Trouble, match="nothing-like-it"):
        compared(demo, ComparisonSpec("template", template="nothing-like-it"))


def leaking(home: Home) -> set[str]:
    """The mined template was active while the sessions it was mined from began; these sessions."""
    with Catalog(home) as catalog:
        # One at a time is active: the demo's other one was not, then.
        catalog.library.connection.execute("DELETE FROM uses")
        catalog.library.connection.execute(
            "INSERT INTO uses (template, what, content, at, until) VALUES ('careful-work', 'activated', '', 0, ?)",
            (NOW,),
        )
    patterns = TemplateFiles(home).load("careful-work").template.patterns
    return {pattern.origin.session_id for pattern in patterns}


def test_the_sessions_a_template_was_made_from_are_refused_and_can_be_left_out(demo: Home) -> None:
    sources = leaking(demo)
    with pytest.raises(Leaking, match="Leaking: 'careful-work' was made from") as refused:
        compared(demo, ComparisonSpec("template", template="careful-work"))
    assert sources <= set(refused.value.sources)
    found = compared(demo, ComparisonSpec("template", template="careful-work", without_sources=True))
    assert found.comparison.warm
    assert not sources & {i for unit in found.comparison.warm for i in unit.session_ids}
    assert any("Left out, because" in note for note in found.notes)


def test_marked_sessions_that_a_template_warmed_are_guarded_too(demo: Home) -> None:
    source = min(leaking(demo))
    with Catalog(demo) as catalog:
        other = next(p.session_id for p in catalog.profiles() if p.session_id != source)
        keep_marks(catalog.library, [{SessionName(source): "warm", SessionName(other): "cold"}])
    with pytest.raises(Leaking):
        compared(demo, ComparisonSpec("marks"))


def test_saved_comparisons_are_kept_replaced_and_forgotten(demo: Home) -> None:
    asked = ComparisonSpec("filters", "model:gpt", "model:llama", pairing="none")
    found = compared(demo, asked)
    with Catalog(demo) as catalog:
        library = catalog.library
        save_comparison(library, "mine", found)
        save_comparison(library, "by template", msgspec.structs.replace(found, template="log-triage"))
        save_comparison(library, "mine", found)
        assert [saved.name for saved in saved_comparisons(library)] == [
            "mine",
            "by template",
            "Experiment 1: careful-work-helps",
        ]
        assert msgspec.json.decode(saved_comparisons(library)[0].encoded_spec, type=ComparisonSpec) == asked
        assert latest_verdicts(demo)["log-triage"] == found.comparison.announced
        forget_comparison(library, "mine")
        library.connection.execute("UPDATE comparisons SET told = 'x'")
        assert saved_comparisons(library) == [], "what cannot be read is passed over"


def test_of_two_filters_an_empty_one_means_the_rest(demo: Home) -> None:
    told = compared(demo, ComparisonSpec("filters", warm_filter="model:gpt")).comparison
    assert told.warm
    assert told.cold
    assert not any("gpt" in unit.model for unit in told.cold)
    with pytest.raises(Trouble, match="one arm at least"):
        compared(demo, ComparisonSpec("filters"))


def test_a_saved_comparison_goes_on_without_sessions_that_are_gone(demo: Home) -> None:
    with Catalog(demo) as catalog:
        one, two, *_ = [profile.session_id for profile in catalog.profiles()]
    asked = ComparisonSpec("sessions", warm=(one, "gone"), cold=(two,))
    with pytest.raises(Trouble):
        compared(demo, asked)
    found = compared(demo, msgspec.structs.replace(asked, from_saved=True))
    assert len(found.comparison.warm) == 1
    assert any("No longer in the database: 1 session (gone)" in note for note in found.notes)


def test_what_was_mined_is_a_source_also_where_no_pattern_came_from_it(demo: Home) -> None:
    template = TemplateFiles(demo).load("careful-work").template
    mined = set(template.metrics["mined_sessions"])
    assert mined > {pattern.origin.session_id for pattern in template.patterns}
    leaking(demo)
    with pytest.raises(Leaking) as refused:
        compared(demo, ComparisonSpec("template", template="careful-work"))
    assert mined & set(refused.value.sources) == mined


def test_what_libraries_hold_of_a_comparison_keeps_its_names() -> None:
    spec = ComparisonSpec("sessions", warm=("a",), cold=("b",), from_saved=True)
    assert msgspec.json.encode(spec) == b'{"kind":"sessions","warm":["a"],"cold":["b"],"kept":true}'


def test_uses_are_sessions_that_began_warm(demo: Home) -> None:
    """Each life once: by the plugin's record, else by when the template was active."""
    with Catalog(demo) as catalog:
        begun = begun_warm(catalog)
        template, sessions = begun.most_common(1)[0]
        warm = compare_arms(catalog, ComparisonSpec("template", template=template)).comparison.warm
    assert sessions == len(warm) > 0
    row = next(row for row in read_shelf(demo).rows if row.name == template)
    assert row.begun_warm == sessions
