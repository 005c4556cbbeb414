"""Files, read and written: regular ones only, and so that a kill at any moment leaves the old or the new.

Every file that Warm TUI opens is opened here. A pipe or a device may never answer, and opening it alone may wait
or act; a link, symbolic or hard, may make what we write somebody else's: `state.db` is never written through us.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from warm_tui.errors import Trouble

LARGEST = 100_000_000
CHUNK = 1 << 20
ENDING = ".warm-tui-new"
"""What a file is called until it is whole. It is locked by its writer: where nobody holds it, the writer is gone."""
BESIDE_A_DATABASE = ("-wal", "-shm", "-journal")


# --- whether anything is written at all ---

_looks_only = False


class LooksOnly(Trouble, OSError):
    """Nothing may be changed: told as a sentence wherever troubles are, or files that cannot be written."""

    def __init__(self) -> None:
        super().__init__("Warm TUI was opened read-only: nothing is changed.")
        self.strerror = str(self).rstrip(".")


def look_only() -> None:
    """From now on, in this process, what others see stays as it is; only what we computed is remembered."""
    global _looks_only
    _looks_only = True


def looks_only() -> bool:
    return _looks_only


def check_may_change() -> None:
    """Raises LooksOnly. Before anything is written, deleted, activated or begun."""
    if _looks_only:
        raise LooksOnly


# --- read ---


def open_regular(path: Path, *, linked: bool = True) -> int:
    """A descriptor to read from; `linked`: a symbolic link is followed. Looked at before it is opened, and after."""
    _check_regular(os.stat(path, follow_symlinks=linked), path)
    only_itself = 0 if linked else os.O_NOFOLLOW
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | only_itself)
    return _kept_if(_check_regular, descriptor, path)


def read_regular(path: Path, most: int = LARGEST) -> bytes:
    """The bytes of a file, wherever a link leads."""
    return _read(open_regular(path), path, most)


def read_ours(path: Path, most: int = LARGEST) -> bytes:
    """The bytes of a file that only we write."""
    _check_own(os.lstat(path), path)
    return _read(_kept_if(_check_own, open_regular(path, linked=False), path), path, most)


def _read(descriptor: int, path: Path, most: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > most:
            raise _refused(errno.EFBIG, f"it is larger than {most:,} bytes", path)
        raw = bytearray()
        # A file may grow meanwhile, and those of /proc tell no size.
        while chunk := file.read(CHUNK):
            raw += chunk
            if len(raw) > most:
                raise _refused(errno.EFBIG, f"it is larger than {most:,} bytes", path)
        return bytes(raw)


# --- whose it is ---


def check_ours(path: Path) -> None:
    """What we write in place is a regular file, under one name, of this user; or is not there yet."""
    with suppress(FileNotFoundError):
        _check_own(os.lstat(path), path)


def check_database(path: Path) -> None:
    """The same of a database and of what SQLite writes beside it. Never opened: closing it would give up its locks."""
    for ending in ("", *BESIDE_A_DATABASE):
        check_ours(path.with_name(path.name + ending))


def _check_regular(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _refused(errno.EINVAL, "it is no regular file", path)


def _check_own(status: os.stat_result, path: Path) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise _refused(errno.ELOOP, f"{path.name} is a link", path)
    _check_regular(status, path)
    if status.st_nlink > 1:
        raise _refused(errno.EMLINK, f"{path.name} is a hard link: what is written there, another file holds too", path)
    # A home that is lent to a container belongs to another user, with all that is in it.
    if status.st_uid not in (os.geteuid(), os.stat(path.parent).st_uid):
        raise _refused(errno.EPERM, f"{path.name} belongs to another user", path)


def _kept_if(check: Callable[[os.stat_result, Path], None], descriptor: int, path: Path) -> int:
    try:
        check(os.fstat(descriptor), path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _refused(number: int, why: str, path: Path) -> OSError:
    return OSError(number, why, str(path))


# --- write ---


def open_ours(path: Path, flags: int) -> int:
    """A descriptor of a file that only we write, for a use that does not replace it."""
    check_ours(path)
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    return _kept_if(_check_own, descriptor, path)


def open_folder(path: Path) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def new_file(path: Path) -> int:
    """A descriptor of an empty file of this name; what had the name before keeps its content, whatever it was."""
    path.unlink(missing_ok=True)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def make_private(path: Path) -> None:
    """An empty file that nobody else may read, unless it is there."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))


def copy_regular(path: str | Path, target: str | Path) -> None:
    """Byte for byte; the name must be free."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(open_regular(Path(path)), "rb") as file, os.fdopen(os.open(target, flags, 0o600), "wb") as copy:
        while chunk := file.read(CHUNK):
            copy.write(chunk)
        os.fchmod(copy.fileno(), stat.S_IMODE(os.fstat(file.fileno()).st_mode))


def write_whole(
    path: Path,
    content: str | bytes,
    mode: int = 0o600,
    owner: tuple[int, int] | None = None,
    *,
    replacing: bool = True,
) -> None:
    """For the operator's eyes alone, unless another mode is given. Not `replacing`: FileExistsError where it is."""
    check_may_change()
    if path.exists() and not path.is_file():
        raise _refused(errno.EINVAL, "it is no regular file", path)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    clear_abandoned(path.parent)
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    descriptor, name = _made_beside(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(descriptor)
            os.fchmod(descriptor, mode)
            if owner is not None:
                with suppress(OSError):
                    os.fchown(descriptor, *owner)
            # Before it is closed, which unlocks it.
            _put(name, path, replacing)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _made_beside(path: Path) -> tuple[int, Path]:
    while True:
        name = path.with_name(f".{path.name[:40]}.{os.urandom(6).hex()}{ENDING}")
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, name
        # Taken for abandoned before it was locked.
        os.close(descriptor)


def _put(name: Path, path: Path, replacing: bool) -> None:
    if replacing:
        os.replace(name, path)
        return
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.replace(name, path)
    else:
        os.unlink(name)


def clear_abandoned(folder: Path) -> None:
    """Take away what writers that were killed have left in a folder; those that live hold a lock on theirs."""
    try:
        with os.scandir(folder) as entries:
            left = [entry.path for entry in entries if entry.name.endswith(ENDING) and entry.name.startswith(".")]
    except OSError:
        return
    for name in left:
        with suppress(OSError):
            status = os.lstat(name)
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                continue
            descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name)
            finally:
                os.close(descriptor)
