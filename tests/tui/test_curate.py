"""Picking calls into a draft, and shaping it: by keys, by mouse, kept at every step."""

from __future__ import annotations

import json
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, TextArea

from tests.conftest import DEMO_SESSIONS
from tests.tui.helpers import notes, said, settled, table
from warm_tui.app import WarmTui
from warm_tui.library.db import open_library
from warm_tui.library.drafts import Drafts
from warm_tui.paths import Home
from warm_tui.screens.choose import Ask, ChooseOne
from warm_tui.screens.curate import CurateScreen
from warm_tui.screens.drafting import Drafting
from warm_tui.screens.forms import Form, Write
from warm_tui.screens.pages import Pages
from warm_tui.screens.templates import TemplatesScreen
from warm_tui.templates.draft import from_document
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.shortlist import Entry, Heading
from warm_tui.widgets.draft_list import DraftList
from warm_tui.widgets.mode_bar import ModeBar

WIDE = (160, 48)


async def curate(pilot: Pilot[None]) -> CurateScreen:
    await settled(pilot)
    await pilot.press("2")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, CurateScreen)
    return screen


def picked(screen: CurateScreen) -> list[str]:
    return [pattern.origin.call for pattern in screen.drafting.draft.patterns]


def calls_of(app: WarmTui) -> list[str]:
    return [pattern.origin.call for pattern in app.drafting.draft.patterns]


def kept(home: Home) -> list[list[str]]:
    """What is on disk: the calls of every draft, the last one first."""
    with open_library(home.library) as library:
        drafts = Drafts(library)
        found = [drafts.open(each.id) for each in drafts.all()]
    return [[p.origin.call for p in from_document(each[1]).patterns] for each in found if each]


