"""The names of the screens, and a picture without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Region

from tests.tui.helpers import said, settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.failures.screen import FailuresScreen
from warm_tui.widgets.mode_bar import ModeBar

NAMES = (
    "Overview", "Sessions", "Failures", "Curate", "Templates", "Compaction", "Compare", "Experiments", "Approvals",
)  # fmt: skip


async def test_without_the_mode_bar_the_rest_stands_where_it_stood(demo: Home) -> None:
    """Pictures leave it out: another mode shall change none of them."""
    app = WarmTui(demo)
    async with app.run_test(size=(160, 22)) as pilot:
        for key in "012345678":
            await pilot.press(key)
            await settled(pilot)
            shown = [widget for widget in app.screen.query("*") if widget.display and widget.parent is not None]
            others = [widget for widget in shown if widget.id not in ("mode-bar", "header")]
            before = {widget: widget.region for widget in others}
            header = said(app)
            app.screen.query_one("#mode-bar").styles.display = "none"
            await settled(pilot)
            assert {widget: widget.region for widget in others} == before, f"screen {key}"
            assert said(app) == header
            assert app.screen.query_one("#header").region.x == 0


async def test_the_profile_one_is_in_stands_before_them(demo: Home, tmp_path: Path) -> None:
    root = tmp_path / "profiles" / "dev"
    root.parent.mkdir()
    demo.root.rename(root)
    app = WarmTui(Home(root, (root / "state.db",)))
    assert app.title == "Warm TUI: profile dev"
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        bar = app.screen.query_one(ModeBar)
        assert bar.render_line(0).text.startswith(" dev · 0 Overview  1 Sessions ")
        await pilot.click(bar, offset=(len(" dev · 0 Overview  1 Sessions  2"), 0))
        await settled(pilot)
        assert isinstance(app.screen, FailuresScreen)


@pytest.mark.parametrize("key", "012345678")
async def test_at_80_columns_every_screen_keeps_a_name_and_what_it_shows_a_line(demo: Home, key: str) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await settled(pilot)
        bar = pilot.app.screen.query_one(ModeBar)
        shown = bar.render_line(0).text
        assert all(f" {at} {name[0]}" in shown for at, name in enumerate(NAMES)), shown
        assert NAMES[int(key)] in shown
        assert pilot.app.screen.query_one("#header").region == Region(0, 1, 80, 1)
        await pilot.click(bar, offset=(shown.index(" 5 ") + 2, 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, CompactionScreen)


@pytest.mark.parametrize("width", [120, 160, 200])
async def test_names_are_whole_from_120_columns_on_and_so_is_what_is_shown(demo: Home, width: int) -> None:
    async with WarmTui(demo).run_test(size=(width, 36)) as pilot:
        await settled(pilot)
        shown = pilot.app.screen.query_one(ModeBar).render_line(0).text
        assert all(f" {at} {name} " in shown for at, name in enumerate(NAMES)), shown
        assert pilot.app.screen.query_one("#header").region == Region(0, 1, width, 1)
        for key in "015":
            await pilot.press(key)
            await settled(pilot)
            header = pilot.app.screen.query_one("#header").render_line(0).text
            assert header.strip() == said(pilot.app).strip(), "none of it is cut"


async def test_where_there_are_few_lines_none_is_taken_and_a_smaller_window_takes_it_back(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(80, 20)
        await settled(pilot)
        assert pilot.app.screen.query_one("#header").region.y == 0
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        assert pilot.app.screen.query_one("#header").region.y == 1
