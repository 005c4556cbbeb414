"""Writing files so that a kill at any moment leaves the old or the new, never a half."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def read_regular(path: Path, most: int = 100_000_000) -> bytes:
    """The bytes of a file. A pipe or a device, which may never end, is none."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"{path} is no regular file")
    if status.st_size > most:
        raise OSError(f"{path} is larger than {most // 1_000_000} MB")
    return path.read_bytes()


def write_whole(path: Path, content: str | bytes, mode: int = 0o600, owner: tuple[int, int] | None = None) -> None:
    """For the operator's eyes alone, unless another mode is given."""
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is no regular file")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        if owner is not None:
            with suppress(OSError):
                os.chown(name, *owner)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
