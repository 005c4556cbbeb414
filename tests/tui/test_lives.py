"""One life is one row of the table of sessions; its parts and its relations are a key away."""

from __future__ import annotations

from textual.widgets import Input

from tests.tui.helpers import said, settled, table, titles
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks, kept_marks
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.sessions.model import SessionName

WIDE = (160, 48)


async def test_walking_the_lineage(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("b")
        table(app).move(titles(app).index("Port the test suite #3"))
        await pilot.press("p")
        under = table(app).under_cursor
        assert under is not None
        assert under.title == "Port the test suite #2"
        await pilot.press("P")
        under = table(app).under_cursor
        assert under is not None
        assert under.title == "Port the test suite #3"
        await settled(pilot)
        assert "← here" in said(app, "#profile")


async def test_a_life_is_one_row_and_its_parts_are_told_apart_by_a_key(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        at = titles(app).index("Port the test suite")
        table(app).move(at)
        await pilot.press("w", "k", "b")
        await settled(pilot)
        parts = [title for title in titles(app) if title.startswith("Port the test suite")]
        assert parts == ["Port the test suite #3", "Port the test suite #2", "Port the test suite"]
        marked = [row.title for row in table(app).rows if table(app).mark_of(row)]
        assert marked == parts, "a mark is on the life, and so on all of it"
        assert app.query_one("#filter-input", Input).value == "parts:yes"
        await pilot.press("k", "w", "b")
        await settled(pilot)
        assert (table(app).marks, titles(app)[at]) == ({}, "Port the test suite")


async def test_a_mark_on_what_was_a_row_of_its_own_goes_over_to_the_life(demo: Home) -> None:
    with Catalog(demo) as catalog:
        root, _, tip = catalog.window(parse_filter('title:"Port the test suite"')).profiles[0].session_ids
        keep_marks(catalog.library, [{SessionName(tip): "cold"}])
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert table(app).marks == {root: "cold"}
        table(app).move(titles(app).index("Port the test suite"))
        await pilot.press("c")
        await settled(pilot)
        assert table(app).marks == {}
    with Catalog(demo) as catalog:
        assert kept_marks(catalog.library) == {}
