"""Recorded texts may be of any length: of very long ones head and tail are worked on, and that is said."""

from __future__ import annotations

import re

MOST_CHARACTERS = 200_000
"""Of one text, at once: more than anybody reads, and no more than a key may wait for."""
_HEAD, _TAIL = 120_000, 40_000
OF_LONG_TEXTS = f"of long texts only the first {_HEAD:,} and the last {_TAIL:,} characters"
_BROKEN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
_LOOKED_BACK = 64
_NOTE = re.compile(r"\[… ([\d,]{1,20}) of [\d,]{1,20} characters left out …\]")


def is_long(text: str) -> bool:
    """Whether only an excerpt is worked on."""
    return len(text) > MOST_CHARACTERS


def excerpt(text: str) -> str:
    """Head and tail, and between them how much was left out. A text in JSON that is cut within it stays JSON."""
    if not is_long(text):
        return text
    head, tail = _between_escapes(text, _HEAD), _between_escapes(text, len(text) - _TAIL)
    line_feed = "\\n" if text.startswith(("{", "[")) else "\n"
    note = f"[… {tail - head:,} of {len(text):,} characters left out …]"
    return f"{text[:head]}{line_feed}{note}{line_feed}{text[tail:]}"


def excerpt_words(text: str) -> str:
    """What is said of a text that is worked on in part; nothing of one that is not."""
    return f"the first {_HEAD:,} and the last {_TAIL:,} of {len(text):,} characters" if is_long(text) else ""


def left_out_of(text: str) -> int:
    """How much an excerpt says that it left out."""
    note = _NOTE.search(text)
    return int(note[1].replace(",", "") or 0) if note else 0


def _between_escapes(text: str, at: int) -> int:
    """This place, or the beginning of the escape that it stands in."""
    broken = _BROKEN_ESCAPE.search(text[max(0, at - _LOOKED_BACK) : at])
    return at - len(broken[1]) if broken else at
