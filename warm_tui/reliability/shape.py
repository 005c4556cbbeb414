"""The shape of a call: what stays of its arguments when names, paths and numbers are taken out.

Two calls of one shape teach the same. The rules are the same for every tool.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
NUMBER = re.compile(r"\d+")
PATH = re.compile(r"^(?:[\w.~@-]*/[\w./~@-]*|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,4})$")
WORD = re.compile(r"[\w./-]{2,}")
FULL_WORDS = 2
MOST_WORDS = 8


def shape_of(tool_name: str, arguments: Mapping[str, Any]) -> str:
    shapes = sorted((key, _of_value(value)) for key, value in arguments.items())
    return f"{tool_name} " + " ".join(f"{key}={value}" for key, value in shapes)


def _of_value(value: Any) -> str:
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, dict):
        return "{" + ",".join(sorted(map(str, value))) + "}"
    if isinstance(value, list):
        return f"[{_of_value(value[0])}]" if value else "[]"
    return type(value).__name__


def _of_text(text: str) -> str:
    """A path by its ending, a command by its program, what it is told to do, and its flags."""
    lines = text.strip().split("\n", 1)
    words = QUOTED.sub("'", lines[0][:300]).split()
    if not words:
        return "text" if text else "''"
    if len(words) == 1:
        return _of_word(words[0]) + ("…" if len(lines) > 1 else "")
    words_kept: list[str] = []
    full = 0
    for word in words:
        if len(words_kept) == MOST_WORDS:
            break
        if word.startswith("-") or word in ("&&", "||", "|", ";"):
            words_kept.append(NUMBER.sub("0", word.split("=", 1)[0]))
            full = full if word.startswith("-") else 0
        elif full < FULL_WORDS:
            words_kept.append(_of_word(word))
            full += 1
    return " ".join(words_kept) + ("…" if len(lines) > 1 else "")


def _of_word(word: str) -> str:
    if PATH.match(word):
        ending = word.rpartition(".")[2] if "." in word.rpartition("/")[2] else ""
        return f"path.{ending}" if ending else "path"
    if any(character.isdigit() for character in word):
        return "id"
    return "CODE" if word.isupper() else word[:40]


def words_of(arguments: Mapping[str, Any]) -> set[str]:
    """What a call speaks of: to tell whether another speaks of the same."""
    return set(WORD.findall(" ".join(str(value)[:2000] for value in arguments.values())))
