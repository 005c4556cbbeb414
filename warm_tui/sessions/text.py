"""Recorded text is hostile to a terminal: make it safe to show, and cut it to a width.

ESC sequences can write the clipboard or the title, a carriage return can overwrite a line, a
right-to-left override can swap what is read, and zero-width characters break a grid.
"""

from __future__ import annotations

import re
from typing import Any

# C0 but tab and line feed, DEL and C1, bidi controls, zero-width and invisible characters, the
# separators that some terminals break lines at, tags, and lone surrogates.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)
# A whole escape sequence goes, not only its first byte: `[31m` alone is noise.
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])?"
    r"|\x9b[0-?]*[ -/]*[@-~]?|\x9d[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
)


def clean(text: str) -> str:
    """Text without anything a terminal would obey. Line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub("", _SEQUENCE.sub("", text.replace("\r\n", "\n")))


def clean_line(text: str) -> str:
    """The same, on one line."""
    return " ".join(clean(text).split())


def plural(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


_SENTINEL = "\x00json:"


def plain(content: str) -> str:
    """Message content as text: multimodal parts, kept as JSON behind a sentinel, are put in words."""
    if not content.startswith(_SENTINEL):
        return content
    import msgspec

    try:
        parts: Any = msgspec.json.decode(content[len(_SENTINEL) :])
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return content[len(_SENTINEL) :]
    if isinstance(parts, dict):
        parts = parts.get("content", [parts]) if parts.get("_multimodal") else [parts]
    if not isinstance(parts, list):
        return str(parts)
    return "\n".join(_part_words(part) for part in parts)


def _part_words(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return str(part)
    if isinstance(part.get("text"), str):
        return str(part["text"])
    return f"[{part.get('type', 'part')}]"
