"""The files of an agent's SQLite database: how they were left, and how they are read without a trace.

SQLite's plain read-only mode creates or changes the files beside a database in WAL mode.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from warm_tui.writing import copy_regular, new_file, open_regular

if TYPE_CHECKING:
    from warm_tui.passing_folder import PassingFolder

MAGIC = b"SQLite format 3\x00"
HEADER = 100
# SQLite keeps whose a database is as four bytes of the header, its "application id".
OURS = b"warm"
OURS_AT = 68


def beside(path: Path, ending: str) -> os.stat_result | None:
    try:
        return os.stat(f"{path}{ending}")
    except OSError:
        return None


_held: dict[tuple[int, int], int] = {}


def header(path: Path) -> tuple[bytes, int]:
    """The first bytes of a file, and its size.

    The descriptor is never closed: closing any descriptor of a file gives up the locks that this whole
    process holds on it, those of SQLite's connections included.
    """
    found = os.stat(path)
    identity = (found.st_dev, found.st_ino)
    if identity not in _held:
        _held[identity] = open_regular(path)
    return os.pread(_held[identity], HEADER, 0), found.st_size


def copy_held(path: Path, target: Path) -> None:
    """Copy a file by the descriptor that is held of it."""
    header(path)
    found = os.stat(path)
    descriptor = _held[found.st_dev, found.st_ino]
    with os.fdopen(new_file(target), "wb") as out:
        at = 0
        while chunk := os.pread(descriptor, 1 << 20, at):
            out.write(chunk)
            at += len(chunk)


def private_copy(path: Path) -> PassingFolder:
    """Of a database whose log was left: a copy with it, in a folder of ours that nobody else may enter."""
    from warm_tui.passing_folder import PassingFolder

    folder = PassingFolder()
    target = Path(folder.name) / path.name
    copy_regular(f"{path}-wal", f"{target}-wal")
    copy_held(path, target)
    return folder


def in_wal_mode(head: bytes) -> bool:
    """Byte 18 is the version of the format that a writer must know."""
    return head[18:19] == b"\x02"


def writing_of(path: Path) -> str:
    """Whether an agent may be writing it."""
    if not in_wal_mode(header(path)[0]):
        return "no write-ahead log"
    wal = beside(path, "-wal")
    return "a write-ahead log is open beside it" if wal and wal.st_size else "nobody has it open"


AT_REST, BESIDE_ITS_WRITER, PLAIN = "mode=ro&immutable=1", "mode=ro&readonly_shm=1", "mode=ro"


def options_for(path: Path, head: bytes) -> str:
    """How SQLite is to open it, given the state it was left in.

    A log without its index is not read so: nobody has it open, and SQLite would have to make an index beside it.
    An index without its log: it would make the log.
    All of a process share one index. One that was opened for reading alone bars a writer in the same process,
    which only a database of ours has; and nobody minds if that one's index is changed.
    """
    if not in_wal_mode(head):
        return PLAIN
    if beside(path, "-wal") is None or beside(path, "-shm") is None:
        return AT_REST
    return PLAIN if head[OURS_AT : OURS_AT + len(OURS)] == OURS else BESIDE_ITS_WRITER


def log_is_left(path: Path, head: bytes) -> bool:
    """What was written last stands in a log that nobody reads with it."""
    wal = beside(path, "-wal")
    return wal is not None and wal.st_size > 0 and options_for(path, head) == AT_REST
