"""The scheduler: it knows the members, hands them what is asked, and lets nobody in under another's name."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import distributed
from distributed.comm.addressing import normalize_address
from distributed.core import Status
from distributed.scheduler import heartbeat_interval
from distributed.versions import get_versions

from warm_tui.errors import Trouble
from warm_tui.fleet.credentials import Credentials, FleetSecurity
from warm_tui.fleet.folder import Folder, check_address
from warm_tui.fleet.quiet import NoPages, quiet
from warm_tui.fleet.wire import LARGEST_BYTES, SMALL_BYTES, TooMuch, call, peer_of, speak_plainly
from warm_tui.paths import Home
from warm_tui.systemd import notify

FORGOTTEN_SECONDS = "60s"
"""A member that was silent for so long is away, and its name free."""
TELLING_SECONDS, LAST_DEED_SECONDS = 4.0, 0.2


class FleetScheduler(distributed.Scheduler):
    """It answers what stands here, and nothing else that the engine knows."""

    def __init__(self, security: FleetSecurity, host: str, port: int) -> None:
        super().__init__(
            security=security,
            host=host or None,
            port=port,
            protocol="tls",
            dashboard=False,
            worker_ttl=FORGOTTEN_SECONDS,
            extensions={},
        )
        self.handlers = {
            "register-worker": self.add_worker,
            "heartbeat_worker": self.take_beat,
            "members": self.tell_members,
            "ask": self.ask,
            "take_revoked": self.take_revoked,
        }
        self.stream_handlers = dict.fromkeys(("keep-alive", "log-event", "worker-status-change"), _nothing)

    def start_http_server(self, *_: object, **__: object) -> None:
        self.http_server = NoPages()

    # --- members ---

    async def add_worker(self, comm: Any, *, name: str, address: str, metrics: dict[str, Any], **_: Any) -> None:
        """Of what a member tells of itself, the engine is given its name and where it listens."""
        certified, role = peer_of(comm)
        if role != "member" or certified != name:
            message = f"the certificate is of {certified}, not of {name}"
            await comm.write({"status": "error", "message": message, "time": time.time()})
            return
        # The engine takes a member in before it looks at what that tells, and keeps it where this went wrong.
        _shown(metrics)
        await super().add_worker(
            comm, name=name, address=check_address(address), metrics=metrics, status=Status.running.name,
            server_id=name, nthreads=1, now=time.time(), resources={}, memory_limit=0, services={}, local_directory="",
            versions=get_versions(), nanny="", extra={}, stimulus_id="joined",
        )  # fmt: skip

    def heartbeat_worker(self, *, address: str, metrics: dict[str, Any], **_: Any) -> dict[str, Any]:
        worker = self.workers.get(normalize_address(self.coerce_address(address)))
        if worker is None:
            return {"status": "missing"}
        worker.metrics = _shown(metrics)
        worker.last_seen = time.time()
        interval = heartbeat_interval(len(self.workers))
        return {"status": "OK", "time": worker.last_seen, "heartbeat-interval": interval}

    def take_beat(self, comm: Any, *, address: str, metrics: dict[str, Any], **_: Any) -> dict[str, Any]:
        worker = self.workers.get(address)
        if worker is None or peer_of(comm) != (worker.name, "member"):
            return {"status": "missing"}
        return self.heartbeat_worker(address=address, metrics=metrics)

    # --- operators ---

    def tell_members(self, comm: Any) -> dict[str, Any]:
        """With the moment that it is here: when members were last heard of is told by this clock."""
        self._check_operator(comm)
        members = [
            {"name": each.name, "address": each.address, "last_seen": each.last_seen, "metrics": each.metrics}
            for each in self.workers.values()
        ]
        return {"members": members, "time": time.time()}

    async def ask(self, comm: Any, *, name: str, request: bytes, seconds: float, most: int) -> dict[str, Any]:
        """Of this member alone, whoever it says that it is."""
        self._check_operator(comm)
        address = self.aliases.get(name)
        if address is None:
            return {"away": True}
        try:
            most, told = min(most, LARGEST_BYTES), {"request": request}
            body = await call(self.rpc, address, "perform", told, deadline=seconds, most=most, peer=name)
        except TimeoutError:
            return {"late": True}
        except TooMuch:
            return {"much": True}
        except Exception:
            return {"away": True}
        return {"body": body} if isinstance(body, bytes) else {"away": True}

    async def take_revoked(self, comm: Any, *, pem: str, name: str) -> bool:
        """Told by the authority: from now on, this one is none. The others are told, too."""
        self._check_operator(comm)
        security: FleetSecurity = self.security
        news = security.credentials.take_revoked(pem.encode())
        security.note_revoked()
        if name in self.aliases:
            await self.remove_worker(self.aliases[name], stimulus_id="revoked")
        # That it is no news here tells nothing of them: the authority's own scheduler reads its list.
        await asyncio.gather(*(self._tell(each, pem) for each in list(self.workers)), return_exceptions=True)
        for other in [each for each in self._comms if each is not comm and peer_of(each)[0] == name]:
            other.abort()
        if name == security.credentials.name:
            asyncio.get_running_loop().call_later(
                LAST_DEED_SECONDS, self._ongoing_background_tasks.call_soon, self.close
            )
        return news

    async def _tell(self, member: str, pem: str) -> None:
        await call(self.rpc, member, "take_revoked", {"pem": pem}, deadline=TELLING_SECONDS, most=SMALL_BYTES)

    def _check_operator(self, comm: Any) -> None:
        if peer_of(comm)[1] != "operator":
            comm.abort()
            raise PermissionError


def _shown(metrics: dict[str, Any]) -> dict[str, Any]:
    """Of what a member tells of itself, what operators are told."""
    if not isinstance(metrics, dict):
        raise TypeError
    return {each: metrics.get(each) for each in ("fleet", "cpu", "memory")}


def _nothing(**_: Any) -> None:
    """What the engine says by itself."""


def serve(home: Home, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Until somebody ends this process. What members do goes on, and they come back when it does."""
    quiet()
    speak_plainly()
    folder = Folder.of(home)
    security = FleetSecurity(Credentials.of(folder, "scheduler"))
    asyncio.run(_serve(folder, security, host, port, tell))


async def _serve(folder: Folder, security: FleetSecurity, host: str, port: int, tell: Callable[[str], None]) -> None:
    try:
        async with FleetScheduler(security, host, port) as scheduler:
            folder.note_address(scheduler.address)
            notify("READY=1")
            tell(scheduler.address)
            await scheduler.finished()
    except OSError as error:
        raise Trouble(f"Port {port} cannot be listened on: {error.strerror or error}.") from error
