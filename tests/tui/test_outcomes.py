"""What came of a session, on the Sessions screen: its column, its filter, and one's own word."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList

from tests.tui.helpers import settled, table
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.table import FIELD_BY_NAME
from warm_tui.screens.shared.choose import Ask, ChooseOne


def outcome(home: Home, session_id: str) -> tuple[str, str, str]:
    with Catalog(home) as catalog:
        profile = catalog.profile(session_id)
    return profile.outcome, profile.outcome_reason, profile.outcome_confidence


async def say(pilot: Pilot[None], *keys: str, why: str = "") -> None:
    await pilot.press("O")
    assert isinstance(pilot.app.screen, ChooseOne)
    await pilot.press(*keys, "enter")
    if why:
        assert isinstance(pilot.app.screen, Ask)
        pilot.app.screen.query_one(Input).value = why
        await pilot.press("enter")
    await settled(pilot)


async def test_ones_own_word_by_keys_and_back(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        under = table(pilot.app).under_cursor
        assert under is not None
        await say(pilot, "home", "down", why="the report was empty")
        assert outcome(demo, under.session_id) == ("not-done", "the report was empty", "yours")
        now = table(pilot.app).under_cursor
        assert now is not None
        assert (now.session_id, now.outcome) == (under.session_id, "not-done")
        await say(pilot, "end")
        assert outcome(demo, under.session_id)[2] != "yours"


async def test_by_mouse_alone(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        under = table(pilot.app).under_cursor
        assert under is not None
        await pilot.press("O")
        window = pilot.app.screen
        await pilot.click(window.query_one(OptionList), offset=(4, 0))
        assert isinstance(pilot.app.screen, Ask)
        button = next(each for each in pilot.app.screen.query(Button) if each.name == "take")
        await pilot.click(button)
        await settled(pilot)
        assert outcome(demo, under.session_id)[::2] == ("done", "yours")


async def test_moving_decides_nothing_and_does_not_come_round_to_another_answer(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        under = table(pilot.app).under_cursor
        assert under is not None
        assert under.outcome == "unknown"
        await pilot.press("O", "down", "j", "down")
        options = pilot.app.screen.query_one(OptionList)
        assert options.highlighted == 2
        assert str(options.get_option_at_index(2).prompt) == "unknown  (now)"
        await pilot.press("g", "up")
        assert options.highlighted == 0
        assert outcome(demo, under.session_id)[2] != "yours"
        await pilot.press("escape")
        await settled(pilot)
        assert outcome(demo, under.session_id)[2] != "yours"


async def test_escape_changes_nothing(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        under = table(pilot.app).under_cursor
        assert under is not None
        await pilot.press("O", "enter", "escape")
        await settled(pilot)
        assert outcome(demo, under.session_id)[2] != "yours"


async def test_the_filter_takes_whole_words_and_offers_them(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, SessionsScreen)
        assert screen.sessions.values_of("outcome") == ["done", "not-done", "unknown", "mine"]
        screen.set_filter("outcome:not-done")
        await settled(pilot)
        assert {row.outcome for row in screen.table.rows} == {"not-done"}
        screen.set_filter("outcome:done")
        await settled(pilot)
        assert {row.outcome for row in screen.table.rows} <= {"done"}


async def test_its_column_has_a_glyph_and_a_word(demo: Home) -> None:
    shown = FIELD_BY_NAME["outcome"].show
    async with WarmTui(demo).run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        texts = {row.outcome: shown(row, 0.0) for row in table(pilot.app).rows}
    assert texts["not-done"] == ("✗ not done", "failed")
    assert texts["unknown"] == ("? unknown", "dim")
