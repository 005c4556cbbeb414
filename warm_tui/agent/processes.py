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

from warm_tui.writing import new_file, open_regular, read_regular

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
    """A string is given to the shell. Its output goes to files in `scratch`: a pipe may fill, or be kept open.

    What it leaves behind when it ends by itself goes on: a setup may start a server. `end_all` ends that.
    """
    began = time.monotonic()
    out, errors = scratch / "out", scratch / "errors"
    # Made anew: what ran before in this folder may have put a link there.
    with os.fdopen(new_file(out), "wb") as out_file, os.fdopen(new_file(errors), "wb") as errors_file:
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
        exit_code = _wait(process, began + seconds, stop)
        if exit_code is None:
            _end_group(process)
    took = time.monotonic() - began
    stopped = exit_code is None and stop.is_set()
    return Ended(exit_code, took, tail(out), tail(errors), stopped)


def _wait(process: subprocess.Popen[bytes], until: float, stop: Event) -> int | None:
    while time.monotonic() < until and not stop.is_set():
        with suppress(subprocess.TimeoutExpired):
            return process.wait(BEAT_SECONDS)
    return process.poll()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Asked first, then not asked."""
    for number, patience in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)


def end_all(token: str, folder: Path) -> int:
    """End every process of a run, also one in a group of its own, or of a run whose driver was killed.

    They are known by the token in their environment, or by working in the run's folder. Where there is no
    /proc, those that left their group are not found.
    """
    ended = 0
    while going := _processes_of(token, folder):
        for process in going:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
                ended += 1
        # Another one may have been begun meanwhile; one that cannot be ended is not waited for.
        time.sleep(BEAT_SECONDS)
        if set(_processes_of(token, folder)) <= set(going):
            break
    return ended


def _processes_of(token: str, folder: Path) -> list[int]:
    wanted = f"{MARK}={token}".encode()
    within = f"{folder.resolve()}{os.sep}"
    processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            marked = bool(token) and wanted in read_regular(entry / "environ").split(b"\0")
            at_work = f"{os.readlink(entry / 'cwd')}{os.sep}".startswith(within)
            if (marked or at_work) and int(entry.name) != os.getpid():
                processes.append(int(entry.name))
    return processes


def tail(path: Path) -> str:
    """The end of what a program wrote, from the beginning of a word: half a word may be half a secret."""
    with suppress(OSError), os.fdopen(open_regular(path, linked=False), "rb") as file:
        file.seek(0, os.SEEK_END)
        skipped = max(0, file.tell() - TAIL_BYTES)
        file.seek(skipped)
        text = file.read().decode("utf-8", "replace")
        if not skipped:
            return text
        line = text.partition("\n")[2]
        return line or " ".join(text.split()[1:])
    return ""
