"""The screens show what another agent's reader gives them, and never ask whose it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.other_agent import ScribeReader
from tests.tui.helpers import notes, said, settled, table, titles
from tests.unit.test_sources import write_scribe
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions import readers
from warm_tui.sessions.model import SessionName


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(readers, "READERS", [*readers.READERS, ScribeReader()])
    home = Home(tmp_path / "home", (write_scribe(tmp_path / "work.scribe"),))
    with Catalog(home) as catalog:
        keep_marks(catalog.library, [{SessionName("alpha"): "warm", SessionName("beta"): "cold"}])
    return home


async def test_sessions_transcript_curate_and_compare(home: Home) -> None:
    app = WarmTui(home)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        assert titles(app) == ["Scribe's beta", "Scribe's alpha"]
        assert table(app).rows[0].error_rate == 0.5
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        assert [item.call.tool_name for item in app.screen.view.items if item.call] == ["run"] * 6
        await pilot.press("escape", "3")
        await settled(pilot)
        assert isinstance(app.screen, CurateScreen)
        assert {entry.candidate.call.tool_name for entry in app.screen.calls.entries} == {"run"}
        await pilot.press("6")
        await settled(pilot)
        assert isinstance(app.screen, CompareScreen)
        assert "1 warm" in said(app)
        assert "1 cold" in said(app)


async def test_a_place_that_cannot_be_read_is_told_once_and_the_others_are_shown(home: Home, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("no database")
    app = WarmTui(home._replace(databases=(*home.databases, broken)))
    async with app.run_test(size=(160, 48)) as pilot:
        for _ in range(2):
            await settled(pilot)
            assert titles(app) == ["Scribe's beta", "Scribe's alpha"]
            assert notes(app) == f"{broken} is not a SQLite database."
            assert isinstance(app.screen, SessionsScreen)
            app.screen.load()
