"""When which template was used: what `usage_count` counts, and from when to when sessions started warm."""

from __future__ import annotations

import time
from collections import Counter
from typing import Literal, NamedTuple

from warm_tui.library.db import Library

Use = Literal["activated", "injected", "written", "tried"]


class Window(NamedTuple):
    """From `start` to `end` (None: still), sessions started warm with this template."""

    template: str
    content: str
    start: float
    end: float | None

    def holds(self, moment: float | None) -> bool:
        return moment is not None and self.start <= moment and (self.end is None or moment < self.end)


def record_use(library: Library, template: str, what: Use, content: str) -> None:
    """An activation ends the one before it: only one holds at a time."""
    now = time.time()
    with library.writing() as connection:
        if what == "activated":
            connection.execute("UPDATE uses SET until = ? WHERE what = 'activated' AND until IS NULL", (now,))
        connection.execute(
            "INSERT INTO uses (template, what, content, at) VALUES (?, ?, ?, ?)", (template, what, content, now)
        )


def end_activation(library: Library) -> None:
    with library.writing() as connection:
        connection.execute("UPDATE uses SET until = ? WHERE what = 'activated' AND until IS NULL", (time.time(),))


def usage(library: Library) -> Counter[str]:
    """Use often each template was used."""
    return Counter(dict(library.connection.execute("SELECT template, COUNT(*) FROM uses GROUP BY template")))


def warm_windows(library: Library) -> list[Window]:
    rows = library.connection.execute(
        "SELECT template, content, CAST(at AS REAL), CAST(until AS REAL) FROM uses WHERE what = 'activated' ORDER BY at"
    )
    return [Window(*row) for row in rows]
