"""Rows dragged by mouse: sideways in the draft, to join and to split, and from the candidates into the draft."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widget import Widget

from tests.tui.curating import WIDE, curate, picked
from tests.tui.helpers import drag_over, notes, settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.draft_list import DraftList
from warm_tui.templates.shortlist import Entry


async def drag(pilot: Pilot[None], row: int, *columns: int) -> None:
    """From the first column to the last, in a row of the draft."""
    await pilot.mouse_down(DraftList, offset=(columns[0], row + 1))
    for column in columns[1:]:
        await drag_over(pilot, DraftList, column, row + 1)
    await pilot.mouse_up(DraftList, offset=(columns[-1], row + 1))
    await pilot.pause()


async def test_a_row_dragged_to_the_right_joins_the_one_before_and_to_the_left_splits_off(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press(*["space"] * 3)
        in_order, draft = picked(screen), screen.pane.draft_list

        def joined() -> list[bool]:
            return [pattern.joined for pattern in screen.drafting.draft.patterns]

        await pilot.mouse_down(DraftList, offset=(10, 2))
        await drag_over(pilot, DraftList, 14, 2)
        assert draft.mark_of(draft.rows[1]) == "joined", "it is seen before it is let go"
        await pilot.mouse_up(DraftList, offset=(14, 2))
        await pilot.pause()
        assert joined() == [False, True, False]
        await drag(pilot, 1, 20, 24)
        assert joined() == [False, True, False], "it stays so"
        await drag(pilot, 1, 20, 16, 12)
        assert joined() == [False, False, False]
        await drag(pilot, 1, 20, 22)
        assert joined() == [False, False, False], "a hand is not that steady"
        await drag(pilot, 1, 20, 30, 20)
        assert joined() == [False, False, False], "brought back, nothing is meant"
        await drag(pilot, 0, 10, 20)
        assert "none before it" in notes(app)
        assert picked(screen) == in_order


async def test_a_call_dragged_into_the_draft_is_picked_and_stands_where_it_was_let_go(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("space", "space")
        a, b = picked(screen)
        table, draft = screen.table, screen.pane.draft_list
        names = [row.call[1] for row in table.rows if isinstance(row, Entry)]

        async def drop(row: int, where: Widget, x: int, y: int) -> None:
            await pilot.mouse_down(table, offset=(10, row + 1))
            await drag_over(pilot, table, 30, row + 1)
            await drag_over(pilot, where, x, y)
            await pilot.mouse_up(where, offset=(x, y))
            await settled(pilot)

        await drop(5, draft, 10, 2)
        assert picked(screen) == [a, names[5], b]
        assert screen.get_selected_text() in (None, ""), "a row that is dragged away selects no text"
        await drop(6, screen.pane.conversation, 5, 3)
        assert picked(screen) == [a, names[5], b, names[6]]
        await drop(5, draft, 10, 6)
        assert picked(screen) == [a, b, names[6], names[5]], "one that is picked only moves"
        await pilot.mouse_down(table, offset=(10, 9))
        await drag_over(pilot, draft, 10, 2)
        assert screen.pane.has_class("-receiving")
        assert draft.mark_of(draft.rows[1]) == "comes", "where it would stand is seen"
        await pilot.mouse_up(table, offset=(20, 20))
        await settled(pilot)
        assert len(picked(screen)) == 4, "brought back, it is not picked"
        assert not screen.pane.has_class("-receiving")
        await pilot.press("u", "u")
        assert picked(screen) == [a, names[5], b]
