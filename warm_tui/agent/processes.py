"""Run a command until it ends or its time is up, and end all that it began."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

MARK = "WARM_TUI_RUN"
"""The name in the environment by which a run's processes are known, wherever they went."""
GRACE_SECONDS = 3.0
BEAT_SECONDS = 0.05
TAIL_BYTES = 8_000


class Ended(NamedTuple):
    exit_code: int | None
    """None: its time was up, or it was stopped."""
    seconds: float
    out: str
    errors: str
    stopped: bool = False


def run_limited(
    command: str | Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    seconds: float,
    scratch: Path,
    stop: Event,
) -> Ended:
    """A string is given to the shell. Its output goes to files in `scratch`: a pipe may fill, or be kept open."""
    began = time.monotonic()
    out, errors = scratch / "out", scratch / "errors"
    with out.open("wb") as out_file, errors.open("wb") as errors_file:
        process = subprocess.Popen(
            command,
            shell=isinstance(command, str),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out_file,
            stderr=errors_file,
            start_new_session=True,
        )
        try:
            exit_code = _wait(process, began + seconds, stop)
        finally:
            _end_group(process)
            end_marked(environment.get(MARK, ""))
    took = time.monotonic() - began
    stopped = exit_code is None and stop.is_set()
    return Ended(exit_code, took, tail(out), tail(errors), stopped)


def _wait(process: subprocess.Popen[bytes], until: float, stop: Event) -> int | None:
    while time.monotonic() < until and not stop.is_set():
        with suppress(subprocess.TimeoutExpired):
            return process.wait(BEAT_SECONDS)
    return None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Asked first, then not asked."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None and number == signal.SIGKILL:
            break
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_marked(token: str) -> int:
    """End every process of a run, also those in groups of their own and those of a run whose driver was killed.

    Where there is no /proc, a process that left its group is not found.
    """
    ended = 0
    if not token:
        return ended
    for process in _marked(token):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
            ended += 1
    return ended


def _marked(token: str) -> list[int]:
    wanted = f"{MARK}={token}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in entry.read_bytes().split(b"\0") and int(entry.parent.name) != os.getpid():
                found.append(int(entry.parent.name))
    return found


def tail(path: Path) -> str:
    """The end of what a program wrote."""
    with suppress(OSError), path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - TAIL_BYTES))
        return file.read().decode("utf-8", "replace")
    return ""
