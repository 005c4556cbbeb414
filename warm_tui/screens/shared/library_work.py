"""A screen that writes to the library beside the keys: it may be busy."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable

from warm_tui.errors import Trouble
from warm_tui.library.db import Library, open_library
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.working import work


class LibraryWork(Frame):
    @abstractmethod
    def library_changed(self) -> None:
        """What was asked for has been written."""

    @work(thread=True, exclusive=True, group="library-work")
    def change_library(self, change: Callable[[Library], None]) -> None:
        try:
            with open_library(self.home.library) as library:
                change(library)
        except (Trouble, sqlite3.Error) as error:
            self.app.call_from_thread(self.say_wrong, str(error))
        else:
            self.app.call_from_thread(self.library_changed)
