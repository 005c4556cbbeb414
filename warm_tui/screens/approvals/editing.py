"""What an operator changes of what is asked for: one of its parts at a time, or all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from warm_tui.approvals.model import Request
from warm_tui.errors import Trouble
from warm_tui.sessions.text import clean_line

WHOLE = "all"


def why_not(request: Request) -> str:
    """Nothing where it may be edited."""
    if not request.accepts_edits:
        return "It cannot be edited: whoever asks would run what was asked for, not what you write."
    if request.masked:
        return "It cannot be edited: the secrets in it are masked."
    return ""


def parts(details: Any) -> list[tuple[str, str]]:
    """Each by a name of ours, with the title it is chosen by."""
    named = [
        (f"at {at}", clean_line(str(name))) for at, name in enumerate(details if isinstance(details, Mapping) else ())
    ]
    return [*named, (WHOLE, "All of it, as JSON")]


def text_of(details: Any, part: str) -> str:
    """Text as it is, anything else as JSON."""
    value = details if part == WHOLE else details[_name(details, part)]
    if part != WHOLE and isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=1)


def edited(details: Any, part: str, text: str) -> Any:
    """Trouble where it is no JSON, and has to be."""
    if part == WHOLE:
        return _decoded(text)
    name = _name(details, part)
    return {**details, name: text if isinstance(details[name], str) else _decoded(text)}


def _name(details: Mapping[str, Any], part: str) -> str:
    return list(details)[int(part.removeprefix("at "))]


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Trouble(f"This is no JSON: {getattr(error, 'msg', 'it is nested too deeply')}.") from error
