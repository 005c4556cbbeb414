"""A screen of what a worker reads: shown as it comes, and what went wrong is told in its place."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Iterable

from textual.message import Message
from textual.worker import get_current_worker

from warm_tui.errors import Trouble
from warm_tui.screens.shared.frame import Frame


class Reading(Frame):
    trouble = ""
    """Why nothing, or nothing newer, is shown."""

    class Failed(Message):
        def __init__(self, why: Exception) -> None:
            self.why = why
            super().__init__()

    def hand_on(self, read: Iterable[Message]) -> None:
        """For a worker: each is posted as it is read, until the worker is cancelled; a trouble ends them."""
        worker = get_current_worker()
        try:
            for message in read:
                if worker.is_cancelled:
                    return
                self.post_message(message)
        except (Trouble, sqlite3.Error) as error:
            if not worker.is_cancelled:
                self.post_message(self.Failed(error))

    def on_reading_failed(self, message: Failed) -> None:
        self.trouble = str(message.why)
        self.show_trouble(message.why)

    @abstractmethod
    def show_trouble(self, why: Exception) -> None: ...
