"""The profile beside the sessions: one that fits is shown without laying out the screen, one that does not scrolls."""

from __future__ import annotations

import pytest
from textual.screen import Screen

from tests.tui.helpers import said, settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.profile_pane import ProfilePane


async def test_a_profile_that_fits_leaves_the_screen_as_it_was(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 80)) as pilot:
        await settled(pilot)
        laid_out = 0
        refresh_layout = Screen._refresh_layout

        def counted(screen: Screen[None], *words: object, **named: object) -> None:
            nonlocal laid_out
            laid_out += 1
            refresh_layout(screen, *words, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(Screen, "_refresh_layout", counted)
        before = said(app, "#profile")
        await pilot.press("j")
        await settled(pilot)
        assert said(app, "#profile") != before
        assert laid_out == 0


async def test_a_profile_that_does_not_fit_scrolls_and_a_shorter_one_fits_again(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 30)) as pilot:
        await settled(pilot)
        pane = app.screen.query_one(ProfilePane)
        profile = pane._profile
        assert pane.max_scroll_y > 0
        pane.show_profile(None, instead="Nothing much.")
        await settled(pilot)
        assert pane.max_scroll_y == 0
        pane.show_profile(profile)
        await settled(pilot)
        assert pane.max_scroll_y > 0
