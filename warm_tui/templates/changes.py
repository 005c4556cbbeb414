"""What became of a conversation by the last change of its draft."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from warm_tui.templates.conversation import Message


class Changes(NamedTuple):
    fresh: frozenset[int]
    """The messages that were not there, or said something else."""
    gone: Mapping[int, Sequence[Message]]
    """What stood before a message, and stands there no more."""


def changes(before: Sequence[Message], after: Sequence[Message]) -> Changes:
    """By what is said: that calls are numbered anew changes nothing."""
    fresh: set[int] = set()
    gone: dict[int, Sequence[Message]] = {}
    matcher = SequenceMatcher(None, list(map(said, before)), list(map(said, after)), autojunk=False)
    for what, start, end, low, high in matcher.get_opcodes():
        if what != "equal":
            fresh |= set(range(low, high))
        if what == "delete":
            gone[low] = before[start:end]
    return Changes(frozenset(fresh), gone)


def said(message: Message) -> str:
    """Without the numbers of its calls."""
    calls = [call["function"] for call in message.get("tool_calls", ())]
    return json.dumps([message["role"], message.get("content"), message.get("name"), calls], sort_keys=True)
