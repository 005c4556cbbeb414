"""What Curate knows and decides, without a screen: the calls, the draft, and how it becomes a template."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.screens.curate.call_list import CallList, exported, first_source, read_calls
from warm_tui.screens.curate.pattern_fields import check_field, pattern_by_hand, secret_options, with_secret_turned
from warm_tui.screens.curate.saving import Saving
from warm_tui.screens.shared.arranging import has_words, ordered
from warm_tui.screens.shared.drafting import Drafting
from warm_tui.templates import draft as drafts
from warm_tui.templates.draft import Draft
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.shortlist import Entry

FIELDS = {"context": "List them.", "tool_name": "terminal", "arguments": '{"command": "ls"}', "result": "a b"}


def by_hand(**fields: str) -> Draft:
    return drafts.added(drafts.empty(), pattern_by_hand({**FIELDS, **fields}))


def fail(sentence: str) -> None:
    raise AssertionError(sentence)


def entries_in(lines: Sequence[object]) -> list[Entry]:
    return [line for line in lines if isinstance(line, Entry)]


def drafting_of(home: Home) -> Drafting:
    return Drafting(home, fail)


def test_calls_arrive_and_are_folded_filtered_and_exported(demo: Home) -> None:
    calls = CallList()
    assert first_source(demo) == "mined", "nothing is marked"
    calls.begin("all")
    assert "Reading" in calls.why_empty()
    for batch in read_calls(demo, "all", "", "", lambda: False):
        calls.take(batch)
    ranked = calls.lines("", "-value")
    assert {isinstance(line, Entry) for line in ranked} == {True}
    assert isinstance(ranked[0], Entry)
    assert ranked[0].candidate.mends, "what mended a failure is worth most"
    same = [(each.candidate.call.tool_name, each.candidate.call.arguments) for each in entries_in(ranked)]
    plain = [name for name, each in zip(same, entries_in(ranked), strict=True) if not each.candidate.mends]
    firsts = len(set(plain))
    assert len(plain) > firsts, "some calls were made again"
    assert len(set(plain[:firsts])) == firsts, "none a second time before all others"
    assert calls.lines("", "value") == ranked[::-1]
    lines = calls.lines("", "-tool")
    heading = lines[0]
    assert not isinstance(heading, Entry)
    shown = [line for line in lines if isinstance(line, Entry)]
    assert {entry.candidate.verdict.outcome for entry in shown} == {"success"}
    assert [each["call"] for each in exported(lines)] == [entry.call[1] for entry in shown]
    calls.every_outcome = True
    assert len(calls.lines("", "tool")) > len(lines)
    calls.fold(heading.tool)
    assert len(calls.lines("", "tool")) < len(calls.entries)
    assert calls.lines("no such words", "") == []
    assert "No call matches" in calls.why_empty()


def test_sessions_that_cannot_be_read_are_told_in_place_of_calls(demo: Home) -> None:
    calls = CallList()
    calls.begin("all")
    gone = Home(demo.root, (demo.root / "gone.db",))
    for batch in read_calls(gone, "all", "", "", lambda: False):
        calls.take(batch)
    assert "no Hermes database" in calls.why_empty()


@pytest.mark.parametrize(
    ("field", "text"), [("arguments", "[1]"), ("arguments", "{"), ("arguments", "NaN"), ("tool_name", " ")]
)
def test_what_no_pattern_can_have_is_refused(field: str, text: str) -> None:
    with pytest.raises(Trouble):
        check_field(field, text)


def test_each_secret_is_masked_or_left_standing(demo: Home) -> None:
    draft = by_hand(result="password = 'hunter2-hunter2-hunter2'")
    redactor = drafting_of(demo).redactor
    ((placeholder, masked),) = secret_options(draft, redactor)
    assert masked.startswith("masked")
    draft = with_secret_turned(draft, placeholder)
    assert secret_options(draft, redactor)[0][1].startswith("stands")
    assert with_secret_turned(draft, placeholder).refused == ()


def test_a_draft_is_saved_beside_in_place_of_or_behind_what_is_there(demo: Home) -> None:
    drafting = drafting_of(demo)
    drafting.start(by_hand())
    saving = Saving(drafting)
    assert saving.fields()["name"] == "terminal-1"
    assert saving.present("terminal-1") is None
    draft = saving.described({**saving.fields(), "tags": "one, two"})
    assert saving.save(draft, None).name == "terminal-1"
    saving.saved(draft)
    assert drafting.draft.patterns, "it went on meanwhile: what is saved is not what is there"
    drafting.step(draft)
    saving.saved(draft)
    assert drafting.draft.patterns == (), "done with it"
    present = saving.present("terminal-1")
    assert present is not None
    assert present.template.tags == ("one", "two")
    assert not saving.is_edit_of(draft, present), "it began as nothing"
    assert saving.is_edit_of(drafts.edit_of(present.template, present.stamp), present)
    saving.save_added(draft, present)
    assert len(TemplateFiles(demo).load("terminal-1").template.patterns) == 2


def test_a_draft_that_another_instance_changed_is_taken_unless_ours_went_on(demo: Home) -> None:
    ours, theirs = drafting_of(demo), drafting_of(demo)
    ours.start(by_hand())
    assert ours.newer() is None
    theirs.open_last()
    theirs.step(by_hand(context="Again."))
    assert ours.may_have_changed()
    newer = ours.newer()
    assert newer is not None
    assert ours.take(newer)
    assert ours.draft.patterns[0].context == "Again."
    theirs.step(by_hand(context="And again."))
    newer = ours.newer()
    assert newer is not None
    ours.record = ours.record and ours.record._replace(step=9)
    assert not ours.take(newer), "ours went on meanwhile"
    for drafting in (ours, theirs):
        drafting.close()


def test_rows_are_matched_by_all_words_and_ordered_with_the_unknown_last() -> None:
    assert has_words("WARM opus", "opus in the warm arm")
    assert not has_words("warm llama", "opus in the warm arm")
    rows = [3, None, 1]
    assert ordered(rows, "-size", lambda row, _: row) == [3, 1, None]
    assert ordered(rows, "", lambda row, _: row) == rows
