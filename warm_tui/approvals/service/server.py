"""The service itself: one to a home, on a port of this machine and on a socket, until it is told to end."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
import signal
import socket
import ssl
import stat
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aiohttp import web

from warm_tui.approvals.model import HOUR, Answered, Refused, TooMany, Unknown
from warm_tui.approvals.place import Place, Role, make_folder, read_json, socket_address, tokens
from warm_tui.approvals.service import openapi
from warm_tui.approvals.service.desk import Busy, Desk
from warm_tui.approvals.service.door import let_in
from warm_tui.approvals.service.endpoints import DESK, ENDPOINTS, URL, Endpoint, answer
from warm_tui.approvals.service.guard import EVERYWHERE, NAMES, Asked, refusal
from warm_tui.approvals.service.notifying import Way
from warm_tui.approvals.store import USUAL_LIMIT, CannotKeep, Store
from warm_tui.errors import Trouble
from warm_tui.locking import locked
from warm_tui.paths import Home
from warm_tui.secrets.own_key import key_of
from warm_tui.systemd import notify
from warm_tui.writing import write_whole

if TYPE_CHECKING:
    from warm_tui.secrets.redactor import Redactor

HOST, PORT = "127.0.0.1", 6000
LARGEST_BODY = 1_000_000
IDLE_SECONDS = 30.0
SECONDS_TO_END = 3.0
STANDARD_INPUT = 0
STATUS: tuple[tuple[type[Trouble], int], ...] = (
    (Refused, 400), (Unknown, 404), (Answered, 409), (TooMany, 429), (CannotKeep, 507), (Busy, 503), (Trouble, 500),
)  # fmt: skip
SILENT = logging.getLogger("warm_tui.approvals.silent")
SILENT.disabled = True
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Options(NamedTuple):
    host: str = HOST
    port: int = PORT
    """0 is any that is free."""
    limit: int = USUAL_LIMIT
    certificate: Path | None = None
    key: Path | None = None
    ways: tuple[Way, ...] = ()
    """By which people are told that something waits."""
    idle: float = IDLE_SECONDS
    """So long may a connection be silent, its first headers included."""
    ends_with_input: bool = False
    """Whoever began it holds its standard input, which closes however they come to their end."""


class Running(NamedTuple):
    url: str
    socket: str


# --- what every request goes through ---


def application(desk: Desk, known: dict[Role, str], host: str, url: str = "") -> web.Application:
    roles: dict[str, Role] = {}
    app = web.Application(middlewares=[_middleware(known, host, roles)], client_max_size=LARGEST_BODY)
    app[DESK], app[URL] = desk, url
    described = Endpoint("GET", "/openapi.json", "agent", _describe, "This document", {200: "OpenAPI"})
    for each in (*ENDPOINTS, described):
        route = app.router.add_route(each.method, each.path, each.handler)
        assert route.resource is not None
        roles[f"{each.method} {route.resource.canonical}"] = each.role
    described_document = openapi.document((*ENDPOINTS, described))
    app[DESCRIPTION] = described_document
    return app


DESCRIPTION: web.AppKey[dict[str, Any]] = web.AppKey("description", dict)


async def _describe(request: web.Request) -> web.Response:
    return answer(200, request.app[DESCRIPTION])


def _middleware(known: dict[Role, str], host: str, roles: dict[str, Role]) -> Any:
    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        route = request.match_info.route.resource
        needed = roles.get(f"{request.method} {route.canonical if route else ''}", "agent")
        headers = request.headers
        asked = Asked(
            request.host, headers.get("Origin"), headers.get("Sec-Fetch-Site", ""), headers.get("Authorization", "")
        )
        refused = refusal(asked, needed, known, host)
        if refused is not None:
            told = answer(refused.status, {"error": refused.sentence})
            # What it goes on to send is not read.
            told.force_close()
            return told
        return await _without_trouble(request, handler)

    return guard


async def _without_trouble(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Always JSON, and never a traceback."""
    try:
        return await handler(request)
    except Trouble as trouble:
        status = next(status for kind, status in STATUS if isinstance(trouble, kind))
        return answer(status, {"error": str(trouble)} | _facts(trouble))
    except web.HTTPException as error:
        told = answer(error.status, {"error": f"{error.reason}."})
        if error.status in (408, 413):
            told.force_close()
        if "Allow" in error.headers:
            told.headers["Allow"] = error.headers["Allow"]
        return told
    except ConnectionError:
        raise
    except Exception as error:
        sys.stderr.write(f"{request.method} {request.path!r} failed: {type(error).__name__}\n")
        return answer(500, {"error": f"It failed: {type(error).__name__}. Nothing was decided."})


def _facts(trouble: Trouble) -> dict[str, Any]:
    if isinstance(trouble, TooMany):
        return {"remaining": 0, "window_seconds": int(HOUR)}
    if isinstance(trouble, Answered):
        request = trouble.request
        return {"status": request.status, "decided_by": request.decided_by, "id": request.id}
    return {}


class Protocol(web.RequestHandler):
    """What is no HTTP is answered in JSON, too."""

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        if request.writer.output_size > 0:
            raise ConnectionError("it was begun to be answered")
        words = (message or "").split("\n")[0][:200].strip().rstrip(":.")
        told = answer(status, {"error": f"{words or type(exc).__name__}."})
        told.force_close()
        return told


# --- where it listens ---


