"""Run a step of ours in a process that is killed at its n-th write, for every n."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

SCRIPT = """
import builtins, io, os, signal, sys
left = {left}

def counted(real, writes=lambda *args, **words: True):
    def call(*args, **words):
        global left
        left -= bool(writes(*args, **words))
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **words)
    return call

def opens_to_write(path, flags, *more, **words):
    return flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)

def opens_file_to_write(file, mode="r", *more, **words):
    return set(mode) & set("wax+")

for name in ("replace", "fsync", "unlink", "mkdir", "chmod", "write"):
    setattr(os, name, counted(getattr(os, name)))
os.open = counted(os.open, opens_to_write)
io.open = builtins.open = counted(open, opens_file_to_write)
{code}
"""
MOST = 400


def killed_at_each_write(code: str) -> Iterator[int]:
    """Yields after each killed run, and ends when a run is not killed any more."""
    for left in range(MOST):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(left=left, code=code)], capture_output=True, text=True
        )
        if done.returncode == 0:
            assert left > 0, "nothing was written"
            return
        assert done.returncode == -signal.SIGKILL, done.stderr
        yield left
    raise AssertionError("it never ended")
