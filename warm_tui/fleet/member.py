"""A member: a worker of the engine with the homes of its machine, which does what it is asked by name."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import threading
import time
import typing
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

import distributed
import msgspec
from distributed.core import Status
from distributed.threadpoolexecutor import ThreadPoolExecutor

from warm_tui import __version__
from warm_tui.errors import Trouble
from warm_tui.fleet.credentials import Credentials, FleetSecurity, check_welcome
from warm_tui.fleet.folder import Away, Folder
from warm_tui.fleet.functions import FUNCTIONS
from warm_tui.fleet.messages import (
    Answered,
    Asked,
    HomeThere,
    Standing,
    decoded,
    encode,
    spoken_with,
    why_not_understood,
)
from warm_tui.fleet.quiet import NoPages, quiet
from warm_tui.fleet.wire import peer_of, speak_plainly
from warm_tui.paths import Home
from warm_tui.sessions.elsewhere import ENDING
from warm_tui.sessions.readers import open_source
from warm_tui.systemd import notify

SPARE_THREADS = 4
"""Beside those for runs: what is asked by people is answered while all of those are taken."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
MANY = 1_000_000.0
"""Of what is there or not, such as a system: nobody takes it away from another."""

LOOK_SECONDS = 60.0

_at_work: Counter[str] = Counter()
_counting = threading.Lock()
_here: dict[str, Home] = {}
"""The home that this process is a member with: what is asked comes in as bytes alone."""


def perform(request: bytes, until: float = inf) -> bytes:
    """All that another machine can have done. Nothing that stands in a session gets into what is told of an error."""
    try:
        asked = decoded(request, Asked, "the asking machine")
        spoken = spoken_with(asked.newest)
        if refused := why_not_understood("The asking machine", asked.newest, asked.oldest, asked.version):
            return encode(Answered(trouble=refused, spoken=spoken))
        if time.monotonic() > until:
            raise Trouble("It was begun too late: nobody waits for it any more.")
        return encode(Answered(_performed(asked), spoken=spoken))
    except Trouble as trouble:
        return encode(Answered(trouble=str(trouble)))
    except Exception as error:
        return encode(Answered(trouble=f"It went wrong there: {type(error).__name__}{_where(error)}."))


def _performed(asked: Asked) -> bytes:
    function = FUNCTIONS.get(asked.function)
    if function is None:
        raise Trouble(f"Warm TUI {__version__} there knows nothing called {asked.function!r}: update it.")
    home = _here["home"]
    if function.is_run and Folder.of(home).drained.exists():
        raise Trouble("It is drained: it begins no new runs.")
    call = function.found()
    request = decoded(asked.body, typing.get_type_hints(call)["request"], "the asking machine")
    kind = "runs" if function.is_run else "others"
    with _counting:
        _at_work[kind] += 1
    try:
        return encode(call(home, request))
    finally:
        with _counting:
            _at_work[kind] -= 1


def _where(error: Exception) -> str:
    """The line of ours: the message may quote what it was about."""
    at, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if f"{os.sep}warm_tui{os.sep}" in file:
            at = f" in {Path(file).name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return at


# --- what it tells of itself ---


def sign_of_place(path: Path) -> str:
    """A name for a place that says nothing of where it stands."""
    return f"{zlib.crc32(os.fsencode(path.absolute())):08x}"


def own_places(home: Home) -> list[Path]:
    """Those of this machine alone: what was had of others is told by them."""
    return [path for path in home.present.databases if path.suffix != ENDING]


def homes_of(home: Home) -> tuple[HomeThere, ...]:
    found = []
    for path in own_places(home):
        try:
            with open_source(path) as source:
                found.append(HomeThere(source.home, source.facts.agent, sign_of_place(path)))
        except Trouble:
            # What cannot be read is told by `doctor` there.
            continue
    return tuple(found)


def standing_of(home: Home, slots: int, offers: dict[str, float]) -> Standing:
    return Standing(
        version=__version__,
        hermes=_hermes(),
        python=platform.python_version(),
        engine=distributed.__version__,
        homes=homes_of(home),
        slots=slots,
        offers=offers,
    )


def _hermes() -> str:
    """Of the one that makes its runs."""
    from warm_tui.agent.hermes_cli import find_hermes
    from warm_tui.agent.installed import version_of

    with suppress(Trouble):
        return version_of(find_hermes())
    return ""


