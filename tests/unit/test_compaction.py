"""What compaction did to a life: fresh calls by segment, the change over each cut, and what may be said of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.conftest import FIXTURES, Record, assistant, result, summary, user
from tests.unit.test_pairing import CHILD, COMPRESSED, retired
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import Examined, effects, examine
from warm_tui.paths import Home
from warm_tui.reliability.compaction import Counts, change, impact_of, segments_of
from warm_tui.reliability.pooled import pooled, share_named
from warm_tui.reliability.stats import Stratum, exact_test
from warm_tui.reports.compaction import headline, sentence
from warm_tui.sessions.hermes.archive import Archive


def examined(path: Path, session: str = "s") -> Examined:
    with Catalog(Home(path.parent / "home", (path,))) as catalog:
        return examine(catalog, session)


def changed(before: tuple[int, int], after: tuple[int, int]):
    """The change from failures and calls before to those after, of one tool."""
    test = exact_test([Stratum(*before, *after)])
    return change(Counts(before[1], before[0]), Counts(after[1], after[0]), test, test.p_value)


def recorded(name: str, folder: Path) -> tuple[Path, dict[str, str]]:
    """The small copy of a database that a real agent compacted, and what a person said of its calls."""
    kept = json.loads((FIXTURES / f"{name}.json").read_text())
    path = folder / "state.db"
    with Archive(path) as archive:
        for session in kept["sessions"]:
            archive.add_session(**session)
        archive.add_messages(kept["messages"])
    return path, kept["labels"]


# --- real lives ---


@pytest.mark.parametrize("name", ["compaction_inplace", "compaction_chain"])
def test_a_real_life_is_told_the_same_from_its_root_its_middle_and_its_tip(name: str, tmp_path: Path) -> None:
    path, labels = recorded(name, tmp_path)
    sessions = json.loads((FIXTURES / f"{name}.json").read_text())["sessions"]
    long = [found for session in sessions if len((found := examined(path, session["id"])).impact.segments) > 1]
    assert len(long) == (9 if name == "compaction_chain" else 1)
    for found in long:
        segments = found.impact.segments
        assert [segment.calls for segment in segments] == [13, 6, 1, 5, 4, 3, 4, 5, 4]
        labelled = Counter(call.segment for call, _ in found.calls if labels[call.id] in ("fail", "masked"))
        assert [segment.counts.failures for segment in segments] == [labelled[at] for at in range(9)]
        assert [segment.carried_calls for segment in segments] == [0, 7, 12, 13, 18, 22, 25, 29, 34]
        assert found.impact == long[0].impact
        assert [(one.pieces, one.tokens_before) for one in found.survived] == [
            (one.pieces, one.tokens_before) for one in long[0].survived
        ]
        assert found.impact.whole is not None
        assert found.impact.whole.verdict == "inconclusive"


def test_both_ways_of_compaction_leave_the_same(tmp_path: Path) -> None:
    """The recorded sessions did the same work, compacted in place and into new sessions."""
    told = {}
    for name in ("compaction_inplace", "compaction_chain"):
        (tmp_path / name).mkdir()
        path, _ = recorded(name, tmp_path / name)
        with Catalog(Home(tmp_path / name / "home", (path,))) as catalog:
            (effect,) = effects(catalog)
            found = examine(catalog, effect.session_id)
        told[name] = [
            [(one.calls(fate), one.messages(fate)) for fate in ("kept", "shortened", "told", "gone")]
            for one in found.survived
        ]
        assert {one.in_place for one in found.survived} == {name == "compaction_inplace"}
    assert told["compaction_inplace"] == told["compaction_chain"]


def test_a_chained_life_that_is_later_compacted_in_place_is_one(record: Record) -> None:
    first = [assistant((f"a{at}", "terminal", {"command": f"make {at}"})) for at in range(3)]
    rows = [row for at, call in enumerate(first) for row in (call, result(f"a{at}"))]
    again = [summary("[CONTEXT COMPACTION] three were made"), *rows[-2:]]
    fresh = [assistant(("b0", "terminal", {"command": "make b0"})), result("b0")]
    last = [summary("[CONTEXT COMPACTION] four were made"), *fresh]
    path = record(
        {
            "root": [user("Make all of them."), *rows],
            "s": [*again, *retired(*fresh), *last, assistant(("c0", "terminal", {"command": "make c0"})), result("c0")],
        },
        root=COMPRESSED,
        s={**CHILD, "parent_session_id": "root"},
    )
    for session in ("root", "s"):
        found = examined(path, session)
        assert [segment.calls for segment in found.impact.segments] == [3, 1, 1]
        assert [segment.session_id for segment in found.impact.segments] == ["root", "s", "s"]
        assert [one.in_place for one in found.survived] == [False, True]


# --- verdicts ---


def test_what_a_change_is_called() -> None:
    assert changed((20, 200), (40, 200)).verdict == "degraded"
    assert changed((40, 200), (20, 200)).verdict == "improved"
    assert changed((400, 2000), (370, 2000)).verdict == "preserved"
    assert changed((2, 13), (3, 32)).verdict == "inconclusive"
    assert changed((0, 500), (0, 500)).verdict == "inconclusive", "nothing failed: no rate to be worse than"


def test_few_calls_say_so_and_what_would_have_shown() -> None:
    told = sentence(changed((2, 13), (3, 32)))
    assert "only a worsening of 55.5 pp or more would have been shown four times in five, and no improvement" in told
    assert "no failure among 5 calls before and 7 after" in sentence(changed((0, 5), (0, 7)))
    nothing = change(Counts(0, 0), Counts(4, 1), exact_test([Stratum(0, 0, 1, 4)]), 1.0)
    assert "no call with a verdict before the compaction" in sentence(nothing)
    assert (nothing.verdict, nothing.difference, nothing.preserved) == ("inconclusive", None, None)


def test_whether_it_was_preserved_is_answered_only_where_the_verdict_is() -> None:
    assert changed((400, 2000), (370, 2000)).preserved is True
    assert changed((40, 200), (20, 200)).preserved is True, "improved"
    assert changed((20, 200), (40, 200)).preserved is False
    assert changed((10, 100), (12, 100)).preserved is None, "it may be either"
    assert changed((0, 10), (0, 10)).preserved is None


def test_one_life_is_told_with_the_caution_that_lives_drift() -> None:
    for before, after in (((20, 200), (40, 200)), ((40, 200), (20, 200))):
        assert "need not be the compaction's doing" in headline(changed(before, after))
    assert "drift" not in sentence(changed((400, 2000), (370, 2000))), "preserved: nothing to be anybody's doing"


def test_a_harder_tool_after_the_cut_is_no_degradation(record: Record) -> None:
    """Reading rarely fails and patching often does, before as after; afterwards there is more patching."""

    def work(segment: int, reads: int, patches: int) -> list[dict]:
        rows = []
        for n in range(reads + patches):
            tool, every = ("read_file", 20) if n < reads else ("patch", 2)
            failed = n % every == 0
            answer = '{"error": "no such file"}' if failed else '{"content": "x"}'
            rows += [assistant((f"{segment}-{n}", tool, {"path": f"f{n}"})), result(f"{segment}-{n}", answer)]
        return rows

    path = record({"s": [*retired(*work(0, 80, 20)), summary(), *work(1, 20, 80)]})
    whole = examined(path).impact.whole
    assert whole is not None
    assert whole.difference is not None
    assert whole.difference > 0.2, "the rate itself went up"
    assert whole.verdict == "inconclusive"


def test_changes_are_corrected_for_the_number_of_compactions(record: Record) -> None:
    rows: list[dict] = []
    for segment, failing in enumerate((0, 6, 0, 6)):
        if segment:
            rows = [*retired(*rows), summary(f"[CONTEXT COMPACTION] {segment}")]
        for n in range(10):
            answer = json.dumps({"output": "", "exit_code": int(n < failing), "error": None})
            call_id = f"{segment}-{n}"
            rows += [assistant((call_id, "terminal", {"command": f"make {segment} {n}"})), result(call_id, answer)]
    changes = examined(record({"s": rows})).impact.changes
    assert [round(one.p_value or 0, 4) for one in changes] == [0.0108] * 3
    assert [round(one.p_corrected or 0, 4) for one in changes] == [0.0325] * 3


def test_unknown_and_trivial_calls_are_in_no_rate(record: Record) -> None:
    rows = [
        assistant(("a", "terminal", {})), result("a"), assistant(("b", "terminal", {})),
        assistant(("m", "memory", {})), result("m", '{"success": true}'),
    ]  # fmt: skip
    (segment,) = examined(record({"s": rows})).impact.segments
    assert (segment.calls, segment.counts) == (2, Counts(1, 0))


def test_a_change_that_is_one_of_tools_says_so() -> None:
    test = exact_test([Stratum(4, 80, 1, 20), Stratum(10, 20, 40, 80)])
    told = change(Counts(100, 14), Counts(100, 41), test, test.p_value)
    assert (told.verdict, told.why) == ("inconclusive", "other tools")
    assert "each compared with itself, the change is not shown" in sentence(told)


def test_each_tool_better_but_the_whole_worse_is_not_degraded() -> None:
    """Both tools fail less than before; the work has turned to the one that fails more."""
    test = exact_test([Stratum(30, 100, 0, 20), Stratum(20, 20, 75, 100)])
    told = change(Counts(120, 50), Counts(120, 75), test, test.p_value)
    assert told.difference is not None
    assert told.difference > 0.2
    assert test.p_value < 0.05
    assert (told.verdict, told.why) == ("inconclusive", "other tools")


def test_worse_but_perhaps_within_the_tolerance_says_so() -> None:
    told = changed((500, 1000), (590, 1000))
    assert (told.verdict, told.why) == ("inconclusive", "within tolerance")
    assert "p < 0.001" in sentence(told)


# --- what is odd is shown as such ---


def test_a_session_that_was_never_compacted(record: Record) -> None:
    found = examined(record({"s": [user("go"), assistant(("a", "terminal", {})), result("a")]}))
    assert (found.impact.whole, found.impact.changes, found.survived, found.life.gaps) == (None, [], [], [])
    before, after = found.before_and_after()
    assert (before.tool_call_count, before.message_count, after) == (1, 3, None)


def test_a_summary_whose_cut_is_not_in_the_database(record: Record) -> None:
    path = record(
        {"s": [summary("[CONTEXT COMPACTION]\nran make"), assistant(("a", "terminal", {})), result("a")]},
        s={"parent_session_id": "gone"},
    )
    found = examined(path)
    assert [segment.calls for segment in found.impact.segments] == [0, 1]
    assert [one.recorded for one in found.survived] == [False]
    assert found.life.gaps == ["The session before s, gone, is not in the database."]
    assert found.impact.whole is not None
    assert found.impact.whole.difference is None


def test_a_cut_without_a_summary(record: Record) -> None:
    rows = [
        *retired(user("go"), assistant(("a", "terminal", {"n": 1})), result("a"), assistant(("b", "terminal", {"n": 2})), result("b")),
        assistant(("b", "terminal", {"n": 2})), result("b"), assistant(("c", "terminal", {"n": 3})), result("c"),
    ]  # fmt: skip
    (one,) = examined(record({"s": rows})).survived
    assert one.summary is None
    assert [(piece.role, piece.fate) for piece in one.pieces] == [("user", "gone"), ("call", "gone"), ("call", "kept")]


def test_relations_in_a_circle(record: Record) -> None:
    rows = [user("go"), assistant(("a", "terminal", {})), result("a")]
    path = record(
        {"s": rows, "t": [summary(), user("on")]},
        s={**COMPRESSED, "parent_session_id": "t"}, t={**COMPRESSED, **CHILD},
    )  # fmt: skip
    (gap,) = examined(path).life.gaps
    assert "run in a circle" in gap


def test_a_session_whose_continuation_is_gone(record: Record) -> None:
    path = record({"s": [user("go"), assistant(("a", "terminal", {})), result("a")]}, s=COMPRESSED)
    (gap,) = examined(path).life.gaps
    assert "is not in the database" in gap


# --- all lives ---


def test_a_parent_with_two_heirs_is_one_life(record: Record) -> None:
    rows = [user("go"), assistant(("a", "terminal", {})), result("a")]
    heir = [summary(), assistant(("b", "terminal", {"n": 2})), result("b")]
    path = record({"s": rows, "t": heir, "u": heir}, s=COMPRESSED, t=CHILD, u=CHILD)
    with Catalog(Home(path.parent / "home", (path,))) as catalog:
        assert [effect.session_id for effect in effects(catalog)] == ["s"]


def test_of_two_heirs_the_life_goes_on_with_the_one_that_was_compacted_again(record: Record) -> None:
    heir = [summary(), assistant(("b", "terminal", {"n": 2})), result("b")]
    path = record(
        {"s": [user("go")], "t": heir, "u": heir, "v": heir},
        s=COMPRESSED, t={**CHILD, **COMPRESSED}, u=CHILD, v={**CHILD, "parent_session_id": "t"},
    )  # fmt: skip
    with Catalog(Home(path.parent / "home", (path,))) as catalog:
        assert [session.id for session in catalog.life("s")[1].sessions] == ["s", "t", "v"]


def test_every_life_is_counted_once(demo: Home) -> None:
    with Catalog(demo) as catalog:
        found = list(effects(catalog))
        whole = pooled(found)
    assert len({effect.session_id for effect in found}) == len(found) == 8
    assert whole.all.lives == 8
    assert whole.all.compactions == sum(effect.compactions for effect in found) == 14
    assert sum(group.lives for group in whole.by_model) == 8
    assert sum(group.lives for group in whole.by_share) == 8
    for group in whole.by_tool:
        assert group.before.calls > 0 or group.difference.difference is None
    known = [group.difference for group in whole.by_tool if group.difference.low is not None]
    assert [one.low for one in known] == sorted((one.low for one in known), reverse=True)


def test_the_pooled_rates_are_those_of_all_calls(demo: Home) -> None:
    with Catalog(demo) as catalog:
        found = list(effects(catalog))
        whole = pooled(found).all
    before = sum((segment.counts for effect in found for segment in effect.impact.segments[:1]), start=Counts())
    after = sum((segment.counts for effect in found for segment in effect.impact.segments[1:]), start=Counts())
    assert (whole.before, whole.after) == (before, after)
    assert whole.difference.difference == pytest.approx((after.rate or 0) - (before.rate or 0))


def test_nothing_was_ever_compacted(record: Record) -> None:
    path = record({"s": [user("go"), assistant(("a", "terminal", {})), result("a")]})
    with Catalog(Home(path.parent / "home", (path,))) as catalog:
        assert list(effects(catalog)) == []
    assert pooled([]).all.lives == 0


def test_how_much_was_cut_is_named(demo: Home) -> None:
    with Catalog(demo) as catalog:
        assert {share_named(effect) for effect in effects(catalog)} == {
            "less than half", "half to four fifths", "more than four fifths",
        }  # fmt: skip


# --- simulated ---


def simulated(rng: Random, calls: int, before: float, after: float):
    return changed(*((sum(rng.random() < risk for _ in range(calls)), calls) for risk in (before, after)))


def test_where_compaction_changes_nothing_it_is_seldom_called_degraded() -> None:
    rng = Random(1)
    for calls in (10, 40, 200):
        risks = [rng.choice((0.05, 0.1, 0.2, 0.4)) for _ in range(1000)]
        degraded = sum(simulated(rng, calls, risk, risk).verdict == "degraded" for risk in risks)
        assert degraded <= 50, f"{degraded} of 1000 with {calls} calls a side"


def test_a_doubling_over_two_hundred_calls_is_found() -> None:
    rng = Random(2)
    assert sum(simulated(rng, 200, 0.1, 0.2).verdict == "degraded" for _ in range(1000)) >= 600


def test_the_impact_is_a_function_of_the_life_alone(tmp_path: Path) -> None:
    path, _ = recorded("compaction_inplace", tmp_path)
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        (effect,) = effects(catalog)
        _, life, calls = catalog.life(effect.session_id)
    assert impact_of(life, calls) == impact_of(life, list(calls))
    assert sum(segment.calls for segment in segments_of(life, calls)) == 45
