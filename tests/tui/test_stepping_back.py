"""Leaving a question leads back to the window that it came from: nothing that was chosen or written is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.tui.helpers import settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.view_dialogue import ChooseView
from warm_tui.screens.shared.choose import Ask, ChooseOne
from warm_tui.screens.shared.forms import Form, Write
from warm_tui.screens.shared.reporting import Written

SIZE = (120, 36)
CHAINS = [
    pytest.param(["O"], ChooseOne, ["enter"], Ask, id="why a session came to what it came to"),
    pytest.param(["enter", "f", "v"], ChooseOne, ["enter"], Ask, id="why a call has another verdict"),
    pytest.param(["f"], ChooseView, ["home", "enter"], Ask, id="what a view is called"),
    pytest.param(["5", "e", "enter"], Written, ["s"], Ask, id="where a report is written"),
    pytest.param(["4", "i"], ChooseOne, ["home", "enter"], Form, id="the file of a template"),
    pytest.param(["4", "i"], ChooseOne, ["end", "enter"], Write, id="a template's JSON"),
    pytest.param(["3", "space", "tab", "o"], ChooseOne, ["home", "enter"], Write, id="a field of a pattern"),
]


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


@pytest.mark.parametrize(("keys", "window", "on", "question"), CHAINS)
async def test_escape_in_a_question_leaves_that_alone(
    demo: Home,
    keys: list[str],
    window: type[Screen[object]],
    on: list[str],
    question: type[Screen[object]],
) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, *keys)
        assert isinstance(app.screen, window)
        depth = len(app.screen_stack)
        await press(pilot, *on)
        assert isinstance(app.screen, question)
        await press(pilot, "escape")
        assert isinstance(app.screen, window)
        assert len(app.screen_stack) == depth
        await press(pilot, "escape")
        assert len(app.screen_stack) == depth - 1


async def test_a_name_that_is_taken_goes_back_to_the_name(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await press(pilot, "3", "space", "w")
        assert isinstance(app.screen, Form)
        taken = next(Path(demo.root / "warm_sessions").glob("*.json")).stem
        app.screen.query(Input).first().value = taken
        await press(pilot, "enter")
        assert isinstance(app.screen, ChooseOne), "replace it, or add to it?"
        await press(pilot, "escape")
        assert isinstance(app.screen, Form)
        assert app.screen.query(Input).first().value == taken
