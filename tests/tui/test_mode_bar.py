"""The names of the screens, and a picture without them."""

from __future__ import annotations

from pathlib import Path

from tests.tui.helpers import said, settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.widgets.mode_bar import ModeBar


async def test_without_the_mode_bar_the_rest_stands_where_it_stood(demo: Home) -> None:
    """Pictures leave it out: another mode shall change none of them."""
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
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
        assert isinstance(app.screen, CurateScreen)
