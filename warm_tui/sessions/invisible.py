"""Characters that nobody sees: which they are, where they stand, and text with each of them put in sight.

What counts is what Unicode says of a character, its category and properties. What is invisible and has work
to do where it stands (the joiner in a family of emoji, the non-joiner in a Persian word) is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt, but for what the categories Cf and Cn tell.
IGNORABLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
# Symbols and marks that are drawn as nothing: the Braille blank, a note's null head, a filler of Khitan.
BLANK = "\u2800\U00016fe4\U0001d159"
# Prepended_Concatenation_Mark of Unicode's PropList.txt: of category Cf, and seen.
SEEN_FORMATS = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# Kept by Unicode for pictographs and ideographs: where Python knows none yet, a newer Unicode may.
RESERVED = "\U0001f000-\U0001faff\U00020000-\U0002fffd\U00030000-\U0003fffd"
MOST_MARKS = 8
"""No script puts more combining marks on one letter."""

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Letters and signs of scripts whose letters join: Arabic to Thaana, those of India, Myanmar, Khmer and Mongolian.
_JOINING = (
    "\u0620-\u06d3\u06d5-\u06dc\u06de-\u06ff\u0710-\u088f\u0892-\u08e1\u08e3-\u0dff"
    "\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa"
)
_TONE = "[\ufe0f\U0001f3fb-\U0001f3ff]?"


class Use(NamedTuple):
    """A use of invisible characters that is no hiding."""

    name: str
    pattern: str
    example: str


USES = (
    Use("emoji joined to one", f"[{_EMOJI}]{_TONE}(?:\u200d[{_EMOJI}]{_TONE})+", "\U0001f469\u200d\U0001f467"),
    Use("a symbol as emoji or as text", f"[{_EMOJI}][\ufe0e\ufe0f]", "☺\ufe0f"),
    Use("a key", "[0-9#*]\ufe0f\u20e3", "1\ufe0f\u20e3"),
    Use(
        "a flag of England, Scotland or Wales",
        "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    ),
    Use("letters joined, or kept apart", f"(?<=[{_JOINING}])[\u200c\u200d](?![\u200c\u200d])", "می\u200cخواهم"),
    Use("a form of a Mongolian letter", "(?<=[\u1820-\u18aa])[\u180b-\u180f](?![\u180b-\u180f])", "ᠠ\u180b"),
    Use(
        "a syllable of old Korean",
        "\u115f(?=[\u1161-\u11a7])|(?<=[\u1100-\u115e])\u1160(?=[\u11a8-\u11ff])",
        "\u115fᅡ",
    ),
    Use("a picture of Braille", "(?<=[\u2801-\u28ff])\u2800+|(?<!\u2800)\u2800+(?=[\u2801-\u28ff])", "⣿\u2800⣿"),
)  # fmt: skip
_USES = re.compile("|".join(use.pattern for use in USES))
_SEEN_FORMATS, _RESERVED = re.compile(f"[{SEEN_FORMATS}]"), re.compile(f"[{RESERVED}]")


# A printable text hides nothing without one of these, or without a row of what may be marks.
_IGNORED = re.compile(f"[{IGNORABLE}{BLANK}]")
_MAYBE_MARKS = re.compile(f"[^\\w\\s\x00-\x7f][^\\w\\s\x00-\x7f]{{{MOST_MARKS},}}")


def _may_hide(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    visible = text.replace("\n", "").replace("\t", "")
    if text.isascii() or not visible.isprintable():
        return not visible.isprintable()
    return _IGNORED.search(text) is not None or _MAYBE_MARKS.search(text) is not None


@lru_cache(8192)
def _kind(character: str) -> str:
    """`hidden`, a combining `mark`, or neither. Line feeds and tabs are seen by what they do."""
    if character.isprintable():
        if _IGNORED.match(character):
            return "hidden"
        return "mark" if unicodedata.category(character) in ("Mn", "Me") else ""
    category = unicodedata.category(character)
    seen = (
        character in "\n\t"
        or category == "Zs"
        or (category == "Cf" and _SEEN_FORMATS.match(character))
        or (category == "Cn" and _RESERVED.match(character))
    )
    return "" if seen else "hidden"


def hidden_runs(text: str) -> list[tuple[int, int]]:
    """Where invisible characters stand that have no work to do there, and marks heaped on one letter."""
    if not _may_hide(text):
        return []
    by_kind: dict[str, list[str]] = {"hidden": [], "mark": [], "": []}
    for character in set(text):
        by_kind[_kind(character)].append(character)
    runs: list[tuple[int, int]] = []
    if by_kind["hidden"]:
        kept = {at for use in _USES.finditer(text) for at in range(*use.span())}
        for run in _any_of(by_kind["hidden"]).finditer(text):
            runs += _without(run.span(), kept) if kept else [run.span()]
    if by_kind["mark"]:
        heaps = re.compile(f"{_any_of(by_kind['mark']).pattern[:-1]}{{{MOST_MARKS + 1},}}")
        runs += [(heap.start() + MOST_MARKS, heap.end()) for heap in heaps.finditer(text)]
        runs.sort()
    return runs


def _any_of(characters: list[str]) -> re.Pattern[str]:
    return re.compile(f"[{re.escape(''.join(sorted(characters)))}]+")


def _without(run: tuple[int, int], kept: set[int]) -> Iterator[tuple[int, int]]:
    start, end = run
    for at in range(start, end):
        if at in kept:
            if at > start:
                yield start, at
            start = at + 1
    if end > start:
        yield start, end


def hidden_in(text: str) -> str:
    """All that is invisible in a text."""
    return "".join(text[start:end] for start, end in hidden_runs(text))


def without_hidden(text: str) -> str:
    """What is seen of a text."""
    while runs := hidden_runs(text):
        ends = [0, *(end for _, end in runs)]
        starts = [*(start for start, _ in runs), len(text)]
        text = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return text


# --- put in sight, and back ---

_PICTURES = {chr(code): chr(0x2400 + code) for code in range(0x20)} | {"\x7f": "\u2421"}
_CONTROLS = {picture: control for control, picture in _PICTURES.items()}
# What stands for an invisible character may stand in a text as itself: then it is told by number, too.
_LITERAL = re.compile("[\u2400-\u241f\u2421]|‹(?=U\\+[0-9A-F]{4,6}›)")
_SHOWN = re.compile("[\u2400-\u241f\u2421]|‹U\\+([0-9A-F]{4,6})›")


def shown(text: str) -> str:
    """Each invisible character as a symbol or by its number, so that `unshown` gives the text back."""
    return text if text.isascii() and text.isprintable() else _put_in_sight(text, escape=True)


def shown_line(text: str) -> str:
    """The same on one line."""
    return shown(text).replace("\n", _PICTURES["\n"]).replace("\t", _PICTURES["\t"])


def in_sight(text: str) -> str:
    """What comes among text that is shown already."""
    return _put_in_sight(text, escape=False)


def _put_in_sight(text: str, *, escape: bool) -> str:
    pieces = []
    at = 0
    for start, end in [*hidden_runs(text), (len(text), len(text))]:
        seen = text[at:start]
        pieces.append(_LITERAL.sub(lambda match: _number(match[0]), seen) if escape else seen)
        pieces += [_PICTURES.get(character) or _number(character) for character in text[start:end]]
        at = end
    return "".join(pieces)


def _number(character: str) -> str:
    return f"‹U+{ord(character):04X}›"


def unshown(text: str) -> str:
    def original(match: re.Match[str]) -> str:
        if not match[1]:
            return _CONTROLS[match[0]]
        code = int(match[1], 16)
        return chr(code) if code <= 0x10FFFF else match[0]

    return _SHOWN.sub(original, text)


def hidden_words(hidden: str, most: int = 3) -> str:
    """How many, and which: for a sentence about them."""
    kinds = [f"U+{ord(character):04X}" for character, _ in Counter(hidden).most_common()]
    more = ", …" if len(kinds) > most else ""
    count = f"{len(hidden):,} invisible character{'s' * (len(hidden) != 1)}"
    return f"{count} ({', '.join(kinds[:most])}{more})"
