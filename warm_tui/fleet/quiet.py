"""The engine without what it says and shows by itself: what went wrong is told by us, and pages are none of it."""

from __future__ import annotations

import logging

ENGINE = ("distributed", "tornado", "asyncio")


def quiet() -> None:
    """Each of its loggers has a level of its own."""
    own = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ENGINE]
    for name in (*ENGINE, *own):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class NoPages:
    """In place of the engine's server for pages, which would answer anybody without TLS."""

    port = 0

    def stop(self) -> None:
        """Nothing was begun."""
