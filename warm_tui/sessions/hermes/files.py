"""The files of a database: how they were left, and what is wrong with them."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.writing import BESIDE_A_DATABASE, new_file, open_regular

MAGIC = b"SQLite format 3\x00"
HEADER = 100


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


def in_wal_mode(head: bytes) -> bool:
    """Byte 18 is the version of the format that a writer must know."""
    return head[18:19] == b"\x02"


def writing_of(path: Path) -> str:
    """Whether an agent may be writing it."""
    if not in_wal_mode(header(path)[0]):
        return "no write-ahead log"
    wal = beside(path, "-wal")
    return "a write-ahead log is open beside it" if wal and wal.st_size else "nobody has it open"


def check_is_database(path: Path) -> bytes:
    """Its header; or, in one sentence, why it cannot be a Hermes database, before SQLite says it in its own."""
    try:
        if path.is_dir():
            raise Trouble(f"{path} is a folder, not a database.")
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Trouble(f"{path} is not a regular file.")
        # SQLite would open these, and wait for whoever is to write a pipe.
        for ending in BESIDE_A_DATABASE:
            if (found := beside(path, ending)) and not stat.S_ISREG(found.st_mode):
                raise Trouble(f"{path}{ending} is not a regular file.")
        head, size = header(path)
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
    if size < HEADER:
        raise Trouble(f"{path} is cut short: {size:,} bytes are not even a header.")
    page = int.from_bytes(head[16:18], "big")
    whole = int.from_bytes(head[28:32], "big") * (65_536 if page == 1 else page)
    wal = beside(path, "-wal")
    if head[24:28] == head[92:96] and whole > size and not (wal and wal.st_size):
        raise Trouble(f"{path} is cut short: it should hold {whole:,} bytes and has {size:,}.")
    return head


def sentence(path: Path, error: Exception) -> str:
    """What SQLite found, in words for a person."""
    if isinstance(error, UnicodeDecodeError):
        return f"{path} is damaged: its schema is no text."
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
