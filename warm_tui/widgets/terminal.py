"""The terminal that is drawn on, which may go away at any moment."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, Any

from textual.drivers.linux_driver import LinuxDriver


class Lasting:
    """What is written where no terminal is any more is lost, and no more than that.

    Textual writes from a thread. An error would end it, and the app would wait for ever to hand over what it draws
    next, or that it is over.
    """

    def __init__(self, terminal: IO[str]) -> None:
        self._terminal = terminal

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._terminal.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._terminal.flush()

    def fileno(self) -> int:
        return self._terminal.fileno()


class LastingDriver(LinuxDriver):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._file: Any = Lasting(self._file)
