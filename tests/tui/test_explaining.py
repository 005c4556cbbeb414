"""Nothing unexplained: one key on every screen, by keys and by mouse, and a tour the first time."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from tests.tui.helpers import settled, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.tour import CARDS, Tour

SCREENS = ["0", "1", "2", "3", "4", "5", "6", "7"]


def meaning(app: WarmTui) -> str:
    return str(app.screen.query_one("#meaning", Static).content)


async def explain(pilot: Pilot[None]) -> Explain:
    await pilot.press("E")
    await settled(pilot)
    assert isinstance(pilot.app.screen, Explain)
    return pilot.app.screen


@pytest.mark.parametrize("key", SCREENS)
async def test_the_same_key_explains_on_every_screen(demo: Home, key: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press(key)
        await settled(pilot)
        window = await explain(pilot)
        assert {"✓ ok", "! masked"} <= {each.name for each in window.explained}
        await pilot.press("down")
        assert meaning(app)
        await pilot.press("escape")
        assert not isinstance(app.screen, Explain)


async def test_a_figure_of_a_session_is_explained_with_its_own_numbers(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Bad day: still nothing builds"))
        profile = table(app).under_cursor
        assert profile is not None
        await pilot.press("s")
        await settled(pilot)
        await pilot.press("escape")
        screen = app.screen_stack[0]
        screen.sort("-error_rate")  # type: ignore[attr-defined]
        await settled(pilot)
        window = await explain(pilot)
        at = window.query_one(OptionList).highlighted
        assert at is not None
        assert window.explained[at].name == "errors", "the column it is sorted by comes first to mind"
        assert meaning(app).startswith(f"{profile.failed_calls} of {profile.known_calls} failed: 75.0%.")


async def test_a_verdict_is_explained_with_its_own_numbers_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("4")
        await settled(pilot)
        await pilot.press("w")
        await settled(pilot)
        window = await explain(pilot)
        names = [each.name for each in window.explained]
        await pilot.click(OptionList, offset=(5, names.index("verdict")))
        await settled(pilot)
        text = meaning(app)
        assert text.startswith("8.3% of 36 calls failed before, 34.5% of 165 after: +26.2 pp")
        assert "drifts" in text
        await pilot.click("#close")
        await settled(pilot)
        assert not isinstance(app.screen, Explain)


async def test_of_a_comparison_its_figures_are_explained(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("w", "c", "5")
        await settled(pilot)
        await pilot.press("tab")
        window = await explain(pilot)
        assert {"first 30 calls", "difference", "p"} <= {each.name for each in window.explained}


@pytest.fixture
def first_time(demo: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return demo._replace(passing=True)


async def test_the_sample_opens_with_a_tour_once(first_time: Home) -> None:
    app = WarmTui(first_time)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Tour))
        await settled(pilot)
        for _ in CARDS:
            assert isinstance(app.screen, Tour)
            await pilot.press("enter")
            await settled(pilot)
        assert not isinstance(app.screen, Tour)
    again = WarmTui(first_time)
    async with again.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not isinstance(again.screen, Tour)


async def test_the_tour_is_gone_by_one_click(first_time: Home) -> None:
    app = WarmTui(first_time)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Tour))
        await settled(pilot)
        await pilot.click("#close")
        await settled(pilot)
        assert not isinstance(app.screen, Tour)


async def test_ones_own_home_has_no_tour(demo: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not isinstance(app.screen, Tour)
    assert not (tmp_path / "cache").exists()
