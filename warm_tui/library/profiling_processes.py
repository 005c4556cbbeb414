"""Profiles computed, and remembered, in processes beside this one: a key that is pressed waits for none of it.

A process is given batches of tasks on its standard input, and ends when that ends: whatever becomes of the app,
none is left behind.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Event, Lock, Thread
from typing import IO

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.db import IN_MEMORY, Library
from warm_tui.library.listings import recall_listing
from warm_tui.library.profiles import key_of, remember
from warm_tui.library.profiling import Done, Task, done_each, size_of
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.recordings import FileSource
from warm_tui.sessions.source import Source

BATCH_OF_MESSAGES = 8_000
NICE = 10
PACKAGE = Path(__file__).parents[2]
LENGTH_BYTES = 8
START = "import sys; sys.path.insert(0, sys.argv[1]); from warm_tui.library.profiling_processes import serve; serve()"


class Answer(msgspec.Struct):
    done: list[Done] = []
    trouble: str = ""
    note: str = ""
    """Why it was not remembered."""


_encode = msgspec.msgpack.Encoder().encode
_decode_tasks = msgspec.msgpack.Decoder(list[Task]).decode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode


def serve() -> None:
    """In the process beside: answer batches until there are no more."""
    # What is read is let go of at once, and none of it holds itself: looking for what does takes time.
    gc.disable()
    # Keys come first: where there are no more cores than processes, they would wait for these.
    os.nice(NICE)
    source = library = None
    path = Path(sys.argv[3])
    while (body := _receive(sys.stdin.buffer)) is not None:
        try:
            source = source or _opened(Path(sys.argv[2]), path)
            library = library or (None if path == IN_MEMORY else Library(path))
            answer = _remembered(library, source, list(done_each(source, _decode_tasks(body))))
        except Trouble as trouble:
            answer = Answer(trouble=str(trouble))
        _send(sys.stdout.buffer, _encode(answer))


def _remembered(library: Library | None, source: Source, done: list[Done]) -> Answer:
    """By whoever asks, where it stands in the memory of that process alone."""
    if library is None:
        return Answer(done)
    remember(library, key_of(source.path), done)
    note = library.notes[-1] if library.notes else ""
    return Answer([each._replace(failures=b"", kept=True) for each in done], note=note)


def _opened(place: Path, library: Path) -> Source:
    """With what its files told, where that is remembered."""
    source = open_source(place)
    if isinstance(source, FileSource) and library != IN_MEMORY:
        with suppress(Trouble, sqlite3.Error), Library(library) as held:
            recall_listing(source, held)
            source.count_sessions()
    return source


class Pool:
    """Processes that start at once, and what the threads share that each talk to one of them."""

    def __init__(self, path: Path, processes: int, library: Library) -> None:
        self.path, self.library = path, library
        self._tasks: Iterator[bytes] = iter(())
        self._given = Event()
        """There are tasks, or there never will be."""
        self._outcomes: Queue[Answer | Exception | None] = Queue()
        """None from each thread when it is done."""
        self._processes: list[subprocess.Popen[bytes]] = []
        self._lock = Lock()
        self._taking = Lock()
        """Tasks, for which it may have to be waited: a process starts meanwhile, and all are ended."""
        self._stopped = False
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(processes)]
        for thread in self._threads:
            thread.start()

    def begin(self, tasks: Iterator[bytes]) -> None:
        """Before anybody waits for what comes of them."""
        self._tasks = tasks
        self._given.set()

    def computed(self, tasks: Iterable[bytes]) -> Iterator[Done]:
        """Each task with its profile, as they come."""
        self.begin(iter(tasks))
        working = len(self._threads)
        try:
            while working:
                outcome = self._outcomes.get()
                if outcome is None:
                    working -= 1
                elif isinstance(outcome, Exception):
                    raise outcome
                else:
                    if outcome.note and outcome.note not in self.library.notes:
                        self.library.notes.append(outcome.note)
                    yield from outcome.done
        finally:
            self.stop()

    def _work(self) -> None:
        try:
            with self._started() as process:
                self._given.wait()
                self._talk_to(process)
        except OSError as error:
            self._outcomes.put(Trouble(f"A process to profile in could not be used: {error.strerror or error}."))
        finally:
            self._outcomes.put(None)

    def _talk_to(self, process: subprocess.Popen[bytes]) -> None:
        try:
            while batch := self._next_batch():
                self._outcomes.put(_done_by(process, batch))
        except Exception as error:
            self._outcomes.put(error)

    def stop(self) -> None:
        """No more is wanted, or all is done."""
        with self._lock:
            self._stopped = True
            for process in self._processes:
                process.kill()
        self._given.set()
        for thread in self._threads:
            thread.join()

    def _started(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-P", "-c", START, str(PACKAGE), str(self.path.absolute()), str(self.library.path)]
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        with self._lock:
            # Linux may share processors evenly between sessions, however nice: within that of the app, profiling took
            # twice as long beside other programs, and keys were hardly sooner.
            process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True)
            self._processes.append(process)
            if self._stopped:
                process.kill()
        return process

    def _next_batch(self) -> list[msgspec.Raw]:
        batch: list[msgspec.Raw] = []
        room = BATCH_OF_MESSAGES
        with self._taking:
            while room > 0 and not self._stopped and (task := next(self._tasks, None)):
                batch.append(msgspec.Raw(task))
                room -= size_of(task)
        return batch


def _done_by(process: subprocess.Popen[bytes], batch: list[msgspec.Raw]) -> Answer:
    assert process.stdin
    assert process.stdout
    body = None
    with suppress(OSError):
        _send(process.stdin, _encode(batch))
        body = _receive(process.stdout)
    if body is None:
        raise Trouble("Profiling stopped: a process beside this one ended before its work was done.")
    answer = _decode_answer(body)
    if answer.trouble:
        raise Trouble(answer.trouble)
    return answer


def _send(stream: IO[bytes], body: bytes) -> None:
    stream.write(len(body).to_bytes(LENGTH_BYTES) + body)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    """None where there is no more."""
    length = stream.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        return None
    body = stream.read(int.from_bytes(length))
    return body if len(body) == int.from_bytes(length) else None
