"""What is wrong with the files of a Hermes database."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

from warm_tui.errors import Trouble
from warm_tui.sessions.database_files import HEADER, MAGIC, beside, header
from warm_tui.writing import BESIDE_A_DATABASE


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