class Here:
    """What is told with each beat: what seldom changes is found out seldom."""

    def __init__(self, home: Home, slots: int, offers: dict[str, float]) -> None:
        self.home, self.flag = home, Folder.of(home).drained
        self.standing = standing_of(home, slots, offers)
        self._looked = time.monotonic()
        # What people ask is answered while all runs are at it, and as many of these as there are slots.
        self.runs, self.others = ThreadPoolExecutor(max(1, slots)), ThreadPoolExecutor(SPARE_THREADS)

    def look(self) -> None:
        """Agents begin homes, and are updated."""
        self.standing = msgspec.structs.replace(self.standing, homes=homes_of(self.home), hermes=_hermes())

    def told(self, worker: Any) -> dict[str, Any]:
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            self.others.submit(self.look)
        delay = getattr(worker, "scheduler_delay", None)
        now = msgspec.structs.replace(
            self.standing,
            running=sum(_at_work.values()),
            runs=_at_work["runs"],
            drained=self.flag.exists(),
            ahead_seconds=None if delay is None else round(0.0 - delay, 1) + 0.0,
        )
        told: dict[str, Any] = msgspec.to_builtins(now)
        return told


class FleetWorker(distributed.Worker):
    """It answers by TLS alone: the engine's own pages over HTTP are left out."""

    def __init__(self, address: str, here: Here, security: FleetSecurity, folder: Path, name: str) -> None:
        super().__init__(
            address,
            name=name,
            nthreads=1,
            metrics={"fleet": here.told},
            security=security,
            local_directory=str(folder / "engine"),
            memory_limit=0,
            dashboard=False,
            nanny=None,
            protocol="tls",
        )
        self.here = here
        self.handlers = {"perform": self.take_request, "take_revoked": self.take_revoked}
        self.stream_handlers = {"close": self.close, "remove-worker": _nothing}

    def start_http_server(self, *_: object, **__: object) -> None:
        self.http_server = NoPages()

    async def plugin_add(self, *_: object, **__: object) -> dict[str, Any]:
        """The engine's way to have programs of the scheduler's run here: none is taken."""
        return {}

    async def take_request(self, comm: Any, *, request: bytes) -> bytes:
        self._check_scheduler(comm)
        kind, seconds = _kind_of(request)
        pool, until = (self.here.runs if kind else self.here.others), time.monotonic() + seconds
        return await asyncio.get_running_loop().run_in_executor(pool, perform, request, until)

    async def take_revoked(self, comm: Any, *, pem: str) -> bool:
        self._check_scheduler(comm)
        security: FleetSecurity = self.security
        if news := security.credentials.take_revoked(pem.encode()):
            security.note_revoked()
        return news

    def _check_scheduler(self, comm: Any) -> None:
        if peer_of(comm)[1] != "scheduler":
            comm.abort()
            raise PermissionError


def _kind_of(request: bytes) -> tuple[bool, float]:
    """Whether it is a run, and how long it is waited for."""
    try:
        asked = decoded(request, Asked, "the asking machine")
    except Trouble:
        return False, inf
    function = FUNCTIONS.get(asked.function)
    return function is not None and function.is_run, asked.seconds or inf


def _nothing(**_: Any) -> None:
    """Who else is there is none of a member's business."""


# --- joining, and joining again ---


def join(
    home: Home, address: str, name: str, slots: int, offers: dict[str, float], tell: Callable[[str], None]
) -> None:
    """Be a member until somebody ends this process. A scheduler that is away is waited for; a refusal is final."""
    quiet()
    speak_plainly()
    folder = Folder.of(home)
    credentials = Credentials.of(folder, "member")
    if credentials.name != name:
        raise Trouble(f"The certificate here is of {credentials.name}, not of {name}.")
    _here["home"] = home
    folder.note_address(address)
    asyncio.run(_join(home, address, credentials, Here(home, slots, offers), tell))


async def _join(home: Home, address: str, credentials: Credentials, here: Here, tell: Callable[[str], None]) -> None:
    pause, joined, told = FIRST_PAUSE, False, False
    while True:
        try:
            await asyncio.to_thread(check_welcome, address, credentials)
            async with FleetWorker(
                address, here, FleetSecurity(credentials), Folder.of(home).path, credentials.name
            ) as worker:
                if worker.status == Status.running:
                    notify("READY=1")
                    tell(f"{credentials.name} is in the fleet of {address}{' again' if joined else ''}.")
                    pause, joined, told = FIRST_PAUSE, True, False
                await worker.finished()
        except (Away, OSError, RuntimeError, ValueError) as error:
            if not told:
                tell(f"{_why_not(error, credentials.name)} It is waited for.")
            told = True
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE)


def _why_not(error: BaseException, name: str) -> str:
    """The engine tells only that it could not begin; why stands behind that."""
    if isinstance(error, Away):
        return str(error)
    told = f"{error} {error.__cause__ or error.__context__ or ''}"
    if "name taken" in told:
        return f"A machine called {name} is in the fleet, or was until a minute ago."
    return f"The scheduler could not be joined ({type(error).__name__})."


def usual_offers() -> dict[str, float]:
    """What a plan may ask for that is there without being told."""
    return {f"os:{sys.platform}": MANY}
