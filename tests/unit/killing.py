"""Run a step of ours in a process that is killed at its n-th write, for every n."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

SCRIPT = """
import builtins, io, os, signal, sys
left = {left}

def counted(real):
    def call(*args, **words):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **words)
    return call

for name in ("replace", "fsync", "unlink", "mkdir", "chmod", "open", "write"):
    setattr(os, name, counted(getattr(os, name)))
io.open = builtins.open = counted(open)
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
