"""The log: each row holds the hash of the one before, so that what is changed, left out or put in shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from warm_tui.approvals.model import MAY_RUN, Request, Status, WhitelistRule, canonical

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
BEGINS = ("asked", "auto_approved")
BY_SOMEBODY = ("approved", "denied", "withdrawn")


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


def content_of_rule(rule: WhitelistRule) -> str:
    return hashlib.sha256(canonical(msgspec.to_builtins(rule))).hexdigest()


class Entry(msgspec.Struct, frozen=True):
    """What of a row tells how things stand."""

    event: str
    request_id: str
    actor: str = ""
    content: str = ""
    session_key: str = ""
    timeout_seconds: int = 0
    rule: int = 0
    what: str = ""


class State(NamedTuple):
    """Of a request, as the rows tell it or as it is kept."""

    status: Status
    content: str
    requester: str
    session_key: str
    timeout_seconds: int
    by: str = ""
    used: bool = False


def verify(
    rows: Iterable[Row], requests: Iterable[Request], rules: Iterable[WhitelistRule], known_head: str = ""
) -> Verified:
    """The chain by itself, each request and rule against what the log says of it, and a hash that was noted before."""
    problems: list[str] = []
    head, count, heads = FIRST, 0, {FIRST}
    states: dict[str, State] = {}
    added: dict[int, Entry] = {}
    for row in rows:
        count += 1
        expected = hash_after(head, row.entry)
        head = row.hash
        if row.seq != count or row.hash != expected:
            problems.append(f"Row {row.seq} does not follow from the one before.")
            count = row.seq
        heads.add(row.hash)
        problems += _follow(states, added, row)
    for request in requests:
        state = states.pop(request.id, None)
        if state is None:
            problems.append(f"Request {request.id} is not in the log.")
        elif state != _state_of(request):
            problems.append(f"Request {request.id} is not as the log has it.")
    problems += [f"Request {name} of the log is gone." for name in states]
    for rule in rules:
        entry = added.pop(rule.number, None)
        # Older rows hold what it is in words alone.
        if entry is None or entry.what != rule.told or entry.content not in ("", content_of_rule(rule)):
            problems.append(f"Rule {rule.number} is not as the log has it.")
    problems += [f"Rule {number} of the log is gone." for number in added]
    if known_head and known_head not in heads:
        problems.append("The hash that was noted is not in the log: it was cut, or written anew.")
    return Verified(not problems, count, head, problems)


def _state_of(request: Request) -> State:
    by = request.decided_by if request.status in BY_SOMEBODY else ""
    return State(
        request.status, content_of(request), request.requester, request.session_key, request.timeout_seconds, by,
        request.used_at is not None,
    )  # fmt: skip


def _follow(states: dict[str, State], added: dict[int, Entry], row: Row) -> Iterator[str]:
    """What is wrong with this row, after those before it."""
    try:
        entry = msgspec.json.decode(row.entry, type=Entry)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        yield f"Row {row.seq} cannot be read."
        return
    name, state = entry.request_id, states.get(entry.request_id)
    if entry.event == "rule_added":
        added[entry.rule] = entry
    elif entry.event == "rule_removed":
        added.pop(entry.rule, None)
    elif entry.event in BEGINS:
        if state is not None:
            yield f"Row {row.seq} asks for request {name} a second time."
        states[name] = State(DECIDES[entry.event], entry.content, entry.actor, entry.session_key, entry.timeout_seconds)
    elif entry.event in DECIDES:
        if state is None or state.status != "pending":
            yield f"Row {row.seq} decides request {name}, which did not wait."
        if state is not None:
            status = DECIDES[entry.event]
            by = entry.actor if status in BY_SOMEBODY else ""
            states[name] = state._replace(status=status, content=entry.content or state.content, by=by)
    elif entry.event == "used":
        if state is None or state.used or state.status not in MAY_RUN:
            yield f"Row {row.seq} uses request {name} without a yes for it."
        if state is not None:
            states[name] = state._replace(used=True)
