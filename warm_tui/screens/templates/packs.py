"""Packs on the Templates screen: one is written, and one that is brought in is read before it is a template."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from warm_tui.comparisons.packing import pack_of
from warm_tui.errors import Trouble
from warm_tui.presentation.packs import pack_lines
from warm_tui.screens.shared.frame import Frame
from warm_tui.screens.templates.reading import ReadFirst
from warm_tui.sessions.text import clean_line
from warm_tui.templates.packs import Examined


class PackDialogue:
    def __init__(self, screen: Frame) -> None:
        self._screen = screen

    def write(self, name: str) -> None:
        """What trials showed is counted first."""

        def make() -> None:
            try:
                text, _ = pack_of(self._screen.home, name)
            except (Trouble, sqlite3.Error) as trouble:
                self._screen.app.call_from_thread(self._screen.say_wrong, str(trouble))
            else:
                self._screen.app.call_from_thread(self._screen.save_export, f"{name}.pack.json", text)

        self._screen.run_worker(make, thread=True, group="pack", exclusive=True)

    def read(self, known: Examined, take_in: Callable[[], None]) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                take_in()

        window = ReadFirst(f"The pack {clean_line(known.name)}", pack_lines(known), "Take it in")
        self._screen.app.push_screen(window, answered)
