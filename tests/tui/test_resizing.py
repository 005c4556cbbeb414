"""In a terminal that became smaller, what one was at is still there."""

from __future__ import annotations

import pytest
from textual.widget import Widget

from tests.tui.helpers import settled
from tests.tui.test_transcript import opened
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.shared.listing import Listing

SMALL = (80, 24)


def is_seen(view: Widget, line: int) -> bool:
    return view.scroll_offset.y <= line < view.scroll_offset.y + view.size.height


@pytest.mark.parametrize("screen", ["1", "2"])
async def test_the_row_under_the_cursor_stays_in_sight(demo: Home, screen: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        await pilot.press(screen)
        await settled(pilot)
        await pilot.press("end")
        listing = app.screen
        assert isinstance(listing, Listing)
        rows = listing.table
        assert rows.cursor == len(rows.rows) - 1
        await pilot.resize_terminal(*SMALL)
        await settled(pilot)
        assert is_seen(rows, rows.cursor + 1), "a line stands over them: the header"


async def test_an_item_of_a_transcript_stays_in_sight(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("end", "up", "up")
        here = view.cursor
        await pilot.resize_terminal(*SMALL)
        await settled(pilot)
        assert view.cursor == here
        assert is_seen(view, view.top_of(here))


async def test_within_a_long_item_one_stays_where_one_was(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=SMALL) as pilot:
        view = await opened(pilot, "Make a release")
        for at in range(len(view.items)):
            view.turn(at, True)
        longest = max(range(len(view.items)), key=lambda at: len(view.body(at)))
        view.move(longest)
        view.scroll_to(y=view.top_of(longest) + 2, animate=False)
        await settled(pilot)
        await pilot.resize_terminal(80, 23)
        await settled(pilot)
        assert view.scroll_offset.y == view.top_of(longest) + 2
