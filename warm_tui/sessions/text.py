"""Recorded text is hostile to a terminal: make it safe to show, and cut it to a width.

ESC sequences can write the clipboard or the title, a carriage return can overwrite a line, a
right-to-left override can swap what is read, and zero-width characters break a grid.
"""

from __future__ import annotations

import re
from typing import Any

from warm_tui.sessions.invisible import without_hidden

# A whole escape sequence goes, not only its first byte: `[31m` alone is noise. Of one that never ends, only what
# begins it: what stands behind it is text, and a reader shall see it.
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_](?:[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c))?|[ -/]*[0-~])?"
    r"|\x9b[0-?]*[ -/]*[@-~]?|[\x90\x98\x9d-\x9f](?:[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c))?"
)
# Invisible where they do their work, too, and terminals disagree on how wide that makes a character.
_WIDTHLESS = re.compile("[\u180b-\u180f\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]+")


def clean(text: str) -> str:
    """Text without anything a terminal would obey, for a grid. Line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    whole = seen(text)
    narrow = _WIDTHLESS.sub("", whole)
    return whole if narrow == whole else without_hidden(narrow)


def seen(text: str) -> str:
    """What a reader sees of a text: without escape sequences, and without what is invisible and has no work to do."""
    return without_hidden(_SEQUENCE.sub("", text.replace("\r\n", "\n")))


def clean_line(text: str) -> str:
    """The same, on one line."""
    return " ".join(clean(text).split())


def beginning(text: str, length: int) -> str:
    """Of a text that is longer, with a sign that it goes on."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


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
    if words := _image_in(part):
        return words
    return f"[{part.get('type', 'part')}]"


def _image_in(part: dict[str, Any]) -> str:
    """The name of a picture, as models are sent one: `image_url`, with its address in an object or by itself."""
    held = part.get("image_url")
    address = held.get("url") if isinstance(held, dict) else held
    return image_words(address) if isinstance(address, str) else ""


def image_words(text: str) -> str:
    """What a picture is, in place of its bytes; nothing of any other text."""
    if not text.startswith("data:image/"):
        return ""
    kind, _, data = text[len("data:") :].partition(",")
    return f"[{kind.partition(';')[0][:40]}, about {max(1, len(data) * 3 // 4 // 1_000):,} KB]"
