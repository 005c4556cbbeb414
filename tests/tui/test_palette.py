"""The palette: every action of every screen, and it goes where that is valid."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, OptionList

from tests.tui.helpers import settled, until
from warm_tui.actions import ACTIONS, SCOPE_TITLES
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.saved_views import SavedViews, View
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.forms import Form
from warm_tui.screens.transcript.screen import TranscriptScreen

WIDE = (160, 48)
TWINS = 2
"""Actions that do what another does on its own screen."""


async def test_it_has_every_action_on_every_screen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for key in "1234567":
            await pilot.press(key)
            await settled(pilot)
            offered = list(app.get_system_commands(app.screen))
            names = [command.title for command in offered]
            assert len(set(names)) == len(names) == len(ACTIONS) - TWINS, key
            assert sum(name.endswith(("Your verdicts", "Quit")) for name in names) == 2, "with one entry each"
            screens = {action.scope for action in ACTIONS} - {"app"}
            assert all(any(name.startswith(f"{SCOPE_TITLES[s]}: ") for name in names) for s in screens), key
            assert len({command.title for command in offered if not command.discover}) >= 90, key
        await pilot.press("T")
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles == ["Help", "Theme", "Picture of the screen", "Quit"], "over a window what is valid there"


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ("Experiments: New", Form),
        ("Curate: From", ChooseOne),
        ("Templates: Provider", ChooseOne),
        ("Transcript: Next compaction", TranscriptScreen),
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


@pytest.mark.parametrize("words", ["screenshot", "svg", "picture"])
async def test_an_action_is_found_by_what_it_does(demo: Home, words: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await settled(pilot)
        app.screen.query_one(Input).value = words
        options = app.screen.query_one(OptionList)
        await until(pilot, lambda: options.option_count > 0)
        await settled(pilot)
        assert str(options.get_option_at_index(0).prompt).startswith("Picture of the screen")


async def test_a_saved_view_is_told_by_the_names_of_its_columns(demo: Home) -> None:
    app = WarmTui(demo)
    SavedViews(app.choices).keep("", "worst", View("source:cli", "-error_rate_high,title", "source", ["error_rate"]))
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        told = {command.title: command.help for command in app.get_system_commands(app.screen)}
        assert told["View: worst"] == "source:cli; by interval ▼, then title ▲; grouped by source; columns errors"


async def test_the_keys_of_a_window_are_told_in_plain_words(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("s")
        told = "\n".join(text_of(line) for line in app.screen.keys_told())  # type: ignore[attr-defined]
        assert "To the next field or button" in told
        assert not {"Focus", "super", "selected"} & set(told.replace("+", " ").split())
        interval = app.screen.query_one(OptionList).get_option("error_rate_high")
        assert "interval (0   95 % 100)" in str(interval.prompt), "with the title that the column has"
