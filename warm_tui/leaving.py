"""Leave in order when the terminal hangs up, or somebody asks this process to end: what was opened is closed, and what
was made for this time alone is removed.

Whoever began it is told as if the signal had ended it at once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

SIGNALS = (signal.SIGHUP, signal.SIGTERM)
LONGEST_SECONDS = 60

_heard: list[int] = []


class Leaving(SystemExit):
    """What goes on is left, and closed on the way."""


def heed_signals() -> None:
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    """Once: what is being closed by then goes on to be closed."""
    if _note(number):
        raise Leaving(128 + number)


def note_signals() -> None:
    """Until an app stands that can be ended: an exception would tear it in the middle."""
    for number in SIGNALS:
        if signal.getsignal(number) is _leave:
            signal.signal(number, _note)


def _note(number: int, _frame: FrameType | None = None) -> bool:
    """Whether it is the first."""
    is_first = not _heard
    # Before all else: the next signal is heard in the midst of this.
    _heard.append(number)
    if is_first:
        # Where leaving itself does not come to an end; being asked again and again must not put that off.
        signal.alarm(LONGEST_SECONDS)
    if number == signal.SIGHUP:
        _go_on_without_terminal()
    return is_first


def end_app_by(end: Callable[[], None]) -> None:
    """For the loop of an app, which goes on until `end` was called and all of it was closed."""
    import asyncio

    loop = asyncio.get_running_loop()

    def heard(number: int, _frame: FrameType | None) -> None:
        """Not the loop's own way: that ends with the loop, and a second signal would end what is then closed."""
        _note(number)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(end)

    for number in SIGNALS:
        # Where it is not ours, somebody else began the app, or asked it to go on, as nohup does.
        if signal.getsignal(number) is _note:
            signal.signal(number, heard)
    if _heard:
        end()


def _go_on_without_terminal() -> None:
    """What is still drawn would fail, and be waited for."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def was_heard() -> bool:
    return bool(_heard)


def tell_whoever_began_it() -> None:
    """At the very end: by the signal that was heard, where one was."""
    for number in _heard[:1]:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
