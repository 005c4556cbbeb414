"""A screen that follows its databases: what others write is shown within two seconds, and idle costs nothing."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from typing import Any

from textual import work

from warm_tui.errors import Trouble
from warm_tui.library.db import open_library
from warm_tui.library.marks import Opinions, opinions_in
from warm_tui.screens.shared.frame import Frame
from warm_tui.sessions.readers import state_of
from warm_tui.watching import FileState, file_state


class Following(Frame):
    feeding = False
    opinions: Opinions | None = None
    seen_files: tuple[FileState, ...] = ()

    @abstractmethod
    def load(self) -> Any:
        """Read all again."""

    def follow(self) -> None:
        """Has the database changed? Told by its files: idle costs two looks at a second's end."""
        if self.feeding or not self.seen_files or not self.is_current:
            return
        now = self.files_now()
        if now == self.seen_files:
            return
        if now[:-1] != self.seen_files[:-1]:
            self.load()
        else:
            self.seen_files = now
            self.ask_library()

    def files_now(self) -> tuple[FileState, ...]:
        """The databases, and behind them the library, in which another instance may have set a verdict."""
        return (*map(state_of, self.home.databases), file_state(self.home.library))

    @work(thread=True, exclusive=True, group="library")
    def ask_library(self) -> None:
        """An experiment writes to it all the time: the table is read again only where verdicts or marks are others."""
        with suppress(Trouble), open_library(self.home.library) as library:
            if opinions_in(library) != self.opinions:
                self.app.call_from_thread(self.load)
