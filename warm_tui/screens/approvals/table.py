"""What waits, and the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from warm_tui.presentation.approvals import event_in_words
from warm_tui.presentation.figures import age, duration
from warm_tui.screens.approvals.waiting_list import Waiting
from warm_tui.sessions.invisible import shown_line
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable

URGENT_SECONDS = 60
EVENT_STYLES = {
    "approved": "ok", "auto_approved": "ok", "used": "ok", "denied": "failed", "expired": "unknown",
    "withdrawn": "unknown",
}  # fmt: skip


def _left(row: Waiting) -> Shown:
    return duration(row.left), "failed" if row.left < URGENT_SECONDS else ""


def _action(row: Waiting) -> Shown:
    return row.request.action, "failed" if row.request.high_risk else ""


def _what(row: Waiting) -> Shown:
    details = row.request.details
    command = details.get("command") if isinstance(details, dict) else None
    return shown_line((command if isinstance(command, str) else row.request.description)[:500]), ""


class WaitingTable(LineTable[Waiting]):
    FIELDS: ClassVar = (
        Field("left", "time left", 9, lambda r, _: _left(r), right=True),
        Field("action", "action", 20, lambda r, _: _action(r)),
        Field("what", "what", 50, lambda r, _: _what(r), min_width=24, grow=2),
        Field("requester", "asked by", 16, lambda r, _: (clean_line(r.request.requester), "dim"), rank=1),
        Field("session", "session", 22, lambda r, _: (clean_line(r.request.session_key), "dim"), rank=2),
    )

    def identity(self, row: Waiting) -> str:
        return row.request.id


class LogTable(LineTable[Mapping[str, Any]]):
    FIELDS: ClassVar = (
        Field("at", "age", 5, lambda r, now: (age(r["at"], now), "dim"), right=True),
        Field(
            "event", "event", 13, lambda r, _: (event_in_words(str(r["event"])), EVENT_STYLES.get(str(r["event"]), ""))
        ),
        Field(
            "action",
            "action",
            24,
            lambda r, _: (clean_line(str(r.get("what") or r.get("action") or "")), ""),
        ),
        Field("actor", "by", 14, lambda r, _: (clean_line(str(r.get("actor", ""))), "")),
        Field("reason", "reason", 30, lambda r, _: (clean_line(_reason(r)), "dim"), min_width=12, rank=1),
    )
    TERMS: ClassVar = {"at": "age of an event"}

    def identity(self, row: Mapping[str, Any]) -> str:
        return str(row["seq"])


def _reason(row: Mapping[str, Any]) -> str:
    return str(row.get("reason") or row.get("description") or "")
