"""What the operator chose: kept with everything else in the file, whoever else writes it meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from warm_tui.config import Config
from warm_tui.errors import Trouble


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
