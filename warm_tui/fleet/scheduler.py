"""The scheduler: it knows the members, hands them what is asked, and lets nobody in under another's name."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import distributed

from warm_tui.errors import Trouble
from warm_tui.fleet.credentials import Credentials, FleetSecurity, peer_of
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.quiet import NoPages, quiet
from warm_tui.paths import Home
from warm_tui.systemd import notify

FORGOTTEN_SECONDS = "60s"
"""A member that was silent for so long is away, and its name free."""


class FleetScheduler(distributed.Scheduler):
    def __init__(self, security: FleetSecurity, host: str, port: int) -> None:
        super().__init__(
            security=security,
            host=host or None,
            port=port,
            protocol="tls",
            dashboard=False,
            worker_ttl=FORGOTTEN_SECONDS,
            # A member that dies is no reason to call what it was at the culprit: who asked decides what is tried again.
            allowed_failures=0,
        )
        self.handlers["take_revoked"] = self.take_revoked

    def start_http_server(self, *_: object, **__: object) -> None:
        self.http_server = NoPages()

    async def add_worker(self, comm: Any, *, name: str, **told: Any) -> None:
        certified, role = peer_of(comm)
        if role != "member" or certified != name:
            message = f"the certificate is of {certified}, not of {name}"
            await comm.write({"status": "error", "message": message, "time": time.time()})
            return
        await super().add_worker(comm, name=name, **told)

    def identity(self, n_workers: int = -1) -> dict[str, Any]:
        """With the moment that it is here: when members were last heard of is told by this clock."""
        told: dict[str, Any] = super().identity(n_workers)
        return {**told, "time": time.time()}

    async def add_client(self, comm: Any, client: str, versions: dict[str, Any]) -> None:
        if peer_of(comm)[1] != "operator":
            comm.abort()
            return
        await super().add_client(comm, client, versions)

    async def take_revoked(self, pem: str, name: str) -> bool:
        """Told by the authority: from now on, this member is none. The others are told, too."""
        security: FleetSecurity = self.security
        news = security.credentials.take_revoked(pem.encode())
        security.note_revoked()
        if news or name in self.aliases:
            if name in self.aliases:
                await self.remove_worker(self.aliases[name], stimulus_id="revoked")
            await self.broadcast(msg={"op": "take_revoked", "pem": pem}, on_error="ignore")
        return news


def serve(home: Home, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Until somebody ends this process. What members do goes on, and they come back when it does."""
    quiet()
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
