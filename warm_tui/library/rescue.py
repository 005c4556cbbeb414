"""What can still be read of a damaged library is taken over into the new one: what people said, made and ran."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

# Profiles are not among them: they are computed anew. What a trial counted is: its sessions may be gone.
KEPT = (
    "verdicts", "outcomes", "visits", "marks", "uses", "drafts", "draft_steps", "draft_parts", "comparisons",
    "experiments", "runs", "attempts", "arms", "families", "trials",
    "revisions", "draws", "figures", "notices", "template_revisions", "suggestions", "reviewed",
)  # fmt: skip


def rescue(damaged: Path, into: sqlite3.Connection) -> str:
    """And say what came of it, in one sentence."""
    log = damaged.with_name(f"{damaged.name}-wal")
    # Nobody else has it open: without a log, nothing is to be made beside it.
    options = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    uri = f"file:{quote(os.fsencode(damaged.absolute()))}?{options}"
    source = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        source.text_factory = lambda raw: raw.decode("utf-8", "replace")
        into.execute("BEGIN IMMEDIATE")
        taken = [_rows_taken(source, into, table) for table in KEPT]
        into.execute("COMMIT")
    except sqlite3.Error as error:
        if into.in_transaction:
            into.execute("ROLLBACK")
        return f"Nothing of it could be taken over: {error}."
    finally:
        source.close()
    saved, whole = sum(rows for rows, _ in taken), all(complete for _, complete in taken)
    if not saved:
        return "It held nothing but what can be computed again." if whole else "Nothing of it could be read."
    said = f"{saved:,} of its entries" if saved > 1 else "One of its entries"
    return f"{said} could be taken over{'' if whole else ', the rest cannot be read'}."


def _rows_taken(source: sqlite3.Connection, into: sqlite3.Connection, table: str) -> tuple[int, bool]:
    """How many, and whether that is all there are."""
    columns = _shared_columns(source, into, table)
    put = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    rows = _readable_rows(source, f"SELECT {', '.join(columns)} FROM {table}")
    taken, whole = 0, True
    for row in rows:
        if row is None:
            whole = False
            continue
        try:
            taken += into.execute(put, row).rowcount
        except (sqlite3.IntegrityError, OverflowError):
            whole = False
    return taken, whole


def _shared_columns(source: sqlite3.Connection, into: sqlite3.Connection, table: str) -> list[str]:
    """An older one lacks what came later; of one that cannot say, all are asked for."""
    ours, theirs = _columns(into, table), list[str]()
    with suppress(sqlite3.Error, UnicodeError):
        theirs = _columns(source, table)
    return [name for name in ours if name in theirs] or ours


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]


def _readable_rows(source: sqlite3.Connection, sql: str) -> Iterator[tuple[Any, ...] | None]:
    """Up to where it is damaged; None stands for what is behind that."""
    try:
        yield from source.execute(sql)
    except (sqlite3.Error, UnicodeError, MemoryError):
        yield None
