"""What a call has in common with the copies that compaction makes of it."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from warm_tui.sessions.model import CallIdentity, MadeCall

# Compaction cuts the strings in the arguments it copies at this length, and writes the JSON anew.
KEPT_OF_AN_ARGUMENT = 200
# Of ids: eight signs, digits and letters in turn, as nobody counts.
DRAWN_BY_LOT = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9]{8})[A-Za-z0-9]*(?:\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z])")


def identity_of(call: MadeCall) -> CallIdentity:
    return call.id, call.tool_name, _core(call.arguments)


def _core(arguments: str) -> str:
    """What compaction leaves of arguments: the same JSON, its long strings cut."""
    try:
        return str(_encode(_shortened(_decode(arguments))), "utf-8")
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        pass
    try:
        return json.dumps(_shortened(json.loads(arguments)), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="sorted").encode


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return value[:KEPT_OF_AN_ARGUMENT]
    if isinstance(value, dict):
        return {name: _shortened(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shortened(inner) for inner in value]
    return value
