"""Pictures of every screen: wide, middling and narrow; dark, light and for colour-blind eyes; and every state."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from textual.widgets import Input, Static, TextArea

from tests.conftest import NOW
from tests.tui.helpers import settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.experiments.workspace import Workspace
from warm_tui.library import feed
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import change_experiment, change_run
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.screens.experiments import plans
from warm_tui.screens.sessions import screen as sessions
from warm_tui.screens.shared import following
from warm_tui.templates.draft import from_document, to_document

SIZES = {"wide": (160, 48), "middling": (120, 36), "narrow": (80, 24)}


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Clocks stand, and no path of this machine is on the screen."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(sessions.time, "time", lambda: NOW)
    monkeypatch.setattr(following, "FOLLOW_SECONDS", 3600.0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(plans, "find_hermes", lambda: Path("hermes"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def here(demo: Home) -> Home:
    os.chdir(demo.root)
    return Home(Path(), (Path("state.db"),))


def after(*keys: str, title: str = ""):
    async def run(pilot) -> None:
        await settled(pilot)
        if title:
            table(pilot.app).move(next(at for at, name in enumerate(titles(pilot.app)) if title in name))
            await settled(pilot)
        for key in keys:
            await pilot.press(key)
        await settled(pilot)
        for entry in pilot.app.screen.query(Input):
            entry.cursor_blink = False
        await pilot.pause()

    return run


@pytest.mark.parametrize("size", SIZES)
def test_sessions(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("j"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["warm-light", "warm-safe", "ansi-dark"])
def test_sessions_in_other_themes(snap_compare, here: Home, theme: str, size: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("j"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_a_transcript_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("enter"))


def test_a_marathon(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(title="split the monolith"))


def test_a_chain(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(title="test suite #2"))


def test_hostile_text_stays_in_its_cell(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after(title="Hostile"))


def test_a_filter_with_a_mistake(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("slash", *"errors>"))


def test_marks_and_a_filter(snap_compare, here: Home) -> None:
    keys = ("slash", *"calls>40", "enter", "space", "space", "w", "j", "c")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after(*keys))


def test_choosing_the_order(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("s"))


def test_help(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("question_mark"))


def test_nothing_there(snap_compare) -> None:
    home = Home(Path("home"), (Path("home/state.db"),))
    assert snap_compare(WarmTui(home), terminal_size=SIZES["narrow"], run_before=after())


def test_no_match(snap_compare, here: Home) -> None:
    keys = ("slash", *"nowhere", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after(*keys))


def test_still_loading(snap_compare, here: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first window is there, the rest is on its way."""
    monkeypatch.setattr(feed, "FIRST_WINDOW", 60)
    monkeypatch.setattr(feed, "perform", lambda *_: iter(()))
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("j", "j", "j", "j", "j"))


def test_too_small(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=(50, 12), run_before=after())


@pytest.mark.parametrize("size", SIZES)
def test_transcript(snap_compare, here: Home, size: str) -> None:
    run = after("enter", "f", "f", title="Make a release")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_transcript_of_a_compaction_in_place(snap_compare, here: Home) -> None:
    run = after("enter", "c", "enter", title="Crunch all")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=run)


def test_transcript_of_hostile_text(snap_compare, here: Home) -> None:
    run = after("enter", "j", "enter", "j", "enter", "j", "enter", title="Hostile")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


