"""The words of a verdict: what a person would point at, and the command a call carries."""

from __future__ import annotations

import re
from typing import Any

import msgspec

REASON_LENGTH = 200

_CARRIES = re.compile(r'"(?:command|cmd|shell_command|bash_command|commands|code|script)"\s*:')

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


class _Arguments(msgspec.Struct, gc=False):
    """The arguments under which tools take a command line."""

    command: Any = None
    cmd: Any = None
    shell_command: Any = None
    bash_command: Any = None
    commands: Any = None


_decode = msgspec.json.Decoder(_Arguments).decode


def command_of(arguments: str) -> str:
    """The command line among the arguments, or nothing. A program's source is no command line."""
    try:
        known = _decode(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return ""
    for value in (known.command, known.cmd, known.shell_command, known.bash_command, known.commands):
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
