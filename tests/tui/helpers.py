"""Driving the app in tests."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from warm_tui.app import WarmTui
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.table import SessionTable


async def settled(pilot: Pilot[None]) -> None:
    """Until no worker runs, no timer is about to start one, and all has been shown."""
    for _ in range(4):
        # A worker that was replaced by a newer one is done too.
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.15)
    await pilot.pause()


async def until(pilot: Pilot[None], holds: Callable[[], bool], tries: int = 60) -> None:
    for _ in range(tries):
        if holds():
            return
        await pilot.pause(0.1)
    raise AssertionError("it did not come to pass")


def table(app: WarmTui) -> SessionTable:
    screen = app.screen_stack[0]
    assert isinstance(screen, SessionsScreen)
    return screen.table


def titles(app: WarmTui) -> list[str]:
    return [profile.title or "" for profile in table(app).rows]


def said(app: WarmTui, selector: str = "#header") -> str:
    from textual.widgets import Static

    return str(app.screen.query_one(selector, Static).content)


def notes(app: WarmTui) -> str:
    """What was told in passing, and still stands."""
    return " ".join(note.message for note in app._notifications)
