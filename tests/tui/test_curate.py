"""Picking calls into a draft, and shaping it: by keys, by mouse, kept at every step."""

from __future__ import annotations

import gc
import weakref
from threading import current_thread, main_thread

import pytest
from textual import events
from textual.widgets import Button, Input

from tests.conftest import DEMO_LIVES
from tests.tui.conftest import COLLECT
from tests.tui.curating import WIDE, curate, kept, picked
from tests.tui.helpers import click_in_footer, notes, said, settled, tab, table
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.curate.table import evidence
from warm_tui.screens.shared import drafting
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.shortlist import Entry, Heading
from warm_tui.widgets.mode_bar import ModeBar


async def test_it_opens_on_suggestions_with_their_reasons(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        assert screen.calls.source == "mined"
        assert screen.under_cursor is screen.table.rows[0], "on what is worth most"
        assert all(entry.why for entry in screen.calls.entries)
        assert screen.under_cursor.candidate.mends, "what mended a failure comes before what merely worked"
        cells = [screen.table.cell(field, screen.under_cursor)[0] for field in screen.table.fields[:2]]
        assert "  ← ✗ python app.py" in cells[0], "its words come first, with what it mended"
        assert cells[1].startswith("✓ mends "), "then its own reason"
        told = "".join(text for line in screen.query_one("#detail").lines for text, _ in line)  # type: ignore[attr-defined]
        assert screen.under_cursor.why in told


async def test_space_picks_and_puts_back(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        first = screen.under_cursor
        assert first is not None
        await pilot.press("space", "space")
        assert len(picked(screen)) == 2
        assert picked(screen)[0] == first.call[1]
        assert kept(demo) == [picked(screen)], "on disk at once"
        await pilot.press("k", "space")
        assert picked(screen) == [first.call[1]]
        assert first.candidate.mends
        pair = {" ".join(first.call), " ".join(first.candidate.mends.name)}
        assert set(screen.table.marks) == pair, "the failure is picked with the call that mended it"


async def test_secrets_are_looked_for_beside_the_screen_and_the_next_key_finds_the_call_picked(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[bool] = []
    make = drafting.pattern_of

    def watched(*args, **kwargs):
        beside.append(current_thread() is not main_thread())
        return make(*args, **kwargs)

    monkeypatch.setattr(drafting, "pattern_of", watched)
    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        first = screen.under_cursor
        assert first is not None
        pilot.app.post_message(events.Key("space", " "))
        pilot.app.post_message(events.Key("u", "u"))
        await settled(pilot)
        assert (picked(screen), beside) == ([], [True]), "picked, and taken back"


async def test_undo_and_redo(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("space", "space", "space", "u", "u")
        assert len(picked(screen)) == 1
        await pilot.press("ctrl+r")
        assert len(picked(screen)) == 2
        assert kept(demo) == [picked(screen)]
        await pilot.press("u", "u", "u")
        assert picked(screen) == []
        assert "nothing to undo" in notes(app)


async def test_marked_sessions_come_first_and_a_source_can_be_chosen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("space", "space")
        await settled(pilot)
        marked = set(table(app).marks)
        screen = await curate(pilot)
        assert screen.calls.source == "marked"
        assert {entry.call[0] for entry in screen.calls.entries} == marked
        await pilot.press("f", "end", "up", "enter")
        await settled(pilot)
        assert screen.calls.source == "all"
        assert len({entry.call[0] for entry in screen.calls.entries}) > 40
        assert f"{DEMO_LIVES} sessions" in said(app)


async def test_the_session_at_hand_and_the_filter_of_the_sessions_screen(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", *"source:slack", "enter")
        await settled(pilot)
        slack = {row.session_id for row in table(app).rows}
        screen = await curate(pilot)
        screen.read_from("shown")
        await settled(pilot)
        assert {entry.call[0] for entry in screen.calls.entries} <= slack
        screen.read_from("here")
        await settled(pilot)
        assert {entry.call[0] for entry in screen.calls.entries} == {table(app).under_cursor.session_id}  # type: ignore[union-attr]


async def test_searching_sorting_and_folding(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("slash", *"grep -timeout", "enter")
        await settled(pilot)
        shown = [row for row in screen.table.rows if isinstance(row, Entry)]
        assert shown
        assert all("grep" in row.words and "timeout" not in row.words for row in shown)
        await pilot.press("escape")
        await pilot.press("s", "home", "down", "down", "down", "enter")
        await settled(pilot)
        assert screen.table.order == "-tokens"
        tokens = [row.tokens for row in screen.table.rows if isinstance(row, Entry)]
        assert tokens == sorted(tokens, reverse=True), "of all tools together"
        await pilot.press("s", "end", "enter")
        await settled(pilot)
        assert isinstance(screen.table.rows[0], Heading), "by tool, they stand in groups"
        rows = [row for row in screen.table.rows if isinstance(row, Entry)]
        terminal = [row for row in rows if row.candidate.call.tool_name == "terminal"]
        before = len(screen.table.rows)
        await pilot.press("g", "enter")
        assert len(screen.table.rows) == before - len(terminal)
        await pilot.press("enter")
        assert len(screen.table.rows) == before


async def test_a_failed_call_is_picked_only_for_a_reason(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        screen.read_from("all")
        await settled(pilot)
        assert all(r.candidate.verdict.outcome == "success" for r in screen.table.rows if isinstance(r, Entry))
        await pilot.press("t")
        at = next(
            at
            for at, r in enumerate(screen.table.rows)
            if isinstance(r, Entry) and r.candidate.verdict.outcome == "failure"
        )
        screen.table.move(at)
        await pilot.press("space")
        assert isinstance(app.screen, Ask)
        await pilot.press("enter")
        assert picked(screen) == []
        await pilot.press("space", *"shows the way out", "enter")
        (pattern,) = screen.drafting.draft.patterns
        assert (pattern.succeeded, pattern.origin.why) == (False, "shows the way out")
        assert "its call did not succeed" in screen.pane.draft_list.rows[0].flags.told


async def test_enter_opens_the_call_whole_with_the_turns_around_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("j", "j")
        await settled(pilot)
        await pilot.press("enter")
        assert isinstance(app.screen, Pages)
        told = "\n".join("".join(text for text, _ in line) for line in app.screen.lines)
        turns = [line.split(maxsplit=1)[0] for line in told.splitlines() if line and not line.startswith(" ")]
        assert {"user", "assistant", "call"} & set(turns)
        assert "result" in told
        await pilot.press("escape")
        assert app.screen is screen


@pytest.mark.parametrize(("width", "is_beside"), [(119, False), (120, True), (159, True), (160, False)])
async def test_what_candidates_and_draft_leave_room_for_stands_beside_them(
    demo: Home, width: int, is_beside: bool
) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(width, 36)) as pilot:
        screen = await curate(pilot)
        draft, conversation = screen.pane.draft_list, screen.pane.conversation
        assert (screen.view.region.x >= screen.table.region.right) is is_beside
        assert (conversation.region.x >= draft.region.right) is is_beside
        if is_beside:
            assert screen.view.region.right == width
            assert conversation.region.right == width
            assert screen.view.region.height == screen.table.region.height


async def test_by_keys_alone_from_start_to_an_active_template(demo: Home) -> None:
    """A newcomer's way: suggestions, five picks, a name, active."""
    keys = ["3", *["space"] * 5, "w", *"mine", "enter", "a", "enter", "enter"]
    assert len(keys) < 60
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key in keys:
            if key == "m":
                app.screen.query_one("#field-name", Input).value = ""
            await pilot.press(key)
            await settled(pilot)
        assert len(TemplateFiles(demo).load("mine").template.patterns) == 5
        assert "prefill_messages_file" in (demo.root / "config.yaml").read_text()
        assert "mine is active" in notes(app)


async def test_by_mouse_alone_from_start_to_an_active_template(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.click(ModeBar, offset=tab(app, "Curate"))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        for row in range(2, 7):
            await pilot.click("#candidates", offset=(0, row))
            await pilot.pause()
        assert len(picked(screen)) == 5
        await click_in_footer(pilot, "Save")
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)
        await click_in_footer(pilot, "Activate")
        await pilot.click(app.screen.query_one("#choose", Button))
        await settled(pilot)
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert "is active" in notes(app)
        assert "prefill_messages_file" in (demo.root / "config.yaml").read_text()


async def test_nothing_hostile_leaves_its_place(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        screen.read_from("all")
        await settled(pilot)
        await pilot.press("slash", *"hostile", "enter")
        await settled(pilot)
        entries = [row for row in screen.table.rows if isinstance(row, Entry)]
        assert entries
        for at in range(len(screen.table.rows)):
            strip = screen.table.strip_of(at)
            assert strip.cell_length == screen.table.size.width
            assert not set(strip.text) & set("\x1b\x07\x9b\u202e\u200b")
        await pilot.press("g", "space", "space")
        await settled(pilot)
        told = "".join(text for line in screen.pane.conversation.view.lines for text, _ in line)
        assert "calls read_file" in told
        assert not set(told) & set("\x1b\x07\x9b\u202e\u200b")


async def test_what_was_thrown_away_is_not_kept_with_the_calls(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    class Window:
        """It holds itself, as what a closed window was made of does."""

        def __init__(self) -> None:
            self.parent = self

    async with WarmTui(demo).run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        # As long as it is not asked to, it collects nothing.
        monkeypatch.setattr(gc, "collect", COLLECT)
        closed = weakref.ref(Window())
        there: list[bool] = []
        monkeypatch.setattr(gc, "freeze", lambda: there.append(closed() is not None))
        screen.read_from("all")
        await settled(pilot)
        assert there == [False]


async def test_where_its_reason_has_one_line_and_goes_on_it_says_so(demo: Home) -> None:
    async with WarmTui(demo).run_test(size=(80, 24)) as pilot:
        screen = await curate(pilot)
        assert screen.view.size.height == 1
        reason = screen.view.strip_of(0).text
        assert reason.startswith("why  after it what had failed before worked")
        assert reason.rstrip().endswith("…")
        screen.view.show([[("why  ", "dim"), ("it worked", "")], [("what follows below", "")]])
        assert screen.view.strip_of(0).text.rstrip() == "why  it worked", "what stands below is no part of it"


@pytest.mark.parametrize("width", [120, 200, 220])
async def test_how_a_call_ended_is_told_once_in_its_row(demo: Home, width: int) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(width, 60)) as pilot:
        screen = await curate(pilot)
        calls = [(at, row) for at, row in enumerate(screen.table.rows) if isinstance(row, Entry)]
        rows = [screen.table.strip_of(at).text for at, row in calls if evidence(row)[1] == "ok"]
        assert len(rows) > 10
        assert [row for row in rows if row.count("✓") != 1] == []
