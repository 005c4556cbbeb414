"""The line to the scheduler: a loop of the engine in a thread of its own, for callers of any thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any

from distributed.comm.core import CommClosedError
from distributed.core import ConnectionPool

from warm_tui.fleet.credentials import Credentials, FleetSecurity, check_welcome
from warm_tui.fleet.wire import TooMuch, call, speak_plainly

CLOSING_SECONDS = 1.0


class Line:
    def __init__(self, address: str, credentials: Credentials) -> None:
        speak_plainly()
        self.address, self._credentials = address, credentials
        self._security = FleetSecurity(credentials)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="fleet", daemon=True)
        self._thread.start()
        self._pool = self._begin(self._opened()).result()

    def _begin(self, said: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(said, self._loop)

    async def _opened(self) -> ConnectionPool:
        return await ConnectionPool(connection_args=self._security.get_connection_args("client"))

    def ask(self, op: str, told: dict[str, Any], *, deadline: float, most: int) -> Future[Any]:
        return self._begin(self._asked(op, told, deadline, most))

    async def _asked(self, op: str, told: dict[str, Any], deadline: float, most: int) -> Any:
        kept = bool(self._pool.available[self.address])
        try:
            return await call(self._pool, self.address, op, told, deadline=deadline, most=most)
        except TooMuch:
            raise
        except CommClosedError:
            if not kept:
                raise
        # It was of a scheduler that has ended meanwhile; what is asked twice is done once.
        self._pool.remove(self.address)
        await asyncio.to_thread(check_welcome, self.address, self._credentials)
        return await call(self._pool, self.address, op, told, deadline=deadline, most=most)

    def close(self) -> None:
        if self._loop.is_closed():
            return
        with suppress(Exception):
            self._begin(self._pool.close()).result(CLOSING_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
