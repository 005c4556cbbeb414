"""The words of a verdict: what a person would point at, and the command a call carries."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from warm_tui.reliability.glances import holds_any
from warm_tui.reliability.shell_reader import OFTEN_SEEN

REASON_LENGTH = 200

_CARRIES = re.compile(r'"(?:command|cmd|shell_command|bash_command|commands|code|script)"\s*:')

_TELLING_WORDS = (
    "rror",
    "ERROR",
    "ould not",
    "ouldn't",
    "fatal",
    "ailed",
    "FAIL",
    "cannot",
    "can't",
    "not found",
    "denied",
    "o such",
    "xception",
    "undefined",
    "undeclared",
)


_TRACEBACKS = ("Traceback (most recent call last):", 'File "')


def carries_command(arguments: str) -> bool:
    """Was something run, so that the result is a program's output?"""
    if '"command":' in arguments:
        return True
    begun = '"c' in arguments or '"s' in arguments or '"b' in arguments
    return begun and _CARRIES.search(arguments) is not None


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
    # Of one that failed it is asked again and again, by all that look for the cause.
    return _command_often(arguments) if len(arguments) <= OFTEN_SEEN else _command_of(arguments)


def _command_of(arguments: str) -> str:
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


_command_often = lru_cache(maxsize=512)(_command_of)


def given_in(arguments: str) -> dict[str, Any]:
    """The arguments by their names; nothing where they are no object."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return {}
    return value if isinstance(value, dict) else {}


def one_line(text: str) -> str:
    words = " ".join(text[: REASON_LENGTH * 4].split())
    return words if len(words) <= REASON_LENGTH else words[: REASON_LENGTH - 1] + "…"


def whole(text: str) -> str:
    """Without halves of characters, which JSON can spell and nothing that is kept can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2].strip()


# A line of source that is quoted, indented or numbered, and a warning that has nothing to do with it.
_QUOTED = re.compile(
    r"\s|[>|+~^#]|//|\d+[:|]|(?:\[[\w:]{1,30}\] )?"
    r"(?:func|fn|raise|print\w*|return|def|class|assert|import|from|if|elif|for|while|with|try|except"
    r"|throw|const|let|var|echo)\b(?!:)|(?:self|log|logger|console)\.|.*[Ww]arning\b(?!.*\berror:)"
)


# What only passes on that something before it failed.
_PASSED_ON = re.compile(
    r"g?make(?:\[\d+\])?: \*\*\* \[|FAIL(?:\s|$)|(?:\[[\w:]{1,30}\] )?ERROR task failed"
    r"|tar(?: \(child\))?: (?:Child returned|Error is not)|Node\.js v\d|error: test failed, to rerun |FAILED: \S+\s*$"
    r"|(?:The error appears to |Please (?:also )?report )"
    r"|exit status \d+$|error: failed to push some refs|ninja: build stopped|collect2: |error: could not compile "
    r"|Error: Process completed with exit code|error: Recipe .* failed|error Command failed"
)


def telling_line(text: str) -> str:
    """The last line that names the trouble in words of its own, and not by passing on another's; or nothing."""
    passed_on = ""
    for line in reversed(text.split("\n")):
        if holds_any(line, _TELLING_WORDS) and not _QUOTED.match(line):
            if not _PASSED_ON.match(line):
                return line.strip()
            passed_on = passed_on or line.strip()
    return passed_on


def cause_of(words: str, text: str) -> str:
    """The line that a person would point at, where `words` only pass on that something before them failed."""
    return with_line_below((telling_line(text) or words) if passes_on(words) else words, text)


def with_line_below(words: str, text: str) -> str:
    """Where it ends with a colon, what that announces."""
    if not words.endswith(":"):
        return words
    below = text.partition(words)[2].strip().partition("\n")[0]
    return f"{words} {below}".rstrip()


def passes_on(words: str) -> bool:
    return _PASSED_ON.match(words) is not None


_NONE = re.compile(r"(?i)\b(?:errors?|failed|failures?|exception)\s*[:=]\s*(?:0|none|null|false)\b(?![./-]\w)")


def counts_none(words: str) -> bool:
    return _NONE.search(words) is not None


def without_frames(text: str) -> str:
    """Of a traceback only what was raised, with which it ends."""
    return last_line(text) if text.lstrip().startswith(_TRACEBACKS) else text
