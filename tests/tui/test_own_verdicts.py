"""Verdicts of one's own: ours stays beside each, all are listed, and any is taken back and put back."""

from __future__ import annotations

import time

from textual.widgets import OptionList

from tests.tui.helpers import settled, table
from tests.tui.test_transcript import WIDE, opened
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.outcomes import set_outcome
from warm_tui.library.overrides import overrides
from warm_tui.library.verdicts import set_verdict
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.presentation.verdicts import ours_in_words
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.curate.table import evidence
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.shared.own_verdicts import ChooseVerdict
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.sessions.model import SessionName
from warm_tui.templates.shortlist import Entry


def kept(home: Home) -> list[tuple[str, str]]:
    with Catalog(home) as catalog:
        return [(override.verdict.outcome, override.verdict.reason) for override in overrides(catalog)]


def listed(app: WarmTui) -> list[str]:
    return [str(option.prompt) for option in app.screen.query_one(OptionList).options]


async def test_ours_is_shown_beside_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        assert "✓ yours" in text_of(view.head(view.cursor))
        day = time.strftime("%Y-%m-%d")
        why = text_of(view.body(view.cursor)[0])
        assert why.startswith(f"success, yours since {day}")
        assert "as meant; ours: failure: exit code 1" in why
        whole = "\n".join(map(text_of, app.screen.whole()))
        assert "success, yours since " in whole
        assert "ours: failure: exit code 1" in whole
        await pilot.press("u")
        await settled(pilot)
        assert "yours" not in text_of(view.head(view.cursor))


async def test_ours_is_read_to_its_end_in_a_narrow_terminal(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        top, body = view.top_of(view.cursor), view.body(view.cursor)
        begins = next(at for at, line in enumerate(body) if text_of(line).startswith("command:"))
        seen = [view.strip_of(top + 1 + at).text.removeprefix("  │ ").strip() for at in range(begins)]
        verdict = view.verdict(view.cursor)
        assert verdict is not None
        assert len(seen) > 1
        assert " ".join(seen).endswith(f"as meant; {ours_in_words(verdict)}")


async def test_outcomes_of_sessions_are_found_beside_the_verdicts(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        with Catalog(demo) as catalog:
            set_outcome(catalog.library, catalog.profiles()[0].name, "done")
        await pilot.press("1", "v")
        await settled(pilot)
        assert listed(app) == ["1 outcome of sessions: show these"]
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, SessionsScreen)
        assert app.screen.filter_text == "outcome:mine"


async def test_it_is_taken_back_by_mouse(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f", "v")
        await settled(pilot)
        assert len(listed(app)) == 3, "there is nothing to take back"
        await pilot.press("enter", *"as meant", "enter")
        await settled(pilot)
        await pilot.press("v")
        await settled(pilot)
        assert listed(app)[-1] == "Take yours back"
        await pilot.click(OptionList, offset=(4, 3))
        await settled(pilot)
        assert kept(demo) == []
        assert "yours" not in text_of(view.head(view.cursor))


async def test_they_are_found_among_the_calls_to_pick_from(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        screen.read_from("all")
        await settled(pilot)
        await pilot.press("1")
        await opened(pilot, "Make a release")
        await pilot.press("f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        await pilot.press("escape", "3")
        await settled(pilot)
        screen.set_filter("verdict:mine")
        await settled(pilot)
        entries = [row for row in screen.table.rows if isinstance(row, Entry)]
        assert [entry.candidate.verdict.reason for entry in entries] == ["as meant"]
        assert evidence(entries[0]) == ("✓ yours", "ok")
        screen.table.move(screen.table.rows.index(entries[0]))
        await settled(pilot)
        assert any("ours: failure: exit code 1" in text_of(line) for line in screen.view.lines)


async def test_compaction_is_told_anew_when_a_call_was_judged_meanwhile(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("5")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CompactionScreen)
        before = failures_of(screen)
        await pilot.press("1")
        with Catalog(demo) as catalog:
            _, _, calls = catalog.life(screen.table.rows[1].session_id)
            call = next(call for call, verdict in calls if verdict.outcome == "failure" and not call.trivial)
            set_verdict(catalog.library, SessionName(call.session_id), call.key, "success")
        await pilot.press("5")
        await settled(pilot)
        assert failures_of(screen) == before - 1


def failures_of(screen: CompactionScreen) -> int:
    """Of the first life."""
    change = screen.table.rows[1].change
    assert change is not None
    return change.before.failures + change.after.failures


async def test_all_are_listed_taken_back_and_put_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        failed = view.cursor
        await pilot.press("home", "V")
        await settled(pilot)
        assert isinstance(app.screen, ChooseVerdict)
        (line,) = listed(app)
        assert "✓ success" in line
        assert "as meant; ours: failure" in line
        await pilot.press("enter")
        await settled(pilot)
        assert view.cursor == failed, "it goes to the call"
        await pilot.press("V")
        await settled(pilot)
        await pilot.press("u")
        await settled(pilot)
        assert kept(demo) == []
        verdict = view.verdict(failed)
        assert verdict is not None
        assert verdict.outcome == "failure"
        assert listed(app)[0].startswith("Put back: ")
        await pilot.press("enter")
        await settled(pilot)
        assert kept(demo) == [("success", "as meant")]


async def test_from_the_sessions_to_the_call(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        view = await opened(pilot, "Make a release")
        await pilot.press("f", "f", "v", "enter", *"as meant", "enter")
        await settled(pilot)
        call = view.under_cursor
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, SessionsScreen)
        table(app).move(0)
        await pilot.press("v")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        assert app.screen.view.under_cursor == call


async def test_without_any_it_is_said_how_to_set_one(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("v")
        await settled(pilot)
        assert [note.message for note in app._notifications] == [
            "No verdict of your own yet: v on a call in a transcript sets one."
        ]
