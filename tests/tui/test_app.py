"""The app opens, shows the sessions, tells trouble in a sentence, and quits."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import DataTable, Static

from warm_tui.app import WarmTui
from warm_tui.paths import Home


async def opened(pilot) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_it_shows_the_sessions(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await opened(pilot)
        assert app.query_one(DataTable).row_count == 48
        assert str(app.query_one("#status", Static).content) == "1–48 of 48 sessions"


async def test_it_says_what_is_wrong(tmp_path: Path) -> None:
    app = WarmTui(Home(tmp_path, (tmp_path / "state.db",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "--demo" in str(app.query_one("#status", Static).content)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_quits(demo: Home, key: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press(key)
    assert app.return_code == 0


async def test_it_may_quit_while_loading(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")
    assert app.return_code == 0
