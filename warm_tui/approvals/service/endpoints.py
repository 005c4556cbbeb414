"""What can be asked of the service: each endpoint with who may, what it takes, and what it answers."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NamedTuple

import msgspec
from aiohttp import web
from msgspec import Meta

from warm_tui.approvals.asking import check_details, decoded
from warm_tui.approvals.model import (
    NAME_LENGTH,
    REASON_LENGTH,
    Action,
    Answer,
    Name,
    Refused,
    Request,
    Scope,
    Submission,
    Unknown,
    WhitelistRule,
)
from warm_tui.approvals.place import Role
from warm_tui.approvals.service.desk import Desk, Event
from warm_tui.approvals.service.guard import name_in

DESK: web.AppKey[Desk] = web.AppKey("desk", Desk)
URL: web.AppKey[str] = web.AppKey("url", str)
"""Where the service is reached; `{name}` where it has every name of this machine."""
BODY_SECONDS = 10.0
LONGEST_WAIT = 60.0
HEARTBEAT_SECONDS = 15.0
MOST_ROWS = 500
Person = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Reason = Annotated[str, Meta(max_length=REASON_LENGTH)]


class Approval(msgspec.Struct, frozen=True):
    approver: Person = "operator"
    reason: Reason = ""
    scope: Scope = "once"
    even_high_risk: bool = False
    details: Any = msgspec.UNSET


class Denial(msgspec.Struct, frozen=True):
    denier: Person = "operator"
    reason: Reason = ""


class Withdrawal(msgspec.Struct, frozen=True):
    by: Person = "who asked"
    reason: Reason = ""


class Use(msgspec.Struct, frozen=True):
    action: Action
    details: Any = msgspec.field(default_factory=dict)


class NewRule(msgspec.Struct, frozen=True):
    action: Action
    requester: Name = ""
    session_key: Name = ""
    even_high_risk: bool = False
    seconds: Annotated[float, Meta(gt=0, le=366 * 86_400)] | None = None
    added_by: Person = "operator"


class Endpoint(NamedTuple):
    method: str
    path: str
    role: Role
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    summary: str
    answers: dict[int, str]
    body: type[Any] | None = None
    query: dict[str, str] = {}  # noqa: RUF012


# --- of whoever asks ---


async def submit(request: web.Request) -> web.Response:
    desk, submission = request.app[DESK], await _body(request, Submission)
    asked = await desk.submit(submission, len(await request.read()))
    # Whoever asks cannot say where operators go with their token.
    base = f"{request.app[URL].format(name=name_in(request.host) or 'localhost')}/confirm/{asked.id}"
    document = {
        "id": asked.id,
        "action": asked.action,
        "status": asked.status,
        "timeout_seconds": asked.timeout_seconds,
        "digest": asked.digest,
    }
    if asked.status == "auto_approved":
        return answer(200, document | {"message": f"Approved by {asked.decided_by}, without asking."})
    return answer(
        202,
        document
        | {
            "message": f"Waits for an operator's yes, for {asked.timeout_seconds} seconds.",
            "approve_url": f"{base}/approve",
            "deny_url": f"{base}/deny",
        },
    )


async def look(request: web.Request) -> web.Response:
    desk, seconds = request.app[DESK], _number(request, "wait", 0.0, 0.0, LONGEST_WAIT)
    return _told(desk, await desk.wait(request.match_info["id"], seconds))


async def withdraw(request: web.Request) -> web.Response:
    desk, given = request.app[DESK], await _body(request, Withdrawal)
    name = request.match_info["id"]
    return _told(desk, await desk.withdraw(name, given.by, given.reason))


async def use(request: web.Request) -> web.Response:
    desk, given = request.app[DESK], await _body(request, Use)
    check_details(given.details)
    name = request.match_info["id"]
    return _told(desk, await desk.change(desk.store.use, name, given.action, given.details))


# --- of operators ---


async def approve(request: web.Request) -> web.Response:
    given = await _body(request, Approval)
    said = Answer(
        approve=True, by=given.approver, reason=given.reason, scope=given.scope, even_high_risk=given.even_high_risk,
        details=given.details,
    )  # fmt: skip
    return await _answered(request, said)


async def deny(request: web.Request) -> web.Response:
    given = await _body(request, Denial)
    return await _answered(request, Answer(approve=False, by=given.denier, reason=given.reason))


async def _answered(request: web.Request, said: Answer) -> web.Response:
    desk = request.app[DESK]
    return _told(desk, await desk.answer(request.match_info["id"], said))


async def pending(request: web.Request) -> web.Response:
    desk = request.app[DESK]
    at, waiting = desk.store.clock(), await desk.do(desk.store.pending)
    told = sorted((each.document(at) for each in waiting), key=lambda each: each["seconds_left"])
    return answer(200, {"count": len(told), "pending": told})


async def audit(request: web.Request) -> web.Response:
    desk = request.app[DESK]
    limit, before = (_number(request, name, usual, 1, most) for name, usual, most in
                     (("limit", 100, MOST_ROWS), ("before", 2**62, 2**62)))  # fmt: skip
    rows = await desk.do(desk.store.audit, int(limit), int(before))
    return answer(200, {"count": len(rows), "entries": rows})


async def whitelist(request: web.Request) -> web.Response:
    desk = request.app[DESK]
    at, rules = desk.store.clock(), await desk.do(desk.store.whitelist)
    return answer(200, {"count": len(rules), "whitelist": [each.document(at) for each in rules]})


async def add_rule(request: web.Request) -> web.Response:
    desk, given = request.app[DESK], await _body(request, NewRule)
    rule = await desk.add_rule(WhitelistRule(**msgspec.structs.asdict(given)))
    desk.announce("rule_added", rule.document(desk.store.clock()))
    return answer(201, rule.document(desk.store.clock()))


async def remove_rule(request: web.Request) -> web.Response:
    desk, number = request.app[DESK], request.match_info["number"]
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Unknown("There is no such rule.")
    rule = await desk.do(desk.store.remove_rule, int(number), "operator")
    desk.announce("rule_removed", rule.document(desk.store.clock()))
    return answer(200, rule.document(desk.store.clock()))


async def events(request: web.Request) -> web.StreamResponse:
    desk = request.app[DESK]
    stream = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    async with desk.listening() as queue:
        await stream.prepare(request)
        await _send(stream, Event("hello", {"pending_count": desk.waiting}))
        while not desk.ending:
            try:
                event = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
            except TimeoutError:
                await stream.write(b": still here\n\n")
                continue
            if event is None:
                break
            await _send(stream, event)
    return stream


async def _send(stream: web.StreamResponse, event: Event) -> None:
    await stream.write(f"event: {event.name}\ndata: {json.dumps(event.data)}\n\n".encode())


async def health(request: web.Request) -> web.Response:
    desk = request.app[DESK]
    return answer(200, {"status": "ok", "pending_count": desk.waiting, "timestamp": desk.store.clock().wall})


# --- what they share ---


async def _body(request: web.Request, kind: type[Any]) -> Any:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            raw = await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    return decoded(raw, kind)


def _number(request: web.Request, name: str, usual: float, least: float, most: float) -> float:
    given = request.query.get(name)
    try:
        number = usual if given is None else float(given[:40])
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise Refused(f"{name} is a number from {least:g} to {most:g}.")
    return number


def _told(desk: Desk, request: Request) -> web.Response:
    return answer(200, request.document(desk.store.clock()))


def answer(status: int, document: dict[str, Any]) -> web.Response:
    """ASCII alone: nothing that somebody asked for reaches a terminal as itself."""
    return web.json_response(document, status=status, headers={"Cache-Control": "no-store"})


ENDPOINTS = (
    Endpoint("POST", "/confirm", "agent", submit, "Ask for a yes",
             {202: "It waits for an answer", 200: "A rule let it pass", 429: "Asked too often"}, Submission),
    Endpoint("GET", "/confirm/{id}", "agent", look, "What became of it",
             {200: "The request with its state", 404: "There is none"},
             query={"wait": "Answer when it is decided, after so many seconds at the latest (0 to 60)"}),
    Endpoint("DELETE", "/confirm/{id}", "agent", withdraw, "Nobody needs the answer any more",
             {200: "Withdrawn", 404: "There is none", 409: "Decided already"}, Withdrawal),
    Endpoint("POST", "/confirm/{id}/use", "agent", use, "Use a yes, once, for what was asked",
             {200: "Go on", 400: "Not what was approved", 404: "There is none", 409: "No yes, or used already"}, Use),
    Endpoint("POST", "/confirm/{id}/approve", "operator", approve, "Say yes",
             {200: "Approved", 404: "There is none", 409: "Decided already, or its time was up"}, Approval),
    Endpoint("POST", "/confirm/{id}/deny", "operator", deny, "Say no",
             {200: "Denied", 404: "There is none", 409: "Decided already, or its time was up"}, Denial),
    Endpoint("GET", "/pending", "operator", pending, "What waits, most urgent first", {200: "Requests"}),
    Endpoint("GET", "/audit", "operator", audit, "The log, newest first", {200: "Rows of the log"},
             query={"limit": "How many rows (1 to 500)", "before": "Only rows before this one"}),
    Endpoint("GET", "/whitelist", "operator", whitelist, "What need not be asked", {200: "Rules"}),
    Endpoint("POST", "/whitelist", "operator", add_rule, "Add a rule", {201: "Added"}, NewRule),
    Endpoint("DELETE", "/whitelist/{number}", "operator", remove_rule, "Remove a rule",
             {200: "Removed", 404: "There is none"}),
    Endpoint("GET", "/events", "operator", events, "What happens, as it does (server-sent)", {200: "A stream"}),
    Endpoint("GET", "/health", "agent", health, "Whether it works", {200: "It does"}),
)  # fmt: skip
