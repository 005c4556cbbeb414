"""Driving the app in tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

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
from warm_tui.widgets.mode_bar import ModeBar
from warm_tui.widgets.pieces_view import PiecesView

SHORT_SECONDS = 0.3
"""A timer that fires once and sooner puts work off; later, it takes something away, as that of a notice."""
LIMIT_SECONDS = 60.0
"""Only ends a test that would wait for ever."""


async def settled(pilot: Pilot[None]) -> None:
    """Until nothing is under way, and all has been shown."""
    for _ in range(2):
        # Once more: what was on its way from a worker or a timer to a queue was in neither.
        await until(pilot, lambda: not under_way(pilot.app))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + LIMIT_SECONDS
    await pilot.pause()
    while not holds():
        assert time.monotonic() < limit, f"it did not come to pass; under way: {under_way(pilot.app)}"
        await asyncio.sleep(0.005)
        await pilot.pause()


async def all_read(*_: float) -> None:
    """Until no message waits to be read, and the screen is drawn.

    In place of Textual's `wait_for_idle`, which takes a process that gets no time for one that has nothing to do.
    """
    app = active_app.get()
    limit = time.monotonic() + LIMIT_SECONDS
    while not app._exit:
        await Pilot(app)._wait_for_screen()
        if not (unread(app) or undrawn(app.screen)):
            return
        assert time.monotonic() < limit, f"{unread(app)} do not come to an end"
        app.screen._on_timer_update()
        await asyncio.sleep(0)


def under_way(app: App[None]) -> list[object]:
    """Workers, messages, callbacks, and work that was put off for a moment."""
    workers = [worker for worker in app.workers if not worker.is_finished]
    timers = [timer for pump in pumps(app) for timer in pump._timers if puts_work_off(timer)]
    return [*workers, *timers, *unread(app)]


def unread(app: App[None]) -> list[MessagePump]:
    waiting = [pump for pump in pumps(app) if pump._running and (pump.message_queue_size or pump._next_callbacks)]
    return [*waiting, *(screen for screen in app.screen_stack if screen._callbacks)]


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
