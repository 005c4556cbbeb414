"""The app, opened to look only: what would change something says so in a sentence, and all else goes on."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.tui.helpers import notes, settled, table
from tests.unit.test_read_only import kept, tree
from warm_tui import writing
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.mode_bar import ModeBar

WIDE = (160, 48)
DONE = {
    "marks": (["1"], ["space", "w"]),
    "a verdict": (["1", "enter"], ["f", "v", "enter", "enter"]),
    "a pick": (["2"], ["space"]),
    "activation": (["3"], ["a", "enter", "enter", "enter"]),
    "a copy of a template": (["3"], ["c", "x", "enter"]),
    "a deletion": (["3"], ["d"]),
    "a name": (["3"], ["r", "x", "enter"]),
    "a report": (["4"], ["e", "enter"]),
    "a saved comparison": (["5"], ["w", "x", "enter"]),
    "a plan": (["6"], ["n"]),
    "pausing": (["6"], ["p"]),
    "cancelling": (["6"], ["X", "enter", "y"]),
    "an export": (["1"], ["e"]),
    "a picture": (["1"], ["ctrl+s"]),
    "a view": (["1"], ["f", "enter", "x", "enter"]),
}
SAID = ["a verdict", "activation", "a deletion", "a report", "an export", "a picture", "marks", "a pick"]


@pytest.fixture(autouse=True)
def looking_only(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with Catalog(demo) as catalog:
        catalog.profiles()
    monkeypatch.setattr(writing, "_looks_only", True)


async def pressed(pilot: Pilot[None], keys: list[str]) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


@pytest.mark.parametrize("what", DONE)
async def test_nothing_is_changed(demo: Home, what: str) -> None:
    before, done_before = tree(demo.root), kept(demo)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert "read-only" in app.screen.query_one(ModeBar).render_line(0).text
        there, keys = DONE[what]
        await pressed(pilot, there)
        app.clear_notifications()
        await pressed(pilot, keys)
        assert ("read-only" in notes(app)) or what not in SAID, notes(app)
        while not isinstance(app.screen, Frame):
            await pressed(pilot, ["escape"])
        await pressed(pilot, ["1"])
        assert table(app).rows, "it goes on"
    assert (tree(demo.root), kept(demo)) == (before, done_before)
