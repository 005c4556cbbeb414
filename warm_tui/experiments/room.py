"""The room on the disk that runs are made on: where there is none, what was recorded is not all that was done."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from warm_tui.experiments.workspace import RunFolders

FULL_BYTES, ROOM_BYTES = 1_000_000, 20_000_000
LOOK_SECONDS = 0.2


def is_full(*folders: Path) -> bool:
    return any(free(folder) < FULL_BYTES for folder in folders)


def is_room_for_a_run(workspace: RunFolders, *others: Path) -> bool:
    needed = ROOM_BYTES + _size_of(workspace.frozen)
    return min(map(free, (workspace.folder, *others))) >= needed


def free(folder: Path) -> int:
    """Of the disk that it is on, or will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    with suppress(OSError):
        return int(shutil.disk_usage(folder).free)
    return FULL_BYTES


def _size_of(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size
    return total


class RoomWatch:
    """Looks again and again: an agent goes on where it cannot write, and there may be room again when it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = Event()
        self._thread = Thread(target=self._look, daemon=True)
        self.ran_out = False

    def __enter__(self) -> RoomWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()

    def _look(self) -> None:
        is_left = False
        while not self.ran_out and not is_left:
            is_left = self._left.wait(LOOK_SECONDS)
            self.ran_out = is_full(self._folder)
