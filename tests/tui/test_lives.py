"""One life is one row of the table of sessions; its parts and its relations are a key away."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from textual.widgets import Input

from tests.tui.helpers import said, settled, table, titles
from tests.tui.test_compaction import compaction
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks, kept_marks
from warm_tui.paths import Home
from warm_tui.reliability.filters import parse_filter
from warm_tui.screens.compaction.life_view import LifeView
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.compaction.survival_table import PieceRow
from warm_tui.screens.transcript.screen import TranscriptScreen
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


async def test_a_life_that_two_homes_have_is_told_apart_in_its_row_and_each_opens_its_own(
    demo: Home, tmp_path: Path
) -> None:
    places = [tmp_path / name / "state.db" for name in ("work", "private")]
    for place in places:
        place.parent.mkdir()
        shutil.copy(demo.databases[0], place)
    with closing(sqlite3.connect(places[1])) as connection:
        connection.execute(
            "UPDATE sessions SET started_at = started_at + 1, title = 'Again: ' || title, source = 'telegram'"
        )
        connection.execute("UPDATE messages SET content = 'Again: ' || content WHERE role = 'user'")
        connection.commit()
    app = WarmTui(Home(tmp_path / "work", tuple(places)))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await compaction(pilot)
        lives = screen.table
        at = [at for at, row in enumerate(lives.rows) if row.title.endswith("Port the test suite")]
        assert len(at) == 2
        assert {lives.strip_of(each).text.split("suite")[1].split()[0] for each in at} == {"work", "private"}
        assert len({lives.identity(row) for row in lives.rows}) == len(lives.rows)
        for each in at:
            lives.move(each)
            await settled(pilot)
            assert screen.view.document is not None
            assert screen.view.document.title == lives.rows[each].title
            assert screen.life_read is not None
            assert screen.life_read.examined is not None
            screen.view.post_message(LifeView.CallAsked(screen.life_read.examined.calls[0][0]))
            await settled(pilot)
            transcript = app.screen
            assert isinstance(transcript, TranscriptScreen)
            asked = next(item for item in transcript.view.told if item.kind == "user")
            assert asked.text.startswith("Again: ") == lives.rows[each].title.startswith("Again: ")
            await pilot.press("q")
            await settled(pilot)
            await pilot.press("enter")
            survived = app.screen
            assert isinstance(survived, SurvivalScreen)
            calls = {at: row.piece.call for at, row in enumerate(survived.table.rows) if isinstance(row, PieceRow)}
            survived.table.move(next(at for at, call in calls.items() if call and call[1].outcome == "success"))
            await pilot.press("p")
            await settled(pilot)
            (*_, picked) = app.drafting.draft.patterns
            assert (picked.origin.source == "telegram") == lives.rows[each].title.startswith("Again: ")
            await pilot.press("q")
            app.drafting.forget()
        row = lives.rows[at[1]]
        screen.show_session(row.session_id)
        assert lives.under_cursor is row


async def test_where_there_is_one_home_no_column_tells_it(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        assert not {field.name for field in screen.table.fields} & {"agent", "home"}
