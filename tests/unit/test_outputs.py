"""What is asked for is written: over no database, nothing of the agent's, and over nothing at all unasked."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tests.unit.commands import at, run
from warm_tui.errors import Trouble
from warm_tui.outputs import check_output, write_output, write_unused
from warm_tui.paths import Home


def refused(home: Home, path: Path) -> str:
    with pytest.raises(Trouble) as trouble:
        write_output(home, path, "x", overwrite=True)
    return str(trouble.value)


def test_no_database_is_written_over(demo: Home, tmp_path: Path) -> None:
    before = demo.databases[0].read_bytes()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = elsewhere / "other.db"
    sqlite3.connect(other).executescript("CREATE TABLE a (b)").close()
    (elsewhere / "link").symlink_to(demo.databases[0])
    (elsewhere / "home").symlink_to(demo.root)
    os.link(demo.databases[0], elsewhere / "hard")
    for path in (
        demo.databases[0], demo.library, demo.archive, other, elsewhere / "other.db-wal", elsewhere / "other.db-journal",
        elsewhere / "link", elsewhere / "hard", elsewhere / "home" / "state.db", elsewhere / "home" / "state.db-shm",
    ):  # fmt: skip
        assert "is of a database" in refused(demo, path), path
    assert demo.databases[0].read_bytes() == before


def test_of_the_agents_home_only_the_folders_for_it_are_written(demo: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(demo.root)
    linked = Home(link, demo.databases)
    for home in (demo, linked):
        for name in ("config.yaml", "new.json", ".env", "skills/new/SKILL.md", "warm_tui/config.toml", "warm_tui/x"):
            for root in (demo.root, link, demo.root / "warm_sessions" / ".."):
                assert "agent's own files" in refused(home, root / name)
        for room in ("exports", "reports", "pictures"):
            write_output(home, home.ours / room / "a.md", "x", overwrite=True)
    (demo.ours / "pictures" / "a.md").unlink()
    (demo.ours / "pictures").rmdir()
    (demo.ours / "pictures").symlink_to(demo.root)
    assert "agent's own files" in refused(demo, demo.ours / "pictures" / "new.json")
    assert not (demo.root / "new.json").exists()


def test_the_home_that_the_agent_uses_by_default_is_spared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "used"))
    (tmp_path / "used").mkdir()
    assert "agent's own files" in refused(Home(tmp_path / "another", ()), tmp_path / "used" / "config.yaml")


def test_an_existing_file_is_replaced_only_where_that_is_said(tmp_path: Path) -> None:
    home, path = Home(tmp_path / "home", ()), tmp_path / "a.json"
    write_output(home, path, "first")
    with pytest.raises(Trouble, match=r"There is a file .* already: --overwrite replaces it"):
        write_output(home, path, "second")
    assert path.read_text() == "first"
    write_output(home, path, "second", overwrite=True)
    assert path.read_text() == "second"


def test_what_is_no_regular_file_is_not_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "pipe", Path("/dev/full"), tmp_path, tmp_path / "loop"):
        assert "could not be written" in refused(Home(tmp_path / "home", ()), path)


def test_what_appears_between_the_look_and_the_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, path = Home(tmp_path / "home", ()), tmp_path / "a.json"

    def checked_too_early(*asked: object) -> Path:
        target = check_output(*asked)  # type: ignore[arg-type]
        path.write_text("theirs")
        return target

    monkeypatch.setattr("warm_tui.outputs.check_output", checked_too_early)
    with pytest.raises(Trouble):
        write_output(home, path, "x")
    assert path.read_text() == "theirs"


def test_an_export_takes_the_first_free_name(tmp_path: Path) -> None:
    paths = [write_unused(tmp_path / "a.json", text) for text in "abc"]
    assert [path.name for path in paths] == ["a.json", "a-2.json", "a-3.json"]
    assert [path.read_text() for path in paths] == ["a", "b", "c"]


def test_the_commands_say_so(demo: Home, tmp_path: Path) -> None:
    before = demo.databases[0].read_bytes()
    told = run(*at(demo), "load", "careful-work", "--output", str(demo.databases[0]), "--overwrite", check=False)
    assert (told.returncode, "is of a database" in told.stderr) == (1, True)
    assert demo.databases[0].read_bytes() == before
    path = tmp_path / "r.md"
    for words in (["load", "careful-work", "--output"], ["compress-check", "--all", "--report"]):
        path.write_text("mine")
        told = run(*at(demo), *words, str(path), check=False)
        assert (told.returncode, "--overwrite replaces it" in told.stderr, path.read_text()) == (1, True, "mine")
        run(*at(demo), *words, str(path), "--overwrite")
        assert path.read_text() != "mine"
