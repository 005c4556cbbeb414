"""The operator's own verdicts: kept, winning over ours, surviving new rules."""

from __future__ import annotations

import sqlite3
import time
from typing import Literal

from warm_tui.library.db import Library
from warm_tui.reliability.verdict import Verdict

OwnOutcome = Literal["success", "failure", "unknown"]


def set_verdict(library: Library, session_id: str, call_id: str, outcome: OwnOutcome, reason: str = "") -> None:
    library.connection.execute(
        "INSERT OR REPLACE INTO verdicts (session_id, tool_call_id, outcome, reason, set_at) VALUES (?, ?, ?, ?, ?)",
        (session_id, call_id, outcome, reason, time.time()),
    )


def unset_verdict(library: Library, session_id: str, call_id: str) -> None:
    library.connection.execute("DELETE FROM verdicts WHERE session_id = ? AND tool_call_id = ?", (session_id, call_id))


def own_verdicts(library: Library, session_id: str) -> dict[str, Verdict]:
    """This session's own verdicts, by call id."""
    rows = library.connection.execute(
        "SELECT tool_call_id, outcome, reason FROM verdicts WHERE session_id = ?", (session_id,)
    )
    return {call_id: _verdict(outcome, reason) for call_id, outcome, reason in rows}


def verdict_marks(library: Library) -> dict[str, str]:
    """What changes when a session's own verdicts change, for every session that has any."""
    try:
        rows = library.connection.execute(
            "SELECT session_id, count(*) || '@' || max(set_at) FROM verdicts GROUP BY session_id"
        ).fetchall()
    except sqlite3.Error:
        return {}
    return dict(rows)


def _verdict(outcome: str, reason: str) -> Verdict:
    kinds = {"success": "ok", "failure": "tool_error", "unknown": "no_result"}
    return Verdict(
        outcome,  # type: ignore[arg-type]
        kinds.get(outcome, "ok"),  # type: ignore[arg-type]
        reason or "the operator's own verdict",
        "certain",
        "operator",
    )
