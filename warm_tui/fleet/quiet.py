"""The engine without what it says and shows by itself: what went wrong is told by us, and pages are none of it."""

from __future__ import annotations

import logging


def quiet() -> None:
    for name in ("distributed", "tornado", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


class NoPages:
    """In place of the engine's server for pages, which would answer anybody without TLS."""

    port = 0

    def stop(self) -> None:
        """Nothing was begun."""
