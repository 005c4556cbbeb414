"""What all tests of the app share."""

from __future__ import annotations

import gc
import sys
from collections.abc import Hashable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.pilot import Pilot
from textual.timer import Timer

from tests.conftest import remembered
from tests.tui.helpers import SHORT_SECONDS, all_read, render_if_looked_at
from warm_tui.paths import Home

MOMENT_SECONDS = 0.002


@pytest.fixture(autouse=True)
def events_not_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key press ends when all it led to has been read, however busy the machine is; nothing moves by itself."""
    for module in ("app", "pilot"):
        monkeypatch.setattr(f"textual.{module}.wait_for_idle", all_read)
    monkeypatch.setattr(Pilot, "_wait_for_screen", all_read)
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    # A screen is drawn when all it was told has been read, not sixty times a second.
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", 86_400.0)
    monkeypatch.setattr(Compositor, "render_update", render_if_looked_at)
    monkeypatch.setattr(MessagePump, "set_timer", set_timer_at_once)
    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_rules_once)
    # Each is itself alone as before; told so by Python, that was a tenth of applying a stylesheet.
    monkeypatch.setattr(RuleSet, "__hash__", object.__hash__)
    # What was told stands, however long the next key takes on a busy machine.
    monkeypatch.setattr(Notification, "has_expired", False)
    monkeypatch.setattr(App, "_shutdown", quit_and_shut_down)
    # Threads take turns as always: a hundredth of that is for a key to be read at once, and costs all of them.
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    # What happens by the clock happens in the tests that are of it.
    monkeypatch.setattr("warm_tui.screens.shared.guarding.LOOK_SECONDS", 86_400.0)


SHUT_DOWN = App._shutdown
SET_TIMER = MessagePump.set_timer
PARSE_RULES = Stylesheet._parse_rules
PARSED: dict[Hashable, list[RuleSet]] = {}
COLLECT = gc.collect
OPENED = count()


def parse_rules_once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
    """The same stylesheets in the same colours are the same rules in every app: to read them was a sixth of a test."""
    key = (frozenset(sheet._variables.items()), given, frozenset(named.items()))
    if key not in PARSED:
        PARSED[key] = PARSE_RULES(sheet, *given, **named)
    return PARSED[key]


async def quit_and_shut_down(app: App[None]) -> None:
    """An app that a test leaves takes itself for running: what was put off would be done on screens half taken away."""
    app._exit = True
    await SHUT_DOWN(app)


def set_timer_at_once(pump: MessagePump, delay: float, *given: Any, **named: Any) -> Timer:
    """What is put off until the cursor rests need not be waited for: that was half of the time of a test."""
    return SET_TIMER(pump, MOMENT_SECONDS if delay < SHORT_SECONDS else delay, *given, **named)


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app freezes what it stands on, since a process has but one: here that would keep all apps before it.

    Garbage is looked for between tests, and only after some of them: to look for it in each was a tenth of its time, and
    what is left of one takes 17 MB. What a look through all leaves will be there for the next test, too, and need not be
    looked through again.
    """
    if next(OPENED) % 4 == 0:
        COLLECT()
        gc.freeze()
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(gc, "collect", lambda: 0)
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


@pytest.fixture
def with_trials(profiled_trials_master: Path, tmp_path: Path) -> Home:
    return remembered(profiled_trials_master, tmp_path / "home")