def check_options(options: Options) -> ssl.SSLContext | None:
    if options.certificate is None and options.key is None:
        if options.host not in NAMES:
            raise Trouble(
                f"{options.host} is not this machine alone: another host needs --tls-cert and --tls-key, since whoever"
                " listens on the way would read the tokens."
            )
        return None
    if options.certificate is None or options.key is None:
        raise Trouble("--tls-cert and --tls-key go together.")
    context, key = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), options.key

    def locked() -> str:
        raise Trouble(f"{key} is locked by a pass phrase, which a service cannot ask for.")

    try:
        context.load_cert_chain(options.certificate, key, password=locked)
    except ssl.SSLError as error:
        raise Trouble(f"{options.certificate} and {key} are no certificate and the key to it, in PEM.") from error
    except OSError as error:
        raise Trouble(f"{options.certificate} and {key} cannot be used: {error.strerror or error}.") from error
    return context


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise Trouble(f"Port {port} of {host} is in use by another program: --port names another.") from error
        why = getattr(error, "strerror", None) or error
        raise Trouble(f"{host} cannot be listened on at port {port}: {why}.") from error


def url_of(host: str, port: socket.socket, context: ssl.SSLContext | None) -> str:
    where = f"[{host}]" if ":" in host else host
    return f"{'https' if context else 'http'}://{where}:{port.getsockname()[1]}"


@contextmanager
def alone(place: Place) -> Iterator[None]:
    """One service to a home. It goes with its process, however that ends."""
    try:
        with locked(place.lock, wait=False):
            yield
    except BlockingIOError as error:
        running = read_json(place.running)
        where = f" at {running['url']} (process {running['pid']})" if {"url", "pid"} <= running.keys() else ""
        raise Trouble(f"A service for approvals runs for this home already{where}.") from error
    except OSError as error:
        raise Trouble(f"{place.lock} cannot be used: {error.strerror or error}.") from error


def listen_in_folder(path: str, place: Place) -> socket.socket:
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.lstat(place.socket).st_mode):
            raise Trouble(f"{place.socket} is no socket: it stands where the service listens.")
        # Of a service that is gone: ours is the only one.
        place.socket.unlink()
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(path)
        place.socket.chmod(0o600)
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise Trouble(f"{place.socket} cannot be listened on: {error.strerror or error}.") from error
    return listener


# --- from its start to its end ---


def serve(home: Home, options: Options, tell: Callable[[Running], None]) -> None:
    """Returns when it was told to end. `tell`: where it is reached, once it is."""
    context = check_options(options)
    place = make_folder(home)
    with alone(place), socket_address(place) as path:
        known, key = tokens(place), key_of(home)
        with listen(options.host, options.port) as port, listen_in_folder(path, place) as local:
            desk = Desk(Store(place.database, key, options.limit), lambda: _redactor(home), options.ways)
            try:
                running = Running(url_of(options.host, port, context), str(place.socket))
                note = {"pid": os.getpid(), **running._asdict(), "started_at": time.time()}
                write_whole(place.running, json.dumps(note))
                asyncio.run(
                    _until_ended(
                        listening(desk, known, options, (port, context), local),
                        lambda: tell(running),
                        ends_with_input=options.ends_with_input,
                    )
                )
            except OSError as error:
                raise Trouble(f"The service could not go on: {error.strerror or error}.") from error
            finally:
                desk.end()
                for path_of_ours in (place.running, place.socket):
                    path_of_ours.unlink(missing_ok=True)


def _redactor(home: Home) -> Redactor:
    from warm_tui.secrets.redactor import redactor_of

    return redactor_of(home)


async def _until_ended(
    answering: AbstractAsyncContextManager[None], tell: Callable[[], None], *, ends_with_input: bool
) -> None:
    loop, ending = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ending.set)

    def listen_for_the_end() -> None:
        if not os.read(STANDARD_INPUT, 1 << 16):
            loop.remove_reader(STANDARD_INPUT)
            ending.set()

    if ends_with_input:
        loop.add_reader(STANDARD_INPUT, listen_for_the_end)
    async with answering:
        notify("READY=1")
        tell()
        await ending.wait()
        notify("STOPPING=1")


@asynccontextmanager
async def listening(
    desk: Desk,
    known: dict[Role, str],
    options: Options,
    port: tuple[socket.socket, ssl.SSLContext | None],
    local: socket.socket,
) -> AsyncIterator[None]:
    """Answers as long as it lasts."""
    loop = asyncio.get_running_loop()
    name = "{name}" if options.host in EVERYWHERE else options.host
    runner = web.AppRunner(application(desk, known, options.host, url_of(name, *port)))
    await runner.setup()
    manager = runner.server
    assert manager is not None

    def protocol() -> Protocol:
        return Protocol(
            manager, loop=loop, access_log=SILENT, keepalive_timeout=options.idle, lingering_time=1.0,
            auto_decompress=False,
        )  # fmt: skip

    await desk.begin()
    in_folder = await loop.create_unix_server(protocol, sock=local)
    going_on = [
        loop.create_task(let_in(*port, protocol, lambda: len(manager.connections), options.idle)),
        loop.create_task(desk.run()),
    ]
    try:
        yield
    finally:
        for task in going_on:
            task.cancel()
        in_folder.close()
        await desk.close()
        manager.pre_shutdown()
        await manager.shutdown(SECONDS_TO_END)
        await runner.cleanup()
