"""What a `tool_calls` column holds: calls as JSON text, in more shapes than one."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from warm_tui.sessions.model import as_text


class Function(msgspec.Struct, gc=False):
    name: Any = None
    arguments: Any = None


class ToolCall(msgspec.Struct, gc=False):
    id: Any = None
    call_id: Any = None
    name: Any = None
    arguments: Any = None
    function: Function | None = None

    @property
    def any_id(self) -> str:
        if type(self.id) is str and self.id:
            return self.id
        return as_text(self.id) or as_text(self.call_id) or ""

    @property
    def any_name(self) -> str:
        name = self.function.name if self.function is not None else self.name
        return name if type(name) is str else as_text(name) or ""

    @property
    def any_arguments(self) -> str:
        """As recorded, valid or not; a call without any has an empty object."""
        value = self.function.arguments if self.function else self.arguments
        if isinstance(value, str):
            return value
        return "{}" if value is None else json.dumps(value, ensure_ascii=False, default=str)


_decode = msgspec.json.Decoder(list[ToolCall]).decode


def tool_calls_of(column: Any) -> list[ToolCall]:
    """The calls in a `tool_calls` column; what is no call there is passed over."""
    text = as_text(column) or ""
    try:
        return _decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        pass
    try:
        values = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return []
    if isinstance(values, dict):
        values = [values]
    return [_lenient(value) for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _lenient(value: dict[str, Any]) -> ToolCall:
    function = value.get("function")
    return ToolCall(
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