async def test_it_opens_on_suggestions_with_their_reasons(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        assert screen.source == "mined"
        assert isinstance(screen.table.rows[0], Heading)
        assert screen.under_cursor is not None, "on a call, not on a heading"
        assert all(entry.why for entry in screen.entries)
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
        assert list(screen.table.marks) == [" ".join(first.call)]


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
        assert screen.source == "marked"
        assert {entry.call[0] for entry in screen.entries} == marked
        await pilot.press("f", "end", "up", "enter")
        await settled(pilot)
        assert screen.source == "all"
        assert len({entry.call[0] for entry in screen.entries}) > 40
        assert f"{DEMO_SESSIONS} sessions" in said(app)


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
        assert {entry.call[0] for entry in screen.entries} <= slack
        screen.read_from("here")
        await settled(pilot)
        assert {entry.call[0] for entry in screen.entries} == {table(app).under_cursor.session_id}  # type: ignore[union-attr]


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
        terminal = [
            row.tokens
            for row in screen.table.rows
            if isinstance(row, Entry) and row.candidate.call.tool_name == "terminal"
        ]
        assert terminal == sorted(terminal, reverse=True)
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
        assert "its call did not succeed" in screen.draft_list.rows[0].flags.told


async def test_enter_opens_the_call_whole_with_the_turns_around_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("j", "j")
        await settled(pilot)
        await pilot.press("enter")
        assert isinstance(app.screen, Pages)
        told = "\n".join("".join(text for text, _ in line) for line in app.screen.lines)
        assert "assistant " in told
        assert "result" in told
        await pilot.press("escape")
        assert app.screen is screen


async def in_draft(pilot: Pilot[None], count: int = 3) -> CurateScreen:
    screen = await curate(pilot)
    await pilot.press(*["space"] * count, "tab")
    assert screen.in_draft
    return screen


async def test_reordering_by_keys_and_by_dragging(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot)
        a, b, c = picked(screen)
        screen.draft_list.move(0)
        await pilot.press("J")
        assert picked(screen) == [b, a, c]
        assert screen.draft_list.cursor == 1, "the cursor goes with it"
        await pilot.press("J", "K", "K")
        assert picked(screen) == [a, b, c]
        await pilot.mouse_down(DraftList, offset=(10, 1))
        await pilot.hover(DraftList, offset=(10, 2))
        await pilot.mouse_up(DraftList, offset=(10, 3))
        await pilot.pause()
        assert picked(screen) == [b, c, a]
        assert kept(demo) == [[b, c, a]]


async def test_dropping_and_joining(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot)
        _, b, c = picked(screen)
        screen.draft_list.move(0)
        await pilot.press("d")
        assert picked(screen) == [b, c]
        await pilot.press("b")
        assert "none before it" in notes(app)
        await pilot.press("j", "b")
        assert [p.joined for p in screen.drafting.draft.patterns] == [False, True]
        await pilot.press("b")
        assert [p.joined for p in screen.drafting.draft.patterns] == [False, False]


async def test_editing_the_words_the_arguments_and_the_result(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)

        async def write(downs: int, text: str) -> None:
            await pilot.press("enter")
            assert isinstance(app.screen, ChooseOne)
            await pilot.press(*["down"] * downs, "enter")
            await settled(pilot)
            assert isinstance(app.screen, Write)
            app.screen.query_one("#text", TextArea).text = text
            await pilot.pause()
            await pilot.press("ctrl+s")
            await pilot.pause()

        await write(0, "Look at the services.")
        await write(1, '{"command": "docker ps"}')
        await write(2, '{"output": "up", "exit_code": 0, "error": null}')
        (pattern,) = screen.drafting.draft.patterns
        assert (pattern.context, pattern.arguments) == ("Look at the services.", {"command": "docker ps"})
        assert json.loads(pattern.result)["output"] == "up"

        await write(1, '{"command": ')
        assert isinstance(app.screen, Write), "what is no JSON is not taken"
        assert "This is not JSON" in said(app, ".form-error")
        await pilot.press("escape", "escape")
        await pilot.press("u", "u", "u")
        assert screen.drafting.draft.patterns[0].context != "Look at the services."


async def test_the_result_is_edited_beside_what_was_recorded(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)
        screen.drafting.step(from_document({"patterns": [{**_document(screen), "result_summary": "shorter"}]}))
        screen.show_draft()
        await pilot.press("enter", "down", "down", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Write)
        assert "exit_code" in app.screen.query_one("#original", TextArea).text


def _document(screen: CurateScreen) -> dict[str, Any]:
    from warm_tui.templates.draft import to_document

    return dict(to_document(screen.drafting.draft)["patterns"][0])


async def test_a_pattern_by_hand(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("a")
        assert isinstance(app.screen, Form)
        await pilot.press(*"List them.", "enter")
        await pilot.pause()
        (pattern,) = screen.drafting.draft.patterns
        assert (pattern.context, pattern.tool_name, pattern.origin.why) == ("List them.", "terminal", "written by hand")


async def test_secrets_are_flagged_and_decided_on_one_by_one(demo: Home) -> None:
    secret = "q8Zr41LmPx0"
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("a", *"x", "tab", "tab")
        app.screen.query_one("#field-arguments", Input).value = json.dumps({"command": f"deploy --token {secret}"})
        await pilot.press("enter")
        await pilot.pause()
        assert screen.draft_list.rows[0].flags.told == ["1 secret"]
        await pilot.press("m")
        told = str(app.screen.query_one(OptionList).get_option_at_index(0).prompt)
        assert told.startswith("masked")
        assert secret not in told
        await pilot.press("enter")
        await pilot.pause()
        assert screen.draft_list.rows[0].flags.told == [], "let stand, it is flagged no more"
        await pilot.press("enter", "escape")
        assert screen.draft_list.rows[0].flags.told == ["1 secret"]
        await pilot.press("w", "enter")
        await settled(pilot)
        (stored,) = [s for s in TemplateFiles(demo).all()[0] if s.template.name == "terminal-1"]
        assert secret not in stored.path.read_text()


async def test_duplicates_are_flagged_at_their_row(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)
        document = _document(screen)
        screen.change(from_document({"patterns": [document, {**document, "preceding_context": "Again."}]}))
        assert [row.flags.told for row in screen.draft_list.rows] == [[], ["same as 1"]]


async def test_saving_asks_before_it_takes_a_name_in_use(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("space", "w")
        app.screen.query_one("#field-name", Input).value = "careful-work"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ChooseOne)
        await pilot.press("home", "enter")
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)
        assert len(TemplateFiles(demo).load("careful-work").template.patterns) == 9, "added to those there"
        assert screen.drafting.draft.patterns == ()


@pytest.mark.parametrize("name", ["", "../x", "a/b"])
async def test_a_bad_name_is_told_where_it_is_typed(demo: Home, name: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await curate(pilot)
        await pilot.press("space", "w")
        app.screen.query_one("#field-name", Input).value = name
        await pilot.press("enter")
        assert "cannot be a template's name" in said(app, ".form-error")


async def test_an_empty_draft_is_not_saved(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await curate(pilot)
        await pilot.press("w")
        assert "pick a call first" in notes(app)


async def test_several_drafts(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("space", "space")
        one = picked(screen)
        await pilot.press("D", "end", "up", "enter")
        assert picked(screen) == []
        await pilot.press("space")
        two = picked(screen)
        assert kept(demo) == [two, one]
        await pilot.press("D", "home", "down", "enter")
        assert picked(screen) == one
        await pilot.press("D", "end", "enter", "enter")
        await pilot.pause()
        assert kept(demo) == [two]
        assert picked(screen) == two


async def test_a_draft_is_gone_on_with_after_a_restart(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        await pilot.press("space", "space")
        before = picked(screen)
    again = WarmTui(demo)
    async with again.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        assert picked(screen) == before
        await pilot.press("u")
        assert picked(screen) == before[:1], "undo goes back beyond the restart"


async def test_two_instances_with_one_draft_are_told_and_lose_nothing(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Drafting, "follow", lambda _: False)  # neither has looked yet
    one, two = WarmTui(demo), WarmTui(demo)
    async with one.run_test(size=WIDE) as first:
        await curate(first)
        await first.press("space")
        async with two.run_test(size=WIDE) as second:
            await curate(second)
            assert calls_of(two) == calls_of(one)
            await first.press("space")
            await second.press("j", "j", "space")
            assert "Another instance changed this draft" in notes(two)
            assert kept(demo) == [calls_of(two), calls_of(one)]
            assert len({tuple(calls) for calls in kept(demo)}) == 2


async def test_the_other_instances_change_is_shown(demo: Home) -> None:
    one, two = WarmTui(demo), WarmTui(demo)
    async with one.run_test(size=WIDE) as first:
        await curate(first)
        await first.press("space")
        async with two.run_test(size=WIDE) as second:
            theirs = await curate(second)
            await first.press("space")
            theirs.follow_draft()
            assert calls_of(two) == calls_of(one)
            assert len(calls_of(two)) == 2


async def test_p_picks_from_a_transcript_without_leaving(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        view = app.screen.view  # type: ignore[attr-defined]
        good = next(at for at, item in enumerate(view.items) if item.call and view.outcome(at) == "ok")
        view.move(good)
        await pilot.press("p")
        await settled(pilot)
        assert "Picked as number 1" in notes(app)
        await pilot.press("p")
        await settled(pilot)
        assert "in the draft already" in notes(app)
        failed = next(at for at, item in enumerate(view.items) if item.call and view.outcome(at) == "failed")
        view.move(failed)
        await pilot.press("p", *"for once", "enter")
        await settled(pilot)
        assert kept(demo)[0] == [view.items[good].call.key, view.items[failed].call.key]


async def test_a_draft_that_cannot_be_kept_is_told_and_goes_on(demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("database is locked")

    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await curate(pilot)
        monkeypatch.setattr(Drafts, "create", fails)
        await pilot.press("space")
        assert "not kept on disk" in notes(app)
        assert len(picked(screen)) == 1


async def test_by_keys_alone_from_start_to_an_active_template(demo: Home) -> None:
    """A newcomer's way: suggestions, five picks, a name, active."""
    keys = ["2", *["space"] * 5, "w", *"mine", "enter", "a", "enter"]
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
        await pilot.click(ModeBar, offset=(14, 0))
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
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert "is active" in notes(app)
        assert "prefill_messages_file" in (demo.root / "config.yaml").read_text()


async def click_in_footer(pilot: Pilot[None], title: str) -> None:
    from textual.widgets._footer import FooterKey

    key = next(key for key in pilot.app.screen.query(FooterKey) if key.description == title)
    await pilot.click(key)
    await settled(pilot)


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
        await pilot.press("space", "space", "v")
        await settled(pilot)
        assert isinstance(app.screen, Pages)
        told = "".join(text for line in app.screen.lines for text, _ in line)
        assert not set(told) & set("\x1b\x07\x9b\u202e\u200b")


async def test_what_was_written_is_dropped_only_when_asked_twice(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        window = Write("Words", "before")
        app.push_screen(window)
        await settled(pilot)
        await pilot.press("x", "escape")
        await settled(pilot)
        assert app.screen is window
        assert "Esc again" in said(app, ".form-error")
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is not window
        app.push_screen(Write("Words", "before"))
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert not isinstance(app.screen, Write), "nothing was written, nothing is asked"
