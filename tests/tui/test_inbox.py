"""The inbox of suggestions: found from Curate and from the Overview, and decided on by keys and by the mouse."""

from __future__ import annotations

import threading
from collections.abc import Iterator
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
from warm_tui.screens.curate import inbox as rooms
from warm_tui.screens.curate.inbox import Carried, Decided, Inbox
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.transcript.screen import TranscriptScreen
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
    await pilot.press("3")
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
        await press(pilot, "3")
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


async def test_the_call_that_it_is_made_of_is_looked_at_where_it_was_made_and_one_comes_back(nightly: Home) -> None:
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await open_inbox(pilot)
        await press(pilot, "o")
        assert isinstance(app.screen, TranscriptScreen)
        assert "docker system prune -f" in "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        await press(pilot, "escape")
        assert isinstance(app.screen, Inbox)
        assert states(nightly) == ["waiting"]


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


async def test_what_speaks_for_one_goes_on_below_its_own_words(many: Home) -> None:
    app = WarmTui(many)
    async with app.run_test(size=NARROW) as pilot:
        await open_inbox(pilot)
        view = app.screen.query_one(PiecesView)
        rows = [view.strip_of(row).text for row in range(view.line_count)]
        first = next(at for at, row in enumerate(rows) if row.startswith("    because "))
        assert rows[first + 1].startswith(" " * len("    because "))
        assert rows[first + 1].strip()


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


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Nothing that was decided is carried out before it is open."""
    opened, carried_out = threading.Event(), rooms.carried_out

    def held(home: Home, decided: Decided, why: str) -> Carried:
        assert opened.wait(300)
        return carried_out(home, decided, why)

    monkeypatch.setattr(rooms, "carried_out", held)
    yield opened
    opened.set()


async def test_a_key_is_for_what_was_read_and_not_for_what_moved_under_the_cursor(
    many: Home, gate: threading.Event
) -> None:
    app = WarmTui(many)
    async with app.run_test(size=WIDE) as pilot:
        await open_inbox(pilot)
        await press(pilot, "j", "d", "n", "o")
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("a", "d", "l")
        await pilot.pause()
        assert isinstance(app.screen, Inbox), "no reason is asked for while another is worked on"
        assert "still being carried out" in notes(app)
        gate.set()
        await settled(pilot)
        assert app.screen.list.highlighted == 1
        assert "the reason of number 2" in shown(app)
        await press(pilot, "l")
        assert "this is another" in notes(app)
        assert (states(many).count("declined"), states(many).count("later")) == (1, 0)
        await press(pilot, "l")
        assert states(many).count("later") == 1, "asked again, it is done"
        await press(pilot, "j", "l")
        assert states(many).count("later") == 2, "the operator went there"


async def test_what_stands_over_the_inbox_stays_when_that_goes(nightly: Home, gate: threading.Event) -> None:
    app = WarmTui(nightly)
    async with app.run_test(size=WIDE) as pilot:
        await open_inbox(pilot)
        inbox = app.screen
        assert f"accept  saves template '{NIGHTLY}': adds 1 call" in shown(app)
        await pilot.press("a")
        await pilot.press("question_mark")
        await pilot.pause()
        over = app.screen
        assert over is not inbox
        gate.set()
        await settled(pilot)
        assert app.screen is over
        assert f"Accepted: {NIGHTLY} was saved. R on Templates leads back." in notes(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, CurateScreen)


async def test_a_list_that_got_shorter_forgets_what_it_told_of_its_old_rows(many: Home) -> None:
    app = WarmTui(many)
    async with app.run_test(size=WIDE) as pilot:
        await open_inbox(pilot)
        inbox = app.screen
        assert isinstance(inbox, Inbox)
        waiting = inbox._waiting
        inbox.list.highlighted = 23
        inbox.show(waiting[:2])
        await settled(pilot)
        assert inbox.list.highlighted == 1
        assert "the reason of number 1" in shown(app)
