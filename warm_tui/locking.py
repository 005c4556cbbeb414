"""One at a time: locks on files and folders, which go with the process that holds them."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from warm_tui.writing import check_may_change, open_folder, open_ours

PATIENCE_SECONDS = 30.0
"""Whoever holds a lock longer has been halted; waiting on would halt us, too."""
BEAT_SECONDS = 0.01


@contextmanager
def locked(path: Path, *, wait: bool = True, changing: bool = True) -> Iterator[None]:
    """A folder is there already, a file is made. Without waiting, BlockingIOError where another holds it.

    `changing`: what the lock is taken for changes more than what we remember of what we read.
    """
    if changing:
        check_may_change()
    descriptor = open_folder(path) if path.is_dir() else open_ours(path, os.O_RDWR | os.O_CREAT)
    try:
        _take(descriptor, path, PATIENCE_SECONDS if wait else 0.0)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise BlockingIOError(errno.EAGAIN, "another program holds it", str(path)) from None
        time.sleep(BEAT_SECONDS)


def is_locked(path: Path) -> bool:
    """Does anybody hold it at this moment?"""
    try:
        descriptor = open_ours(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
