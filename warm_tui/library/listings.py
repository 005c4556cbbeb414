"""What the edges of recorded files told when they were last looked at: a second start reads only what has changed."""

from __future__ import annotations

import os
import sqlite3
import zlib
from pathlib import Path

import msgspec

from warm_tui.library.db import Library
from warm_tui.sessions.model import Session
from warm_tui.sessions.pairing import READING_VERSION
from warm_tui.sessions.recorded_files import RecordedFile
from warm_tui.sessions.recordings import FileSource, Listed

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Listed]).decode

SHAPE = zlib.crc32(repr((Session.__struct_fields__, Listed._fields, READING_VERSION)).encode()) & 0x7FFFFFFF
"""What was told in another shape is looked at again."""


def recall_listing(source: FileSource, library: Library) -> None:
    """Before a source is looked at for the first time."""
    source.recall(lambda: _recalled(source, library))


def _recalled(source: FileSource, library: Library) -> dict[Path, tuple[RecordedFile, list[Listed]]]:
    try:
        rows = library.connection.execute(
            "SELECT path, size, changed, told FROM listings WHERE place = ? AND shape = ?", (_key(source.path), SHAPE)
        ).fetchall()
    except sqlite3.Error:
        return {}  # all is told anew
    known: dict[Path, tuple[RecordedFile, list[Listed]]] = {}
    for path, size, changed, told in rows:
        try:
            file = RecordedFile(Path(os.fsdecode(path)), size, changed)
            known[file.path] = file, _decode(told)
        except (msgspec.MsgspecError, TypeError, ValueError):
            continue
    return known


def keep_listing(source: FileSource, library: Library) -> None:
    """What was told of files that nobody had looked at, or that have changed since; what is gone is forgotten."""
    changed, gone = source.news()
    key = _key(source.path)
    library.remember(
        "INSERT OR REPLACE INTO listings (place, path, size, changed, shape, told) VALUES (?, ?, ?, ?, ?, ?)",
        [(key, os.fsencode(f.path), f.size, f.changed, SHAPE, _encode(told)) for f, told in changed],
    )
    library.remember("DELETE FROM listings WHERE place = ? AND path = ?", [(key, os.fsencode(path)) for path in gone])


def _key(place: Path) -> bytes:
    return os.fsencode(place.absolute())
