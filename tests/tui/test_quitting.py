"""The app is left with no error, whatever is read at that moment."""

from __future__ import annotations

import pytest
from textual.message import Message

from tests.tui.helpers import settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
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
