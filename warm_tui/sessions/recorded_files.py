"""The files that agents write sessions in: which there are, and how they are read without waiting, links or writing."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from warm_tui.sessions.source import Stamp
from warm_tui.watching import FileState
from warm_tui.writing import open_regular

EDGE = 1 << 16
"""What is looked at of a file's beginning and end for a row of the list."""
LONGEST_BEGINNING = 1 << 22
CHUNK = 1 << 20
BYTES_A_MESSAGE = 2_000
"""Only a guess: how much there is to read decides whether it is shared out."""
MOST_DEEP = 8
LOOKED_AT = 20
"""Files by which a folder is known."""


class RecordedFile(NamedTuple):
    path: Path
    size: int
    changed: int
    """Nanoseconds."""

    def as_it_is(self) -> RecordedFile:
        """The same file, now; as it was, where it is gone."""
        try:
            status = self.path.stat()
        except OSError:
            return self
        return self._replace(size=status.st_size, changed=status.st_mtime_ns)

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.size // BYTES_A_MESSAGE + 1, f"{self.size}-{self.changed}")


def files_in(root: Path, endings: tuple[str, ...]) -> list[RecordedFile]:
    """Regular files below a folder, or that one file, the name's order."""
    if root.is_file():
        status = root.stat()
        return [RecordedFile(root, status.st_size, status.st_mtime_ns)]
    return list(_below(os.fspath(root), endings, MOST_DEEP, []))


def passed_over(root: Path, endings: tuple[str, ...]) -> list[str]:
    """What stands there under such a name and is no regular file, and folders that cannot be read."""
    passed: list[str] = []
    for _ in () if root.is_file() else _below(os.fspath(root), endings, MOST_DEEP, passed):
        pass
    return passed


def _below(folder: str, endings: tuple[str, ...], deep: int, passed: list[str]) -> Iterator[RecordedFile]:
    try:
        entries = sorted(os.scandir(folder), key=attrgetter("name"))
    except OSError:
        passed.append(folder)
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                if deep:
                    yield from _below(entry.path, endings, deep - 1, passed)
            elif not entry.name.endswith(endings):
                continue
            elif not entry.is_file(follow_symlinks=False):
                passed.append(entry.path)
            else:
                status = entry.stat(follow_symlinks=False)
                yield RecordedFile(Path(entry.path), status.st_size, status.st_mtime_ns)
        except OSError:
            passed.append(entry.path)


def folders_named(variable: str, usual: Path, within: str) -> list[Path]:
    """An agent's home, as the environment names it or where it usually is, if it holds sessions."""
    named = os.environ.get(variable, "").strip()
    home = Path(named).expanduser() if named else usual
    return [home / within] if (home / within).is_dir() else []


def looks_like(root: Path, endings: tuple[str, ...], is_one: Callable[[Path], bool]) -> bool:
    """Whether one of the first files is a recording: some may be broken."""
    for file in files_in(root, endings)[:LOOKED_AT]:
        with suppress(OSError):
            if is_one(file.path):
                return True
    return False


def state_of_files(root: Path, endings: tuple[str, ...]) -> FileState:
    files = files_in(root, endings)
    listing = repr([(os.fspath(file.path), file.size, file.changed) for file in files])
    return FileState(
        f"{zlib.crc32(listing.encode('utf-8', 'replace')):08x}", max((f.changed for f in files), default=0) / 1e9
    )


def read_lines(path: Path, offset: int = 0) -> Iterator[tuple[bytes, int]]:
    """Each whole line from there on, with the place behind it. What is still being written has no end yet."""
    descriptor = open_regular(path)
    with os.fdopen(descriptor, "rb", buffering=CHUNK) as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return
            offset += len(line)
            yield line, offset


def edges_of(file: RecordedFile) -> tuple[list[bytes], list[bytes]]:
    """The whole lines at the beginning and at the end of a file; none twice."""
    descriptor = open_regular(file.path)
    with os.fdopen(descriptor, "rb", buffering=0) as raw:
        first = raw.read(EDGE)
        while b"\n" not in first and len(first) < min(file.size, LONGEST_BEGINNING):
            more = raw.read(CHUNK)
            if not more:
                break
            first += more
        head = first.split(b"\n")
        if len(first) >= file.size:
            return [line for line in head if line], []
        begin = max(len(first), file.size - EDGE)
        raw.seek(begin)
        last = raw.read(EDGE).split(b"\n")
    return [line for line in head[:-1] if line], [line for line in last[1:] if line]


def holds(file: RecordedFile, sought: bytes, *, folded: bool) -> bool:
    """Whether these bytes stand anywhere in a file."""
    if not sought:
        return True
    try:
        with os.fdopen(open_regular(file.path), "rb") as raw:
            tail = b""
            while chunk := raw.read(CHUNK):
                if sought in tail + (chunk.lower() if folded else chunk):
                    return True
                tail = (chunk.lower() if folded else chunk)[-len(sought) :]
    except OSError:
        pass
    return False
