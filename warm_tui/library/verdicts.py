"""The operator's own verdicts: kept, winning over ours, surviving new rules."""

from __future__ import annotations

import time
import zlib
from typing import Literal

from warm_tui.library.db import Library
from warm_tui.reliability.outcome import Verdict

OwnOutcome = Literal["success", "failure", "unknown"]


def set_verdict(
    library: Library, session_id: str, call: str, outcome: OwnOutcome, reason: str = "", at: float | None = None
) -> None:
    """`at`: when it was said, where that is not now."""
    with library.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO verdicts (session_id, call, outcome, reason, set_at) VALUES (?, ?, ?, ?, ?)",
            (session_id, call, outcome, reason, time.time() if at is None else at),
        )


def unset_verdict(library: Library, session_id: str, call: str) -> None:
    with library.writing() as connection:
        connection.execute("DELETE FROM verdicts WHERE session_id = ? AND call = ?", (session_id, call))


def own_verdicts(library: Library, session_id: str) -> dict[str, Verdict]:
    """This session's own verdicts, by the key of the call."""
    sql = "SELECT call, outcome, reason, set_at FROM verdicts WHERE session_id = ?"
    rows = library.connection.execute(sql, (session_id,))
    return {call: _verdict(*columns) for call, *columns in rows}


def all_own_verdicts(library: Library) -> dict[tuple[str, str], Verdict]:
    """Every one there is, by session and call, the latest first."""
    rows = library.connection.execute(
        "SELECT session_id, call, outcome, reason, set_at FROM verdicts ORDER BY set_at DESC, session_id, call"
    )
    return {(session_id, call): _verdict(*columns) for session_id, call, *columns in rows}


def verdict_marks(library: Library) -> dict[str, str]:
    """What changes when a session's own verdicts change, for every session that has any."""
    marks: dict[str, int] = {}
    sql = "SELECT session_id, call, outcome, reason, set_at FROM verdicts ORDER BY session_id, call"
    for session_id, *rest in library.connection.execute(sql):
        marks[session_id] = zlib.crc32(repr(rest).encode("utf-8", "replace"), marks.get(session_id, 0))
    return {session_id: f"{mark:08x}" for session_id, mark in marks.items()}


def _verdict(outcome: str, reason: str, set_at: float) -> Verdict:
    kinds = {"success": "ok", "failure": "tool_error", "unknown": "no_result"}
    return Verdict(
        outcome,  # type: ignore[arg-type]
        kinds.get(outcome, "ok"),  # type: ignore[arg-type]
        reason or "",
        "yours",
        "operator",
        set_at,
    )
