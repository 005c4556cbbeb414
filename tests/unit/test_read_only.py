"""Read-only: whatever is asked, nothing that anybody else sees is changed, and that is said in a sentence."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from tests.unit.commands import at, run
from warm_tui import writing
from warm_tui.config import Config
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import TABLES, open_library
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.writing import LooksOnly, look_only, write_whole

SENTENCE = "Warm TUI was opened read-only: nothing is changed."
REMEMBERED = ("library.db", "library.db-wal", "library.db-shm", "library.lock")
KEPT = tuple(TABLES.keys() - {"profiles", "databases", "listings", "figures", "overviews"})
"""What somebody did, among what is remembered."""


@pytest.fixture(autouse=True)
def passing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next test writes again."""
    monkeypatch.setattr(writing, "_looks_only", False)


def tree(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file() and path.name not in REMEMBERED)
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def kept(home: Home) -> dict[str, int]:
    with sqlite3.connect(f"file:{home.library}?mode=ro", uri=True) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {name: connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in tables & set(KEPT)}


def test_files_locks_and_the_library_refuse_but_what_was_computed_is_remembered(demo: Home) -> None:
    look_only()
    with pytest.raises(LooksOnly, match="read-only"):
        write_whole(demo.root / "x", "")
    with pytest.raises(Trouble, match="read-only"), locked(demo.root / "x.lock"):
        pass
    with Catalog(demo) as catalog:
        profiles = catalog.profiles()
        with pytest.raises(Trouble, match="read-only"), catalog.library.keeping():
            pass
        with pytest.raises(Trouble, match="read-only"), catalog.library.writing():
            pass
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            catalog.library.connection.execute("DELETE FROM marks")
    with open_library(demo.library) as library:
        (count,) = library.connection.execute("SELECT COUNT(*) FROM profiles").fetchone()
    assert count >= len(profiles)
    choices = Config(demo.ours / "config.toml")
    choices.remember(theme="warm-light")
    assert (choices.text("theme"), choices.path.exists()) == ("warm-light", False), "it holds until one leaves"


@pytest.mark.parametrize(
    "words",
    [
        ["activate", "careful-work", "--yes", "--allow-outside"],
        ["build", "made", "--min-messages", "5"],
        ["delete", "notes"],
        ["load", "notes", "--output", "{tmp}/out.json", "--allow-outside"],
        ["compress-check", "--all", "--report", "{tmp}/out.html"],
        ["experiment", "cancel", "1"],
        ["experiment", "pause", "1"],
        ["plugin", "enable", "--yes"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_commands_refuse(demo: Home, tmp_path: Path, words: list[str]) -> None:
    with Catalog(demo) as catalog:
        catalog.profiles()
    out = tmp_path / "outside"
    out.mkdir()
    before, done_before = tree(demo.root), kept(demo)
    done = run("--read-only", *at(demo), *(word.replace("{tmp}", str(out)) for word in words), check=False)
    assert done.returncode == 1
    assert "read-only" in done.stderr
    assert len(done.stderr.strip().split("\n")[-1]) < 300
    assert (tree(demo.root), kept(demo), list(out.iterdir())) == (before, done_before, [])


def test_what_only_looks_works(demo: Home) -> None:
    before = tree(demo.root)
    for words in (["sessions"], ["compress-check", "--all"], ["list"], ["load", "notes"], ["doctor"]):
        assert run("--read-only", *at(demo), *words, check=False).returncode in (0, 1), words
    assert tree(demo.root) == before
