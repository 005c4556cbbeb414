"""The words of a verdict: what a person would point at, and the command a call carries."""

from __future__ import annotations

import json
import re

REASON_LENGTH = 200

COMMAND_KEYS = ("command", "cmd", "shell_command", "bash_command", "commands")
PROGRAM_KEYS = ("code", "script")
_CARRIES = re.compile(r'"(?:' + "|".join(COMMAND_KEYS + PROGRAM_KEYS) + r')"\s*:')

_TELLING_WORDS = (
    "rror",
    "fatal",
    "ailed",
    "FAIL",
    "cannot",
    "can't",
    "not found",
    "denied",
    "o such",
    "xception",
)


def carries_command(arguments: str) -> bool:
    """Was something run, so that the result is a program's output?"""
    return _CARRIES.search(arguments) is not None


def command_of(arguments: str) -> str:
    """The command line among the arguments, or nothing. A program's source is no command line."""
    try:
        values = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(values, dict):
        return ""
    for key in COMMAND_KEYS:
        value = values.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return " ".join(value)
    return ""


def one_line(text: str) -> str:
    words = " ".join(text[: REASON_LENGTH * 4].split())
    return words if len(words) <= REASON_LENGTH else words[: REASON_LENGTH - 1] + "…"


def last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2].strip()


def telling_line(text: str) -> str:
    """The last line that names the trouble, else simply the last."""
    for line in reversed(text.split("\n")):
        if any(word in line for word in _TELLING_WORDS):
            return line.strip()
    return last_line(text)
