"""Who waits for which answer, and who is told: what the service remembers beside the store, and may lose."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from warm_tui.approvals.asking import Prepared, answered, masked_in, prepare
from warm_tui.approvals.model import Answer, Answered, Request, Submission, WhitelistRule
from warm_tui.approvals.moments import seconds_since
from warm_tui.approvals.service.notifying import Delivery, Notifier, Way, deliver
from warm_tui.approvals.store import Store
from warm_tui.errors import Trouble

if TYPE_CHECKING:
    from warm_tui.secrets.redactor import Redactor

T = TypeVar("T")
TICK_SECONDS = 0.5
MOST_WAITING, MOST_BYTES = 10_000, 50_000_000
MOST_EVENTS = 200
LARGE = 20_000
"""So many bytes are looked through for secrets beside the store: that may take a while."""
NOBODY = "nobody waits for it any more"


class Busy(Trouble):
    """More waits, or listens, than can be looked after."""


class Event(msgspec.Struct, frozen=True):
    name: str
    data: dict[str, Any]


class Desk:
    """The store is asked in one thread, large texts are searched for secrets in another: nobody waits for these."""

    def __init__(self, store: Store, redactor: Callable[[], Redactor], ways: Sequence[Way] = ()) -> None:
        """`redactor` takes long to be made: that is begun at once, and not waited for."""
        self.store = store
        self._storing, self._masking = ThreadPoolExecutor(1, "store"), ThreadPoolExecutor(1, "masking")
        self._redactor = self._masking.submit(redactor)
        self._waiting: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._pending: dict[str, int] = {}
        """What waits, and how large each is: all of it is told to who asks what waits."""
        self._leases: dict[str, tuple[float, float]] = {}
        """Until when somebody has to ask again, and for how long that then holds."""
        self._listeners: set[asyncio.Queue[Event | None]] = set()
        self.ending = False
        self._notifier = Notifier(ways)
        self._delivering: set[asyncio.Task[None]] = set()

    async def do(self, act: Callable[..., T], *given: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._storing, act, *given)

    @property
    def waiting(self) -> int:
        """How many requests wait for an answer."""
        return len(self._pending)

    # --- asked and answered ---

    async def submit(self, submission: Submission, size: int = 0) -> Request:
        if self.waiting >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING:,} requests wait: no more are taken.")
        if sum(self._pending.values()) + size > MOST_BYTES:
            raise Busy(f"What waits is {MOST_BYTES // 1_000_000:,} MB large: no more is taken.")
        if size < LARGE:
            request = await self.do(lambda: self.store.submit(self._prepared(submission)))
        else:
            prepared = await asyncio.get_running_loop().run_in_executor(self._masking, self._prepared, submission)
            request = await self.do(self.store.submit, prepared)
        if request.status == "pending":
            self._pending[request.id] = size
            self._notify(request, 0.0)
        self._lease(request)
        self.tell("asked" if request.status == "pending" else request.status, request)
        return request

    def _prepared(self, submission: Submission) -> Prepared:
        return prepare(submission, self._redactor.result())

    async def answer(self, name: str, said: Answer) -> Request:
        searching = self._storing if said.details is msgspec.UNSET else self._masking
        loop = asyncio.get_running_loop()
        clean = await loop.run_in_executor(searching, lambda: answered(said, self._redactor.result()))
        return await self.change(self.store.answer, name, clean)

    async def withdraw(self, name: str, by: str, why: str) -> Request:
        return await self.change(lambda: self.store.withdraw(name, self._masked(by), self._masked(why)))

    async def add_rule(self, rule: WhitelistRule) -> WhitelistRule:
        """Masked as what it is held against is."""
        return await self.do(lambda: self.store.add_rule(self._masked_in_rule(rule)))

    def _masked_in_rule(self, rule: WhitelistRule) -> WhitelistRule:
        names = {name: self._masked(getattr(rule, name)) for name in ("requester", "session_key", "added_by")}
        return msgspec.structs.replace(rule, **names)

    def _masked(self, text: str) -> str:
        return str(masked_in(text, self._redactor.result()))

    async def change(self, act: Callable[..., Request], *given: Any) -> Request:
        """Whoever waits for it is told, also where it was found to be too late."""
        try:
            request = await self.do(act, *given)
        except Answered as answered:
            self._settle(answered.request)
            raise
        self._settle(request)
        self.tell("used" if request.used_at is not None else request.status, request)
        return request

    async def wait(self, name: str, seconds: float) -> Request:
        """The request, as soon as it is decided, or as it is when the time is over."""
        request = await self.do(self.store.request, name)
        self._lease(request)
        if request.status != "pending" or seconds <= 0 or self.ending:
            return request
        decided = asyncio.get_running_loop().create_future()
        self._waiting[name].add(decided)
        try:
            # It may have been decided before anybody was told that this one waits.
            request = await self.do(self.store.request, name)
            if request.status == "pending":
                with suppress(TimeoutError):
                    await asyncio.wait_for(decided, seconds)
                request = await self.do(self.store.request, name)
        finally:
            self._waiting[name].discard(decided)
            if not self._waiting[name]:
                del self._waiting[name]
        self._lease(request)
        return request

    def _settle(self, request: Request) -> None:
        if request.status == "pending":
            return
        self._pending.pop(request.id, None)
        self._leases.pop(request.id, None)
        self._notifier.forget(request.id)
        self._wake(self._waiting.get(request.id, ()))

    def _wake(self, waiting: Iterable[asyncio.Future[None]]) -> None:
        for decided in list(waiting):
            if not decided.done():
                decided.set_result(None)

    def _lease(self, request: Request) -> None:
        if request.lease_seconds and request.status == "pending":
            until = asyncio.get_running_loop().time() + request.lease_seconds
            self._leases[request.id] = (until, request.lease_seconds)

    # --- told ---

    def tell(self, name: str, request: Request) -> None:
        """Not what it is about, which may be large: who is told asks for what waits."""
        told = request.document(self.store.clock())
        self.announce(name, {key: value for key, value in told.items() if key not in ("details", "description")})

    def announce(self, name: str, data: dict[str, Any]) -> None:
        for queue in list(self._listeners):
            try:
                queue.put_nowait(Event(name, data))
            except asyncio.QueueFull:
                # Who does not listen begins anew, and sees what is there then.
                self._listeners.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[asyncio.Queue[Event | None]]:
        """None is the end."""
        if len(self._listeners) >= MOST_EVENTS:
            raise Busy(f"{MOST_EVENTS} listen already.")
        queue: asyncio.Queue[Event | None] = asyncio.Queue(1_000)
        self._listeners.add(queue)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)

    def _notify(self, request: Request, gone: float) -> None:
        way = self._notifier.take_due(request, gone)
        if way is not None:
            task = asyncio.get_running_loop().create_task(self._deliver(way, request))
            self._delivering.add(task)
            task.add_done_callback(self._delivering.discard)

    async def _deliver(self, first: Way, request: Request) -> None:
        """By the next way at once where one fails; each try stands in the log."""
        way: Way | None = first
        while way is not None and not self.ending:
            document = request.document(self.store.clock())
            delivery = await self.do(self._noted, request, await deliver(way, request, document))
            self.announce(delivery.event, {"id": request.id, "way": way.name, "said": delivery.said})
            way = None if delivery.delivered or request.id not in self._pending else self._notifier.failed(request)

    def _noted(self, request: Request, delivery: Delivery) -> Delivery:
        clean = delivery._replace(said=self._masked(delivery.said))
        with suppress(Trouble, sqlite3.Error):
            self.store.note(request, clean.event, clean.way, clean.said)
        return clean

    # --- what time brings ---

    async def begin(self) -> None:
        for request in await self.do(self.store.expire_due):
            self.tell("expired", request)
        for request in await self.do(self.store.pending):
            self._pending[request.id] = len(msgspec.json.encode(request.details))
            self._lease(request)
            self._notify(request, 0.0)

    async def tick(self) -> None:
        for request in await self.do(self.store.expire_due):
            self._settle(request)
            self.tell("expired", request)
        if self._notifier.ways and self._pending:
            moment = self.store.clock()
            for request in await self.do(self.store.pending):
                self._notify(request, seconds_since(request.asked, moment))
        at = asyncio.get_running_loop().time()
        # While somebody is being answered, they wait.
        left = [name for name, (until, _) in self._leases.items() if until < at and name not in self._waiting]
        for name in left:
            self._leases.pop(name, None)
            with suppress(Trouble):
                await self.withdraw(name, "the service", NOBODY)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            # A full disk, or damage, is told to whoever asks; here it is tried again.
            with suppress(Trouble, sqlite3.Error):
                await self.tick()

    async def close(self) -> None:
        """Who waits is answered as it is: they ask again, whoever is there then."""
        self.ending = True
        for task in list(self._delivering):
            task.cancel()
        for waiting in list(self._waiting.values()):
            self._wake(waiting)
        for queue in list(self._listeners):
            with suppress(asyncio.QueueFull):
                queue.put_nowait(None)

    def end(self) -> None:
        self._storing.shutdown()
        self._masking.shutdown()
        self.store.close()
