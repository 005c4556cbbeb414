"""What changes when a file changes, told without opening it: how screens follow what others write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class FileState(NamedTuple):
    """Equal as long as nobody has written."""

    key: str
    newest: float


def file_state(path: Path) -> FileState:
    """Of a file, and of the write-ahead log that SQLite may keep beside it."""

    def of(name: str) -> tuple[int, int, int]:
        try:
            status = os.stat(name)
        except OSError:
            return 0, 0, 0
        return status.st_ino, status.st_size, status.st_mtime_ns

    file, log = of(os.fspath(path)), of(f"{path}-wal")
    return FileState(f"{file}{log}", max(file[2], log[2]) / 1e9)
