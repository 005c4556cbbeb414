"""What is asked of a template before its preview was read: done when it was, with that one, and by nobody who left."""

from __future__ import annotations

import pytest
from textual.message import Message
from textual.pilot import Pilot

from tests.tui.helpers import settled
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.templates.screen import TemplatesScreen


class Held:
    """The preview of the template that the cursor went to, read and not yet told, and what was copied."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.copied: list[str] = []
        self.messages: list[tuple[TemplatesScreen, Message]] = []
        self._post, self._monkeypatch = TemplatesScreen.post_message, monkeypatch
        monkeypatch.setattr(WarmTui, "copy_to_clipboard", lambda _, text: self.copied.append(text))

    def hold(self, screen: TemplatesScreen, message: Message) -> bool:
        if isinstance(message, TemplatesScreen.PreviewRead):
            self.messages.append((screen, message))
            return True
        return self._post(screen, message)

    async def copy_of_the_next_is_asked(self, pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("4")
        await settled(pilot)
        self._monkeypatch.setattr(TemplatesScreen, "post_message", lambda *given: self.hold(*given))
        await pilot.press("j", "y")
        await settled(pilot)
        assert self.messages
        assert not self.copied, "nothing is known of it yet"

    async def told(self, pilot: Pilot[None]) -> None:
        self._monkeypatch.setattr(TemplatesScreen, "post_message", self._post)
        for screen, message in self.messages:
            screen.post_message(message)
        await settled(pilot)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


async def test_it_is_done_when_it_was_read_and_with_that_one(demo: Home, held: Held) -> None:
    async with WarmTui(demo).run_test() as pilot:
        await held.copy_of_the_next_is_asked(pilot)
        await held.told(pilot)
        (copied,) = held.copied
        assert "ERROR|Traceback" in copied


async def test_whoever_is_elsewhere_by_then_gets_nothing(demo: Home, held: Held) -> None:
    async with WarmTui(demo).run_test() as pilot:
        await held.copy_of_the_next_is_asked(pilot)
        await pilot.press("1")
        await settled(pilot)
        await held.told(pilot)
        assert not held.copied


async def test_nor_does_whoever_was_elsewhere_meanwhile(demo: Home, held: Held) -> None:
    async with WarmTui(demo).run_test() as pilot:
        await held.copy_of_the_next_is_asked(pilot)
        await pilot.press("1", "4")
        await settled(pilot)
        await held.told(pilot)
        assert not held.copied
