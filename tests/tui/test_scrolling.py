"""A table that is scrolled: only what came into sight is drawn, and what was drawn before is right where it stands now."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from textual.pilot import Pilot

from tests.tui.helpers import draw, settled, table
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.widgets import line_table

SIZE = (120, 24)


def lines(sessions: SessionTable) -> list[list[Segment]]:
    return [list(strip) for strip in sessions.render_lines(sessions.size.region)]


async def is_right(pilot: Pilot[None]) -> bool:
    """What is drawn against all of it drawn anew."""
    sessions = table(pilot.app)
    shown = lines(sessions)
    sessions._styles_cache.clear()
    anew = lines(sessions)
    draw(pilot.app)
    return shown == anew


async def test_a_row_further_only_few_lines_are_drawn(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    async with WarmTui(demo).run_test(size=SIZE) as pilot:
        await settled(pilot)
        sessions = table(pilot.app)
        sessions.move(sessions.page_height - 1)
        await settled(pilot)
        drawn: list[int] = []
        render_line = sessions.render_line

        def watched(y: int):
            drawn.append(y)
            return render_line(y)

        monkeypatch.setattr(sessions, "render_line", watched)
        await pilot.press("j")
        assert sessions.scroll_offset.y == 1
        draw(pilot.app)
        foot = sessions.size.height - 1
        assert sorted(drawn) == [0, foot - 2, foot - 1, foot], (
            "its head and foot, where the cursor was, and where it is"
        )
        assert await is_right(pilot)


@pytest.mark.parametrize(
    "keys",
    [
        ["j"] * 30,
        ["pagedown", "pagedown", "k", "k"],
        ["G", "k", "pageup", "j"],
        ["pagedown", "space", "j", "space", "pagedown", "k"],
        ["G", "w", "c", "pageup", "pageup", "pageup"],
        ["pagedown", "j", "r", "pagedown"],
        ["pagedown", "tab", "shift+tab", "j", "j"],
    ],
    ids=" ".join,
)
async def test_what_was_drawn_before_is_right_where_it_stands_now(demo: Home, keys: list[str]) -> None:
    async with WarmTui(demo).run_test(size=SIZE) as pilot:
        await settled(pilot)
        tops = set()
        for each in keys:
            await pilot.press(each)
            draw(pilot.app)
            tops.add(table(pilot.app).scroll_offset.y)
        assert len(tops) > 1, "it has been scrolled"
        assert await is_right(pilot), "drawn after each key"
        await pilot.press("g", *keys)
        assert await is_right(pilot), "drawn after all of them"


async def test_columns_that_grow_by_scrolling_grow_in_all_rows(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_table, "MEASURED", 1)
    async with WarmTui(demo).run_test(size=SIZE) as pilot:
        await settled(pilot)
        sessions = table(pilot.app)
        natural = sessions._natural_widths
        monkeypatch.setattr(
            sessions, "_natural_widths", lambda: [max(each, sessions.scroll_offset.y) for each in natural()]
        )
        await pilot.press("pagedown")
        draw(pilot.app)
        grown = 0
        for _ in range(20):
            before = list(sessions._widths)
            await pilot.press("j")
            grown += sessions._widths != before
            draw(pilot.app)
            assert await is_right(pilot)
        assert grown


async def test_a_profile_that_came_while_its_row_was_out_of_sight_is_shown(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=SIZE) as pilot:
        await settled(pilot)
        sessions = table(pilot.app)
        await pilot.press("pagedown", "pagedown")
        draw(pilot.app)
        sessions.pending = {sessions.identity(sessions.rows[0])}
        await pilot.press("g")
        draw(pilot.app)
        assert "…" in sessions.render_lines(sessions.size.region)[1].text
        assert await is_right(pilot)
