"""How Hermes keeps something for later sessions, and what it says of that.

Each tool answers with JSON: `success`, and a message for people. A write that waits for approval is none yet, and
one that found what it brought is none either.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from warm_tui.sessions.source import Keeps
from warm_tui.sessions.text import clean_line

KEEPING_TOOLS = frozenset({"memory", "skill_manage"})
REVIEW_BEGINS = "Review the conversation above and "
"""The words that every version begins its review with, in the user's role."""
LONGEST = 300
NOTHING_NEW = "already exists"


class _Answer(msgspec.Struct):
    success: Any = None
    staged: Any = None
    message: Any = ""
    target: Any = ""


class _Operation(msgspec.Struct):
    action: Any = ""
    content: Any = ""
    old_text: Any = ""


class _Given(_Operation):
    target: Any = ""
    name: Any = ""
    operations: Any = None


_decode_answer = msgspec.json.Decoder(_Answer).decode
_decode_given = msgspec.json.Decoder(_Given).decode


def opens_review(text: str) -> bool:
    return text.lstrip()[: len(REVIEW_BEGINS)] == REVIEW_BEGINS


def kept_by(tool: str, arguments: str, result: str) -> tuple[Keeps, str] | None:
    """What a call kept, and in words; None where it kept nothing."""
    if tool not in KEEPING_TOOLS:
        return None
    try:
        answer = _decode_answer(result)
    except (msgspec.MsgspecError, RecursionError):
        return None
    message = answer.message if isinstance(answer.message, str) else ""
    if answer.success is not True or answer.staged or NOTHING_NEW in message:
        return None
    given = _Given()
    with suppress(msgspec.MsgspecError, RecursionError):
        given = _decode_given(arguments)
    if tool == "skill_manage":
        return "skill", _line(message or f"{_text(given.action)} {_text(given.name)}")
    told = [_operation(each) for each in _operations(given)]
    what: Keeps = "user profile" if "user" in (answer.target, given.target) else "memory"
    return what, _line("; ".join(each for each in told if each) or message or _text(given.action))


def _operations(given: _Given) -> list[_Operation]:
    if isinstance(given.operations, list) and given.operations:
        with suppress(msgspec.MsgspecError):
            return msgspec.convert(given.operations, list[_Operation])
    return [given]


def _operation(each: _Operation) -> str:
    """The text that was kept; of what was taken out, that it was."""
    if each.action == "remove":
        return f"removed: {_text(each.old_text)}"
    return _text(each.content)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(text: str) -> str:
    line = clean_line(text[: 4 * LONGEST])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
