"""What a `tool_calls` column holds: calls as JSON text, in more shapes than one."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

from warm_tui.sessions.model import MadeCall, as_text


class Function(msgspec.Struct, gc=False):
    name: Any = None
    arguments: Any = None


class RecordedCall(msgspec.Struct, gc=False):
    id: Any = None
    call_id: Any = None
    name: Any = None
    arguments: Any = None
    function: Function | None = None


class UsualFunction(msgspec.Struct, gc=False):
    name: str
    arguments: str


class UsualCall(msgspec.Struct, gc=False):
    """As nearly every call is recorded."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    function: UsualFunction
    call_id: str = ""


_decode = msgspec.json.Decoder(list[RecordedCall]).decode
_decode_usual = msgspec.json.Decoder(list[UsualCall]).decode


def calls_in(text: str) -> list[MadeCall]:
    """The calls in a `tool_calls` column; what is no call there is passed over."""
    try:
        usual = _decode_usual(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return [_made(call) for call in _any_calls(text)]
    made = []
    for call in usual:
        call_id, alias, function = call.id, call.call_id, call.function
        made.append(MadeCall(call_id, function.name, function.arguments, "" if alias == call_id else alias))
    return made


def _any_calls(text: str) -> list[RecordedCall]:
    try:
        return _decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _nearly_calls(text)


def _made(call: RecordedCall) -> MadeCall:
    call_id, alias, function = call.id, call.call_id, call.function
    if type(call_id) is not str or not call_id:
        call_id = as_text(call_id) or as_text(alias) or ""
    if type(alias) is not str or alias == call_id:
        alias = ""
    name, arguments = (function.name, function.arguments) if function else (call.name, call.arguments)
    return MadeCall(call_id, as_text(name) or "", _written(arguments), alias)


def _written(arguments: Any) -> str:
    """As recorded, valid or not; a call without any has an empty object."""
    if isinstance(arguments, str):
        return arguments
    return "{}" if arguments is None else json.dumps(arguments, ensure_ascii=False, default=str)


def _nearly_calls(text: str) -> list[RecordedCall]:
    try:
        values = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return []
    if isinstance(values, dict):
        values = [values]
    return [_lenient(value) for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _lenient(value: dict[str, Any]) -> RecordedCall:
    function = value.get("function")
    return RecordedCall(
        _whole(value.get("id")),
        _whole(value.get("call_id")),
        _whole(value.get("name")),
        _whole(value.get("arguments")),
        Function(_whole(function.get("name")), _whole(function.get("arguments")))
        if isinstance(function, dict)
        else None,
    )


def _whole(value: Any) -> Any:
    """Text without halves of characters, which JSON can spell and nothing else can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
