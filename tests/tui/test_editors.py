"""What is written in a window is what was there: invisible characters stand there as symbols, and come back as they were."""

from __future__ import annotations

from textual import events
from textual.widgets import Input, TextArea

from tests.tui.helpers import settled
from tests.tui.hostile.kinds import KINDS
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.shared.choose import Ask
from warm_tui.screens.shared.forms import Entry, Form, Write
from warm_tui.widgets.filter_bar import FilterBar

EVERY = "\r\n\t".join(kind.text for kind in KINDS) + "␛ ‹U+001B› tab\tend"


async def test_a_text_is_shown_with_symbols_and_given_back_as_it_was(demo: Home) -> None:
    app = WarmTui(demo)
    taken: list[str | None] = []
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        checked: list[str] = []
        app.push_screen(Write("A text", EVERY, f"was {EVERY}", checked.append), taken.append)
        await settled(pilot)
        area = app.screen.query_one("#text", TextArea)
        assert area.text.startswith("k00q␛]52;c;")
        assert area.text.count("\n") == EVERY.count("\n")
        assert app.screen.query_one("#original", TextArea).text == f"was {area.text}"
        await pilot.press("x", "ctrl+s")
        await settled(pilot)
    assert taken == [f"x{EVERY}"]
    assert checked[-1] == taken[0]


async def test_fields_are_shown_with_symbols_and_given_back_as_they_were(demo: Home) -> None:
    app = WarmTui(demo)
    taken: list[object] = []
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        app.push_screen(
            Form("Two", [Entry("one", "One", EVERY), Entry("two", "Two", "a\nb")], "Take", len), taken.append
        )
        await settled(pilot)
        assert [field.value[:5] for field in app.screen.query(Input)] == ["k00q␛", "a␊b"]
        await pilot.press("enter")
        app.push_screen(Ask("One", EVERY), taken.append)
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
    assert taken == [{"one": EVERY, "two": "a\nb"}, EVERY]


async def test_what_is_pasted_is_shown_with_symbols(demo: Home) -> None:
    """A symbol means its character, whoever wrote it."""
    app = WarmTui(demo)
    taken: list[str | None] = []
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        app.push_screen(Write("A text", ""), taken.append)
        await settled(pilot)
        area = app.screen.query_one("#text", TextArea)
        app.post_message(events.Paste("one\rtwo\x1b[31m ␛"))
        await settled(pilot)
        assert area.text == "one\ntwo␛[31m ␛"
        await pilot.press("ctrl+s")
        app.push_screen(Ask("One"), taken.append)
        await settled(pilot)
        app.post_message(events.Paste("a\u202eb\nc"))
        await settled(pilot)
        assert app.screen.query_one(Input).value == "a‹U+202E›b"
        await pilot.press("enter")
        await settled(pilot)
    assert taken == ["one\ntwo\x1b[31m \x1b", "a\u202eb"]


async def test_a_filter_with_hidden_characters_shows_them(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        bar = app.screen.query_one(FilterBar)
        bar.open("title:a\u200bb")
        assert bar.query_one(Input).value == "title:a‹U+200B›b"
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen.filter_text == "title:a\u200bb"


async def test_half_a_character_is_copied_as_a_question_mark(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test() as pilot:
        app.copy_to_clipboard("a\ud800b")
        assert app.clipboard == "a?b"
        await settled(pilot)
