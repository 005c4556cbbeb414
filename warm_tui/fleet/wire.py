"""What goes over the line between machines of a fleet: plain values, of a bounded size, and nothing else.

The engine's own reading unpacks whatever it is sent, which can be made to run any program. Here one frame is read, of
numbers, words and bytes; what the engine would unpack out of others is not looked at. No certificate makes another
machine run what its Warm TUI does not know by name.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Any, NamedTuple

import msgpack  # type: ignore[import-untyped]
from distributed.comm.core import CommClosedError
from distributed.comm.registry import backends
from distributed.comm.tcp import TLS, TLSBackend, TLSConnector, TLSListener, read_bytes_rw
from distributed.core import ConnectionPool, send_recv
from distributed.protocol.utils import unpack_frames

from warm_tui.fleet.folder import NotLetIn

SMALL_BYTES = 256_000
"""Of a beat, of a greeting: all that a member says without being asked."""
LARGEST_BYTES = 300_000_000
"""Of a bundle, and of a run's session."""
UNPACKED = ("__Pickled__", "__Serialized__", "__Enum__", "__Set__")
"""By these the engine marks what it would make an object of."""
ERROR = "uncaught-error"
LONGEST_ERROR = 500


class TooMuch(CommClosedError):
    """Somebody says more than was asked for."""


def plain(value: dict[Any, Any]) -> dict[Any, Any] | None:
    if any(mark in value for mark in UNPACKED):
        return None
    if value.get("status") == ERROR:
        # The engine would unpack the error itself.
        return {"status": ERROR, "exception": str(value.get("exception_text", ""))[:LONGEST_ERROR]}
    return value


def peer_of(comm: Any) -> tuple[str, str]:
    """The name and the role in the certificate of whoever is at the other end."""
    return named_in(comm.extra_info.get("peercert", {}))


def named_in(certificate: Any) -> tuple[str, str]:
    """`certificate`: as Python tells of one."""
    told = dict(part for parts in certificate.get("subject", ()) for part in parts)
    return told.get("commonName", ""), told.get("organizationalUnitName", "")


class Bound(NamedTuple):
    """Of values in one message: a byte is enough for one that takes a hundred times that here."""

    together: int
    whole: int


MEMBERS, OTHERS = Bound(1_000, 10_000), Bound(100_000, 1_000_000)
"""A member has bytes to say, and a beat; of the others, the scheduler tells of all members."""


def unpacked(frame: Any, bound: Bound) -> Any:
    left = bound.whole

    def take(values: Any) -> Any:
        nonlocal left
        left -= 1 + len(values)
        if left < 0:
            raise TooMuch(f"{bound.whole:,} values")
        return plain(values) if isinstance(values, dict) else tuple(values)

    return msgpack.loads(
        frame, object_hook=take, list_hook=take, strict_map_key=False, raw=False,
        max_array_len=bound.together, max_map_len=bound.together,
    )  # fmt: skip


class FleetTLS(TLS):
    most = SMALL_BYTES

    async def read(self, deserializers: object = None) -> Any:  # noqa: ARG002
        if self.stream is None:
            raise CommClosedError
        try:
            return unpacked(await self._first_frame(), MEMBERS if peer_of(self)[1] == "member" else OTHERS)
        except TooMuch:
            self.abort()
            raise
        except Exception as error:
            self.abort()
            raise CommClosedError(f"{type(error).__name__} in what {self.peer_address} says") from error
        except BaseException:
            self.abort()
            raise

    async def _first_frame(self) -> memoryview:
        (size,) = struct.unpack("Q", await self.stream.read_bytes(8))
        self._check(size)
        frames, others = unpack_frames(await read_bytes_rw(self.stream, size), partial=True)
        self._check(size + sum(others))
        for other in others:
            await read_bytes_rw(self.stream, other)
        first: memoryview = frames[0]
        return first

    def _check(self, size: int) -> None:
        if size > self.most:
            raise TooMuch(f"{size:,} bytes")


class AcceptedTLS(FleetTLS):
    """A member begins a conversation to greet and to beat; the others have something to send."""

    def _read_extra(self) -> None:
        super()._read_extra()
        if peer_of(self)[1] in ("operator", "scheduler"):
            self.most = LARGEST_BYTES


class FleetConnector(TLSConnector):
    comm_class = FleetTLS

    async def connect(self, address: str, deserialize: bool = True, *, asks: str, **given: Any) -> FleetTLS:
        """`asks`: the role of whoever is asked. All of a fleet have good certificates, and each is for one part."""
        comm: FleetTLS = await super().connect(address, deserialize, **given)
        if peer_of(comm)[1] != asks:
            comm.abort()
            # Any other error of a line is tried again for ever by who joins.
            raise NotLetIn(f"{address} is no {asks}.")
        return comm


class FleetListener(TLSListener):
    comm_class = AcceptedTLS


class FleetBackend(TLSBackend):
    _connector_class = FleetConnector
    _listener_class = FleetListener


def speak_plainly() -> None:
    """For all that this process says and hears over the line."""
    backends["tls"] = FleetBackend()


async def call(
    pool: ConnectionPool, address: str, op: str, told: dict[str, Any], *, deadline: float, most: int, peer: str = ""
) -> Any:
    """Ask that of whoever listens there. `peer`: nobody but who has a certificate of this name is asked."""
    async with asyncio.timeout(deadline):
        comm = await pool.connect(address)
        try:
            if peer and peer_of(comm)[0] != peer:
                comm.abort()
                raise CommClosedError(f"{address} is not {peer}")
            comm.most = most
            return await send_recv(comm=comm, op=op, **told)
        finally:
            comm.most = SMALL_BYTES
            pool.reuse(address, comm)
