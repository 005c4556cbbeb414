"""Pictures of what is to be decided on: suggestions, revisions to go back to, and a pack that was handed on."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.library.db import open_library
from warm_tui.library.revisions import Note
from warm_tui.library.suggestions import keep_suggestions
from warm_tui.paths import Home
from warm_tui.review.gathering import Review
from warm_tui.review.suggesting import Suggestion
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.packs import Result, packed

NAME = "log-triage"
FOUND = (
    Suggestion(
        id="5fe6a41b2c3d", kind="mend", template=NAME, words="show what mends it: docker system prune -f",
        evidence=("docker: no space left on device (terminal): failed 5 times in 5 sessions", "this worked in 5 of 5 tries after it"),
        effect=("speaks to a family that took 10 calls", "takes about 212 tokens"), calls=(("s1", "c1"),),
    ),
    Suggestion(
        id="0b1c2d3e4f50", kind="stale", template=NAME, words="show what pattern 2 (terminal) answers now",
        evidence=("the last 3 times the same call was answered alike, and otherwise", "its answer was “Python 3.12.4”, and is “Python 3.13.1”"),
        effect=("the model is not shown a result that is out of date",), patterns=("p",),
    ),
    Suggestion(
        id="aa11bb22cc33", kind="first", template="", words="make a first template for file work",
        evidence=("12 sessions of file work, and no template for it",), effect=("begins with 6 calls that worked",),
    ),
)  # fmt: skip


def suggest(home: Home) -> None:
    with open_library(home.library) as library:
        keep_suggestions(library, (), [(each.id, msgspec.json.encode(each)) for each in FOUND])
        library.connection.execute("INSERT OR IGNORE INTO reviewed SELECT 'all', 0")


@pytest.fixture(autouse=True)
def _nothing_else_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warm_tui.review.gathering.review", lambda _: Review(0, []))


@pytest.mark.parametrize("size", SIZES)
def test_the_inbox(snap_compare, here: Home, size: str) -> None:
    suggest(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3", "i", "j"))


def test_the_inbox_in_light(snap_compare, here: Home) -> None:
    suggest(here)
    Config(here.ours / "config.toml").remember(theme="warm-light")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("3", "i"))


def test_the_inbox_when_nothing_is_suggested(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("3", "i"))


def save_twice(home: Home) -> None:
    files = TemplateFiles(home)
    for count, note in (
        (2, Note(why="the third was of another project")),
        (1, Note("agent", "its proposal was accepted")),
    ):
        stored = files.load(NAME)
        files.save(
            msgspec.structs.replace(stored.template, patterns=stored.template.patterns[:count]), stored.stamp, note
        )
    with open_library(home.library) as library:
        library.connection.execute("UPDATE template_revisions SET at = ? + 3600 * number", (NOW,))


@pytest.mark.parametrize("size", SIZES)
def test_revisions(snap_compare, here: Home, size: str) -> None:
    save_twice(here)
    keys = ("4", "slash", *"log-tri", "enter", "R")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


def test_revisions_in_light(snap_compare, here: Home) -> None:
    save_twice(here)
    Config(here.ours / "config.toml").remember(theme="warm-light")
    keys = ("4", "slash", *"log-tri", "enter", "R", "j")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after(*keys))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_a_pack_before_it_is_taken_in(snap_compare, here: Home, size: str, tmp_path: Path) -> None:
    stored = TemplateFiles(here).load(NAME)
    patterns = tuple(
        msgspec.structs.replace(each, result=f"token ghp_{'a1B2' * 9}") for each in stored.template.patterns
    )
    result = Result(
        by="trial", revision=2, verdict="helps", warm=61, cold=59, warm_rate=0.1, cold_rate=0.4, low=-0.4, high=-0.2
    )
    template = msgspec.structs.replace(stored.template, patterns=patterns, created_at="2026-11-01")
    path = tmp_path / "pack.json"
    path.write_text(packed(template, 3, [result], Redactor(b"key"), NOW))

    async def run(pilot: Pilot[None]) -> None:
        await after("4", "i", "home", "enter")(pilot)
        pilot.app.screen.query_one("Input").value = str(path)  # type: ignore[attr-defined]
        await after("enter")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)
