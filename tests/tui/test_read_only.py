"""The app, opened to look only: what would change something says so in a sentence, and all else goes on."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.helpers import notes, settled, table
from tests.unit.test_read_only import kept, tree
from warm_tui import writing
from warm_tui.actions import ACTIONS, CHANGING, WRITING, is_refused
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.mode_bar import ModeBar

WIDE = (160, 48)
SCREENS = {
    "overview": "0", "sessions": "1", "transcript": "1 enter f", "curate": "3", "templates": "4", "compaction": "5",
    "compare": "6", "experiments": "7", "failures": "2", "approvals": "8",
    "app": "1",
}  # fmt: skip
BY_THE_WAY = {
    "marks": (["1"], ["space", "w"]),
    "a pick": (["3"], ["space"]),
    "a view": (["1"], ["f", "enter", "x", "enter"]),
}
"""What is done all the same, as long as the app is open, and kept nowhere."""
SAID = ["marks", "a pick"]
SENTENCE = "Warm TUI was opened read-only: nothing is changed."


@pytest.fixture(autouse=True)
def looking_only(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with Catalog(demo) as catalog:
        catalog.profiles()
    monkeypatch.setattr(writing, "_looks_only", True)


async def pressed(pilot: Pilot[None], keys: list[str]) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def test_what_is_refused_is_an_action_of_a_screen() -> None:
    assert {f"{action.scope}.{action.id}" for action in ACTIONS} >= CHANGING | WRITING
    assert {name.partition(".")[0] for name in CHANGING | WRITING} <= SCREENS.keys()


@pytest.mark.parametrize("scope", SCREENS)
async def test_what_would_change_something_is_refused_at_once(demo: Home, scope: str) -> None:
    """By one sentence, before a window asks for anything."""
    before, done_before = tree(demo.root), kept(demo)
    refused = [action for action in ACTIONS if f"{action.scope}.{action.id}" in CHANGING | WRITING]
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "read-only" in app.screen.query_one(ModeBar).render_line(0).text
        await pressed(pilot, SCREENS[scope].split())
        there = app.screen
        for action in (action for action in refused if action.scope == scope):
            app.clear_notifications()
            await pressed(pilot, [action.keys.partition(",")[0]])
            assert notes(app) == SENTENCE, action.id
            assert app.screen is there, action.id
        await pressed(pilot, ["1"])
        assert table(app).rows, "it goes on"
    assert (tree(demo.root), kept(demo)) == (before, done_before)


def test_a_browser_is_handed_what_would_stand_in_a_file() -> None:
    assert not any(is_refused([name.partition(".")[0]], name.partition(".")[2], in_browser=True) for name in WRITING)


@pytest.mark.parametrize("what", BY_THE_WAY)
async def test_nothing_is_changed(demo: Home, what: str) -> None:
    before, done_before = tree(demo.root), kept(demo)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        there, keys = BY_THE_WAY[what]
        await pressed(pilot, there)
        app.clear_notifications()
        await pressed(pilot, keys)
        assert ("read-only" in notes(app)) or what not in SAID, notes(app)
        while not isinstance(app.screen, Frame):
            await pressed(pilot, ["escape"])
        await pressed(pilot, ["1"])
        assert table(app).rows, "it goes on"
    assert (tree(demo.root), kept(demo)) == (before, done_before)
