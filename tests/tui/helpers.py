"""Driving the app in tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

from textual._compositor import Compositor
from textual._context import active_app
from textual.app import App
from textual.events import MouseMove
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from warm_tui.app import WarmTui
from warm_tui.presentation.lines import text_of
from warm_tui.screens.sessions.screen import SessionsScreen
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.widgets.key_footer import KeyFooter
from warm_tui.widgets.mode_bar import ModeBar
from warm_tui.widgets.pieces_view import PiecesView

SHORT_SECONDS = 0.3
"""A timer that fires once and sooner puts work off; later, it takes something away, as that of a notice."""
LIMIT_SECONDS = 300.0
"""Only ends a test that would wait for ever."""
QUIET_TURNS = 4
"""Of the event loop: a key is on its way from the driver to the app for two of them."""
PATIENT_TURNS, BRIEF_SECONDS = 200, 0.001
"""Something may wait for a thread: that is given time, and not asked without end."""


async def settled(pilot: Pilot[None]) -> None:
    """Until nothing is under way, and all has been shown."""
    for _ in range(2):
        # Once more: what was on its way from a worker or a timer to a queue was in neither.
        await until(pilot, lambda: not under_way(pilot.app))
        draw(pilot.app)


RENDER = Compositor.render_update


def render_if_looked_at(compositor: Compositor, full: bool = False, **named: Any) -> object:
    """What is drawn between two keys nobody sees: it is drawn when the app has come to rest, and for a picture."""
    return RENDER(compositor, full=full, **named) if full else None


def draw(app: App[None]) -> None:
    """All that has changed since it was drawn."""
    if app._running and not app._exit:
        RENDER(app.screen._compositor, screen_stack=app._background_screens)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + LIMIT_SECONDS
    await pilot.pause()
    while not holds():
        assert time.monotonic() < limit, f"it did not come to pass; under way: {under_way(pilot.app)}"
        await asyncio.sleep(0.005)
        await pilot.pause()


async def all_read(*_: float) -> None:
    """Until no message waits to be read, and the screen is drawn.

    In place of Textual's `wait_for_idle`, which takes a process that gets no time for one that has nothing to do, and
    of its `_wait_for_screen`, which sends a message to each widget and waits until all are read: that, and not the
    app, was most of the work of a test.
    """
    app = active_app.get()
    limit = time.monotonic() + LIMIT_SECONDS
    turns = quiet = 0
    while quiet < QUIET_TURNS and not (app._exit or app._exception_event.is_set()):
        await asyncio.sleep(0 if turns < PATIENT_TURNS else BRIEF_SECONDS)
        turns += 1
        quiet += 1
        if any(unread(app)):
            quiet = 0
        elif undrawn(app.screen) or app.screen._callbacks:
            app.screen._on_timer_update()
            quiet = 0
        assert time.monotonic() < limit, f"{list(unread(app))} do not come to an end"


def under_way(app: App[None]) -> list[object]:
    """Workers, messages, callbacks, and work that was put off for a moment."""
    workers = [worker for worker in app.workers if not worker.is_finished]
    timers = [timer for pump in pumps(app) for timer in pump._timers if puts_work_off(timer)]
    return [*workers, *timers, *unread(app)]


def unread(app: App[None]) -> Iterator[MessagePump]:
    """What has something to read, or is about it."""
    yield from (pump for pump in pumps(app) if pump._running and not pump._closed and not waits(pump))


def waits(pump: MessagePump) -> bool:
    """For its next message: nothing is left of those before."""
    queue = pump._message_queue
    return bool(queue.ready_event._waiters) and queue.empty() and not pump._next_callbacks


def undrawn(screen: Screen[object]) -> bool:
    return screen._layout_required or screen._repaint_required or bool(screen._dirty_widgets)


def pumps(app: App[None]) -> Iterator[MessagePump]:
    yield app
    for screen in app.screen_stack:
        yield from screen.walk_children(with_self=True)


def puts_work_off(timer: Timer) -> bool:
    goes_on = timer._task is not None and not timer._task.done() and timer._active.is_set()
    return goes_on and timer._repeat == 0 and timer._interval < SHORT_SECONDS


async def drag_over(pilot: Pilot[None], widget: Widget | type[Widget], x: int, y: int) -> None:
    """The mouse goes there with its button held down, as a terminal tells it; Pilot's own way to hover holds none."""
    await pilot._post_mouse_events([MouseMove], widget, (x, y), button=1)


def table(app: WarmTui) -> SessionTable:
    screen = app.screen_stack[0]
    assert isinstance(screen, SessionsScreen)
    return screen.table


def titles(app: WarmTui) -> list[str]:
    return [profile.title or "" for profile in table(app).rows]


def said(app: WarmTui, selector: str = "#header") -> str:
    widget = app.screen.query_one(selector)
    if isinstance(widget, PiecesView):
        return "\n".join(map(text_of, widget.lines))
    assert isinstance(widget, Static)
    return str(widget.content)


def notes(app: WarmTui) -> str:
    """What was told in passing, and still stands."""
    return " ".join(note.message for note in app._notifications)


def tab(app: App[None], name: str) -> tuple[int, int]:
    """Where the name of a screen stands in the bar, behind that of the home: a click there goes to it."""
    return app.screen.query_one(ModeBar).render_line(0).text.rindex(name), 0


def foot(app: App[None]) -> dict[str, int]:
    """The keys of the footer by what they do, with the column where each begins."""
    return {key.title: at for at, key in app.screen.query_one(KeyFooter).shown}


async def click_in_footer(pilot: Pilot[None], title: str) -> None:
    await pilot.click(KeyFooter, offset=(foot(pilot.app)[title] + 1, 0))
    await settled(pilot)
