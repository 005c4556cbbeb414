"""A transcript follows a session that goes on; whoever reads further up is left where they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.helpers import said, settled, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.transcript import following
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.widgets.minimap import Minimap
from warm_tui.widgets.transcript_view import TranscriptView

SIZE = (100, 24)


def say(path: Path, first: int, count: int, output: str = "done") -> None:
    """The agent goes on: a call with its result, so many times."""
    rows: list[dict[str, object]] = []
    for at in range(first, first + count):
        function = {"name": "terminal", "arguments": json.dumps({"command": f"step {at}"})}
        call = {"id": f"c{at}", "type": "function", "function": function}
        result = json.dumps({"output": output, "exit_code": 0 if output == "done" else 1})
        rows.append({"role": "assistant", "tool_calls": json.dumps([call])})
        rows.append({"role": "tool", "content": result, "tool_call_id": f"c{at}", "tool_name": "terminal"})
    with Archive(path) as archive:
        archive.add_messages({"session_id": "on", "timestamp": 1e9, **row} for row in rows)


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr("warm_tui.screens.shared.following.FOLLOW_SECONDS", 0.02)
    monkeypatch.setattr(following, "REST", 0)
    path = tmp_path / "state.db"
    with Archive(path) as archive:
        archive.add_session(id="on", source="cli", title="It goes on", started_at=1e9)
        archive.add_messages([{"session_id": "on", "timestamp": 1e9, "role": "user", "content": "Go on."}])
    say(path, 0, 40)
    return Home(tmp_path / "home", (path,))


async def opened(pilot) -> TranscriptView:
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)
    assert isinstance(pilot.app.screen, TranscriptScreen)
    return pilot.app.screen.view


async def test_at_the_end_one_stays_at_the_end(running: Home) -> None:
    app = WarmTui(running)
    async with app.run_test(size=SIZE) as pilot:
        view = await opened(pilot)
        assert "following" not in said(app), "nothing has come yet"
        await pilot.press("G")
        say(running.databases[0], 40, 3)
        await until(pilot, lambda: len(view.items) == 44)
        await settled(pilot)
        assert view.cursor == 43
        assert view.is_at_end
        assert "step 42" in view.strip_of(view.line_count - 1).text
        assert "following" in said(app)
        say(running.databases[0], 43, 1, "Traceback (most recent call last):\nKeyError: 1")
        await until(pilot, lambda: len(view.items) == 45)
        await settled(pilot)
        assert view.is_at_end, "a failure opens, and its last line is seen"
        assert app.screen.query_one(Minimap).cells[-1].worst == "failed"


async def test_further_up_nothing_moves_and_what_is_new_is_told(running: Home) -> None:
    app = WarmTui(running)
    async with app.run_test(size=SIZE) as pilot:
        view = await opened(pilot)
        await pilot.press(*["j"] * 5, "enter")
        before = (view.cursor, view.scroll_offset.y, view.strip_of(7).text)
        say(running.databases[0], 40, 2)
        await until(pilot, lambda: len(view.items) == 43)
        await settled(pilot)
        assert (view.cursor, view.scroll_offset.y, view.strip_of(7).text) == before
        assert "2 new ones below" in said(app)
        await pilot.press("G")
        assert "following" in said(app)


async def test_with_the_wheel_at_the_end_the_view_goes_along_and_the_cursor_stays(running: Home) -> None:
    app = WarmTui(running)
    async with app.run_test(size=SIZE) as pilot:
        view = await opened(pilot)
        view.show_end()
        await pilot.pause()
        say(running.databases[0], 40, 2)
        await until(pilot, lambda: len(view.items) == 43)
        await settled(pilot)
        assert (view.cursor, view.is_at_end) == (0, True)


async def test_a_key_lets_it_stay_as_it_is_and_goes_on(running: Home) -> None:
    app = WarmTui(running)
    async with app.run_test(size=SIZE) as pilot:
        view = await opened(pilot)
        await pilot.press("G", "w")
        assert "not following" in said(app)
        say(running.databases[0], 40, 2)
        assert isinstance(app.screen, TranscriptScreen)
        app.screen.follow()
        await settled(pilot)
        assert len(view.items) == 41
        await pilot.press("w")
        await until(pilot, lambda: len(view.items) == 43)
        await settled(pilot)
        assert view.cursor == 42
        assert "following" in said(app)


async def test_a_search_finds_what_came_later(running: Home) -> None:
    app = WarmTui(running)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"step 41", "enter")
        await settled(pilot)
        assert "0 matches" in said(app)
        say(running.databases[0], 40, 2)
        await until(pilot, lambda: "1 match " in said(app))
        await pilot.press("n")
        assert "match 1 of 1" in said(app)
