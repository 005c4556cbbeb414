"""Where another screen's link leads to sessions: that its filter is on is said, and the way back brings one's own back."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.helpers import said, settled, tab, table
from tests.tui.test_overview import go_to, open_overview, view
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.screens.overview.screen import OverviewScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.mode_bar import ModeBar


def sessions(pilot: Pilot[None]) -> SessionsScreen:
    screen = pilot.app.screen_stack[0]
    assert isinstance(screen, SessionsScreen)
    return screen


async def filtered(pilot: Pilot[None]) -> None:
    """By the operator, and then by the Overview's link."""
    await settled(pilot)
    await pilot.press("slash", *"source:cli", "enter")
    await open_overview(pilot)
    await go_to(pilot, "sessions")
    await pilot.press("enter")
    await settled(pilot)


async def test_escape_goes_back_to_where_the_link_was_and_restores_ones_own_filter(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await filtered(pilot)
        assert sessions(pilot).filter_text.startswith("since:")
        assert (
            said(sessions(pilot).app, "#filter-note")
            == "Filtered by Overview: Esc goes back and restores 'source:cli'."
        )  # type: ignore[arg-type]
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(pilot.app.screen, OverviewScreen)
        await pilot.press("1")
        await settled(pilot)
        assert sessions(pilot).filter_text == "source:cli"
        assert Config(demo.ours / "config.toml").text("filter") == "source:cli"


async def test_by_mouse_the_overview_again_takes_its_filter_off(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.click(ModeBar, offset=tab(pilot.app, "Overview"))
        await settled(pilot)
        link = next(link for link in view(pilot).links if link.target.what.endswith("failures>0"))
        await pilot.click(view(pilot), offset=(link.left + 4, link.top))
        await settled(pilot)
        assert "failures>0" in sessions(pilot).filter_text
        await pilot.click(ModeBar, offset=tab(pilot.app, "Overview"))
        await settled(pilot)
        await pilot.click(ModeBar, offset=tab(pilot.app, "Sessions"))
        await settled(pilot)
        assert not sessions(pilot).filter_text
        assert not sessions(pilot).query_one(FilterBar).display


async def test_one_goes_back_to_the_page_that_the_link_was_on(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await filtered(pilot)
        await pilot.press("0", "t")
        await settled(pilot)
        await go_to(pilot, "sessions")
        await pilot.press("enter")
        await settled(pilot)
        assert sessions(pilot).is_visited
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(pilot.app.screen, OverviewScreen)
        assert pilot.app.screen.page == "trends"
        assert sessions(pilot).filter_text == "source:cli"


async def test_filters_set_one_after_the_other_end_with_the_last(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for query in ("tool:patch", "source:cli", "tool:terminal"):
            sessions(pilot).set_filter(query)
        await settled(pilot)
        assert sessions(pilot).filter_text == "tool:terminal"


async def test_what_is_typed_then_is_ones_own_again(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await filtered(pilot)
        await pilot.press("slash", *" calls>20", "enter")
        await settled(pilot)
        typed = sessions(pilot).filter_text
        assert typed.endswith("calls>20")
        assert not sessions(pilot).query_one("#filter-note").display
        assert Config(demo.ours / "config.toml").text("filter") == typed
        await pilot.press("escape")
        await settled(pilot)
        assert pilot.app.screen is sessions(pilot)
        assert not sessions(pilot).filter_text


async def test_a_failures_sessions_lead_back_to_it(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        failures = pilot.app.screen
        failures.of_families.show_sessions_with("tool:patch")  # type: ignore[attr-defined]
        await settled(pilot)
        assert pilot.app.screen is sessions(pilot)
        assert table(sessions(pilot).app).rows  # type: ignore[arg-type]
        await pilot.press("escape")
        await settled(pilot)
        assert pilot.app.screen is failures
        assert not sessions(pilot).filter_text
