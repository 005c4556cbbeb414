"""The draft: shaped by keys and by mouse, kept at every step, shared by all screens, saved as a template."""

from __future__ import annotations

import json
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, TextArea

from tests.tui.curating import WIDE, calls_of, curate, kept, picked
from tests.tui.helpers import notes, said, settled
from warm_tui.app import WarmTui
from warm_tui.library.drafts import Drafts
from warm_tui.paths import Home
from warm_tui.screens.curate.draft_list import DraftList
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.shared.choose import ChooseOne
from warm_tui.screens.shared.drafting import Drafting
from warm_tui.screens.shared.forms import Form, Write
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.templates.draft import from_document
from warm_tui.templates.files import TemplateFiles


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
        screen.pane.draft_list.move(0)
        await pilot.press("J")
        assert picked(screen) == [b, a, c]
        assert screen.pane.draft_list.cursor == 1, "the cursor goes with it"
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
        screen.pane.draft_list.move(0)
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
            await pilot.press("o")
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
        assert isinstance(app.screen, ChooseOne), "back to what can be edited"
        await pilot.press("escape")
        await pilot.press("u", "u", "u")
        assert screen.drafting.draft.patterns[0].context != "Look at the services."


async def test_the_result_is_edited_beside_what_was_recorded(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)
        screen.drafting.step(from_document({"patterns": [{**_document(screen), "result_summary": "shorter"}]}))
        screen.pane.show()
        await pilot.press("o", "down", "down", "enter")
        await settled(pilot)
        assert isinstance(app.screen, Write)
        assert "files_modified" in app.screen.query_one("#original", TextArea).text


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
        assert screen.pane.draft_list.rows[0].flags.told == ["1 secret"]
        await pilot.press("m")
        await settled(pilot)
        told = str(app.screen.query_one(OptionList).get_option_at_index(0).prompt)
        assert told.startswith("masked")
        assert secret not in told
        await pilot.press("enter")
        await settled(pilot)
        assert screen.pane.draft_list.rows[0].flags.told == [], "let stand, it is flagged no more"
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("escape")
        assert screen.pane.draft_list.rows[0].flags.told == ["1 secret"]
        await pilot.press("w", "enter")
        await settled(pilot)
        (stored,) = [s for s in TemplateFiles(demo).all()[0] if s.template.name == "terminal-1"]
        assert secret not in stored.path.read_text()


async def test_duplicates_are_flagged_at_their_row(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)
        document = _document(screen)
        screen.pane.change(from_document({"patterns": [document, {**document, "preceding_context": "Again."}]}))
        assert [row.flags.told for row in screen.pane.draft_list.rows] == [[], ["same as 1"]]


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
    monkeypatch.setattr(Drafting, "may_have_changed", lambda _: False)  # neither has looked yet
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
            await settled(first)
            theirs.follow()
            await settled(second)
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


async def test_what_is_invisible_is_flagged_shown_and_taken_out_unless_it_is_to_be_kept(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await in_draft(pilot, 1)
        for name, typed in (("without", "remove"), ("with", "keep")):
            screen.pane.change(
                from_document({"patterns": [{**_document(screen), "result_summary": "a\u200bb \x1b[31m"}]})
            )
            await settled(pilot)
            assert screen.pane.draft_list.rows[0].flags.told == ["2 invisible"]
            assert "a‹U+200B›b ␛[31m" in "".join(text for line in screen.view.lines for text, _ in line)
            await pilot.press("w")
            app.screen.query_one("#field-name", Input).value = name
            field = app.screen.query_one("#field-invisible", Input)
            assert field.value == "remove", "unless the operator says otherwise"
            field.value = "perhaps"
            await pilot.press("enter")
            assert isinstance(app.screen, Form)
            field.value = typed
            await pilot.press("enter")
            await settled(pilot)
            await pilot.press("escape")
            screen.pane.change(from_document({"patterns": [_document_of(demo, name)]}))
        stored = {name: _document_of(demo, name)["result_summary"] for name in ("without", "with")}
        assert stored == {"without": "ab ", "with": "a\u200bb \x1b[31m"}


def _document_of(home: Home, name: str) -> dict[str, Any]:
    return json.loads(TemplateFiles(home).load(name).path.read_text())["patterns"][0]
