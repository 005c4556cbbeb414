"""Which sessions a call began, those of the helpers that it gave work to, and what was done in them, in its place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.model import Call, Session
from warm_tui.sessions.source import Source
from warm_tui.sessions.transcript import Item, transcript

FIRST_MESSAGES = 4
"""Among these stands what a helper was told."""
SHORTEST_NAME = 6
"""A shorter one may stand in a result by chance."""

CallName: TypeAlias = tuple[str, str]
"""The session that a call was made in, and its key there."""


def begun_by(source: Source, calls: Iterable[Call]) -> dict[CallName, list[Session]]:
    """The helpers of those calls that began any, each at the first call that may have.

    By the names that its result tells; where it tells none, by the words that it gave them.
    """
    helpers: dict[str, list[Session]] = {}
    words: dict[str, str | None] = {}
    begun: dict[CallName, list[Session]] = {}
    for call in calls:
        if call.session_id not in helpers:
            helpers[call.session_id] = _helpers_of(source, call.session_id)
        left = helpers[call.session_id]
        if not left:
            continue
        found = [helper for helper in left if _is_named(helper.id, call.result or "")]
        if not found and (told := _told(call)):
            words.update((each.id, _first_words(source, each)) for each in left if each.id not in words)
            found = [helper for helper in left if words[helper.id] in told]
        if found:
            helpers[call.session_id] = [helper for helper in left if helper not in found]
            begun[call.session_id, call.key] = found
    return begun


def with_helpers(source: Source, items: Sequence[Item]) -> list[Item]:
    """A transcript in which what helpers did stands behind the call that gave them work, however deep."""
    begun = begun_by(source, (item.call for item in items if item.call is not None))
    told: list[Item] = []
    for item in items:
        told.append(item)
        for helper in begun.get((item.session_id, item.call.key), ()) if item.call is not None else ():
            if helper.id not in item.within:
                told += _of_helper(source, helper, item.within)
    return told


def _of_helper(source: Source, helper: Session, within: tuple[str, ...]) -> list[Item]:
    done = transcript(read_life(source, helper))
    said = next((item.text for item in done if item.kind == "user"), "")
    head = Item(
        "helper",
        helper.id,
        text=helper.title or said or helper.id,
        count=sum(item.call is not None for item in done),
        within=within,
    )
    inside = (*within, helper.id)
    return [head, *with_helpers(source, [replace(item, within=inside) for item in done])]


def _helpers_of(source: Source, session_id: str) -> list[Session]:
    parent = source.session(session_id)
    return [
        child
        for child in source.children(session_id)
        if child.delegated_from == session_id or source.facts.relation(child, parent) == "delegate"
    ]


def _is_named(session_id: str, result: str) -> bool:
    """Whole, or by the part that its parent's name does not stand in."""
    own = session_id.rsplit(".", 1)[-1].removeprefix("agent-")
    return len(own) >= SHORTEST_NAME and own in result


def _first_words(source: Source, helper: Session) -> str | None:
    messages = source.messages(helper.id, FIRST_MESSAGES)
    return next((message.text.strip() for message in messages if message.role == "user" and message.text.strip()), None)


def _told(call: Call) -> set[str]:
    """Every text that it was given."""
    try:
        return {text.strip() for text in _texts(json.loads(call.arguments))}
    except (ValueError, RecursionError):
        return set()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)
