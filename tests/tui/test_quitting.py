"""The app is left with no error, whatever is read at that moment."""

from __future__ import annotations

import asyncio

import pytest
from textual.css.query import NoMatches
from textual.message import Message

from tests.tui.helpers import settled
from tests.tui.test_compaction import compaction
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.compaction.survival import SurvivalScreen
from warm_tui.screens.shared.frame import Frame


@pytest.mark.parametrize("key", "02345678")
async def test_what_is_read_while_one_quits_is_shown_on_no_half_of_a_screen(
    key: str, demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual closes what lies on no other screen in no order: here what stands on it goes first."""
    app = WarmTui(demo)
    read: list[Message] = []
    post = Frame.post_message

    def note(screen: Frame, message: Message) -> bool:
        if screen is app.screen and type(message).__module__.startswith("warm_tui"):
            read.append(message)
        return post(screen, message)

    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        monkeypatch.setattr(Frame, "post_message", note)
        await pilot.press(key)
        await settled(pilot)
        monkeypatch.setattr(Frame, "post_message", post)
        screen = app.screen
        await pilot.press("1")
        await settled(pilot)
        assert app.screen is not screen
        assert read
        close_all = app._close_all

        async def close_what_stands_on_it_first() -> None:
            for child in screen.walk_children():
                await child._close_messages()
            for message in read:
                screen.post_message(message)
            await close_all()

        monkeypatch.setattr(app, "_close_all", close_what_stands_on_it_first)
    assert app._exception is None


async def test_what_was_done_beside_the_keys_while_one_quit_is_shown_nowhere(
    demo: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = WarmTui(demo)
    close_all, told = app._close_all, list[None]()
    async with app.run_test() as pilot:
        await settled(pilot)
        screen = app.screen

        async def close_all_and_tell() -> None:
            await close_all()
            told.append(await asyncio.to_thread(app.call_from_thread, screen.show_header))

        monkeypatch.setattr(app, "_close_all", close_all_and_tell)
    assert told == [None]


async def test_nor_what_was_done_for_a_screen_that_was_left(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test() as pilot:
        await compaction(pilot)
        await pilot.press("j", "enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SurvivalScreen)
        await pilot.press("q")
        await settled(pilot)
        await asyncio.to_thread(app.call_from_thread, screen.after_pick)


async def test_what_is_missing_on_a_screen_that_is_there_is_told(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test() as pilot:
        await settled(pilot)
        await app.screen.query_one("#header").remove()
        with pytest.raises(NoMatches):
            await asyncio.to_thread(app.call_from_thread, app.screen.show_header)
