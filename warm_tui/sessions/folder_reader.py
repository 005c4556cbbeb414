"""The reader of an agent whose sessions are files in a folder of its home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from warm_tui.sessions.recorded_files import home_named, looks_like, state_of_files
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
        home = home_named(self._variable, Path.home() / self._home)
        place = self._root(home)
        return [place] if place != home and self.claims(place) else []

    def claims(self, path: Path) -> bool:
        try:
            if self._folder_tells and self._root(path) != path:
                return True
            if path.is_dir():
                return looks_like(self.open(path).files(), self._is_one)
            return path.name.endswith(self._source.endings) and path.is_file() and self._is_one(path)
        except OSError:
            return False

    def open(self, path: Path) -> FileSource:
        return self._source(self._root(path))

    def state(self, path: Path) -> FileState:
        return state_of_files(self.open(path).files())

    def _root(self, path: Path) -> Path:
        return next((path / name for name in self._source.folders if (path / name).is_dir()), path)
