"""Hermes' places: a `state.db`."""

from __future__ import annotations

import os
from pathlib import Path

from warm_tui.homes import DEFAULT, profiles, root_of_profiles
from warm_tui.paths import PROFILES
from warm_tui.sessions.database_files import MAGIC, header
from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.recorded_files import is_barred
from warm_tui.sessions.source import STATE
from warm_tui.watching import FileState, file_state


class HermesReader:
    kind = "hermes"

    def usual_places(self) -> list[Path]:
        """Of every profile."""
        root = root_of_profiles()
        homes = [root if name == DEFAULT else root / PROFILES / name for name in profiles(root)]
        # What is there and can be no database is told when it is opened.
        places = [home / STATE for home in homes if os.path.lexists(home / STATE) or is_barred(home)]
        barred = [root / PROFILES] if is_barred(root / PROFILES) and not is_barred(root) else []
        return [*places, *(folder / STATE for folder in barred)]

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
