"""Runs commands for a driver, and ends all that they began when the driver is gone: a script of its own.

The driver holds the other end of our standard input. Each line of it is a command; when it closes, however the
driver came to its end, everything that goes on is ended. A command's limit of time holds without the driver, too.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # Begun without site-packages, which takes a third of the time.
    sys.path.append(str(Path(__file__).parents[2]))

from warm_tui.writing import new_file, read_regular

GRACE_SECONDS = 3.0
BEAT_SECONDS, MOST_SECONDS = 0.05, 60.0
MOST_ROUNDS = 40
DRIVER, ANSWERS = 0, 1
# Of Linux; elsewhere the closing pipe and the groups have to do.
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    control = _process_control()
    control(PR_SET_CHILD_SUBREAPER, 1)
    supervisor = Supervisor(lambda: control(PR_SET_PDEATHSIG, signal.SIGKILL))
    try:
        supervisor.serve()
    finally:
        supervisor.end_everything()


def _process_control() -> Callable[[int, int], object]:
    if sys.platform != "linux":
        return lambda *_: None
    prctl = ctypes.CDLL(None).prctl
    return lambda option, value: prctl(option, value, 0, 0, 0)


class Supervisor:
    def __init__(self, die_with_us: Callable[[], object]) -> None:
        self._die_with_us = die_with_us
        self._read = b""
        self._is_alone = False
        self._groups: list[int] = []
        # Written to when a child has ended.
        self._ended, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        while not self._is_alone:
            self._listen(None)
            while b"\n" in self._read and not self._is_alone:
                line, self._read = self._read.split(b"\n", 1)
                self._answer(self._performed(json.loads(line)))

    def _listen(self, seconds: float | None) -> None:
        """Until the driver says something, or goes, a child ends, or the time is over."""
        ready = select.select([DRIVER, self._ended], [], [], seconds)[0]
        if self._ended in ready:
            os.read(self._ended, 1 << 16)
        if DRIVER in ready:
            chunk = os.read(DRIVER, 1 << 16)
            self._read += chunk
            self._is_alone = not chunk

    def _answer(self, answer: dict[str, Any]) -> None:
        with suppress(OSError):
            os.write(ANSWERS, json.dumps(answer).encode() + b"\n")

    def _performed(self, order: dict[str, Any]) -> dict[str, Any]:
        until = time.monotonic() + order["seconds"]
        scratch = Path(order["scratch"])
        try:
            # Made anew: what ran before in this folder may have put a link there.
            with (
                os.fdopen(new_file(scratch / "out"), "wb") as out,
                os.fdopen(new_file(scratch / "errors"), "wb") as errors,
            ):
                process = subprocess.Popen(
                    order["command"],
                    shell=isinstance(order["command"], str),
                    cwd=order["folder"],
                    env=order["environment"],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=errors,
                    start_new_session=True,
                    preexec_fn=self._die_with_us,
                )
        except OSError as error:
            return {"errno": error.errno, "filename": error.filename}
        self._groups.append(process.pid)
        return {"exit_code": self._waited_for(process, until)}

    def _waited_for(self, process: subprocess.Popen[bytes], until: float) -> int | None:
        while time.monotonic() < until and not self._is_alone:
            if process.poll() is not None:
                return process.returncode
            self._listen(max(0.0, min(until - time.monotonic(), MOST_SECONDS)))
            _bury(process)
        if process.poll() is None:
            _end_group(process)
            return None
        return process.returncode

    def end_everything(self) -> None:
        """Also what left its group; where orphans do not come to us, the groups."""
        for number in self._groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(number, signal.SIGKILL)
        for _ in range(MOST_ROUNDS):
            going = descendants(os.getpid())
            if not going:
                return
            for number in going:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            time.sleep(BEAT_SECONDS)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Asked first, then not asked."""
    for number, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)


def _bury(process: subprocess.Popen[bytes]) -> None:
    """Orphans that came to us and have ended; not the command, which is waited for elsewhere."""
    if sys.platform != "linux":
        return
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid == process.pid:
                return
            os.waitpid(ended.si_pid, 0)


def descendants(root: int) -> list[int]:
    """All that a process began and that still goes on."""
    children: dict[int, list[int]] = {}
    for number, parent in _parents():
        children.setdefault(parent, []).append(number)
    found, left = [], [root]
    while left:
        below = children.pop(left.pop(), [])
        found += below
        left += below
    return found


def _parents() -> list[tuple[int, int]]:
    """Each process with the one that began it; without those that have ended and are not buried yet."""
    pairs = []
    if not Path("/proc/self/stat").exists():
        listing = subprocess.run(["ps", "-axo", "pid=,ppid=,stat="], capture_output=True, text=True)
        rows = [line.split() for line in listing.stdout.splitlines()]
        return [(int(row[0]), int(row[1])) for row in rows if len(row) == 3 and row[2][0] != "Z"]
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name, in brackets, may hold anything.
            state, parent = read_regular(entry / "stat").rpartition(b")")[2].split()[:2]
            if state != b"Z":
                pairs.append((int(entry.name), int(parent)))
    return pairs


if __name__ == "__main__":
    main()
