"""Screens follow what others write: the one on top, beside its own thread; those below ask nothing until they are seen."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from tests.tui.curating import calls_of
from tests.tui.helpers import settled, table, until
from warm_tui.app import WarmTui
from warm_tui.demo.other_agents import Claude
from warm_tui.library.db import open_library
from warm_tui.library.drafts import Drafts
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.sessions.model import SessionName

SECONDS = 0.05
TICKS = 20


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, str]]:
    """Every statement that is sent to a database from here on, and whether the screen's own thread sent it."""
    sent: list[tuple[bool, str]] = []
    connect = sqlite3.connect

    def traced(*given, **named):
        connection = connect(*given, **named)

        def note(statement: str) -> None:
            sent.append((threading.current_thread() is threading.main_thread(), statement))

        connection.set_trace_callback(note)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    monkeypatch.setattr("warm_tui.screens.shared.following.FOLLOW_SECONDS", SECONDS)
    return sent


def write_everywhere(home: Home) -> None:
    """As another instance, the agent and an editor would, all at once."""
    with open_library(home.library) as library:
        keep_marks(library, [{SessionName("somebody marked this"): "warm"}])
        drafts = Drafts(library)
        for record in drafts.all():
            opened = drafts.open(record.id)
            assert opened is not None
            drafts.put(record, "renamed elsewhere", {**opened[1], "name": "renamed elsewhere"})
    for path in (*home.databases, home.root / "config.yaml", *(home.root / "warm_sessions").glob("*.json")):
        if path.exists():
            os.utime(path)


async def test_screens_below_the_top_ask_nothing_and_catch_up(demo: Home, statements: list[tuple[bool, str]]) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("space")
        assert len(calls_of(app)) == 1
        for key in "4756":
            await pilot.press(key)
            await settled(pilot)
        assert isinstance(app.screen, CompareScreen)
        assert len(app.screen_stack) == 6, "all the others lie below"
        write_everywhere(demo)
        statements.clear()
        await pilot.pause(SECONDS * TICKS)
        assert statements == []
        await pilot.press("3")
        await until(pilot, lambda: app.drafting.draft.name == "renamed elsewhere")


async def test_no_timer_asks_a_database_on_the_screens_own_thread(
    demo: Home, statements: list[tuple[bool, str]]
) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("space")
        assert isinstance(app.screen, CurateScreen)
        for key in "13457":
            await pilot.press(key)
            await settled(pilot)
            statements.clear()
            write_everywhere(demo)
            theirs = len(statements)
            await pilot.pause(SECONDS * TICKS)
            assert [sent for on_screen, sent in statements[theirs:] if on_screen] == [], f"screen {key}"


async def test_a_file_that_another_agent_is_writing_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warm_tui.screens.shared.following.FOLLOW_SECONDS", SECONDS)
    told = Claude("c1").says("Build it").runs("k1")
    path = told.write(tmp_path)
    whole = path.read_bytes()
    app = WarmTui(Home(tmp_path / "home", (tmp_path / "projects",)))
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        assert [row.tool_call_count for row in table(app).rows] == [1]
        more = told.runs("k2", "make: *** [all] Error 2", code=2).write(tmp_path / "elsewhere").read_bytes()
        assert more.startswith(whole)
        with path.open("ab") as file:
            file.write(more[len(whole) : -20])
        await until(pilot, lambda: [row.tool_call_count for row in table(app).rows] == [2])
        assert table(app).rows[0].failed_calls == 0, "the line with its result has not ended yet"
        with path.open("ab") as file:
            file.write(more[-20:])
        await until(pilot, lambda: table(app).rows[0].failed_calls == 1)
        Claude("c2").says("And this").write(tmp_path)
        await until(pilot, lambda: len(table(app).rows) == 2)
