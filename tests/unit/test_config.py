"""What the operator chose: kept with everything else in the file, whoever else writes it meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.unit.commands import at, document
from warm_tui.actions import ACTIONS
from warm_tui.choices import wrong_choices
from warm_tui.config import Config
from warm_tui.errors import Trouble
from warm_tui.paths import Home


def values(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text())


def test_a_choice_leaves_everything_else_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("# mine\n[keys]  # and this\n'a.b' = \"R\"\n")
    Config(path).remember(theme="warm-light")
    assert path.read_text() == '# mine\ntheme = "warm-light"\n\n[keys]  # and this\n\'a.b\' = "R"\n'


def test_what_another_instance_chose_meanwhile_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    one, other = Config(path), Config(path)
    one.put("filters", "mine", "calls>1")
    other.put("filters", "theirs", "calls>2")
    one.remember(sort="title")
    other.remember(theme="warm-safe")
    other.put("filters", "renamed", "calls>2", instead_of="theirs")
    one.drop("filters", "mine")
    assert values(path) == {"filters": {"renamed": "calls>2"}, "sort": "title", "theme": "warm-safe"}
    other.remember(sort="model")
    one.remember(sort="title")
    assert values(path)["sort"] == "title", "said last, though nothing new to who said it"


def test_two_instances_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    code = (
        "import sys; from pathlib import Path; from warm_tui.config import Config\n"
        "config = Config(Path(sys.argv[1]))\n"
        "for n in range(25):\n"
        "    config.put('filters', f'{sys.argv[2]}-{n}', 'calls>1'); config.remember(**{f'{sys.argv[2]}-{n}': n})\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    kept = values(path)
    assert (len(kept.pop("filters")), len(kept)) == (50, 50)


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    Config(path).drop("filters", "none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "large", "not TOML", "not text"])
def test_what_cannot_be_read_is_told_and_left(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "config.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes({"large": b"#" * 6_000_000, "not TOML": b"a = [", "not text": b"\xff"}[kind])
    before = os.lstat(path)
    config = Config(path)
    assert config.trouble is not None
    assert "cannot be read and is left as it is" in config.trouble
    config.remember(theme="warm-light")
    assert os.path.samestat(before, os.lstat(path))


def test_a_link_is_read_and_not_put_an_end_to(tmp_path: Path) -> None:
    path, target = tmp_path / "config.toml", tmp_path / "dotfiles.toml"
    target.write_text('theme = "warm-light"\n')
    path.symlink_to(target)
    config = Config(path)
    assert config.text("theme") == "warm-light"
    with pytest.raises(Trouble, match="is a link"):
        config.remember(theme="warm-safe")
    assert config.text("theme") == "warm-safe"
    assert target.read_text() == 'theme = "warm-light"\n'


WRONG = """
theme = "drak"
details = "unfolded"
sort = "-errrors"
trials_notify = ["telegram"]
[keys]
"sessions.revers" = "R"
"sessions.reverse" = "s"
"app.help" = "f9"
"curate.drop" = "f9"
"compression.report" = "ctrl+e"
"""


def test_what_is_wrong_is_told_in_sentences(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(WRONG)
    theme, details, notify, order, action, *doubled = wrong_choices(Config(path))
    assert "there is no theme 'drak'; there are warm-dark" in theme
    assert "details cannot be 'unfolded', only folded or open." in details
    assert "trials_notify is no text" in notify
    assert "'errrors'" in order
    assert "there is no action 'sessions.revers'; did you mean 'sessions.reverse'?" in action
    assert any("the key s is that of sessions.reverse and of sessions.sort-by" in sentence for sentence in doubled)
    assert any("the key f9" in sentence and "app.help" in sentence for sentence in doubled)
    assert len(doubled) == 2
    path.write_text('theme = "warm-light"\n[keys]\n"sessions.reverse" = "R"\n')
    assert wrong_choices(Config(path)) == []


def test_the_actions_as_they_are_take_no_key_twice_that_is_not_meant_so(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[keys]\n" + "".join(f'"{a.scope}.{a.id}" = "{a.keys}"\n' for a in ACTIONS))
    told = " ".join(wrong_choices(Config(path)))
    assert told.count("the key") == told.count("the key enter is that of curate")


def test_doctor_tells_what_is_wrong(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text(WRONG)
    assert any("there is no theme 'drak'" in sentence for sentence in document(*at(demo), "doctor")["advice"])