def test_a_verdict_of_ones_own(snap_compare, here: Home) -> None:
    run = after("enter", "f", "v", title="Make a release")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_curate(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("2", "space", "space", "j", "space"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_curate_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("2", "space"))


@pytest.mark.parametrize("size", SIZES)
def test_curate_with_nothing_marked(snap_compare, here: Home, size: str) -> None:
    keys = ("2", "f", "home", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_the_draft_with_what_is_to_be_said_of_it(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("2", "space", "space")(pilot)
        screen = pilot.app.screen
        document = to_document(screen.drafting.draft)
        first, second = document["patterns"]
        leaking = {**second, "arguments": {"command": "deploy --token q8Zr" + "41LmPx0"}, "joined": True}
        screen.pane.change(from_document({**document, "patterns": [first, first, leaking, {**first, "arguments": "{"}]}))
        await after("tab")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_saving_a_draft(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("2", "space", "w"))


def test_editing_a_result(snap_compare, here: Home) -> None:
    keys = ("2", "space", "tab", "enter", "down", "down", "enter")

    async def run(pilot) -> None:
        for key in keys:
            await after(key)(pilot)
        for area in pilot.app.screen.query(TextArea):
            area.cursor_blink = False
        await pilot.pause()

    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_templates(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_templates_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("3"))


@pytest.mark.parametrize("size", SIZES)
def test_a_template_as_json(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3", "J"))


@pytest.mark.parametrize("size", SIZES)
def test_a_template_with_problems(snap_compare, here: Home, size: str) -> None:
    leaking = {"patterns": [{"tool_name": "terminal", "arguments": "{", "result_summary": ""}]}
    leaking["patterns"].append({"tool_name": "env", "arguments": {}, "result_summary": "DB_PASSWORD=q8Zr" + "41LmPx0"})
    (here.root / "warm_sessions" / "a-leak.json").write_text(json.dumps(leaking))
    (here.root / "warm_sessions" / "half.json").write_text("{")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3"))


@pytest.mark.parametrize("size", SIZES)
def test_activating(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("3", "a")(pilot)
        told = pilot.app.screen.query_one(".confirm Static", Static)
        told.update(str(told.content).replace(os.getcwd(), "/home/user/.hermes"))
        await pilot.pause()

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_two_templates_side_by_side(snap_compare, here: Home, size: str) -> None:
    keys = ("3", "space", "space", "equals_sign")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_no_templates(snap_compare, size: str) -> None:
    home = Home(Path(), (Path("state.db"),))
    assert snap_compare(WarmTui(home), terminal_size=SIZES[size], run_before=after("3"))


# --- compression ---


@pytest.mark.parametrize("size", SIZES)
def test_every_life(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4", "g"))


@pytest.mark.parametrize("size", SIZES)
def test_one_life(snap_compare, here: Home, size: str) -> None:
    run = after("4", title="test suite #2")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_one_life_zoomed(snap_compare, here: Home) -> None:
    run = after("4", "z", title="Rewrite the import jobs")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_one_life_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    run = after("4", title="Rewrite the import jobs")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_what_survived(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("4", title="Reconcile the ledgers")(pilot)
        await after("enter", "j", "j")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_nothing_was_compacted(snap_compare, here: Home) -> None:
    import sqlite3

    with sqlite3.connect("state.db") as connection:
        connection.execute("DELETE FROM messages")
        connection.execute("UPDATE sessions SET end_reason = NULL, parent_session_id = NULL")
    connection.close()
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("4"))


# --- compare ---


def marked(home: Home) -> None:
    """The two models that worked most, warm and cold."""
    with Catalog(home) as catalog:
        arms = {"claude-opus-4.5": "warm", "llama-4-70b": "cold"}
        found = {p.session_id: arms[p.model] for p in catalog.profiles() if p.model in arms}
        keep_marks(catalog.library, [found])


@pytest.mark.parametrize("size", SIZES)
def test_two_arms(snap_compare, here: Home, size: str) -> None:
    marked(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("5"))


def test_two_arms_zoomed(snap_compare, here: Home) -> None:
    marked(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("5", "z"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_two_arms_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    marked(here)
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("5"))


@pytest.mark.parametrize("size", SIZES)
def test_no_arms(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("5"))


def test_choosing_arms(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("5", "f"))


def test_leaking_arms(snap_compare, here: Home) -> None:
    with Catalog(here) as catalog:
        catalog.library.connection.execute(
            "INSERT INTO uses (template, what, content, at, until) VALUES ('careful-work', 'activated', '', 0, ?)",
            (NOW,),
        )

    async def run(pilot) -> None:
        await after("5", "f")(pilot)
        await after("down", "down", "enter")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)


# --- experiments ---


@pytest.mark.parametrize("size", SIZES)
def test_experiments(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6", "j"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_experiments_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("6", "j"))


@pytest.mark.parametrize("size", SIZES)
def test_an_experiment_that_goes_on(snap_compare, here: Home, size: str) -> None:
    """A run in each state that a run can be in."""
    states = ("ended", "running", "timed out", "crashed", "not started", "cancelled", "not needed")
    with open_library(here.library) as library:
        change_experiment(library, 2, state="running", why="", notes='["The copy of the home was gone."]')
        for position, state in enumerate(states, 5):
            change_run(
                library, 2, position, state=state, started_at=NOW - 65, reason="Why it is so." if position > 6 else "",
                ended_at=None if state == "running" else NOW - 5,
            )  # fmt: skip
    with Workspace(here, 2).alone():
        assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6"))


def test_the_runs_zoomed(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("6", "j", "z"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_no_experiment(snap_compare, here: Home, size: str) -> None:
    with open_library(here.library) as library:
        library.connection.execute("DELETE FROM experiments")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_making_a_plan(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6", "n"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_what_a_plan_would_do(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("6", "j", "c")(pilot)
        await after("ctrl+s")(pilot)
        await settled(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_the_result_of_an_experiment(snap_compare, here: Home) -> None:
    async def run(pilot) -> None:
        await after("6", "j", "o")(pilot)
        await settled(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)


def test_hostile_words_in_an_experiment(snap_compare, here: Home) -> None:
    with open_library(here.library) as library:
        hostile = "\x1b[31mred\x1b[0m [/bold] \u202eesrever\u202c 漢字 👩‍👩‍👧\x07"
        change_experiment(library, 2, name=hostile, why=hostile, template=hostile, notes=json.dumps([hostile]))
        change_run(library, 2, 0, reason=hostile, task=hostile)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("6"))
