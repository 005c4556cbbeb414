"""Filtering the sessions, and filters that are kept."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.conftest import DEMO_LIVES
from tests.tui.helpers import said, settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.listing import Listing
from warm_tui.sessions.model import SessionName
from warm_tui.widgets.filter_bar import FilterBar

WIDE = (160, 48)


async def test_filtering_by_keys(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"source:cron")
        assert len(table(app).rows) == 3
        await pilot.press("enter")
        assert isinstance(app.focused, SessionTable)
        assert app.screen.query_one(Input).value == "source:cron"
        await pilot.press("escape")
        assert len(table(app).rows) == DEMO_LIVES


async def test_what_is_wrong_with_a_filter_is_told_while_typing(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"frob:1")
        assert "no field 'frob'" in said(app, "#filter-error")
        assert len(table(app).rows) == DEMO_LIVES or all("frob" in (t or "") for t in titles(app))
        app.screen.query_one(Input).value = "errors>0.5"
        await pilot.pause()
        assert {(p.error_rate or 0) > 0.5 for p in table(app).rows} == {True}


async def test_names_and_values_are_completed(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"rel")
        await settled(pilot)
        await pilot.press("right")
        assert app.screen.query_one(Input).value == "relation"
        await pilot.press(*":b")
        await settled(pilot)
        await pilot.press("right")
        assert app.screen.query_one(Input).value == "relation:branch"


async def test_words_in_messages(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *'text:"Crunch all"', "enter")
        await settled(pilot)
        assert titles(app) == ["Crunch all batches"]


async def test_a_filter_that_nothing_matches_says_what_to_do(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"nowhere", "enter")
        assert "Escape clears the filter" in said(app, "#empty")


async def test_saved_filters(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"calls>100", "enter", "f", "enter", *"long ones", "enter", "escape")
        assert len(table(app).rows) == DEMO_LIVES
        await pilot.press("f", "enter")
        assert {p.tool_call_count > 100 for p in table(app).rows} == {True}


async def test_a_remembered_filter_on_text_holds_after_a_restart(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text("filter = 'text:\"Crunch all\"'\n")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert titles(app) == ["Crunch all batches"]
        assert app.screen.query_one(Input).value == 'text:"Crunch all"'


async def test_saved_filters_that_are_wrong_or_alike(demo: Home) -> None:
    demo.ours.mkdir(exist_ok=True)
    (demo.ours / "config.toml").write_text('[filters]\nx = "errors>>"\na = "source:cli"\nb = "source:cli"\n')
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f", "enter")
        assert len(table(app).rows) == DEMO_LIVES
        await pilot.press("f", "down", "enter")
        assert {p.source for p in table(app).rows} == {"cli"}


async def test_a_filter_is_added_to_and_a_mistake_leaves_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"source:cli", "enter", "slash", *" errors>", "escape")
        assert app.screen_stack[0].filter_text == "source:cli"  # type: ignore[attr-defined]
        assert {p.source for p in table(app).rows} == {"cli"}


async def test_a_saved_filter_can_be_renamed_and_forgotten(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.choices.remember(filters={"long": "calls>100", "cli": "source:cli"})
        await pilot.press("f", "R", "end", *" ones", "enter")
        await settled(pilot)
        assert app.choices.table("filters") == {"cli": "source:cli", "long ones": "calls>100"}
        await pilot.press("f", "D")
        await settled(pilot)
        assert app.choices.table("filters") == {"long ones": "calls>100"}


async def test_a_name_that_is_in_use_is_not_taken_without_asking(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.choices.remember(filters={"mine": "source:cli"})
        await pilot.press("slash", *"calls>100", "enter", "f", "end", "enter", *"mine", "enter")
        await settled(pilot)
        assert app.choices.table("filters") == {"mine": "source:cli"}
        await pilot.press("down", "enter")
        await settled(pilot)
        assert app.choices.table("filters") == {"mine": "calls>100"}


async def test_who_goes_elsewhere_by_mouse_leaves_no_empty_bar(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        bar = app.screen.query_one(FilterBar)
        await pilot.press("slash")
        assert bar.display
        await pilot.click(SessionTable, offset=(10, 4))
        await settled(pilot)
        assert not bar.display
        await pilot.press("slash", *"source:cli")
        await pilot.click(SessionTable, offset=(10, 4))
        await settled(pilot)
        assert bar.display, "a filter that holds is seen"


@pytest.mark.parametrize("key", "123456780")
async def test_no_key_goes_into_a_filter_that_nobody_asked_for(key: str, demo: Home) -> None:
    """Textual gives the focus to the first that can have it, where nobody has it: also where that is hidden."""
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press(key)
        await settled(pilot)
        screen = app.screen
        screen.set_focus(None)
        await pilot.press("question_mark", "escape")
        await settled(pilot)
        assert app.screen is screen
        assert not isinstance(screen.focused, Input)
        other = "6" if key != "6" else "5"
        await pilot.press(other)
        await settled(pilot)
        assert app.screen is not screen, "the key of a screen goes there"
        assert [bar.display for bar in screen.query(FilterBar)] in ([], [False])


async def test_a_filter_that_holds_is_written_on_by_a_click(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"source:cli", "enter")
        await settled(pilot)
        assert not isinstance(app.screen.focused, Input)
        await pilot.click("#filter-input", offset=(20, 0))
        await settled(pilot)
        await pilot.press(*" calls>20", "enter")
        await settled(pilot)
        assert app.screen_stack[0].filter_text == "source:cli calls>20"  # type: ignore[attr-defined]


async def test_what_cannot_be_read_is_quoted_whole_and_not_told_as_a_word_that_nothing_has(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"errors>abc")
        await settled(pilot)
        assert table(app).rows[:1] == [], "no title has the word that stood there before"
        assert "The filter 'errors>abc' cannot be read: 'abc' is not a number" in said(app, "#empty")
        await pilot.press(*["backspace"] * 4)
        await settled(pilot)
        assert said(app, "#empty").startswith("No session matches 'errors'.")
        await pilot.press("escape")
        await settled(pilot)
        assert len(table(app).rows) == DEMO_LIVES


@pytest.mark.parametrize("key", ["3", "4", "5", "6"])
async def test_every_filter_says_what_it_cannot_read_and_that_nothing_matches(demo: Home, key: str) -> None:
    with Catalog(demo) as catalog:
        arms = dict(zip((p.session_id for p in catalog.profiles()), ("warm", "cold") * 4, strict=False))
        keep_marks(catalog.library, [{SessionName(each): arm for each, arm in arms.items()}])
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press(key)
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, Listing)
        if isinstance(screen, CurateScreen):
            screen.read_from("all")
            await settled(pilot)
        rows = len(screen.table.rows)
        assert rows
        await pilot.press("slash")
        for query in ("errors>0.2", "errors>abc"):
            screen.query_one("#filter-input", Input).value = query
            await settled(pilot)
            assert f"'{query}' compares a field" in said(app, "#filter-error")
            assert len(screen.table.rows) == rows
        screen.query_one("#filter-input", Input).value = "zzzz"
        await settled(pilot)
        assert not screen.table.rows
        assert screen.query_one("#empty").display
        assert " matches 'zzzz'." in said(app, "#empty")


async def test_the_header_tells_no_filter_that_is_not_meant(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("slash", *"errors")
        await settled(pilot)
        assert "with 'errors'" in said(app)
        await pilot.press(*">10%")
        await settled(pilot)
        assert "with '" not in said(app), "what stood there before is not meant any more"


async def test_enter_on_what_cannot_be_read_says_what_now(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"errors>")
        assert "Enter" not in said(app, "#filter-error"), "who types goes on"
        await pilot.press("enter")
        assert said(app, "#filter-error").endswith("Enter takes it once that is mended; Esc leaves it.")
        assert isinstance(app.focused, Input)
        await pilot.press(*"20%", "enter")
        await settled(pilot)
        assert isinstance(app.focused, SessionTable)


async def test_what_cannot_be_read_and_was_left_by_mouse_is_cleared_by_escape(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        screen.query_one(FilterBar).open("")
        screen.query_one("#filter-input", Input).value = "errors>10%"
        await settled(pilot)
        screen.table.focus()
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert (app.screen, screen.unread, screen.query_one(FilterBar).display) == (screen, "", False)
