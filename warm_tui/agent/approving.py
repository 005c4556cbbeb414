"""Ask people before the agent does what cannot be undone: from within the agent, at each call that a rule names.

Whatever goes wrong here blocks the call where the rule is for something grave. Waiting is done in short polls, since an
interruption takes effect only between them; a question that nobody waits for any more is withdrawn. The standard
library alone.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from warm_tui.approvals.client import Client, NotThere, Said
from warm_tui.approvals.place import Place
from warm_tui.approvals.risk import is_high_risk
from warm_tui.approvals.tool_rules import Settings, ToolRule, first_match, settings_of
from warm_tui.errors import Trouble
from warm_tui.paths import find_home

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
LEASE_SECONDS = 60
"""A process that is gone asks no more: then the service withdraws what it asked."""
PATIENCE_SECONDS = 20.0
"""A service may be started anew meanwhile."""
MOST_SESSIONS = 1_000
WAITING = "pending"


class Question(NamedTuple):
    name: str
    session_id: str
    rule: ToolRule
    details: dict[str, Any]


class Call(NamedTuple):
    tool: str
    arguments: Mapping[str, Any]
    session_id: str
    call_id: str


class Approvals:
    """The questions of this process."""

    def __init__(self, root: Callable[[], Path], interrupted: Callable[[], bool] | None = None) -> None:
        self._root = root
        self._interrupted = interrupted or is_interrupted
        self._sources: dict[str, str] = {}
        self._asked: dict[str, Question] = {}
        """By call: those that were asked for together, and that nobody waits for yet."""
        self._open: dict[str, Client] = {}
        self._lock = Lock()
        atexit.register(self.withdraw_all)

    def began(self, session_id: str, source: str) -> None:
        with self._lock:
            self._sources[session_id] = source
            while len(self._sources) > MOST_SESSIONS:
                self._sources.pop(next(iter(self._sources)))

    # --- what the agent asks ---

    def before_call(self, call: Call) -> dict[str, str] | None:
        """None where it may go on."""
        settings = rule = None
        try:
            place = self._place()
            settings = settings_of(place)
            rule = self._rule(settings, call)
            if settings is None or rule is None:
                self._forget([call.call_id])
                return None
            refused = self._refusal(Client(place, "agent"), settings, rule, call)
        except Exception as error:
            logger.warning("warm-tui could not ask for an approval: %s", type(error).__name__)
            refused = f"Request denied: asking for approval failed ({type(error).__name__})."
        return {"action": "block", "message": refused} if refused else None

    def after_answer(self, calls: Iterable[Call]) -> None:
        """Calls that are made together are asked about together: they are begun one after the other."""
        place = self._place()
        settings = settings_of(place)
        if settings is None:
            return
        matching = [(call, rule) for call in calls if (rule := self._rule(settings, call)) is not None]
        if len(matching) < 2:
            return
        for call, rule in matching:
            try:
                question = self._submitted(Client(place, "agent"), settings, rule, call)
            except Trouble:
                # It is told when its turn comes.
                continue
            with self._lock:
                self._asked[call.call_id] = question

    def ended(self, session_id: str) -> None:
        """What is left of a session that is over."""
        with self._lock:
            left = [call for call, question in self._asked.items() if question.session_id == session_id]
        self._forget(left)

    # --- asking and waiting ---

    def _refusal(self, client: Client, settings: Settings, rule: ToolRule, call: Call) -> str:
        """Why it may not go on; nothing where it may."""
        try:
            question = self._taken(call, rule) or self._submitted(client, settings, rule, call)
            answered = self._waited_for(client, question, settings.seconds)
            if answered["status"] in ("approved", "auto_approved"):
                client.ask(
                    "POST", f"/confirm/{question.name}/use", {"action": rule.action, "details": question.details}
                )
                return ""
            return _denied(answered, rule)
        except Said as said:
            return f"Request denied: {said} This call needs a person's yes ({rule.action})."
        except Trouble as trouble:
            if is_high_risk(rule.action) or settings.blocks_unreachable:
                return f"Request denied: this call needs a person's yes ({rule.action}); nobody can be asked. {trouble}"
            logger.warning("warm-tui let a call pass that nobody could be asked about (%s): %s", rule.name, trouble)
            return ""

    def _taken(self, call: Call, rule: ToolRule) -> Question | None:
        """What was asked about this very call already; where nobody tells which call it is, about one like it."""
        asked_for = (call.session_id, rule, _details(rule, call))
        with self._lock:
            names = [call.call_id] if call.call_id else list(self._asked)
            for name in names:
                question = self._asked.get(name)
                if question is not None and asked_for == (question.session_id, question.rule, question.details):
                    return self._asked.pop(name)
        self._forget([call.call_id])
        return None

    def _submitted(self, client: Client, settings: Settings, rule: ToolRule, call: Call) -> Question:
        details = _details(rule, call)
        source = self._sources.get(call.session_id, "")
        body = {
            "action": rule.action,
            "description": f"The agent wants to call {call.tool} ({rule.name.replace('_', ' ')}).",
            "details": details,
            "requester": f"hermes {source}".strip(),
            "session_key": call.session_id[:200],
            "timeout_seconds": settings.seconds,
            "lease_seconds": LEASE_SECONDS,
        }
        name = str(client.ask("POST", "/confirm", body)["id"])
        with self._lock:
            self._open[name] = client
        return Question(name, call.session_id, rule, details)

    def _waited_for(self, client: Client, question: Question, seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds + PATIENCE_SECONDS
        kept_at = time.monotonic()
        lost_since: float | None = None
        why = "the agent's end"
        try:
            while True:
                try:
                    answered = client.ask("GET", f"/confirm/{question.name}?wait={POLL_SECONDS}", wait=POLL_SECONDS)
                    lost_since = None
                    kept_at = self._keep_others(client, question.session_id, kept_at)
                    if answered["status"] != WAITING:
                        with self._lock:
                            self._open.pop(question.name, None)
                        return answered
                except NotThere:
                    lost_since = lost_since or time.monotonic()
                    if time.monotonic() - lost_since > PATIENCE_SECONDS:
                        raise
                    time.sleep(POLL_SECONDS / 4)
                if self._interrupted():
                    why = "the agent was interrupted"
                    return {"status": "withdrawn", "decided_by": "", "reason": why}
                if time.monotonic() > until:
                    why = "the time was up"
                    return {"status": "expired"}
        finally:
            self._withdraw(question.name, why)

    def _keep_others(self, client: Client, session_id: str, at: float) -> float:
        """Those that were asked for together are waited for, too, though their turn has not come."""
        if time.monotonic() - at < LEASE_SECONDS / 4:
            return at
        with self._lock:
            others = [each.name for each in self._asked.values() if each.session_id == session_id]
        for name in others:
            client.ask("GET", f"/confirm/{name}")
        return time.monotonic()

    # --- what nobody waits for ---

    def _forget(self, calls: Iterable[str]) -> None:
        for call in calls:
            with self._lock:
                question = self._asked.pop(call, None)
            if question is not None:
                self._withdraw(question.name, "it is not going to be made")

    def _withdraw(self, name: str, why: str) -> None:
        with self._lock:
            client = self._open.pop(name, None)
        if client is None:
            return
        try:
            client.ask("DELETE", f"/confirm/{name}", {"by": "the agent", "reason": why})
        except Trouble:
            logger.debug("a question could not be withdrawn; its lease ends it", exc_info=True)

    def withdraw_all(self) -> None:
        for name in list(self._open):
            self._withdraw(name, "the agent's end")

    def _rule(self, settings: Settings | None, call: Call) -> ToolRule | None:
        if settings is None:
            return None
        return first_match(settings.rules, call.tool, call.arguments, self._sources.get(call.session_id, ""))

    def _place(self) -> Place:
        return Place.of(find_home(self._root()))


def _details(rule: ToolRule, call: Call) -> dict[str, Any]:
    """All that will run, and where."""
    try:
        folder = os.environ.get("TERMINAL_CWD") or os.getcwd()
    except OSError:
        folder = ""
    return {"tool": call.tool, **_arguments(call.arguments), "folder": folder, "rule": rule.name}


def _arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    taken = {"tool", "folder", "rule"} & given.keys()
    return {"arguments": dict(given)} if taken else dict(given)


def _denied(answered: Mapping[str, Any], rule: ToolRule) -> str:
    """Said to the model: what was refused, by whom and why."""
    reason = str(answered.get("reason") or "").rstrip(".")
    because = f": {reason}" if reason else ""
    if answered["status"] == "denied":
        by = answered.get("decided_by") or "the operator"
        return f"Denied by {by}{because}. This call ({rule.action}) was not run. Do not do the same in another way."
    if answered["status"] == "expired":
        return (
            f"Request denied: nobody answered in time. This call ({rule.action}) needs a person's yes and was not run."
        )
    return f"Request denied: it was withdrawn{because}. This call ({rule.action}) was not run."


def calls_of(message: Any, session_id: str) -> list[Call]:
    """The calls of an answer of the model, as the agent's own object holds them."""
    found = []
    for each in getattr(message, "tool_calls", None) or ():
        function: Any = getattr(each, "function", None)
        try:
            arguments = json.loads(getattr(function, "arguments", None) or "{}")
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(arguments, dict) and getattr(each, "id", None):
            found.append(Call(str(function.name), arguments, session_id, str(each.id)))
    return found


def is_interrupted() -> bool:
    """Of the thread that the agent works in, as its own tools ask."""
    try:
        from tools.interrupt import is_interrupted as asked

        return bool(asked())
    except Exception:
        return False
