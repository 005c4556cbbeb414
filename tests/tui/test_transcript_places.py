"""Where one is in a transcript: failures and matches are counted, and the minimap goes anywhere."""

from __future__ import annotations

import pytest
from textual.message import Message

from tests.conftest import Record, user
from tests.tui.helpers import said, settled
from tests.tui.test_transcript import WIDE, opened
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.overrides import overrides
from warm_tui.paths import Home
from warm_tui.presentation.lines import with_found
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.filter_bar import FilterBar
from warm_tui.widgets.minimap import Minimap


async def test_the_header_tells_which_failure_it_is(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        assert "13 calls, 4 failed" in said(app)
        await pilot.press("f")
        assert "failure 1 of 4, 13 calls" in said(app)
        await pilot.press("F")
        assert "failure 4 of 4" in said(app), "round"
        await pilot.press("f", "f")
        assert "failure 2 of 4" in said(app)
        await pilot.press("v", "enter", "enter")
        await settled(pilot)
        assert "13 calls, 3 failed" in said(app), "a verdict of one's own counts at once"
        assert view.kinds[view.cursor] == "ok"


async def test_whoever_asks_for_a_failure_before_any_is_read_comes_to_it(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, held = WarmTui(demo), list[TranscriptScreen.Read]()
    post = TranscriptScreen.post_message

    def hold(screen: TranscriptScreen, message: Message) -> bool:
        if isinstance(message, TranscriptScreen.Read):
            held.append(message)
            return True
        return post(screen, message)

    async with app.run_test(size=WIDE) as pilot:
        monkeypatch.setattr(TranscriptScreen, "post_message", hold)
        view = await opened(pilot, "Make a release")
        await pilot.press("f")
        assert not view.items
        monkeypatch.setattr(TranscriptScreen, "post_message", post)
        for message in held:
            app.screen.post_message(message)
        await settled(pilot)
        assert "failure 1 of 4, 13 calls" in said(app)
        assert not app._notifications


async def test_a_verdict_is_of_the_call_it_was_asked_for_wherever_the_cursor_is_by_then(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f")
        item = view.under_cursor
        assert item is not None
        assert item.call is not None
        await pilot.press("v")
        view.move(0)
        await pilot.press("enter", "enter")
        await settled(pilot)
    with Catalog(demo) as catalog:
        assert [(own.session_id, own.key) for own in overrides(catalog)] == [(item.session_id, item.call.key)]


async def test_whoever_went_elsewhere_meanwhile_stays_there(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        screen = app.screen
        assert isinstance(screen, TranscriptScreen)
        screen.all_read = False
        found = iter([[], [len(view.items) - 1]])
        screen.go(lambda: next(found), 1, "failed call")
        await pilot.press("j")
        screen.go_where_was_asked()
        assert view.cursor == 1
        assert not app._notifications


async def test_matches_are_counted_while_one_types(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("slash", *"make")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, TranscriptScreen), "no window is over it"
        assert screen.matches
        count = len(screen.matches)
        assert f"{count} matches" in said(app) or f"match 1 of {count}" in said(app)
        await pilot.press("enter")
        for step in ("n", "n", "N"):
            at = screen.matches.index(view.cursor)
            await pilot.press(step)
            after = (at + (1 if step == "n" else -1)) % count
            assert view.cursor == screen.matches[after]
            assert f"match {after + 1} of {count}" in said(app)
        assert any(
            name == "found" and text.lower() == "make"
            for text, name in with_found(view.head(view.cursor), view.search_text)
        )
        await pilot.press("escape")
        assert "match" not in said(app)
        assert not screen.query_one(FilterBar).display
        await pilot.press("escape")
        assert isinstance(app.screen, SessionsScreen)


async def test_escape_while_typing_leaves_the_search_as_it_was(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        here = view.cursor
        await pilot.press("slash", *"make", "escape")
        await settled(pilot)
        assert (view.search_text, view.cursor, app.focused) == ("", here, view)


async def test_words_that_stand_nowhere(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        here = view.cursor
        await pilot.press("slash", *"never said", "enter")
        await settled(pilot)
        assert view.cursor == here
        assert "0 matches" in said(app)


async def test_a_click_on_the_minimap_goes_to_the_failure(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        minimap = app.screen.query_one(Minimap)
        row = next(at for at, cell in enumerate(minimap.cells) if cell.worst == "failed")
        assert minimap.render_line(row).text[1] == "✗"
        await pilot.click(Minimap, offset=(1, row))
        assert view.cursor == view.failures[0]
        assert minimap.render_line(row).text[0] == "▶"
        assert app.focused is view
        await pilot.hover(Minimap, offset=(1, row))
        assert "1 failed" in str(minimap.tooltip)


async def test_a_long_session_is_on_it_whole_and_dragging_goes_along(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        view = await opened(pilot, "Crunch all batches")
        minimap = app.screen.query_one(Minimap)
        assert (minimap.cells[0].first, minimap.cells[-1].end) == (0, len(view.items))
        assert len(view.items) > minimap.size.height
        cut = next(at for at, cell in enumerate(minimap.cells) if cell.kinds["cut"])
        await pilot.click(Minimap, offset=(2, cut))
        assert view.items[view.cursor].kind == "cut"
        await pilot.mouse_down(Minimap, offset=(0, 0))
        await pilot.hover(Minimap, offset=(0, len(minimap.cells) - 1))
        await pilot.mouse_up(Minimap, offset=(0, len(minimap.cells) - 1))
        assert minimap.cells[-1].first <= view.cursor < minimap.cells[-1].end


async def test_a_long_title_is_not_cut_without_a_word(record: Record) -> None:
    path = record({"one": [user("tidy up this repository and " + "go on until all is well, " * 6)]})
    app = WarmTui(Home(path.parent, (path,)))
    async with app.run_test(size=(160, 36)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        title = next(part for part in said(app).split("  ·  ") if part.startswith("tidy up"))
        assert title.endswith("…")
