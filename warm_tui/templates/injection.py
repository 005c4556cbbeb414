"""Text that reads as if it would tell the agent what to do: by signs that `injection_weighing.py` weighs together.

What is invisible is taken away before, and what is spelled with letters of another script is read as it looks.
"""

from __future__ import annotations

import base64
import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from html import unescape
from urllib.parse import unquote_plus

from warm_tui.sessions.excerpt import excerpt
from warm_tui.sessions.invisible import hidden_in, without_hidden
from warm_tui.templates.injection_phrases import Reading, read
from warm_tui.templates.injection_rules import RULES, Rule
from warm_tui.templates.injection_weighing import Passage, heaviest, passages_of, told

HIDDEN_AT_LEAST = 8
"""Fewer invisible characters than this may be the leavings of an editor."""

SPELLED_AT_LEAST = 3
"""So many words of a line have digits for letters before they are read as letters."""

_SPELLED = re.compile(r"\b(?=[a-z]{0,11}\d)(?=\d{0,11}[a-z])[a-z0-9]{3,12}\b")
_LETTERS = str.maketrans("4310578", "aeiostb")
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏӀкмтнвгпԛԝαοερτυνικχѵɡɑıⅼ０ꜱʀɴɪᴇᴏᴀᴛ",
    "aeopcyxijsdhllkmthbrnqwaoeptuvikxvgail0srnieoat",
)
_MIXED = re.compile(
    "[a-z][\u0370-\u03ff\u0400-\u052f\u0250-\u02af\u1d00-\u1d2b]|[\u0370-\u03ff\u0400-\u052f\u0250-\u02af\u1d00-\u1d2b][a-z]"
)
_QUOTES = re.compile("[\u2018\u2019\u201a\u201b`´']")
_DOUBLE_QUOTES = re.compile("[\u201c\u201d\u201e\u201f«»]")
_BLANKS = re.compile(
    r"(?<![ \t\u00a0])[ \t\u00a0]+|(?<=[a-z,;])\n(?=[a-z](?![a-z]{1,12}(?: [a-z]{1,12})? ?:))|(?<!\*)\*+|(?<!_)__|\\(?=[\"'])"
)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_SPACED = re.compile(r"(?<![a-z0-9])(?:[a-z][ ._-]{1,6}){9,400}[a-z](?![a-z0-9])")
_WITHIN_A_WORD = re.compile(r"(?<=[a-z])[ ._-](?=[a-z])")
_PACKED = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,4000}={0,2}(?![A-Za-z0-9+/])")
_ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};){6}")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}[\w.-]{0,12}){4}")
_TURNED = re.compile(r"\b(?:backwards?|reversed?|right to left|mirrored)\b")
_BACKWARDS = re.compile(
    r"\b(?:eht|dna|lla|uoy|ruoy|erongi|dragersid|tegrof|suoiverp|snoitcurtsni|dnes|daer|nur|tnirp)\b"
)
"""Words that turned texts hold: to read a long text twice for the sake of a word takes twice as long."""
_RIGHT_TO_LEFT_LETTERS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OVERRIDES, _ISOLATES = re.compile("[\u202d\u202e]"), re.compile("[\u202a\u202b\u2066-\u2068]")
_TAGS = re.compile("[\U000e0001\U000e0020-\U000e007f]{4,}")
_NEVER_SEEN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u3164\u115f\u1160\U000e0100-\U000e01ef\ufe00-\ufe0f]")


@lru_cache(512)
def signs_of_injection(text: str) -> tuple[str, ...]:
    """The names of the rules by which it reads like instructions; none where it reads like any other text."""
    text = unescaped(excerpt(text))
    sure = list(_hidden_signs(text))
    found = []
    for reading, spelled, alone in readings(text):
        sure += alone
        found.append(heaviest(reading, spelled=spelled))
    _, passage = max(filter(None, found), key=lambda each: each[0], default=(0.0, None))
    return tuple(dict.fromkeys([*sure, *(told(passage) if passage else [])]))


def passages(text: str) -> Iterator[Passage]:
    """What stands close together in a text whose escapes were read, in each of its readings."""
    for reading, spelled, _ in readings(text):
        yield from passages_of(reading, spelled=spelled)


def readings(text: str) -> Iterator[tuple[Reading, bool, list[str]]]:
    """In words, with the signs; whether it was spelled or packed; and the signs that need no weighing."""
    for number, reading in enumerate(_spellings(text)):
        found = [(start, rule) for start, _, rule in found_in(reading)]
        yield (
            read(reading, [(at, rule.name) for at, rule in found]),
            number > 0,
            [rule.name for _, rule in found if rule.enough],
        )


def needs_no_weighing(text: str) -> bool:
    """Whether a sign of it is enough by itself."""
    return any(_hidden_signs(text)) or any(alone for _, _, alone in readings(text))


def read_like_instructions(signs: Sequence[str]) -> str:
    """In words; nothing where there are none."""
    return f"reads like instructions ({', '.join(signs)})" if signs else ""


