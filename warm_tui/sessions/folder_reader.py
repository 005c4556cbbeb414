"""The reader of an agent whose sessions are files in a folder of its home."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from warm_tui.sessions.recorded_files import (
    check_is_open,
    home_named,
    is_barred,
    looks_like,
    state_of_files,
)
from warm_tui.sessions.recordings import FileSource
from warm_tui.watching import FileState


class FolderReader:
    """Knows an agent's folder of recordings, or one of them."""

    def __init__(
        self,
        source: type[FileSource],
        variable: str,
        home: str,
        is_one: Callable[[Path], bool],
        *,
        folder_tells: bool = False,
    ) -> None:
        """`variable` names the agent's home, which is else below the user's; the folders there hold what `is_one`.

        `folder_tells`: hardly anybody else calls one so, and it need not hold any.
        """
        self._source, self._variable, self._home, self._is_one = source, variable, home, is_one
        self._folder_tells = folder_tells
        self.kind = source.facts.agent

    def usual_places(self) -> list[Path]:
        """Also where this user may not look: whoever opens it says so."""
        home = home_named(self._variable, Path.home() / self._home)
        place = home / self._source.folders[0] if is_barred(home) else self._root(home)
        return [place] if place != home and self.claims(place) else []

    def claims(self, path: Path) -> bool:
        try:
            source = self._source(self._root(path))
            if self._folder_tells and source.path != path:
                return True
            if os.path.isdir(path):
                if looks_like(source.files(), self._is_one):
                    return True
                # Of what cannot be looked into, only its name can tell.
                return source.path.name in source.folders and bool(source.passed_over())
            if is_barred(path):
                return path.name in source.folders
            return path.name.endswith(self._source.endings) and path.is_file() and self._is_one(path)
        except OSError:
            return False

    def open(self, path: Path) -> FileSource:
        root = self._root(path)
        check_is_open(root)
        return self._source(root)

    def state(self, path: Path) -> FileState:
        return state_of_files(self._source(self._root(path)).files())

    def _root(self, path: Path) -> Path:
        folders = (path / name for name in self._source.folders)
        return next((folder for folder in folders if os.path.isdir(folder)), path)
