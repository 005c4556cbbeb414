"""A call on one line, in words that are the same wherever calls stand below each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from warm_tui.sessions.text import clean_line

COMMANDS = "terminal"
"""The tool whose calls are commands."""
LONGEST, LONGEST_VALUE = 300, 120


def arguments_line(arguments: Mapping[str, Any] | None, otherwise: str = "") -> str:
    """The value alone where there is one, else each with its name."""
    if not arguments:
        return clean_line(otherwise[:LONGEST])
    values = {name: value if isinstance(value, str) else json.dumps(value) for name, value in arguments.items()}
    if len(values) == 1:
        return clean_line(next(iter(values.values()))[:LONGEST])
    return clean_line("  ".join(f"{name}: {value[:LONGEST_VALUE]}" for name, value in values.items())[:LONGEST])


def call_line(raw: str) -> str:
    """As `arguments_line`, from what was recorded."""
    try:
        # A line is made each time it is drawn, also of a call that wrote a file of megabytes.
        arguments = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        arguments = None
    if isinstance(arguments, dict):
        return arguments_line(arguments)
    return clean_line(raw[:LONGEST])


def call_words(tool: str, raw: str) -> str:
    return f"{named(tool)}{call_line(raw)}"


def named(tool: str) -> str:
    """Before the line; a command speaks for itself."""
    return "" if tool == COMMANDS else f"{clean_line(tool)}  "