def unescaped(text: str) -> str:
    """What stands in JSON as an escape is looked at as what it stands for."""
    if "\\" not in text:
        return text
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text).replace("\\n", "\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _hidden_signs(text: str) -> Iterator[str]:
    """What only a machine reads."""
    if text.isascii():
        return
    if _OVERRIDES.search(text) or (_ISOLATES.search(text) and not _RIGHT_TO_LEFT_LETTERS.search(text)):
        yield "turned around"
    hidden = hidden_in(text)
    if _TAGS.search(hidden):
        yield "written in tags"
    elif len(_NEVER_SEEN.findall(hidden)) >= HIDDEN_AT_LEAST and _seldom_by_chance(text):
        yield "invisible characters"


def _seldom_by_chance(text: str) -> bool:
    """Many in a row, or within words: one here and there is where a line may be broken."""
    return bool(_HIDDEN_ROW.search(text) or len(_HIDDEN_WITHIN.findall(text)) >= HIDDEN_AT_LEAST)


_HIDDEN_ROW = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u3164\U000e0100-\U000e01ef\ufe00-\ufe0f]{8}")
_HIDDEN_WITHIN = re.compile("[A-Za-z][\u200c\u200d\u2060-\u2064\ufeff](?=[A-Za-z])")


def _spellings(text: str) -> Iterator[str]:
    """As it is seen, and what it holds packed or spelled out letter by letter."""
    seen = without_hidden(text)
    reading = folded(seen)
    yield reading
    spelled = [line for line in reading.split("\n") if len(_SPELLED.findall(line)) >= SPELLED_AT_LEAST]
    if spelled:
        yield _SPELLED.sub(lambda match: match[0].translate(_LETTERS), "\n".join(spelled))
    if "".join(_tagged(text)):
        yield folded("".join(_tagged(text)))
    for match in _SPACED.finditer(seen.lower()):
        yield folded(_WITHIN_A_WORD.sub("", match[0]))
    for packed in _unpacked(seen):
        yield folded(packed)
    if _TURNED.search(reading) and _BACKWARDS.search(reading):
        yield reading[::-1]


def folded(text: str) -> str:
    """In small letters, with straight quotes, single blanks and no stars; broken lines are joined."""
    text = unicodedata.normalize("NFKC", text).lower()
    if _MIXED.search(text):
        text = text.translate(_LOOKALIKES)
    text = _DOUBLE_QUOTES.sub('"', _QUOTES.sub("'", text))
    return _BLANKS.sub(lambda match: " " if match[0][0] in " \t\u00a0\n" else "", text)


def _tagged(text: str) -> Iterator[str]:
    """What is written in the tags of Unicode, which copy ASCII and are never seen."""
    for match in _TAGS.finditer(text):
        yield "".join(chr(ord(character) - 0xE0000) for character in match[0] if ord(character) >= 0xE0020)


def _unpacked(text: str) -> Iterator[str]:
    """What is written in another alphabet, where that gives a text."""
    for match in _PACKED.finditer(text):
        for unpack in (bytes.fromhex, _from_base64):
            with suppress(ValueError):
                inner = unpack(match[0]).decode()
                if inner.replace("\n", "").isprintable():
                    yield inner
    if _ENTITIES.search(text):
        yield unescape(text)
    if _PERCENT.search(text):
        yield unquote_plus(text)
    if "rot13" in text.lower() or "rot-13" in text.lower():
        yield codecs.decode(text, "rot13")


def _from_base64(packed: str) -> bytes:
    return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)


def found_in(text: str) -> Iterator[tuple[int, int, Rule]]:
    """Where a rule speaks in a text that was folded, and which."""
    for rule in RULES:
        if rule.needs and not any(word in text for word in rule.needs):
            continue
        if rule.unless and rule.unless.search(text):
            continue
        for match in rule.pattern.finditer(text):
            if not _is_spoken_about(text, match.start(), match.end()):
                yield match.start(), match.end(), rule


_SPEAKS_OF_IT = re.compile(
    r"\b(?:such as|like|e\.g\.?|for example|for instance|examples?|phrases?|strings?|payloads?|attacks?|attackers?|injections?"
    r"|jailbreaks?|prompts?|detects?|patterns?|regex|asserts?|tests?|matches|classic|headline)\b(?![\"'])[^\n\"]{0,80}\Z"
)


_ITS_NAME = re.compile(
    r"(?:prompt|indirect|llm)[ _-]?injection|is_injection|\battacks?\b|\battacker|adversarial|malicious (?:prompt|instruction|input)|classifier|red[ -]team|injection de prompt|\bjailbreak|inyecci[oó]n de|inje[cç][aã]o de|инъекци|提示注入|提示词注入|インジェクション"
)


def _is_spoken_about(text: str, start: int, end: int) -> bool:
    """It stands in quotes, and the words before them say that it is spoken about."""
    start += text[start] in "\"'"
    line = text[max(0, start - 160) : start].rpartition("\n")[2]
    quote = next((sign for sign in reversed(line) if sign in "\"'"), "")
    if not quote or quote not in text[end : end + 160].partition("\n")[0]:
        return False
    opened = line.rpartition(quote)[0]
    within_a_word = quote == "'" and opened[-1:].isalnum()
    return not within_a_word and bool(_SPEAKS_OF_IT.search(opened) or _ITS_NAME.search(text))
