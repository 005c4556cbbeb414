"""Members that lie: real ones of a real fleet, with a certificate that is good, and answers of their own."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from distributed.protocol.serialize import Serialize, ToPickle

from tests.unit.fleeting import RunningFleet, home_at
from warm_tui.fleet.credentials import Credentials, FleetSecurity, install
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.member import FleetWorker, Here
from warm_tui.fleet.messages import HomeThere, decoded, encode
from warm_tui.fleet.wire import speak_plainly


class Program:
    """Whoever unpacks it makes a folder; it could do anything."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.makedirs, (str(self.flag),)


def programs(flag: Path) -> dict[str, Any]:
    """In all forms in which the engine would unpack one."""
    packed = pickle.dumps(Program(flag))
    return {
        "within": ToPickle(Program(flag)),
        "result": Serialize(Program(flag)),
        "exception": {"status": "uncaught-error", "exception": packed, "traceback": packed, "exception_text": "oh"},
        "bytes": packed,
        "deep": {"body": [ToPickle(Program(flag))], "status": "OK"},
        "module": {"__Enum__": True, "__module__": "os", "__name__": "environ", "name": "clear"},
    }


class LyingWorker(FleetWorker):
    """It answers whatever it was told to, by the name of what is asked."""

    def __init__(self, address: str, here: Here, security: FleetSecurity, folder: Path, name: str) -> None:
        super().__init__(address, here, security, folder, name)
        self.answers: dict[str, Callable[[Any], Any]] = {}

    async def take_request(self, comm: Any, *, request: bytes) -> Any:
        from warm_tui.fleet.messages import Asked

        asked = decoded(request, Asked, "")
        if asked.function in self.answers:
            return self.answers[asked.function](asked)
        return await super().take_request(comm, request=request)


def certified(running: RunningFleet, name: str) -> FleetSecurity:
    """What a machine of this name shows, which has not joined."""
    folder = running.folder / name
    files = Folder.of(home_at(folder))
    running.authority.issue("member", name, folder / "given.pem")
    install(files, "member", folder / "given.pem")
    speak_plainly()
    return FleetSecurity(Credentials.of(files, "member"))


class Liar:
    """Its loop is a thread of the test's own process, so that what it says can be changed."""

    def __init__(self, running: RunningFleet, name: str, homes: tuple[HomeThere, ...] = ()) -> None:
        folder = running.folder / name
        self.security = certified(running, name)
        self.here = Here(home_at(folder), 1, {})
        self.here.standing = self.here.standing.__class__(homes=homes, version=self.here.standing.version)
        self.loop, self.ready = asyncio.new_event_loop(), Event()
        self.thread = Thread(target=self.loop.run_until_complete, args=(self._live(running.address, folder, name),))
        self.thread.start()
        assert self.ready.wait(60)

    async def _live(self, address: str, folder: Path, name: str) -> None:
        self.ended = asyncio.Event()
        async with LyingWorker(address, self.here, self.security, folder, name) as self.worker:
            self.ready.set()
            await self.ended.wait()

    def run(self, said: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(said, self.loop).result(60)

    def answers(self, function: str, answer: Callable[[Any], Any]) -> None:
        self.worker.answers[function] = answer

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join()
        self.loop.close()


@contextmanager
def lying(running: RunningFleet, name: str, homes: tuple[HomeThere, ...] = ()) -> Iterator[Liar]:
    liar = Liar(running, name, homes)
    try:
        yield liar
    finally:
        liar.end()


def told(struct: Any) -> bytes:
    from warm_tui.fleet.messages import Answered

    return encode(Answered(encode(struct)))
