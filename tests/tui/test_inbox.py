"""The inbox of suggestions: found from Curate and from the Overview, and decided on by keys and by the mouse."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.conftest import NOW
from tests.tui.helpers import notes, said, settled
from warm_tui.app import WarmTui
from warm_tui.demo.nightly import add_nightly_reports
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.suggestions import keep_suggestions, kept_suggestions
from warm_tui.paths import Home
from warm_tui.review.gathering import Review, review
from warm_tui.review.suggesting import Suggestion
from warm_tui.screens.curate.inbox import Inbox
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.explain import Explain
from warm_tui.templates.files import TemplateFiles
from warm_tui.widgets.pieces_view import PiecesView

WIDE, NARROW = (160, 48), (80, 24)
NIGHTLY = "nightly-report"


@pytest.fixture
def nightly(demo: Home) -> Home:
    return Home(demo.root, (add_nightly_reports(demo, NOW),))


def shown(app: WarmTui) -> str:
    return "\n".join("".join(text for text, _ in line) for line in app.screen.query_one(PiecesView).lines)


def states(home: Home) -> list[str]:
    with open_library(home.library) as library:
        return [each.state for each in kept_suggestions(library, ("waiting", "later", "accepted", "declined"))]


async def open_inbox(pilot: Pilot[None]) -> None:
    await settled(pilot)
    await pilot.press("2")
    await settled(pilot)
    await pilot.press("i")
    await settled(pilot)
    assert isinstance(pilot.app.screen, Inbox)


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def test_one_is_put_off_edited_first_and_accepted_when_its_draft_is_saved(nightly: Home) -> None:
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await open_inbox(pilot)
        assert "because docker: Error response from daemon: no space left on device" in shown(app)
        await press(pilot, "E")
        assert isinstance(app.screen, Explain)
        assert [each.name for each in app.screen.explained], "what a suggestion is"
        await press(pilot, "escape")
        await press(pilot, "l")
        assert states(nightly) == ["later"]
        assert isinstance(app.screen, Inbox), "it stays: it can still be decided on"
        await press(pilot, "e")
        assert "is open as a draft" in notes(app)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        assert (screen.drafting.draft.name, len(screen.drafting.draft.suggestions)) == (NIGHTLY, 1)
        assert states(nightly) == ["later"], "nothing is decided before it is saved"
        await press(pilot, "w", "enter")
        assert states(nightly) == ["accepted"]


async def test_it_waits_on_the_overview_and_is_declined_with_a_reason_or_accepted_by_mouse(nightly: Home) -> None:
    with Catalog(nightly) as catalog:
        (mend,) = review(catalog).fresh
    patterns = len(TemplateFiles(nightly).load(NIGHTLY).template.patterns)
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await press(pilot, "0")
        strips = app.screen._compositor.render_strips()
        assert "1 suggestion of the last sessions" in "\n".join(strip.text for strip in strips)
        await press(pilot, "2")
        assert "1 suggestion: i" in said(app)
        await press(pilot, "i", "d", "enter")
        assert "Say why" in notes(app)
        assert states(nightly) == ["waiting"]
        assert app.screen.query_one(OptionList).option_count == 1
        await pilot.click("#accept")
        await settled(pilot)
        assert states(nightly) == ["accepted"]
        assert isinstance(app.screen, CurateScreen), "nothing is left to decide on"
        assert len(TemplateFiles(nightly).load(NIGHTLY).template.patterns) == patterns + 1
        assert mend.id in Path(nightly.root / "warm_sessions" / "nightly-report.json").read_text()


@pytest.fixture
def many(demo: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """With more suggestions than a small terminal has lines, each with long reasons."""
    monkeypatch.setattr("warm_tui.review.gathering.review", lambda _: Review(0, []))
    found = [
        Suggestion(
            id=f"{number:012}", kind="same", template=NIGHTLY, words=f"leave out pattern {number} " + "of many " * 9,
            evidence=(f"the reason of number {number} is " + "long " * 20,), effect=("fewer tokens",),
        )
        for number in range(24)
    ]  # fmt: skip
    with open_library(demo.library) as library:
        keep_suggestions(library, (), [(each.id, msgspec.json.encode(each)) for each in found])
    return demo


async def test_a_small_terminal_shows_the_reason_of_the_one_under_the_cursor(many: Home) -> None:
    app = WarmTui(many)
    async with app.run_test(size=NARROW) as pilot:
        await open_inbox(pilot)
        await press(pilot, "j", "j")
        view = app.screen.query_one(PiecesView)
        assert "because the reason of number 2" in shown(app)
        assert view.size.height >= 5
        seen = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "because the reason of number 2" in seen


async def test_escape_leaves_the_question_and_not_the_inbox_and_by_mouse_alone_all_can_be_done(many: Home) -> None:
    app = WarmTui(many)
    async with app.run_test(size=NARROW) as pilot:
        await open_inbox(pilot)
        await press(pilot, "j", "d")
        assert isinstance(app.screen, Ask)
        await press(pilot, "escape")
        inbox = app.screen
        assert isinstance(inbox, Inbox)
        assert inbox.list.highlighted == 1
        await pilot.click(OptionList, offset=(4, 2))
        await settled(pilot)
        assert inbox.list.highlighted == 2
        await pilot.click("#later")
        await settled(pilot)
        assert states(many).count("later") == 1
        await pilot.click("#decline")
        await settled(pilot)
        await press(pilot, "n", "o")
        await pilot.click("#take")
        await settled(pilot)
        assert states(many).count("declined") == 1
        assert inbox.list.option_count == 23
        assert "23 suggestions" in str(inbox.query_one(".window").border_title)
        await pilot.click("#close")
        await settled(pilot)
        assert isinstance(app.screen, CurateScreen)
