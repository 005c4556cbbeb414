"""The transcript: fold, go about, search, judge."""

from __future__ import annotations

import pytest

from tests.tui.helpers import said, settled, table, titles, until
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.recorded import arguments_of, pretty, shortened
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.transcript import transcript
from warm_tui.widgets.transcript_view import TranscriptView

WIDE = (160, 48)


async def opened(pilot, title: str) -> TranscriptView:
    await settled(pilot)
    table(pilot.app).move(titles(pilot.app).index(title))
    await pilot.press("enter")
    await settled(pilot)
    assert isinstance(pilot.app.screen, TranscriptScreen)
    return pilot.app.screen.view


async def test_failures_are_open_and_the_rest_is_folded(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        assert view.open == {at for at in range(len(view.items)) if view.outcome(at) in ("failed", "masked")}
        assert "13 calls, 4 failed" in said(app)
        await pilot.press("enter")
        assert 0 in view.open


async def test_going_about(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f")
        first = view.cursor
        assert view.outcome(first) in ("failed", "masked")
        await pilot.press("f")
        assert view.cursor > first
        await pilot.press("F")
        assert view.cursor == first
        await pilot.press("t")
        assert view.items[view.cursor].call is not None
        await pilot.press("G")
        assert view.cursor == len(view.items) - 1


async def test_searching(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("slash", *"make deploy", "enter")
        await settled(pilot)
        item = view.under_cursor
        assert item is not None
        assert item.call is not None
        assert "make deploy" in item.call.arguments
        await pilot.press("escape")
        assert view.search_text == ""
        assert isinstance(app.screen, TranscriptScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, SessionsScreen)
        assert isinstance(app.focused, SessionTable)


async def test_compactions_and_what_was_carried_over(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Crunch all batches")
        kinds = [item.kind for item in view.items]
        assert kinds.count("cut") == kinds.count("carried") == 3
        await pilot.press("c")
        assert view.items[view.cursor].kind == "cut"
        assert "CONTEXT COMPACTION" in view.items[view.cursor].text
        await pilot.press("C")
        assert kinds[view.cursor] == "cut"


async def test_a_whole_chain_or_one_session_of_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Port the test suite")
        calls = [item for item in view.items if item.call]
        assert len(calls) == 90
        assert [item.kind for item in view.items].count("session") == 3
        await pilot.press("c", "b")
        await settled(pilot)
        assert len([item for item in view.items if item.call]) == 28, "the session under the cursor"


async def test_a_part_of_a_life_opens_the_chain_where_it_begins(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("b")
        view = await opened(pilot, "Port the test suite #3")
        assert (view.items[view.cursor].kind, view.items[view.cursor].text) == ("session", "Port the test suite #3")
        assert len([item for item in view.items if item.call]) == 90


async def test_folds_stay_when_the_chain_is_shown_and_left(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Port the test suite")
        here = view.items[view.cursor].session_id
        at = next(at for at, i in enumerate(view.items) if i.call and i.session_id == here and at not in view.open)
        identity = view.items[at].identity
        view.move(at)
        await pilot.press("enter", "b")
        await settled(pilot)
        assert {item.identity for at, item in enumerate(view.items) if at in view.open} >= {identity}
        await pilot.press("enter", "b")
        await settled(pilot)
        assert identity not in {view.items[at].identity for at in view.open}


async def test_the_operators_own_verdict_and_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        before = table(app).under_cursor
        assert before is not None
        await pilot.press("f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        verdict = view.verdict(view.cursor)
        assert verdict is not None
        assert (verdict.outcome, verdict.reason, verdict.rule) == ("success", "as meant", "operator")
        await pilot.press("escape")
        await settled(pilot)
        after = table(app).under_cursor
        assert after is not None
        assert after.failed_calls == before.failed_calls - 1
        with Catalog(demo) as catalog:
            assert catalog.profile(after.session_id).failed_calls == after.failed_calls
        view = await opened(pilot, "Make a release")
        await pilot.press("home")
        for at in range(len(view.items)):
            own = view.verdict(at)
            if own is not None and own.rule == "operator":
                view.move(at)
        await pilot.press("u")
        await settled(pilot)
        verdict = view.verdict(view.cursor)
        assert verdict is not None
        assert verdict.outcome == "failure"


async def test_a_call_opens_whole_and_is_copied(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        view = await opened(pilot, next(title for title in titles(app) if "Hostile" in title))
        await pilot.press("end", "k", "o")
        assert isinstance(app.screen, Pages)
        await pilot.press("escape", "y")
        assert app.clipboard
        assert "\x1b" not in app.clipboard
        assert view.items


async def test_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click(SessionTable, offset=(10, 2), times=2)
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        view = app.screen.view
        await pilot.click(TranscriptView, offset=(5, 1))
        assert view.cursor == 1
        await pilot.click(TranscriptView, offset=(5, 1))
        assert 1 in view.open


async def test_nothing_hostile_leaves_its_line(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        at = next(at for at, title in enumerate(titles(app)) if "Hostile" in title)
        table(app).move(at)
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        view = app.screen.query_one(TranscriptView)
        for item in range(len(view.items)):
            view.open.add(item)
        view.measure()
        for y in range(view.virtual_size.height):
            view.scroll_to(y=y, animate=False)
            strip = view.render_line(0)
            assert strip.cell_length == view.scrollable_content_region.width
            assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u202c\u200b" for c in strip.text)


def test_json_is_laid_out_and_long_bodies_are_cut_in_the_middle() -> None:
    assert pretty('{"output": "a\\nb", "exit_code": 0}') == ["output:", "a", "b", "exit_code: 0"]
    assert pretty("not json") == ["not json"]
    body = [[(str(n), "")] for n in range(100)]
    cut = shortened(body)
    assert cut[0] == [("0", "")]
    assert cut[-1] == [("99", "")]
    assert "76 lines more" in cut[12][0][0]


def test_what_is_run_has_the_colours_of_its_language() -> None:
    told = arguments_of('{"code": "import os  # why\\nprint(1)", "n": 3}')
    assert told[0] == [("code:", "benign")]
    assert ("import", "mark") in told[1]
    assert ("# why", "dim") in told[1]
    assert ("1", "masked") in told[2]
    assert told[-1] == [("n: 3", "benign")]


async def test_a_long_session_is_shown_from_its_beginning_while_the_rest_is_read(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Marathon: split the monolith")
        assert sum(item.call is not None for item in view.items) == 420


async def test_what_is_picked_is_marked(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, TranscriptScreen)
        view = screen.view
        at = next(at for at in range(len(view.items)) if view.outcome(at) == "ok")
        view.move(at)
        assert view.head(at)[0][0] == "▸ "
        await pilot.press("p")
        await until(pilot, lambda: bool(app.drafting.draft.patterns))
        await settled(pilot)
        assert view.head(at)[0] == ("● ", "mark")


@pytest.mark.parametrize("title", ["Port the test suite", "Marathon: split the monolith", "Make a release"])
@pytest.mark.parametrize("which", [0.4, 0.9])
async def test_a_call_that_is_gone_to_stands_under_the_cursor_and_in_sight(
    demo: Home, title: str, which: float
) -> None:
    """Also where the beginning of the session, which is shown first, does not reach to it."""
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        profile = next(each for each in table(app).rows if each.title == title)
        with Catalog(demo) as catalog:
            source, session = catalog.find(profile.session_id)
            calls = [item.call for item in transcript(read_life(source, session), None) if item.call is not None]
        call = calls[int(which * len(calls))]
        app.push_screen(TranscriptScreen(profile, begin_at=(call.session_id, call.key)))
        await settled(pilot)
        view = app.screen.query_one(TranscriptView)
        assert view.under_cursor is not None
        assert view.under_cursor.call is not None
        assert view.under_cursor.call.key == call.key
        assert view.scroll_offset.y <= view.top_of(view.cursor) < view.scroll_offset.y + view.size.height


async def test_calls_that_count_nowhere_are_told_beside_those_that_do(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 60)) as pilot:
        await settled(pilot)
        table(app).move(titles(app).index("Rewrite the import jobs"))
        await settled(pilot)
        assert table(app).profile.tool_call_count == 201  # type: ignore[union-attr]
        assert "201, 9 more not counted" in said(app, "#profile")
        await pilot.press("enter")
        await settled(pilot)
        assert "201 calls, 9 more not counted, 60 failed" in said(
            app
        ) or "of 60, 201 calls, 9 more not counted" in said(app)
        view = app.screen.query_one(TranscriptView)
        trivial = [at for at, item in enumerate(view.items) if item.call is not None and item.call.trivial]
        assert len(trivial) == 9
        assert "not counted" in text_of(view.head(trivial[0]))
