"""Along a life's timeline, by keys and by mouse, and to what was worse."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.helpers import settled
from tests.tui.test_compaction import WIDE, compaction, lives, shown
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.document_view import DocumentView


async def on(pilot: Pilot[None], title: str) -> CompactionScreen:
    screen = await compaction(pilot)
    screen.table.move(lives(screen).index(title))
    await settled(pilot)
    return screen


async def test_along_the_timeline_by_keys_to_a_call(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await on(pilot, "Rewrite the import jobs")
        await pilot.press("tab", "right")
        assert "call 1 of 201" in shown(screen)
        await pilot.press("f")
        assert screen.view.picture is not None
        assert screen.view.cursor is not None
        assert screen.view.picture.timeline.points[screen.view.cursor].failed
        await pilot.press("c")
        assert screen.view.cursor == screen.view.picture.timeline.cuts[0].at
        await pilot.press("left")
        call, _ = screen.view.picture.timeline.calls[screen.view.cursor]
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        under = app.screen.view.under_cursor
        assert under is not None
        assert under.call is not None
        assert under.call.id == call.id


async def test_along_the_timeline_by_mouse_to_a_call(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await on(pilot, "Rewrite the import jobs")
        top = next(at for at, line in enumerate(screen.view.lines) if "60%│" in "".join(text for text, _ in line))
        left = screen.view.content_region.x - screen.view.region.x
        await pilot.click("#impact", offset=(left + 40, top + 2))
        await settled(pilot)
        at = screen.view.cursor
        assert at is not None
        assert screen.view.picture is not None
        assert screen.view.picture.places.column(at) == 40 - 5
        await pilot.click("#impact", offset=(left + 40, top + 2), times=2)
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)


async def test_the_timeline_zoomed_has_the_whole_screen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await on(pilot, "Rewrite the import jobs")
        before = len(screen.view.picture.lines()) if screen.view.picture else 0
        await pilot.press("z")
        await settled(pilot)
        assert screen.view.picture is not None
        conclusion = len(screen.view.lines) - len(shown(screen).partition("before:")[2].split("\n"))
        assert len(screen.view.picture.lines()) > before
        assert len(screen.view.picture.lines()) + conclusion >= screen.view.size.height - 1


async def test_what_was_worse_is_one_key_away_and_first_where_verdicts_are_sorted(demo: Home) -> None:
    for size in ((80, 24), (120, 36), WIDE, (200, 60)):
        app = WarmTui(demo)
        async with app.run_test(size=size) as pilot:
            screen = await compaction(pilot)
            await pilot.press("w")
            row = screen.table.under_cursor
            assert row is not None
            assert row.change is not None
            assert row.change.verdict == "degraded"
            strips = [screen.table.strip_of(at).text for at in range(screen.table.line_count)]
            assert sum("worse after" in strip or "inconclusive" in strip for strip in strips) == 8, size
            screen.sort("-verdict")
            assert lives(screen)[1] == row.title


async def test_a_picture_that_has_no_room_says_how_to_see_all_of_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 20)) as pilot:
        screen = await on(pilot, "Rewrite the import jobs")
        assert screen.view.picture is not None
        above, _, rest = shown(screen).partition("▸ z  All of the picture, on the whole screen")
        assert "Work went worse" in above
        assert "┃" in rest
        await pilot.press("z")
        await settled(pilot)
        seen = [screen.view.render_line(y).text for y in range(screen.view.size.height)]
        assert any("kept" in line for line in seen), "its last line is in sight"
        assert "All of the picture" not in shown(screen)


async def test_of_a_rule_too_and_there_it_is_the_rule_that_has_the_whole_screen(with_trials: Home) -> None:
    app = WarmTui(with_trials)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("7")
        await settled(pilot)
        standing = app.screen.query_one("#standing", DocumentView)
        way = "▸ z  All of the picture, on the whole screen"
        assert way in "\n".join(map(text_of, standing.lines))
        await pilot.press("z")
        await settled(pilot)
        assert app.focused is standing
        seen = [standing.render_line(y).text for y in range(standing.size.height)]
        assert any("dots: 95 %" in line for line in seen)
        assert way not in "\n".join(map(text_of, standing.lines))
        await pilot.press("z")
        await settled(pilot)
        assert app.focused is app.screen.query_one("#trials")
