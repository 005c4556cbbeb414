"""Which sessions began warm: as the plugin in the agent recorded it, else by the time when a template was active."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.uses import warm_windows
from warm_tui.paths import Home


class Warmth(NamedTuple):
    template: str
    """What the session was warmed by; nothing where it began cold."""
    certain: bool
    """Recorded for this very session."""


class WarmthIndex:
    """What the library knows of it, read once."""

    def __init__(self, library: Library) -> None:
        self.recorded = dict(library.connection.execute("SELECT session_id, template FROM arms"))
        self.windows = warm_windows(library)

    def knows(self, template: str) -> bool:
        """Has any session been able to begin warm with it?"""
        return template in self.recorded.values() or any(window.template == template for window in self.windows)

    def of(self, session_id: str, started_at: float | None) -> Warmth:
        """By the session that a life began with: what compaction made of it was as warm as that."""
        if session_id in self.recorded:
            return Warmth(self.recorded[session_id], certain=True)
        active = next((window.template for window in reversed(self.windows) if window.holds(started_at)), "")
        return Warmth(active, certain=False)


def begun_warm(catalog: Catalog) -> Counter[str]:
    """How many sessions began with each template; what was made of one by compaction or branching is no other."""
    warmed, roots = WarmthIndex(catalog.library), catalog.roots()
    begun = Counter(
        warmed.of(session.id, session.started_at).template
        for source in catalog.sources
        for session in source.sessions()
        if roots.get(session.id, session.id) == session.id
    )
    del begun[""]
    return begun


def uses_of(home: Home) -> Counter[str]:
    """The same, from the beginning; nothing where no database can be read."""
    with suppress(Trouble, sqlite3.Error), Catalog(home) as catalog:
        return begun_warm(catalog)
    return Counter()
