"""Hermes' places: a `state.db`."""

from __future__ import annotations

from pathlib import Path

from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.hermes.files import MAGIC, header
from warm_tui.watching import FileState, file_state


class HermesReader:
    kind = "hermes"

    def claims(self, path: Path) -> bool:
        try:
            return path.is_file() and header(path)[0].startswith(MAGIC)
        except (OSError, ValueError):
            return False

    def open(self, path: Path) -> HermesDb:
        return HermesDb(path)

    def state(self, path: Path) -> FileState:
        return file_state(path)


HERMES_READER = HermesReader()
