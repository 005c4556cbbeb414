"""Each save of a template is a revision: what it changed, by whom and why, what it showed, and the way back to it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.unit.commands import at, document, run
from tests.unit.killing import killed_at_each_write
from warm_tui.comparisons.revisions import showed
from warm_tui.errors import Taken, Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import add_experiment, change_experiment
from warm_tui.library.revisions import Note
from warm_tui.paths import Home
from warm_tui.screens.curate.saving import Saving
from warm_tui.screens.shared.drafting import Drafting
from warm_tui.screens.templates.template_shelf import TemplateShelf
from warm_tui.templates import draft as drafts
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.files import Proposals, TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern, Template
from warm_tui.templates.revisions import Entry, back_to, revisions_of, template_at
from warm_tui.templates.shelf import Row


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", (tmp_path / "home" / "state.db",))


def made(*commands: str, **fields: str) -> Template:
    patterns = [
        Pattern(tool_name="terminal", arguments={"command": each}, result="ok", whose=WRITTEN_BY_HAND)
        for each in commands
    ]
    return Template(name="t", patterns=tuple(patterns), **fields)


def save(home: Home, template: Template, note: Note | None = None) -> None:
    files = TemplateFiles(home)
    stamp = files.load("t").stamp if files.find("t") else None
    files.save(template, stamp, note or Note())
    assert files.notes == []


def told(entries: list[Entry]) -> list[tuple[int, str, str, bool]]:
    return [(each.number, each.note.by, each.changed, each.current) for each in entries]


def commands(template: Template) -> list[str]:
    return [(pattern.arguments or {})["command"] for pattern in template.patterns]


def test_each_save_is_one_and_says_what_it_changed_by_whom_and_why(home: Home) -> None:
    save(home, made("ls"), Note("mined", "a first one"))
    save(home, made("ls", "pwd"), Note(why="it got lost", suggestion="s1"))
    save(home, made("pwd", "ls"))
    save(home, made("pwd", "ls", description="For files."))
    save(home, made("make", "ls", description="For files."))
    save(home, made("make", "ls", description="For files."))
    entries = revisions_of(home, "t")
    assert told(entries) == [
        (1, "mined", "1 pattern", False),
        (2, "operator", "+1 pattern", False),
        (3, "operator", "another order", False),
        (4, "operator", "description", False),
        (5, "operator", "+1 −1 patterns", True),
    ], "the same again is none"
    assert entries[1].note == Note("operator", "it got lost", "s1")
    assert commands(template_at(home, "t", entries[1])) == ["ls", "pwd"]
    assert template_at(home, "t", entries[1]).patterns[0].whose.result == "user", "still known as ours"


def test_what_others_wrote_is_a_revision_too(home: Home) -> None:
    save(home, made("ls"))
    path = TemplateFiles(home).folder / "t.json"
    changed = json.loads(path.read_text())
    path.write_text(json.dumps({**changed, "description": "by hand"}))
    assert told(revisions_of(home, "t")) == [(1, "operator", "1 pattern", False), (2, "", "1 pattern", True)]
    save(home, made("pwd"))
    assert told(revisions_of(home, "t"))[1:] == [
        (2, "", "description", False),
        (3, "operator", "+1 −1 patterns, description", True),
    ]


def test_back_to_any_keeps_those_since(home: Home) -> None:
    for each in ("ls", "pwd", "make"):
        save(home, made(each))
    back_to(home, "t", 1)
    entries = revisions_of(home, "t")
    assert commands(TemplateFiles(home).load("t").template) == ["ls"]
    assert [each.number for each in entries if each.current] == [4]
    assert entries[-1].note.why == "back to revision 1"
    with pytest.raises(Trouble, match="has no revision 9: there are 4"):
        back_to(home, "t", 9)


def test_they_go_with_the_name_and_come_back_with_a_deleted_template(home: Home) -> None:
    save(home, made("ls"))
    save(home, made("pwd"))
    shelf = TemplateShelf(home)
    row = Row(stored=TemplateFiles(home).load("t"), task_type="file", usage_count=0)
    shelf.rename(row, "u")
    assert [each.note.why for each in revisions_of(home, "u")] == ["", "", "renamed from t"]
    kept_at = TemplateFiles(home).delete("u")
    TemplateFiles(home).restore(kept_at, TemplateFiles(home).folder / "u.json")
    assert len(revisions_of(home, "u")) == 3


def test_a_proposal_has_none_until_it_is_accepted(home: Home) -> None:
    proposals = Proposals(home)
    proposals.save(made("ls"))
    assert not home.library.exists()
    proposals.accept("t")
    assert told(revisions_of(home, "t")) == [(1, "agent", "1 pattern", True)]
    with pytest.raises(Taken):
        Proposals(home).save(made("rm")) and Proposals(home).accept("t")


def test_a_draft_knows_where_it_began_and_a_save_over_a_newer_one_asks(home: Home) -> None:
    save(home, made("ls"))
    stored = TemplateFiles(home).load("t")
    drafting = Drafting(home, print)
    drafting.start(drafts.edit_of(stored.template, stored.stamp))
    saving = Saving(drafting)
    draft = saving.described({**saving.fields(), "why": "for speed"})
    assert saving.is_edit_of(draft, TemplateFiles(home).load("t"))
    save(home, made("pwd"))
    present = TemplateFiles(home).load("t")
    assert not saving.is_edit_of(draft, present)
    assert saving.stands(draft) == "t is at revision 2, the draft began with revision 1"
    saving.save(draft, present)
    assert revisions_of(home, "t")[-1].note.why == "for speed"
    drafting.close()


def test_what_an_experiment_showed_stands_by_the_revision_that_it_was_run_with(demo: Home) -> None:
    save(demo, made("ls"))
    messages = build_conversation(TemplateFiles(demo).load("t").template, "anthropic").messages
    save(demo, made("pwd"))
    with open_library(demo.library) as library:
        number = add_experiment(library, "night", "t", b"{}", 1, json.dumps(messages).encode(), [])
        change_experiment(library, number, state="done", verdict="better")
    with Catalog(demo) as catalog:
        assert showed(catalog, "t", revisions_of(demo, "t")) == {1: [f"experiment {number} (night): better"]}
    listed = document(*at(demo), "revisions", "t")["revisions"]
    assert [(each["number"], each["current"], each["showed"] != []) for each in listed] == [
        (1, False, True),
        (2, True, False),
    ]
    difference = document(*at(demo), "revisions", "t", "--diff", "1", "2")["difference"]
    assert difference[:2] == ["--- revision 1", "+++ revision 2"]
    assert '-assistant: terminal {"command":"ls"}' in difference
    assert document(*at(demo), "revisions", "t", "--back-to", "1")["revision"] == 3
    assert "at revision 3 already" in run(*at(demo), "revisions", "t", "--back-to", "3", check=False).stderr
    assert "●   3" in run(*at(demo), "revisions", "t").stdout


SAVE = """
from pathlib import Path
from tests.unit.test_revisions import made
from warm_tui.paths import Home
from warm_tui.templates.files import TemplateFiles
files = TemplateFiles(Home(Path({root!r}), ()))
files.save(made("new"), files.load("t").stamp)
"""


def test_a_kill_at_any_write_of_a_save_leaves_a_whole_template_and_all_its_revisions(home: Home) -> None:
    save(home, made("old"))
    for _ in killed_at_each_write(SAVE.format(root=str(home.root))):
        entries = revisions_of(home, "t")
        assert [commands(template_at(home, "t", each)) for each in entries] in ([["old"]], [["old"], ["new"]])
        assert entries[-1].current
    save(home, made("last"))
    assert [commands(template_at(home, "t", each)) for each in revisions_of(home, "t")][-1] == ["last"]


def test_a_template_is_saved_where_its_revision_cannot_be_kept(home: Home) -> None:
    home.ours.mkdir(parents=True)
    home.library.mkdir()
    files = TemplateFiles(home)
    files.save(made("ls"))
    assert commands(files.load("t").template) == ["ls"]
    assert files.notes[0].startswith("The revision was not kept: ")
    assert msgspec.structs.asdict(files.load("t").template)["name"] == "t"
