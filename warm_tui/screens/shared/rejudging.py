"""A screen that is read again when a person has judged a call otherwise while it was not seen."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress

from warm_tui.errors import Trouble
from warm_tui.library.db import open_library
from warm_tui.library.verdicts import VerdictMarks, verdict_marks
from warm_tui.screens.shared.frame import Frame
from warm_tui.widgets.working import work


class Rejudging(Frame):
    verdicts_read: VerdictMarks | None = None
    """What people had said of calls when these were read."""

    @abstractmethod
    def read_again(self) -> None: ...

    def note_verdicts(self) -> None:
        """For the worker that reads, before it does."""
        with suppress(Trouble), open_library(self.home.library) as library:
            self.verdicts_read = verdict_marks(library)

    @work(thread=True, exclusive=True, group="rejudging")
    def read_again_if_judged(self) -> None:
        with suppress(Trouble), open_library(self.home.library) as library:
            if self.verdicts_read is not None and verdict_marks(library) != self.verdicts_read:
                self.app.call_from_thread(self.read_again)
