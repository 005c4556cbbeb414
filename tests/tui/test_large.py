"""Very long results, and very many sessions: only what is seen is made, and the rest beside the screen."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest

from tests.tui.helpers import settled, table, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.lines import wrapped_line
from warm_tui.screens.sessions import feeding, session_list
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.session_list import SessionList
from warm_tui.screens.shared import drafting
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.widgets import pieces_view
from warm_tui.widgets.pieces_view import PiecesView

WIDE = (160, 48)
MIDDLE = "a word in the middle"


@pytest.fixture
def large(tmp_path: Path) -> Home:
    """One session with one call, whose result is far too long to be worked on whole."""
    result = json.dumps({"output": f"built\n{'x' * 300_000}{MIDDLE}{'y' * 300_000}\ndone", "exit_code": 0})
    function = {"name": "terminal", "arguments": '{"command": "make"}'}
    path = tmp_path / "state.db"
    with Archive(path) as archive:
        archive.add_session(id="large", source="cli", started_at=1e9)
        rows = [
            {"role": "user", "content": "Build it."},
            {"role": "assistant", "tool_calls": json.dumps([{"id": "c", "type": "function", "function": function}])},
            {"role": "tool", "content": result, "tool_call_id": "c", "tool_name": "terminal"},
        ]
        archive.add_messages({"session_id": "large", "timestamp": 1e9, **row} for row in rows)
    return Home(tmp_path / "home", (path,))


async def at_the_call(pilot) -> TranscriptScreen:
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, TranscriptScreen)
    screen.view.move(1)
    return screen


async def test_a_long_result_is_shown_in_part_and_that_is_said(large: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def watched(line, width):
        rows = wrapped_line(line, width)
        made.append(len(rows))
        return rows

    monkeypatch.setattr(pieces_view, "wrapped_line", watched)
    async with WarmTui(large).run_test(size=WIDE) as pilot:
        await at_the_call(pilot)
        made.clear()
        await pilot.press("o")
        await settled(pilot)
        assert isinstance(pilot.app.screen, Pages)
        view = pilot.app.screen.query_one(PiecesView)
        assert any("the first 120,000 and the last 40,000 of 600," in text for line in view.lines for text, _ in line)
        assert view.line_count < 2_000
        assert sum(made) < 3 * view.line_count, "wrapped once to be counted, and once what is in view"
        await pilot.press("G")
        assert "exit_code: 0" in view.strip_of(view.line_count - 1).text


async def test_what_a_search_left_out_is_said(large: Home) -> None:
    async with WarmTui(large).run_test(size=WIDE) as pilot:
        screen = await at_the_call(pilot)
        screen.search(MIDDLE)
        await settled(pilot)
        (notice,) = pilot.app._notifications
        assert "of long texts only the first 120,000 and the last 40,000 characters" in notice.message


async def test_a_call_is_picked_beside_the_screen_and_escape_takes_it_back(
    large: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()
    make = drafting.pattern_of

    def slow(*args, **kwargs):
        assert current_thread() is not main_thread()
        begun.set()
        assert go_on.wait(300)
        return make(*args, **kwargs)

    monkeypatch.setattr(drafting, "pattern_of", slow)
    app = WarmTui(large)
    async with app.run_test(size=WIDE) as pilot:
        screen = await at_the_call(pilot)
        screen.action_pick()
        await until_set(begun)
        screen.action_clear_search()
        go_on.set()
        await settled(pilot)
        assert app.drafting.draft.patterns == ()
        assert app.screen is screen, "Escape did no more than that"
        await pilot.press("p")
        await settled(pilot)
        assert len(app.drafting.draft.patterns) == 1
        await pilot.press("escape")
        assert isinstance(app.screen, SessionsScreen)


async def until_set(event: Event) -> None:
    import asyncio

    while not event.is_set():
        await asyncio.sleep(0.005)


async def test_many_sessions_are_sorted_anew_beside_the_screen(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_list, "LARGE", 1)
    monkeypatch.setattr(feeding, "LEAST_SECONDS", 0.01)
    beside: list[bool] = []
    shown = SessionList.shown

    def watched(self, *asked):
        beside.append(current_thread() is not main_thread())
        return shown(self, *asked)

    monkeypatch.setattr(SessionList, "shown", watched)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = app.screen_stack[0]
        assert isinstance(screen, SessionsScreen)
        screen.sort("-tool_call_count")
        await settled(pilot)
        # As for profiles that come later; whether any do depends on how fast they were made.
        screen.arrange_soon()
        await settled(pilot)
        await until(pilot, lambda: not screen._arranging)
        counts = [row.tool_call_count for row in table(app).rows]
        assert counts == sorted(counts, reverse=True), "the profiles that came later, too"
        assert True in beside


async def test_very_many_are_arranged_beside_the_screen_whatever_is_asked(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        screen = app.screen_stack[0]
        assert isinstance(screen, SessionsScreen)
        monkeypatch.setattr(feeding, "VERY_LARGE", 1)
        beside: list[bool] = []
        shown = SessionList.shown

        def watched(self, *asked):
            beside.append(current_thread() is not main_thread())
            return shown(self, *asked)

        monkeypatch.setattr(SessionList, "shown", watched)
        screen.table.move(5)
        screen.sort("-tool_call_count")
        await settled(pilot)
        counts = [row.tool_call_count for row in table(app).rows]
        assert counts == sorted(counts, reverse=True)
        assert screen.table.cursor == 0, "a sorted table is seen from its top"
        screen.set_filter("source:cron parts:yes")
        await settled(pilot)
        assert {row.source for row in table(app).rows} == {"cron"}
        assert beside == [True, True]
