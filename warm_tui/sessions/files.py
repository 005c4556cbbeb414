"""The files of a database: what state they are in, told without opening them, and what is wrong with them."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from warm_tui.errors import Trouble

MAGIC = b"SQLite format 3\x00"


class FileState(NamedTuple):
    """What changes when the database changes, told without opening it."""

    database: tuple[int, int, int]
    wal: tuple[int, int, int]
    newest: float

    @property
    def key(self) -> str:
        return f"{self.database}{self.wal}"


def beside(path: Path, ending: str) -> os.stat_result | None:
    try:
        return os.stat(f"{path}{ending}")
    except OSError:
        return None


def in_wal_mode(path: Path) -> bool:
    """The header tells: byte 18 is the version a writer must know."""
    with open(path, "rb") as file:
        file.seek(18)
        return file.read(1) == b"\x02"


def file_state(path: Path) -> FileState:
    def of(stat: os.stat_result | None) -> tuple[int, int, int]:
        return (stat.st_ino, stat.st_size, stat.st_mtime_ns) if stat else (0, 0, 0)

    database, wal = of(beside(path, "")), of(beside(path, "-wal"))
    return FileState(database, wal, max(database[2], wal[2]) / 1e9)


def check_is_database(path: Path) -> None:
    """Say in one sentence why this cannot be a Hermes database, before SQLite says it in its own."""
    try:
        if path.is_dir():
            raise Trouble(f"{path} is a folder, not a database.")
        with open(path, "rb") as file:
            head = file.read(100)
            file.seek(0, os.SEEK_END)
            size = file.tell()
    except FileNotFoundError as error:
        raise Trouble(f"There is no Hermes database at {path}; name one with --db, or try --demo.") from error
    except NotADirectoryError as error:
        raise Trouble(f"There is no Hermes database at {path}: a part of the path is a file.") from error
    except PermissionError as error:
        raise Trouble(f"{path} may not be read by this user.") from error
    except (OSError, ValueError) as error:
        raise Trouble(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    if not size:
        raise Trouble(f"{path} is empty: no session has been recorded there.")
    if not head.startswith(MAGIC):
        raise Trouble(f"{path} is not a SQLite database.")
    page = int.from_bytes(head[16:18], "big") or 1
    pages = int.from_bytes(head[28:32], "big")
    page = 65536 if page == 1 else page
    sized_by_header = head[24:28] == head[92:96]
    if len(head) < 100 or (sized_by_header and pages * page > size and not beside(path, "-wal")):
        raise Trouble(f"{path} is cut short: it should hold {pages * page:,} bytes and has {size:,}.")


def sentence(path: Path, error: Exception) -> str:
    """What SQLite found, in words for a person."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is locked by another program; try again when it is done."
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"{path} is damaged: {error}."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return f"{path} cannot be opened: {error}."
    if code == sqlite3.SQLITE_READONLY:
        return f"{path} was left in the middle of a write; open it once with Hermes to mend it."
    return f"{path} cannot be read: {error}."
