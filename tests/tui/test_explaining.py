"""Nothing unexplained: one key on every screen, by keys and by mouse, and a tour the first time."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, OptionList, Static

from tests.tui.helpers import settled, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.lines import meant, text_of
from warm_tui.presentation.timeline import AXIS
from warm_tui.screens.compaction.life_view import LifeView
from warm_tui.screens.sessions.profile_pane import ProfilePane
from warm_tui.screens.shared.explain import FEW, Explain
from warm_tui.screens.shared.first_time import NUMBERS_MOVED
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.tour import CARDS, Tour

SCREENS = ["0", "1", "3", "4", "5", "6", "7", "2"]


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
        assert 1 <= len(window.explained) <= FEW, "what is under the cursor, and not the whole screen"
        assert meaning(app)
        await pilot.press("m")
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
        await pilot.press("5")
        await settled(pilot)
        await pilot.press("w")
        await settled(pilot)
        window = await explain(pilot)
        await pilot.click("#more")
        await settled(pilot)
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
        await pilot.press("w", "c", "6")
        await settled(pilot)
        await pilot.press("tab")
        window = await explain(pilot)
        await pilot.press("m")
        assert {"first 30 calls", "difference", "p"} <= {each.name for each in window.explained}


@pytest.fixture
def first_time(demo: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return demo._replace(passing=True)


async def test_the_sample_opens_with_a_tour_once(first_time: Home) -> None:
    broken_off = WarmTui(first_time)
    async with broken_off.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(broken_off.screen, Tour))
    app = WarmTui(first_time)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Tour))
        await settled(pilot)
        for _ in CARDS:
            assert isinstance(app.screen, Tour)
            onward = app.screen.query_one("#next", Button)
            assert onward.size.width >= len(str(onward.label)), "its word is seen whole"
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


async def numbers_told(home: Home) -> list[str]:
    app = WarmTui(home)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        return [notice.message for notice in app._notifications if notice.message == NUMBERS_MOVED]


async def test_whoever_had_learnt_other_numbers_is_told_of_the_new_ones_once(
    demo: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert demo.library.exists(), "the app was open here before"
    assert [await numbers_told(demo) for _ in range(2)] == [[NUMBERS_MOVED], []]


async def test_who_never_opened_the_app_is_told_of_no_other_numbers(
    demo: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for file in demo.ours.glob("library.db*"):
        file.unlink()
    assert [await numbers_told(demo) for _ in range(2)] == [[], []]


async def test_pointing_at_a_figure_of_a_profile_tells_it_with_its_own_numbers(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Bad day: still nothing builds"))
        await settled(pilot)
        pane = app.screen.query_one(ProfilePane)
        at = next(at for at, line in enumerate(pane.lines) if text_of(line).startswith("75.0% errors"))
        await pilot.hover(ProfilePane, offset=(3, at))
        assert str(pane.tooltip).startswith("21 of 28 failed: 75.0%.")
        await pilot.hover(ProfilePane, offset=(3, at - 1))
        assert pane.tooltip is None, "nothing stands there"
        pane.focus()
        window = await explain(pilot)
        names = [each.name for each in window.explained]
        assert names[:2] == ["errors", "interval"], "what one is in comes before the table"
        await pilot.press("m")
        names = [each.name for each in window.explained]
        assert {"at equal tool mix", "errors of a tool", "why it fails", "failures in a row", "title"} <= set(names)


async def test_a_place_of_the_timeline_tells_of_the_call_that_stands_there(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Rewrite the import jobs"))
        await pilot.press("5")
        await settled(pilot)
        view = app.screen.query_one(LifeView)
        assert view.picture is not None
        top, (left, upper) = len(view._around[0]), (AXIS + view.picture.places.column(60) + 1, 2)
        await pilot.hover(LifeView, offset=(left, top + upper))
        assert str(view.tooltip).startswith("At call 6")
        assert "failed. So many calls tell" in str(view.tooltip)
        view.focus()
        view.go_to_call(60)
        window = await explain(pilot)
        told = {each.name: each.text for each in window.explained}
        assert told["a call of the timeline"].startswith("Call 61 of 201: ")
        assert told["running rate"].startswith("At call 61: of the last 20, ")
        assert " tokens at call 61." in told["context"]


async def test_the_key_figures_of_the_overview_are_explained_where_the_cursor_is(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        await pilot.press("j", "j", "j")
        window = await explain(pilot)
        assert window.explained[0].name == "errors"
        assert (
            " calls with a known outcome failed" in window.explained[0].text or " failed: " in window.explained[0].text
        )
        assert {each.name for each in window.explained} <= {"errors", "interval", "change of a period", "none shown"}
        await pilot.press("m")
        assert {"change of a period", "curve", "lost"} <= {each.name for each in window.explained}


async def test_of_two_columns_only_what_the_cursor_is_on_is_explained(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        await pilot.press("j")
        window = await explain(pilot)
        assert {each.name for each in window.explained} <= {"sessions", "change of a period"}


async def test_the_verdict_on_a_call_is_explained_by_what_was_found(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        table(app).move(next(at for at, title in enumerate(titles(app)) if "Make a release" in title))
        await pilot.press("enter", "f")
        await settled(pilot)
        window = await explain(pilot)
        assert [each.name for each in window.explained] == ["✗ failed"]
        assert meaning(app).startswith("Failure (exit code), certain: exit code 1")
        await pilot.press("m")
        told = {each.name: each.text for each in window.explained}
        assert "verdict" not in told, "that is what figures show together"
        assert told["verdict on a call"].startswith("How a call ended")


async def test_a_compactions_segments_are_named_everywhere_as_in_the_picture(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 60)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Rewrite the import jobs"))
        await pilot.press("5", "d")
        await settled(pilot)
        lines = list(map(text_of, app.screen.query_one(LifeView).lines))
        assert any("before: 8.3%" in line and "after 2: " in line for line in lines)
        rows = [line.split()[:2] for line in lines if line.startswith(("before ", "after "))]
        assert [row[0] if row[0] == "before" else " ".join(row) for row in rows] == ["before", "after 1", "after 2"]
        assert any(line.startswith("before ") and line.rstrip().endswith("nothing before") for line in lines)
        assert any(line.rstrip().endswith("none before") for line in lines), "of a tool that was not used before"
        app.screen.query_one(LifeView).focus()
        window = await explain(pilot)
        assert not any(each.value[:1].isdigit() for each in window.explained), "no figure of a segment without its name"
        assert window.query_one(".window").size.width > 100, "there is room"


async def test_figures_in_a_window_are_explained_and_the_key_is_told_where_there_are_any(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        figures = Pages("Figures", [[("13.0%", meant("ok", "errors"))]])
        await app.push_screen(figures)
        assert any("Explain" in text_of(line) for line in figures.keys_told())
        window = await explain(pilot)
        assert [each.name for each in window.explained] == ["errors"]
        await pilot.press("E")
        assert app.screen is figures
        words = Pages("Words", [[("no figures", "")]])
        await app.push_screen(words)
        assert not any("Explain" in text_of(line) for line in words.keys_told())
        await pilot.press("E")
        assert app.screen is words
