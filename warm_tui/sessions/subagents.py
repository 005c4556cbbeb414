"""Which sessions a call began: those of the helpers that it gave work to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from warm_tui.sessions.model import Call, Session
from warm_tui.sessions.source import Source

FIRST_MESSAGES = 4
"""Among these stands what a helper was told."""
SHORTEST_NAME = 6
"""A shorter one may stand in a result by chance."""


def begun_by(source: Source, call: Call) -> list[Session]:
    """By the names that its result tells; where it tells none, by the words that it gave them."""
    parent = source.session(call.session_id)
    helpers = [
        child for child in source.children(call.session_id) if source.facts.relation(child, parent) == "delegate"
    ]
    named = [helper for helper in helpers if _is_named(helper.id, call.result or "")]
    if named or not helpers:
        return named
    try:
        told = {text.strip() for text in _texts(json.loads(call.arguments))}
    except (ValueError, RecursionError):
        return []
    return [helper for helper in helpers if _first_words(source, helper) in told]


def _is_named(session_id: str, result: str) -> bool:
    """Whole, or by the part that its parent's name does not stand in."""
    own = session_id.rsplit(".", 1)[-1].removeprefix("agent-")
    return len(own) >= SHORTEST_NAME and own in result


def _first_words(source: Source, helper: Session) -> str | None:
    messages = source.messages(helper.id, FIRST_MESSAGES)
    return next((message.text.strip() for message in messages if message.role == "user" and message.text.strip()), None)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)
