"""The files that agents write sessions in: which there are, and how they are read without waiting, links or writing."""

from __future__ import annotations

import errno
import os
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import IO, NamedTuple, cast

from warm_tui.errors import Trouble
from warm_tui.sessions.source import Stamp
from warm_tui.watching import FileState
from warm_tui.writing import open_regular

EDGE = 1 << 16
"""What is looked at of a file's beginning and end for a row of the list."""
LONGEST_BEGINNING = 1 << 22
CHUNK = 1 << 20
LONGEST_LINE = 1 << 28
"""Of what is packed: a small file may say that it is larger than there is room."""
MOST_LINES, MOST_BYTES = 2_000_000, 1 << 30
"""Of what is packed: what unpacks to more was not written by an agent, and would take minutes."""
PACKED = ".zst"
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


@contextmanager
def open_recording(path: Path, buffering: int = -1) -> Iterator[IO[bytes]]:
    """What was written, also where the agent packed it since; OSError where it cannot be unpacked."""
    with os.fdopen(open_regular(path), "rb", buffering=buffering) as file:
        if path.suffix != PACKED:
            yield file
            return
        if sys.version_info >= (3, 14):
            from compression.zstd import ZstdError, ZstdFile
        else:
            from backports.zstd import ZstdError, ZstdFile
        try:
            with ZstdFile(file) as unpacked:
                yield cast(IO[bytes], unpacked)
        except (ZstdError, EOFError) as error:
            raise OSError(errno.EIO, f"it is damaged, {error}") from error


def files_in(root: Path, endings: tuple[str, ...]) -> list[RecordedFile]:
    """Regular files below a folder, or that one file, the name's order."""
    if os.path.isfile(root):
        status = root.stat()
        return [RecordedFile(root, status.st_size, status.st_mtime_ns)]
    return list(_below(os.fspath(root), endings, MOST_DEEP, []))


def files_of(folders: Sequence[Path], endings: tuple[str, ...]) -> list[RecordedFile]:
    """Those of all: of one name, as an agent keeps it when it puts a file away, that of the earliest folder."""
    first, *others = (files_in(folder, endings) for folder in folders)
    names = {_unpacked(file.path.name) for file in first} if others else set()
    for files in others:
        first += [file for file in files if _unpacked(file.path.name) not in names]
        names.update(_unpacked(file.path.name) for file in files)
    return first


def _unpacked(name: str) -> str:
    return name.removesuffix(PACKED)


def passed_over(root: Path, endings: tuple[str, ...]) -> list[str]:
    """What stands there under such a name and is no regular file, and folders that cannot be read."""
    passed: list[str] = []
    for _ in () if os.path.isfile(root) else _below(os.fspath(root), endings, MOST_DEEP, passed):
        pass
    return passed


def _below(folder: str, endings: tuple[str, ...], deep: int, passed: list[str]) -> Iterator[RecordedFile]:
    try:
        entries = sorted(os.scandir(folder), key=attrgetter("name"))
    except OSError:
        passed.append(folder)
        return
    names = {entry.name for entry in entries}
    for entry in entries:
        try:
            if entry.name.endswith(PACKED) and _unpacked(entry.name) in names:
                continue  # it is unpacked to be gone on with
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


def check_is_open(folder: Path) -> None:
    """A Trouble where this user may not look into it."""
    if is_barred(folder):
        raise Trouble(f"{folder} may not be read by this user.")


def is_barred(folder: Path) -> bool:
    """It stands in a folder that this user may look into, and is itself, or stands in one, that is not open."""
    try:
        os.scandir(folder).close()
    except PermissionError:
        return os.path.lexists(folder) or os.path.lexists(folder.parent)
    except OSError:
        pass
    return False


def home_named(variable: str, usual: Path) -> Path:
    """An agent's home, as the environment names it or where it usually is."""
    named = os.environ.get(variable, "").strip()
    return Path(named).expanduser() if named else usual


def looks_like(files: Sequence[RecordedFile], is_one: Callable[[Path], bool]) -> bool:
    """Whether one of the first is a recording: some may be broken."""
    for file in files[:LOOKED_AT]:
        with suppress(OSError):
            if is_one(file.path):
                return True
    return False


def state_of_files(files: Sequence[RecordedFile]) -> FileState:
    listing = repr([(os.fspath(file.path), file.size, file.changed) for file in files])
    return FileState(
        f"{zlib.crc32(listing.encode('utf-8', 'replace')):08x}", max((f.changed for f in files), default=0) / 1e9
    )


def read_lines(path: Path, offset: int = 0) -> Iterator[tuple[bytes, int]]:
    """Each whole line from there on, with the place behind it. What is still being written has no end yet."""
    with open_recording(path, CHUNK) as file:
        file.seek(offset)
        for line in _unpacked_lines(file) if path.suffix == PACKED else file:
            if not line.endswith(b"\n"):
                return
            offset += len(line)
            yield line, offset


def _unpacked_lines(file: IO[bytes]) -> Iterator[bytes]:
    unpacked = 0
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), b"")):
        unpacked += len(line)
        if number >= MOST_LINES or unpacked > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it unpacks to more than {MOST_LINES:,} lines or {MOST_BYTES / 1e9:.1f} GB")
        yield line


def edges_of(file: RecordedFile) -> tuple[list[bytes], list[bytes]]:
    """The whole lines at the beginning and at the end of a file; none twice."""
    if file.path.suffix == PACKED:
        return _edges_of_packed(file.path)
    with open_recording(file.path, 0) as raw:
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


def _edges_of_packed(path: Path) -> tuple[list[bytes], list[bytes]]:
    """There is no way to the end but through all of it."""
    head: list[bytes] = []
    tail: deque[bytes] = deque()
    length = behind = 0
    for line, length in read_lines(path):
        if length <= EDGE or not head:
            head.append(line)
            continue
        tail.append(line)
        behind += len(line)
        while behind > EDGE and len(tail) > 1:
            behind -= len(tail.popleft())
    return head, list(tail)


def holds(file: RecordedFile, sought: bytes, *, folded: bool) -> bool:
    """Whether these bytes stand anywhere in a file."""
    if not sought:
        return True
    try:
        with open_recording(file.path) as raw:
            tail = b""
            while chunk := raw.read(CHUNK):
                if sought in tail + (chunk.lower() if folded else chunk):
                    return True
                tail = (chunk.lower() if folded else chunk)[-len(sought) :]
    except OSError:
        pass
    return False
