"""The palette: every action of every screen, and it goes where that is valid."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, OptionList

from tests.tui.helpers import settled, until
from warm_tui.actions import ACTIONS
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Form
from warm_tui.screens.transcript.screen import TranscriptScreen

WIDE = (160, 48)


async def test_it_has_every_action_on_every_screen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for key in "1234567":
            await pilot.press(key)
            await settled(pilot)
            offered = list(app.get_system_commands(app.screen))
            assert len(offered) == len(ACTIONS), key
            assert len({command.title for command in offered if not command.discover}) >= 90, key
        await pilot.press("T")
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles == ["Help", "Theme", "Picture", "Quit"], "over a window what is valid there"


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("Experiments: New", Form),
        ("Curate: From", ChooseOne),
        ("Templates: Provider", ChooseOne),
        ("Transcript: Your verdicts", TranscriptScreen),
        ("What survived: Lost only", SurvivalScreen),
    ],
)
async def test_it_goes_there_and_does_it(demo: Home, words: str, there: type) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        at = next(at for at, row in enumerate(app.screen.table.rows) if row.compactions)  # type: ignore[attr-defined]
        app.screen.table.move(at)  # type: ignore[attr-defined]
        await pilot.press("ctrl+p")
        await settled(pilot)
        assert isinstance(app.screen, CommandPalette)
        app.screen.query_one(Input).value = words
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count > 0)
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, there))
        await settled(pilot)
        if there is SurvivalScreen:
            assert app.screen.only_lost  # type: ignore[attr-defined]
