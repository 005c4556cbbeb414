"""What screens know and decide, without a screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import DEMO_LIVES
from warm_tui.choices import wrong_choices
from warm_tui.config import Config
from warm_tui.errors import ForeignPrefill, Trouble
from warm_tui.library.catalog import NEWEST_FIRST, Catalog
from warm_tui.library.db import open_library
from warm_tui.library.feed import feed
from warm_tui.library.marks import keep_marks, kept_marks
from warm_tui.paths import Home
from warm_tui.saved_views import SavedViews, View
from warm_tui.screens.experiments.plans import FIRST_TASK, Plans
from warm_tui.screens.sessions.session_list import SessionList
from warm_tui.screens.shared.file_watch import FileWatch
from warm_tui.screens.shared.marks import Marks, SavedMarks
from warm_tui.screens.templates import template_shelf
from warm_tui.screens.templates.activation import activation_question, deactivation_question, set_aside_question
from warm_tui.screens.templates.preview import preview_of
from warm_tui.screens.templates.template_shelf import TemplateShelf, read_shelf
from warm_tui.sessions.model import SessionName
from warm_tui.templates import files
from warm_tui.templates.files import TemplateFiles

SHOWN = ["a", "b", "c", "d", "e"]


def test_a_range_is_marked_from_the_last_marked_session_on() -> None:
    marks = Marks()
    marks.toggle("b")
    marks.mark_up_to(SHOWN, 3)
    assert sorted(marks.by_session) == ["b", "c", "d"]
    marks.toggle("b")
    assert sorted(marks.by_session) == ["c", "d"]
    marks.mark_up_to(SHOWN, 0)
    assert sorted(marks.by_session) == ["a", "c", "d"], "the anchor is not marked any more"


def test_an_arm_stays_until_its_own_key_takes_it_off() -> None:
    marks = Marks()
    marks.put_in_arm("warm", SHOWN, ["a"])
    marks.toggle("a")
    marks.mark_all(SHOWN)
    marks.unmark_all()
    assert marks.by_session == {"a": "warm"}
    assert marks.counts({"a", "b"}) == "1 warm"
    marks.put_in_arm("warm", SHOWN, ["a"])
    assert marks.by_session == {}


def test_every_marking_is_taken_back_once() -> None:
    marks = Marks()
    marks.toggle("a")
    marks.mark_all(SHOWN)
    marks.put_in_arm("cold", SHOWN, [])
    assert set(marks.by_session.values()) == {"cold"}
    assert [marks.undo(), marks.undo(), marks.undo(), marks.undo()] == [True, True, True, False]
    assert marks.by_session == {}


def test_what_the_library_was_not_told_yet_holds_when_it_is_read_again(demo: Home) -> None:
    marks = Marks()
    marks.toggle("ours")
    marks.take(SavedMarks({SessionName("theirs"): "warm"}, 0))
    assert marks.by_session == {"theirs": "warm", "ours": "marked"}
    with open_library(demo.library) as library:
        keep_marks(library, [{SessionName("theirs"): "warm"}])
    marks.save(demo)
    assert marks.unsaved == []
    with open_library(demo.library) as library:
        assert {name.id: mark for name, mark in kept_marks(library).items()} == marks.by_session


def test_what_was_read_before_a_change_was_saved_takes_nothing_back(tmp_path: Path) -> None:
    home, marks = Home(tmp_path, ()), Marks()
    with open_library(home.library) as library:
        before = marks.read(library)
    marks.put_in_arm("warm", [], ["mine"])
    marks.save(home)
    marks.take(before)
    assert marks.by_session == {"mine": "warm"}


def test_saved_views_are_named_renamed_and_forgotten(demo: Home) -> None:
    choices = Config(demo.ours / "config.toml")
    saved = SavedViews(choices)
    saved.keep("", "cli", View("source:cli"))
    saved.keep("cli", "terminal", saved.view("cli"))
    assert choices.table("filters") == {"terminal": "source:cli"}, "what was kept of old is read and written as ever"
    whole = View("errors>0.2", "-error_rate,title", "day", ["title", "error_rate"])
    saved.keep("", "worst", whole)
    again = SavedViews(Config(choices.path))
    assert again.views == {"terminal": View("source:cli"), "worst": whole}
    again.keep("worst", "terminal", whole)
    assert again.views == {"terminal": whole}, "one name is one view"
    again.forget("terminal")
    assert SavedViews(Config(choices.path)).views == {}


def test_a_view_that_cannot_be_shown_is_told(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    path = demo.ours / "config.toml"
    path.write_text('group = "colour"\n[views.a]\nsort = "frob"\n[views.b]\ncolumns = 3\n[views.c]\nfilter = "x"\n')
    first, second, third = wrong_choices(Config(path))
    assert "cannot be grouped by 'colour', but by source, model" in first
    assert "the view 'a' cannot be shown: There is no field 'frob'" in second
    assert "the view 'b' cannot be shown" in third
    assert SavedViews(Config(path)).views == {"a": View(sort="frob"), "c": View("x")}


def test_files_change_only_after_they_were_first_read(tmp_path: Path) -> None:
    watch = FileWatch([tmp_path / "state.db"])
    assert not watch.changed(), "what was never read cannot be another"
    watch.note()
    assert not watch.changed()
    (tmp_path / "state.db").write_text("more")
    assert watch.changed()


def test_sessions_are_listed_filtered_and_followed_along_their_lineage(demo: Home) -> None:
    sessions = SessionList()
    assert "recorded yet" in sessions.why_empty()
    with Catalog(demo) as catalog:
        for batch in feed(catalog, lambda: "", lambda: False):
            sessions.take(batch)
    assert len(sessions.profiles) == sessions.total == DEMO_LIVES
    assert sessions.progress() == ""
    sessions.set_filter("source:cron")
    assert {profile.source for profile in sessions.shown(NEWEST_FIRST, 0.0)} == {"cron"}
    assert not sessions.shown("-error_rate", 0.0, lambda: True), "nobody waits for what is no longer asked for"
    with pytest.raises(Trouble):
        sessions.set_filter("errors>>")
    assert sessions.filter_text == "source:cron"
    assert "source:cron" in sessions.why_empty()
    heir = next(profile for profile in sessions.profiles if profile.parent_session_id in sessions)
    parent = next(p for p in sessions.profiles if [p.session_id] == sessions.parents_of(heir))
    assert heir.session_id in sessions.heirs_of(parent)
    assert "does not match the filter" in sessions.why_not_shown([parent.session_id])
    assert "is gone" in sessions.why_not_shown(["never recorded"])


def test_of_many_templates_some_are_read_first_and_none_again_without_need(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template_shelf, "FIRST", 1)
    for path in demo.root.rglob("*.json"):
        os.utime(path, (1e9, 1e9))
    read: list[str] = []
    real = files.read_file

    def watched(path: Path, name: str, key: bytes | None = None) -> files.Stored:
        read.append(name)
        return real(path, name, key)

    monkeypatch.setattr(files, "read_file", watched)
    first, whole = template_shelf.readings(demo)
    every = [row.name for row in whole.rows]
    assert (first.whole, whole.whole) == (False, True)
    assert 1 <= len(first.rows) < len(every)
    assert sorted(read) == sorted(every), "each once"
    read.clear()
    (again,) = template_shelf.readings(demo, whole)
    assert (again.rows, read) == (whole.rows, [])
    changed = TemplateFiles(demo).load("log-triage").path
    changed.write_text(changed.read_text().replace("log-triage", "log-triage "))
    read.clear()
    assert list(template_shelf.readings(demo, whole, lambda: True)) == [], "nobody waits"
    read_shelf(demo, whole)
    assert read == ["log-triage"]


def test_a_shelf_gives_names_takes_back_and_notices_changes(demo: Home) -> None:
    shelf = TemplateShelf(demo)
    assert not shelf.changed(), "nothing was read yet"
    shelf.take(read_shelf(demo))
    names = [row.name for row in shelf.rows]
    assert names == ["careful-work", "log-triage", "notes"]
    assert shelf.free_name("notes") == "notes-2"
    assert shelf.free_or_own_name("other") == "other"
    with pytest.raises(Trouble, match="already"):
        shelf.check_free("notes")
    shelf.delete(shelf.rows[2])
    assert shelf.changed()
    shelf.take(read_shelf(demo))
    assert "2 of 2 templates" in shelf.header(2, "name")
    assert shelf.restore_last() == "notes"
    assert shelf.restore_last() == ""
    shelf.take(read_shelf(demo))
    assert [row.name for row in shelf.rows] == names


def test_activating_asks_about_secrets_and_about_a_file_of_somebody_else(demo: Home) -> None:
    shelf = TemplateShelf(demo)
    shelf.take(read_shelf(demo))
    row = shelf.rows[0]
    preview = preview_of(demo, row.stored, "openai", 1.0)
    assert preview.is_of(row.stored)
    assert activation_question(demo, preview, replace=False).yes == "Activate"
    leaky = preview._replace(secrets=2)
    assert activation_question(demo, leaky, replace=False).yes == "Activate with secrets"
    assert deactivation_question(demo) is None
    (demo.root / "config.yaml").write_text("prefill_messages_file: /theirs.json\n")
    with pytest.raises(ForeignPrefill) as foreign:
        activation_question(demo, preview, replace=False)
    assert "/theirs.json" in set_aside_question(foreign.value).text
    assert "/theirs.json" in activation_question(demo, preview, replace=True).text


def test_what_was_filled_in_for_a_plan_stands_there_the_next_time(demo: Home) -> None:
    plans = Plans(demo)
    fields = plans.fields()
    assert fields is not None
    assert fields["template"] == "careful-work"
    with pytest.raises(Trouble, match="no whole number"):
        plans.check_fields({**fields, "repeats": "two"})
    plans.check_fields(fields)
    plans.keep_fields({**fields, "name": "mine", "repeats": "3"})
    assert (plans.fields() or {})["name"] == "mine"
    plans.keep_tasks("Count the files.\n\nName the largest.")
    assert "repeats: 3" in plans.write_plan()
    assert plans.tasks != FIRST_TASK
    assert Plans(Home(demo.root / "elsewhere", ())).fields() is None, "there is nothing to try"
