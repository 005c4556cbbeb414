"""After something was written: where it is, whole, and what one would do with it next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from warm_tui.screens.shared.choose import CLOSE
from warm_tui.sessions.invisible import shown_line

COPY, OPEN, ELSEWHERE = "copy", "open", "elsewhere"
NO_DESKTOP = "There is no desktop here that could open it. y copies the path."


class Written(ModalScreen[str | None]):
    """What is chosen comes back: to copy the path, to open the file, or to write it elsewhere, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("y", "dismiss('copy')", "Copy the path", show=False),
        Binding("o", "dismiss('open')", "Open it", show=False),
        Binding("s", "dismiss('elsewhere')", "Write it elsewhere", show=False),
    ]

    def __init__(self, path: Path, note: str = "") -> None:
        super().__init__()
        self.path, self._note = path, note

    def compose(self) -> ComposeResult:
        with Vertical(classes="window confirm written") as window:
            window.border_title = Content("Written")
            window.border_subtitle = "y copies · o opens · s elsewhere · Esc closes"
            yield Static(shown_line(str(self.path)), markup=False, id="written-path")
            yield Static(self._note, markup=False)
            with Horizontal(classes="form-buttons"):
                yield Button("Open (o)", variant="primary", id=OPEN)
                yield Button("Copy path (y)", id=COPY)
                yield Button("Elsewhere (s)", id=ELSEWHERE)
                yield Button("Close", id="close")

    def on_mount(self) -> None:
        self.query_one(f"#{OPEN}").focus()

    @on(Button.Pressed)
    def chosen(self, event: Button.Pressed) -> None:
        self.dismiss(None if event.button.id == "close" else event.button.id)


def opener() -> str | None:
    """What opens a file as its desktop would; None where there is none."""
    if sys.platform == "darwin":
        return "open"
    return "xdg-open" if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") else None


def open_file(path: Path) -> str:
    """Beside the app, which waits for nothing; in one sentence why it could not be, or nothing."""
    command = opener()
    if command is None:
        return NO_DESKTOP
    try:
        subprocess.Popen(
            [command, str(path.absolute())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"{command} could not open it: {error.strerror or error}."
    return ""
