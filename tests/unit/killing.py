"""Run a step of ours in a process that is killed at its n-th write, for every n.

Each is forked from one that has imported what the step needs, which takes longer than all that the step does.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from subprocess import PIPE

SCRIPT = """
import builtins, io, os, signal, sys
{imports}
left = 0

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

def run():
    for name in ("replace", "fsync", "unlink", "mkdir", "chmod", "write"):
        setattr(os, name, counted(getattr(os, name)))
    os.open = counted(os.open, opens_to_write)
    io.open = builtins.open = counted(open, opens_file_to_write)
    exec({code!r}, globals())

for line in sys.stdin:
    left = int(line)
    if not (child := os.fork()):
        run()
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
MOST = 400


def killed_at_each_write(code: str) -> Iterator[int]:
    """Yields after each killed run, and ends when a run is not killed any more."""
    imports = "\n".join(line for line in code.splitlines() if line.startswith(("from ", "import ")))
    words = [sys.executable, "-c", SCRIPT.format(imports=imports, code=code)]
    with subprocess.Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for left in range(MOST):
            print(left, file=process.stdin, flush=True)
            # What it prints itself is no number.
            told = next((line for line in process.stdout if line.strip().lstrip("-").isdigit()), "nothing")
            if told.strip() == "0":
                assert left > 0, "nothing was written"
                return
            if told.strip() != str(-signal.SIGKILL):
                process.stdin.close()
                raise AssertionError(process.stderr.read())
            yield left
    raise AssertionError("it never ended")
