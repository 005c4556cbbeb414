"""Run commands until they end or their time is up, and end all that they began."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from warm_tui.writing import open_regular, read_regular

SUPERVISOR = Path(__file__).with_name("supervisor.py")

MARK = "WARM_TUI_RUN"
"""The name in the environment by which a run's processes are known, wherever they went."""
BEAT_SECONDS = 0.05
TAIL_BYTES, MOST_ERRORS = 8_000, 64_000


class Ended(NamedTuple):
    exit_code: int | None
    """None: its time was up, or it was stopped."""
    seconds: float
    out: str
    errors: str
    stopped: bool = False


class Supervised:
    """Commands in the hands of a process that ends all they began when this one is gone, or leaves the block.

    What a command leaves behind when it ends by itself goes on until then: a setup may start a server.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(SUPERVISOR)],
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self) -> Supervised:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def run(
        self,
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
        order = {
            "command": command if isinstance(command, str) else list(command), "folder": str(folder),
            "environment": dict(environment), "seconds": seconds, "scratch": str(scratch),
        }  # fmt: skip
        answer = self._answer(order, stop)
        stopped = answer is None and stop.is_set()
        if stopped:
            self._end()
        elif answer is not None and "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]), answer["filename"])
        # Without an answer the supervisor was killed, and what it began with it.
        code = None if stopped else answer["exit_code"] if answer is not None else -signal.SIGKILL
        took = time.monotonic() - began
        return Ended(code, took, tail(scratch / "out"), tail(scratch / "errors", MOST_ERRORS), stopped)

    def _answer(self, order: dict[str, Any], stop: Event) -> dict[str, Any] | None:
        """None where it was stopped, or where nobody is there to answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
        # Not `select`: that knows the first thousand descriptors only.
        answers = select.poll()
        answers.register(self._process.stdout, select.POLLIN)
        while not stop.is_set():
            if answers.poll(1000 * BEAT_SECONDS):
                line = self._process.stdout.readline()
                return json.loads(line) if line.endswith(b"\n") else None
        return None

    def _end(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


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


def tail(path: Path, most: int = TAIL_BYTES) -> str:
    """The end of what a program wrote, from the beginning of a word: half a word may be half a secret."""
    with suppress(OSError), os.fdopen(open_regular(path, linked=False), "rb") as file:
        file.seek(0, os.SEEK_END)
        skipped = max(0, file.tell() - most)
        file.seek(skipped)
        text = file.read().decode("utf-8", "replace")
        if not skipped:
            return text
        line = text.partition("\n")[2]
        return line or " ".join(text.split()[1:])
    return ""
