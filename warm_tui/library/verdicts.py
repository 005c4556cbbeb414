"""The operator's own verdicts: kept, winning over ours, surviving new rules."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from warm_tui.library.db import Library
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.model import SessionName

OwnOutcome = Literal["success", "failure", "unknown"]

EVERYBODYS = ""
"""The sign of what was said before sessions had one: it holds for every session of that id."""

VerdictMarks: TypeAlias = Mapping[SessionName, str]
"""What changes when a session's own verdicts change."""


class OwnName(NamedTuple):
    """The call that a verdict is on."""

    session: SessionName
    call: str


def set_verdict(
    library: Library, session: SessionName, call: str, outcome: OwnOutcome, reason: str = "", at: float | None = None
) -> None:
    """`at`: when it was said, where that is not now."""
    with library.writing() as connection:
        connection.execute(*_taking_back(session, call))
        connection.execute(
            "INSERT INTO verdicts (session_id, sign, call, outcome, reason, set_at) VALUES (?, ?, ?, ?, ?, ?)",
            (*session, call, outcome, reason, time.time() if at is None else at),
        )


def unset_verdict(library: Library, session: SessionName, call: str) -> None:
    with library.writing() as connection:
        connection.execute(*_taking_back(session, call))


def forget_verdict(library: Library, name: OwnName) -> None:
    """Also where its session is gone."""
    with library.writing() as connection:
        connection.execute(
            "DELETE FROM verdicts WHERE session_id = ? AND sign = ? AND call = ?", (*name.session, name.call)
        )


def put_back_verdict(library: Library, name: OwnName, verdict: Verdict) -> None:
    said_at = time.time() if verdict.said_at is None else verdict.said_at
    with library.writing() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO verdicts (session_id, sign, call, outcome, reason, set_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (*name.session, name.call, verdict.outcome, verdict.reason, said_at),
        )


def _taking_back(session: SessionName, call: str) -> tuple[str, tuple[str, ...]]:
    sql = "DELETE FROM verdicts WHERE session_id = ? AND sign IN (?, ?) AND call = ?"
    return sql, (session.id, EVERYBODYS, session.sign, call)


def own_verdicts(library: Library, session: SessionName) -> dict[str, Verdict]:
    """This session's own verdicts, by the key of the call."""
    sql = (
        "SELECT call, outcome, reason, set_at FROM verdicts WHERE session_id = ? AND sign IN (?, ?)"
        " ORDER BY sign"  # what is everybody's comes first, and what is its own wins
    )
    rows = library.connection.execute(sql, (session.id, EVERYBODYS, session.sign))
    return {call: _verdict(*columns) for call, *columns in rows}


def all_own_verdicts(library: Library) -> dict[OwnName, Verdict]:
    """Every one there is, the latest first."""
    rows = library.connection.execute(
        "SELECT session_id, sign, call, outcome, reason, set_at FROM verdicts ORDER BY set_at DESC, session_id, call"
    )
    return {OwnName(SessionName(*row[:2]), row[2]): _verdict(*row[3:]) for row in rows}


def verdict_marks(library: Library) -> VerdictMarks:
    """For every session that has any."""
    marks: dict[SessionName, int] = {}
    sql = "SELECT session_id, sign, call, outcome, reason, set_at FROM verdicts ORDER BY session_id, sign, call"
    for session_id, sign, *rest in library.connection.execute(sql):
        name = SessionName(session_id, sign)
        marks[name] = zlib.crc32(repr(rest).encode("utf-8", "replace"), marks.get(name, 0))
    return {name: f"{mark:08x}" for name, mark in marks.items()}


def verdict_mark(session: SessionName, of_all: VerdictMarks) -> str:
    """Nothing where there is none."""
    return "".join(of_all.get(name, "") for name in dict.fromkeys((SessionName(session.id), session)))


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
