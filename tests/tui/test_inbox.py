"""The inbox of suggestions: found from Curate and from the Overview, and decided on by keys and by the mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from tests.conftest import NOW
from tests.tui.helpers import notes, said, settled
from warm_tui.app import WarmTui
from warm_tui.demo.nightly import add_nightly_reports
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.suggestions import kept_suggestions
from warm_tui.paths import Home
from warm_tui.review.gathering import review
from warm_tui.screens.curate.inbox import Inbox
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.templates.files import TemplateFiles
from warm_tui.widgets.pieces_view import PiecesView

WIDE = (160, 48)


@pytest.fixture
def nightly(demo: Home) -> Home:
    return Home(demo.root, (add_nightly_reports(demo, NOW),))


def shown(app: WarmTui) -> str:
    return "\n".join("".join(text for text, _ in line) for line in app.screen.query_one(PiecesView).lines)


def states(home: Home) -> list[str]:
    with open_library(home.library) as library:
        return [each.state for each in kept_suggestions(library, ("waiting", "later", "accepted", "declined"))]


async def test_one_is_put_off_edited_first_and_stands_in_the_draft(nightly: Home) -> None:
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await settled(pilot)
        await pilot.press("i")
        await settled(pilot)
        assert isinstance(app.screen, Inbox)
        assert "because docker: Error response from daemon: no space left on device" in shown(app)
        await pilot.press("l")
        await settled(pilot)
        assert states(nightly) == ["later"]
        await pilot.press("i")
        await settled(pilot)
        await pilot.press("e")
        await settled(pilot)
        assert "is open as a draft" in notes(app)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        assert (screen.drafting.draft.name, len(screen.drafting.draft.suggestions)) == ("nightly-report", 1)
        assert states(nightly) == ["accepted"]
        await pilot.press("i")
        await settled(pilot)
        assert "Nothing is suggested" in notes(app)


async def test_it_waits_on_the_overview_and_is_declined_with_a_reason_or_accepted_by_mouse(nightly: Home) -> None:
    with Catalog(nightly) as catalog:
        (mend,) = review(catalog).fresh
    patterns = len(TemplateFiles(nightly).load("nightly-report").template.patterns)
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("0")
        await settled(pilot)
        strips = app.screen._compositor.render_strips()
        assert "1 suggestion of the last sessions" in "\n".join(strip.text for strip in strips)
        await pilot.press("2")
        await settled(pilot)
        assert "1 suggestion: i" in said(app)
        await pilot.press("i")
        await settled(pilot)
        await pilot.press("d", "enter")
        await settled(pilot)
        assert "Say why" in notes(app)
        assert states(nightly) == ["waiting"]
        await pilot.press("i")
        await settled(pilot)
        assert app.screen.query_one(OptionList).option_count == 1
        await pilot.click("#accept")
        await settled(pilot)
        assert states(nightly) == ["accepted"]
        assert len(TemplateFiles(nightly).load("nightly-report").template.patterns) == patterns + 1
        assert mend.id in Path(nightly.root / "warm_sessions" / "nightly-report.json").read_text()
