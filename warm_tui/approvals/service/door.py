"""Who comes by the port is let in one by one: only so many at once, those included that have only begun to greet."""

from __future__ import annotations

import asyncio
import resource
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

MOST_CONNECTIONS = 500
PAUSE_SECONDS = 0.1


def most_at_once() -> int:
    """Half of what may be open is left to the socket in our folder, and to files: nobody who only reaches the port
    keeps our owner out."""
    return min(MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)


async def let_in(
    listener: socket.socket,
    context: ssl.SSLContext | None,
    protocol: Callable[[], asyncio.Protocol],
    inside: Callable[[], int],
    seconds_to_greet: float,
) -> None:
    """Until it is cancelled. `inside`: how many there are."""
    loop, most = asyncio.get_running_loop(), most_at_once()
    greeting: set[asyncio.Task[None]] = set()

    async def greet(connection: socket.socket) -> None:
        # Whoever greets wrongly, or too slowly, is let go.
        with suppress(OSError):
            seconds = seconds_to_greet if context else None
            await loop.connect_accepted_socket(protocol, connection, ssl=context, ssl_handshake_timeout=seconds)

    listener.setblocking(False)
    try:
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError:
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            if inside() + len(greeting) >= most:
                connection.close()
                continue
            task = loop.create_task(greet(connection))
            greeting.add(task)
            task.add_done_callback(greeting.discard)
    finally:
        for task in list(greeting):
            task.cancel()
