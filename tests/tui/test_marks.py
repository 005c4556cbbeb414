"""Marking sessions: by keys, by mouse, kept on disk."""

from __future__ import annotations

import sqlite3

import pytest

from tests.conftest import DEMO_LIVES
from tests.tui.helpers import said, settled, table, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.table import SessionTable

WIDE = (160, 48)


async def test_marks(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("space", "j", "shift+down")
        assert list(table(app).marks.values()) == ["marked"] * 3
        await pilot.press("w")
        assert "3 warm" in said(app)
        await pilot.press("c")
        assert "1 cold" in said(app)
        await pilot.press("a")
        assert "1 cold" in said(app)
        assert f"{DEMO_LIVES - 4} marked" in said(app)
        await pilot.press("escape")
        assert set(table(app).marks.values()) == {"warm", "cold"}, "arms stay"


@pytest.mark.parametrize("key", ["space", "w", "c"])
async def test_each_mark_goes_on_to_the_next_session(demo: Home, key: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        lives = [row.life for row in table(app).rows][:3]
        await pilot.press(key, key, key)
        assert list(table(app).marks) == lives
        assert table(app).cursor == 3
        await pilot.press("a" if key == "space" else "space", "w")
        assert table(app).cursor == (3 if key == "space" else 4), "those that are marked are put where one stands"


async def test_marks_are_taken_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("space", "space", "a", "w")
        assert len(table(app).marks) == DEMO_LIVES
        await pilot.press("u", "u")
        assert len(table(app).marks) == 2
        await pilot.press("u", "u")
        assert table(app).marks == {}
        await pilot.press("u")
        await settled(pilot)
        assert table(app).marks == {}


async def test_marking_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        rows = table(app).rows
        await pilot.click(SessionTable, offset=(0, 3))
        assert list(table(app).marks) == [rows[2].session_id]
        await pilot.click(SessionTable, offset=(20, 6), shift=True)
        assert set(table(app).marks) == {row.session_id for row in rows[2:6]}
        await pilot.click(SessionTable, offset=(0, 3))
        assert rows[2].session_id not in table(app).marks


async def test_marks_are_kept_and_two_at_once_lose_none(demo: Home) -> None:
    one, two = WarmTui(demo), WarmTui(demo)
    async with one.run_test(size=WIDE) as first:
        await settled(first)
        await first.press("space", "w")
        await settled(first)
        async with two.run_test(size=WIDE) as second:
            await settled(second)
            assert table(two).marks == table(one).marks
            await second.press("end", "space")
            await settled(second)
            await until(first, lambda: len(table(one).marks) == 2)
        marks = table(one).marks
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as third:
        await settled(third)
        assert table(again).marks == marks


async def test_marks_that_cannot_be_kept_are_told(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr("warm_tui.screens.shared.marks.keep_marks", fails)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("space")
        await until(pilot, lambda: any("not kept on disk" in note.message for note in app._notifications))
        assert len(table(app).marks) == 1
