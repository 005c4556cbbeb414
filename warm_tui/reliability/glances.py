"""Whether one of many words stands in a text: told soon, as in almost every text none does."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Of a text's characters few are one of these, and nearly each word holds one: only there is anything looked for.
ANCHORS = "dgo*Fl\u2717SR:'uc^"


def from_anchors(words: Iterable[str]) -> str:
    """One expression for all of them, each from an anchor on, with a look back at what stands before that."""
    by_anchor: dict[str, list[str]] = {}
    for word in words:
        anchor = next((anchor for anchor in ANCHORS if anchor in word), word[0])
        rest = word.partition(anchor)[2]
        by_anchor.setdefault(anchor, []).append(f"{re.escape(rest)}(?<={re.escape(word)})")
    return "|".join(f"{re.escape(anchor)}(?:{'|'.join(forms)})" for anchor, forms in by_anchor.items())


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Of a few words, or where one of the first is likely to stand in it."""
    for word in words:  # noqa: SIM110 - a loop is faster
        if word in text:
            return True
    return False
