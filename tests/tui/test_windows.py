"""Windows over a screen: what they offer stands on buttons, and they are left by key, by button, by a click beside."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, OptionList, TextArea

from tests.tui.helpers import notes, settled, until
from tests.tui.hostile.driven import FIELDS, OF_ALL, OF_EACH, check
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.inbox import Inbox
from warm_tui.screens.shared.choose import ChooseSome
from warm_tui.screens.shared.explain import Explain
from warm_tui.screens.shared.forms import Confirm, Entry, Form, Write
from warm_tui.screens.shared.pages import Pages
from warm_tui.screens.shared.tour import Tour
from warm_tui.screens.shared.window import Window
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.revisions import RevisionsWindow

KINDS = {
    **OF_ALL,
    **OF_EACH,
    Confirm: lambda title: Confirm(title, "\n".join(["What becomes of it."] * 60), "Do it"),
    # More than the larger terminal has room for; with a field for each hostile text it was half of the time of a test.
    Form: lambda title: Form(title, [*FIELDS[:8], *FIELDS[-8:]], "Take them", check),
}
SIZES = [(80, 24), (160, 48)]
NARROWEST = 7
"""The least that a text of theirs is wide: the title they are opened with."""


async def opened(pilot: Pilot[None], kind: type[Window]) -> Window:
    window = KINDS[kind]("A title")
    pilot.app.push_screen(window)
    await settled(pilot)
    return window


def buttons_are_seen(window: Window) -> None:
    frame = window.query_one(".window").region
    for button in window.query(Button):
        assert frame.contains_region(button.region), (type(window), button.name)


async def keys_told(pilot: Pilot[None], window: Window) -> None:
    """In a window over it, which is left for it."""
    button = next(button for button in window.query(Button) if button.name == "app.help")
    await pilot.press("f1" if str(button.label).startswith("F1") else "question_mark")
    await settled(pilot)
    told = pilot.app.screen
    assert isinstance(told, Pages), type(window)
    assert told is not window
    assert any("Esc" in "".join(text for text, _ in line) for line in told.lines), type(window)
    await pilot.press("escape")
    assert pilot.app.screen is window, type(window)


async def left(pilot: Pilot[None], window: Window, way: str) -> None:
    if way == "escape":
        await pilot.press("escape")
    elif way == "button":
        await pilot.click("#close")
    else:
        await pilot.click(offset=(0, pilot.app.size.height - 1))
    await settled(pilot)
    assert window not in pilot.app.screen_stack, (type(window), way)


@pytest.mark.parametrize(("size", "way"), [(SIZES[0], "escape"), (SIZES[1], "button")])
async def test_every_key_of_a_window_has_a_button_that_is_seen_and_what_it_tells_has_room(
    demo: Home, size: tuple[int, int], way: str
) -> None:
    """Also in a terminal that became smaller. By key it is left from behind the window that tells its keys."""
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        below, focused = app.screen, app.screen.focused
        for kind in KINDS:
            await pilot.resize_terminal(*size)
            window = await opened(pilot, kind)
            shown = {binding.action for _, (node, binding, *_) in window.active_bindings.items() if binding.show}
            assert {button.name for button in window.query(Button)} | {"take"} >= shown, kind
            buttons_are_seen(window)
            for button in window.query(Button):
                assert button.region.width >= len(str(button.label)), (kind, button.name)
            frame, body = window.query_one(".window").region, window.query_one(".window-body")
            assert frame.contains_region(body.region), kind
            assert all(part.content_size.width >= NARROWEST for part in body.children if part.display), kind
            if size != SIZES[0]:
                await pilot.resize_terminal(*SIZES[0])
                await settled(pilot)
                buttons_are_seen(window)
            if way == "escape":
                await keys_told(pilot, window)
            await left(pilot, window, way)
            assert app.screen is below, kind
            assert below.focused is focused, kind


async def test_every_window_is_left_by_a_click_beside_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        below, focused = app.screen, app.screen.focused
        for kind in KINDS:
            await left(pilot, await opened(pilot, kind), "beside")
            assert app.screen is below, kind
            assert below.focused is focused, kind


async def test_a_click_beside_does_not_drop_what_was_written(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        window = await opened(pilot, Write)
        window.query_one("#text", TextArea).text = "something else"
        await settled(pilot)
        await pilot.click(offset=(0, 35))
        assert app.screen is window
        await pilot.click(offset=(0, 35))
        assert app.screen is not window


async def test_a_picture_of_a_window(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("s", "ctrl+s")
        await settled(pilot)
        (picture,) = (demo.ours / "pictures").iterdir()
        assert "Sort" in picture.read_text()
        assert str(picture) in notes(app)


async def test_a_list_by_mouse_alone(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press("T")
        await settled(pilot)
        app.screen.query_one(OptionList).highlighted = 1
        await pilot.click("#choose")
        await settled(pilot)
        assert app.theme == "warm-light"


async def test_what_is_ticked_is_told_without_colour(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.push_screen(ChooseSome("Some", [("a", "one"), ("b", "other")], ["a"]))
        await settled(pilot)
        options = app.screen.query_one(OptionList)

        def ticked() -> list[bool]:
            return ["X" in options.render_line(y).text for y in range(2)]

        assert ticked() == [True, False]
        await pilot.press("space", "down", "space")
        assert ticked() == [False, True]


async def test_what_is_typed_fast_stands_in_the_field_it_is_for(demo: Home) -> None:
    """As a terminal hands on keys that came while the app was busy."""
    taken: list[dict[str, str] | None] = []
    app = WarmTui(demo)
    async with app.run_test(size=SIZES[1]) as pilot:
        await settled(pilot)
        fields = (Entry("one", "The first"), Entry("two", "The second"))
        app.push_screen(Form("Two fields", fields, "Take them", lambda _: None), taken.append)
        await settled(pilot)
        for key in (*"agent", "tab", *"home", "shift+tab", *"s", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: bool(taken))
    assert taken == [{"one": "s", "two": "home"}]


@pytest.mark.parametrize("size", SIZES)
async def test_a_title_is_read_whole_however_long(demo: Home, size: tuple[int, int]) -> None:
    middling, long = "Why is it resolved: " + "word " * 9, "What mended it: " + "word " * 30
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for title, kind in ((title.strip(), kind) for title in (middling, long) for kind in KINDS if kind is not Tour):
            app.push_screen(KINDS[kind](title))
            await settled(pilot)
            if not isinstance(app.screen, (Explain, Inbox, Written, RevisionsWindow)):
                region = app.screen.query_one(".window").region
                strips = app.screen._compositor.render_strips()[region.y : region.bottom]
                shown = " ".join(strip.text[region.x : region.right].strip("╭╮│─ ") for strip in strips)
                assert title in " ".join(shown.split()), kind
            app.pop_screen()
