"""Templates as files: safe names, whole writes, nobody's change lost."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.unit.killing import killed_at_each_write
from warm_tui.errors import NotFound, Trouble
from warm_tui.paths import Home
from warm_tui.templates.files import TemplateFiles, check_name
from warm_tui.templates.model import Pattern, Template


@pytest.fixture
def files(tmp_path: Path) -> TemplateFiles:
    return TemplateFiles(Home(tmp_path, ()))


def template(name: str = "mine", context: str = "Look.") -> Template:
    return Template(name=name, patterns=(Pattern(tool_name="terminal", arguments={"command": "ls"}, context=context),))


@pytest.mark.parametrize("name", ["a", "fix-tests", "Fix tests 2", "a.b_c", "x" * 80])
def test_good_names(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\\b", ".hidden", "a..b", "x" * 81, "a\n", "a\x00b", "a.json", "ä", "-x", "a "],
)  # fmt: skip
def test_names_that_could_leave_the_folder_are_refused(files: TemplateFiles, name: str) -> None:
    for act in (lambda: files.load(name), lambda: files.save(template(name)), lambda: files.delete(name)):
        with pytest.raises(Trouble, match="cannot be a template's name"):
            act()


def test_saved_and_loaded(files: TemplateFiles) -> None:
    path = files.save(template())
    assert files.load("mine").template.patterns[0].context == "Look."
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_in_use_is_not_taken(files: TemplateFiles) -> None:
    files.save(template())
    with pytest.raises(Trouble, match="There is a template 'mine' already"):
        files.save(template(context="other"))


def test_a_change_by_somebody_else_is_not_overwritten(files: TemplateFiles) -> None:
    files.save(template())
    stored = files.load("mine")
    files.save(template(context="theirs"), stored.stamp)
    with pytest.raises(Trouble, match="changed or deleted by somebody else"):
        files.save(template(context="ours"), stored.stamp)
    assert files.load("mine").template.patterns[0].context == "theirs"


def test_a_deleted_one_can_be_had_back(files: TemplateFiles) -> None:
    path = files.save(template())
    kept = files.delete("mine")
    with pytest.raises(NotFound):
        files.load("mine")
    files.restore(kept, path)
    assert files.load("mine").template.name == "mine"


def test_a_name_taken_again_is_not_overwritten_by_undoing(files: TemplateFiles) -> None:
    path = files.save(template())
    kept = files.delete("mine")
    files.save(template(context="new"))
    with pytest.raises(Trouble, match="again already"):
        files.restore(kept, path)
    assert files.load("mine").template.patterns[0].context == "new"


def test_a_renamed_template_says_its_new_name(files: TemplateFiles) -> None:
    path = files.save(template())
    stored = files.load("mine")
    path = files.save(msgspec.structs.replace(stored.template, name="other"))
    assert json.loads(path.read_text())["name"] == "other"


def test_what_is_damaged_can_be_deleted(files: TemplateFiles) -> None:
    files.folder.mkdir()
    (files.folder / "half.json").write_text("{")
    files.delete("half")
    assert files.find("half") is None


def test_pipes_devices_and_odd_names_are_told_not_read(files: TemplateFiles) -> None:
    files.folder.mkdir()
    os.mkfifo(files.folder / "pipe.json")
    (files.folder / "zero.json").symlink_to("/dev/zero")
    (files.folder / "..json").write_text('{"patterns": []}')
    (files.folder / "huge.json").write_text('{"patterns": [], "version": 1e999, "usage_count": 9e999}')
    found, bad = files.all()
    assert [stored.template.name for stored in found] == ["huge"]
    assert found[0].template.read["version"] is None
    assert len(bad) == 3


def test_both_folders_are_read_and_bad_files_are_told(files: TemplateFiles) -> None:
    files.save(template())
    older = files.folders[1]
    older.mkdir()
    (older / "numbers.json").write_text(json.dumps({"task_type": "code", "examples": []}))
    (older / "mine.json").write_text("{}")
    (files.folder / "half.json").write_text('{"patterns": [')
    (files.folder / "other.json").write_text("[]")
    found, bad = files.all()
    assert [stored.template.name for stored in found] == ["mine", "numbers"]
    assert sorted(each.path.name for each in bad) == ["half.json", "other.json"]


SAVE = """
from pathlib import Path
from warm_tui.paths import Home
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import Pattern, Template
files = TemplateFiles(Home(Path({root!r}), ()))
pattern = Pattern(tool_name="terminal", arguments={{"command": "ls"}}, context={context!r} * 2000)
files.save(Template(name="mine", patterns=(pattern,) * 20), {stamp})
"""


def test_a_kill_while_saving_leaves_the_old_or_the_new(files: TemplateFiles, tmp_path: Path) -> None:
    files.save(template(context="old"))
    code = SAVE.format(root=str(tmp_path), context="new", stamp='files.load("mine").stamp')
    seen = set()
    for _ in killed_at_each_write(code):
        seen.add(files.load("mine").template.patterns[0].context[:3])
    assert seen <= {"old", "new"}
    assert files.load("mine").template.patterns[0].context.startswith("new")


def test_of_two_that_save_one_name_one_wins_whole_and_the_other_is_told(files: TemplateFiles, tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SAVE.format(root=str(tmp_path), context=word, stamp=None)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for word in ("one", "two", "six")
    ]
    told = [process.communicate()[1] for process in started]
    codes = [process.returncode for process in started]
    assert sorted(codes) == [0, 1, 1]
    assert sum("There is a template 'mine' already" in each for each in told) == 2
    winner = ("one", "two", "six")[codes.index(0)]
    contexts = {pattern.context for pattern in files.load("mine").template.patterns}
    assert contexts == {winner * 2000}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "warm_sessions").write_text("in the way")
    with pytest.raises(Trouble, match="cannot be written"):
        TemplateFiles(Home(tmp_path, ())).save(template())


def test_no_temporary_files_are_left(files: TemplateFiles) -> None:
    files.save(template())
    assert os.listdir(files.folder) == ["mine.json"]
