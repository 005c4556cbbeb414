"""The texts from outside that the operator has read and let stand, each known by its hash."""

from __future__ import annotations

import json
import time
from collections.abc import Collection

from warm_tui.library.db import Library


def reviewed(library: Library, hashes: Collection[str]) -> set[str]:
    """Those of them that were let stand."""
    sql = "SELECT hash FROM reviews WHERE hash IN (SELECT value FROM json_each(?))"
    rows = library.connection.execute(sql, (json.dumps(list(hashes)),))
    return {row[0] for row in rows}


def keep_reviews(library: Library, hashes: Collection[str]) -> None:
    with library.keeping() as connection:
        rows = [(each, time.time()) for each in hashes]
        connection.executemany("INSERT OR IGNORE INTO reviews (hash, at) VALUES (?, ?)", rows)
