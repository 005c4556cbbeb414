"""Whether databases have changed since they were read, told by their files: idle costs a look at those."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from warm_tui.watching import FileState, file_state


class FileWatch:
    def __init__(self, paths: Iterable[Path], state_of: Callable[[Path], FileState] = file_state) -> None:
        self._paths, self._state_of = tuple(paths), state_of
        self._seen: list[FileState] | None = None

    def note(self) -> None:
        """They are read from here on: what changes later is a change."""
        self._seen = self._states()

    def changed(self) -> bool:
        """Never before they were first read."""
        return self._seen is not None and self._states() != self._seen

    def _states(self) -> list[FileState]:
        return [self._state_of(path) for path in self._paths]
