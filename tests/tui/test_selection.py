"""Selecting text with the mouse, and copying it."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from tests.tui.helpers import settled, table
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.selectable import SelectableLines

WIDE = (160, 48)


async def drag(pilot: Pilot[None], widget: type[Widget], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(widget, offset=start)
    await pilot.hover(widget, offset=end)
    await pilot.mouse_up(widget, offset=end)
    await settled(pilot)


async def test_text_in_the_table(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        title = table(app).rows[0].title or ""
        await drag(pilot, SessionTable, (2, 1), (1 + len(title), 1))
        assert app.screen.get_selected_text() == title
        assert table(app).cursor == 0
        await pilot.press("y")
        assert app.clipboard == title, "what is selected comes before what is under the cursor"
        await drag(pilot, SessionTable, (2, 1), (6, 3))
        assert (app.screen.get_selected_text() or "").count("\n") == 2


async def test_text_in_a_transcript(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        view = app.screen.view
        line = view.strip_of(0).text
        await drag(pilot, type(view), (4, 0), (20, 0))
        assert app.screen.get_selected_text() == line[4:21].rstrip()
        assert any(
            style and style.bgcolor == app.screen.get_component_rich_style("screen--selection").bgcolor
            for _, style, _ in view.render_line(0)
        )


async def test_text_in_a_pager(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("question_mark")
        await settled(pilot)
        lines = app.screen.query_one(SelectableLines)
        await drag(pilot, type(lines), (1, 0), (8, 0))  # behind the padding
        assert app.screen.get_selected_text() == lines.strip_of(0).text[:8]


async def test_copies_go_to_the_clipboard_of_this_machine_too(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    monkeypatch.setattr("pyperclip.copy", taken.append)
    monkeypatch.setenv("DISPLAY", ":0")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("y")
        await settled(pilot)
        assert taken == [table(app).rows[0].session_id]
