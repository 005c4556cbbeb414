"""After something was written: where it is, whole, and what one would do with it next."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from warm_tui.screens.shared.window import Window
from warm_tui.sessions.invisible import shown_line

COPY, OPEN, ELSEWHERE = "copy", "open", "elsewhere"
NO_DESKTOP = "There is no desktop here that could open it. y copies the path."


class Written(Window[str | None]):
    """What is chosen comes back: to copy the path, to open the file, or to write it elsewhere, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "choose_open", "Open"),
        Binding("y", "choose_copy", "Copy the path"),
        Binding("s", "choose_elsewhere", "Write it elsewhere"),
    ]
    KIND = "confirm written"

    def __init__(self, path: Path, note: str = "") -> None:
        super().__init__("Written")
        self.path, self._note = path, note

    def body(self) -> ComposeResult:
        yield Static(shown_line(str(self.path)), markup=False, id="written-path")
        if self._note:
            yield Static(self._note, markup=False)

    def action_choose_open(self) -> None:
        self.dismiss(OPEN)

    def action_choose_copy(self) -> None:
        self.dismiss(COPY)

    def action_choose_elsewhere(self) -> None:
        self.dismiss(ELSEWHERE)


def opener() -> list[str]:
    """What opens a file as its desktop would, or hands it to where one looks on from; nothing without either."""
    if sys.platform == "darwin":
        return ["open"]
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return ["xdg-open"]
    try:
        return shlex.split(os.environ.get("BROWSER", "").partition(os.pathsep)[0].replace("%s", ""))
    except ValueError:
        return []


def open_file(path: Path) -> str:
    """Beside the app, which waits for nothing; in one sentence why it could not be, or nothing."""
    command = opener()
    if not command:
        return NO_DESKTOP
    try:
        subprocess.Popen(
            [*command, str(path.absolute())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"{command[0]} could not open it: {error.strerror or error}."
    return ""
