"""What `echo` printed, told by its words in the line: they are nobody's complaint, and no answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warm_tui.reliability.shell import ECHOES, Script, Simple, said_by

# What a variable may hold stands in its place; of other signs nobody knows what they become.
VARIABLE = re.compile(r"(?:\$(?:\w+|\{\w+\}))+")
_UNKNOWN = re.compile(r"[$`\\%*]")
MOST_PARTS = 3
"""With more, a long line would be tried in too many ways."""


_ONE_WORD = r"\S{0,200}"
_WORD = re.compile("[a-z]{3}")


def words_of(echo: Simple) -> re.Pattern[str] | None:
    """How the line reads that it prints; None where that is not known."""
    if echo.program not in ECHOES:
        return None
    words = said_by(echo)
    parts = VARIABLE.split(words)
    if not any(parts) or len(parts) > MOST_PARTS or any(map(_UNKNOWN.search, parts)):
        return None
    return re.compile(_ONE_WORD.join(map(re.escape, parts)))


def without_echoed(text: str, echoes: Iterable[re.Pattern[str] | None]) -> str:
    """The output without the lines that read so."""
    known = [words for words in echoes if words]
    if not known:
        return text
    return "\n".join(line for line in text.split("\n") if not any(words.fullmatch(line.strip()) for words in known))


def is_echoed(line: str, script: Script) -> bool:
    """Is it said of one thing after another: `for tool in ...; do ... || echo "$tool: not found"`?"""
    said = (words_of(head) for head, *_ in script.pipelines)
    return any(words and _fills_in(words.pattern) and words.fullmatch(line.strip()) for words in said)


def _fills_in(words: str) -> bool:
    """With a word of its own: `echo "$name: $count"` reads like any complaint."""
    return _ONE_WORD in words and _WORD.search(words.replace(_ONE_WORD, "")) is not None
