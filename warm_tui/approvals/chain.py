"""The log: each row holds the hash of the one before, so that what is changed, left out or put in shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from warm_tui.approvals.model import Request, Status, canonical

FIRST = "0" * 64
DECIDES: dict[str, Status] = {
    "asked": "pending",
    "approved": "approved",
    "denied": "denied",
    "expired": "expired",
    "withdrawn": "withdrawn",
    "auto_approved": "auto_approved",
}
"""Which events make a request what it is."""


class Row(NamedTuple):
    seq: int
    entry: bytes
    hash: str


class Verified(msgspec.Struct, frozen=True):
    valid: bool
    rows: int
    head: str
    """The hash of the last row. Kept elsewhere, it shows later whether the log was cut or written anew."""
    problems: list[str]


def entry_of(seq: int, at: float, event: str, request_id: str, actor: str, facts: dict[str, Any]) -> bytes:
    return canonical({"seq": seq, "at": at, "event": event, "request_id": request_id, "actor": actor, **facts})


def hash_after(previous: str, entry: bytes) -> str:
    return hashlib.sha256(previous.encode() + entry).hexdigest()


def content_of(request: Request) -> str:
    """What was asked for, as one hash."""
    return hashlib.sha256(canonical([request.action, request.description, request.details, request.digest])).hexdigest()


def verify(rows: Iterable[Row], requests: Iterable[Request], known_head: str = "") -> Verified:
    """The chain by itself, each request against what the log says of it, and a hash that was noted before."""
    problems: list[str] = []
    head, count, heads = FIRST, 0, {FIRST}
    states: dict[str, tuple[str, str, bool]] = {}
    for row in rows:
        count += 1
        expected = hash_after(head, row.entry)
        head = row.hash
        if row.seq != count or row.hash != expected:
            problems.append(f"Row {row.seq} does not follow from the one before.")
            count = row.seq
        heads.add(row.hash)
        _follow(states, row, problems)
    for request in requests:
        state = states.pop(request.id, None)
        if state is None:
            problems.append(f"Request {request.id} is not in the log.")
        elif state != (request.status, content_of(request), request.used_at is not None):
            problems.append(f"Request {request.id} is not as the log has it.")
    problems += [f"Request {name} of the log is gone." for name in states]
    if known_head and known_head not in heads:
        problems.append("The hash that was noted is not in the log: it was cut, or written anew.")
    return Verified(not problems, count, head, problems)


def _follow(states: dict[str, tuple[str, str, bool]], row: Row, problems: list[str]) -> None:
    try:
        entry = msgspec.json.decode(row.entry)
        event, name = entry["event"], entry["request_id"]
    except (msgspec.MsgspecError, KeyError, TypeError, UnicodeError, RecursionError):
        problems.append(f"Row {row.seq} cannot be read.")
        return
    status, content, used = states.get(name, ("", "", False))
    if event in DECIDES:
        if status not in ("", "pending"):
            problems.append(f"Row {row.seq} decides request {name} a second time.")
        states[name] = (DECIDES[event], entry.get("content", content), used)
    elif event == "used":
        if used or status not in ("approved", "auto_approved"):
            problems.append(f"Row {row.seq} uses request {name} without a yes for it.")
        states[name] = (status, content, True)
