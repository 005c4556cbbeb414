"""Find the secrets in a text: by the rules, by vendors' forms, in tables, in base64 and between colours."""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from warm_tui.secrets.belief import value_of
from warm_tui.secrets.forms import TOKEN
from warm_tui.secrets.headings import below_headings
from warm_tui.secrets.names import TELLING
from warm_tui.secrets.places import Places
from warm_tui.secrets.rules import RULES
from warm_tui.secrets.tables import in_inserts, in_tables
from warm_tui.secrets.values import DOCUMENTED, FILLED, OTHERS, PLACEHOLDER

SEARCHED = 200_000
"""So much of one text is searched; what is behind counts as a secret itself."""
NOT_SEARCHED = f"not searched: behind the first {SEARCHED:,} characters"


class Secret(NamedTuple):
    value: str
    rule: str


MASKED = re.compile(r"<secret-[0-9a-f]{8}>")
CREDENTIALS = re.compile(r"[\w.@-]{3,60}:(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{12,200}\Z")
# As bytes, and as programs write them down.
COLOUR = re.compile(r"(?:\x1b|\\x1b|\\u001b|\\033|\\e|\^\[)\[[0-9;:?]{0,40}[A-Za-z]|\x9b[0-9;:?]{0,40}[A-Za-z]")

# The end of a line, and a frame around it, in what goes on in the next, which holds nothing else.
WRAPPED = re.compile(
    r"(?<![A-Za-z0-9_+/.~-])[A-Za-z0-9_+/.~-]{20,400}([ \t]{0,80}[|│┃║]?[ \t]{0,8}\r?\n[ \t]{0,20}[|│┃║>+]?[ \t]{0,8})"
    r"(?=[A-Za-z_+/.~-]{0,80}\d)(?=[A-Za-z0-9_+/.~-]{4,400}={0,2}[\"']?[ \t]{0,80}[|│┃║]?[ \t]{0,8}\r?(?:\n|\Z))"
)


def find_secrets(text: str, own: Iterable[str] = ()) -> list[Secret]:
    """Each secret of a text once, the longest first. `own` are values known to be secret."""
    rules: dict[str, str] = {value: "the home's .env" for value in own if len(value) >= 6 and value in text}
    if len(text) > SEARCHED:
        rules[text[SEARCHED:]] = NOT_SEARCHED
        text = text[:SEARCHED]
    for value, rule in (
        *_private_keys(text),
        *_found(text),
        *_behind_colours(text),
        *_behind_breaks(text),
        *_encoded(text),
    ):
        if not (PLACEHOLDER.match(value) or (len(value) < 400 and MASKED.search(value))):
            rules.setdefault(value, rule)
    return sorted((Secret(value, rule) for value, rule in rules.items()), key=lambda s: -len(s.value))


def _found(text: str) -> Iterator[Secret]:
    lowered = text.lower()
    yield from _by_rules(text, lowered)
    for match in TOKEN.finditer(text):
        if not (DOCUMENTED.search(match[0]) or OTHERS.search(match[0]) or FILLED.match(match[0])):
            yield Secret(match[0], "vendor token")
    for find in (in_tables, in_inserts, below_headings):
        yield from (Secret(value, rule) for value, rule in find(text, lowered))


def _behind_colours(text: str) -> Iterator[Secret]:
    """A colour is no part of a text: it neither begins a word nor ends one, nor does it part one in two.

    Both readings are searched.
    """
    ends = [match.span() for match in COLOUR.finditer(text)]
    if ends:
        joined = _without(text, ends)
        found = {secret.value: secret.rule for secret in _found(joined)}
        yield from (Secret(value, rule) for value, rule in found.items())
        yield from _parted(text, ends, joined, found)
        yield from _found(COLOUR.sub(" ", text))


def _behind_breaks(text: str) -> Iterator[Secret]:
    """Nor is the break that a narrow screen puts into what is too long for one line."""
    ends = [match.span(1) for match in WRAPPED.finditer(text)]
    if ends:
        joined = _without(text, ends)
        yield from _parted(text, ends, joined, {secret.value: secret.rule for secret in _found(joined)})


def _without(text: str, ends: list[tuple[int, int]]) -> str:
    starts = [0, *(end for _, end in ends)]
    return "".join(
        text[start:end] for start, end in zip(starts, [*(start for start, _ in ends), len(text)], strict=True)
    )


def _parted(text: str, ends: list[tuple[int, int]], joined: str, rules: dict[str, str]) -> Iterator[Secret]:
    """The secrets that these parts part, with them, as they stand. `joined` is the text without the parts."""
    pieces = [
        end - start for start, end in zip([0, *(end for _, end in ends)], [start for start, _ in ends], strict=False)
    ]
    # How much longer the coloured text is up to the beginning of each piece.
    begins = [0, *accumulate(pieces)]
    before = [0, *accumulate(end - start for start, end in ends)]
    for start, end in Places(rules).of(joined):
        first, last = bisect_right(begins, start) - 1, bisect_right(begins, end - 1) - 1
        if first != last:
            yield Secret(text[start + before[first] : end + before[last]], rules[joined[start:end]])


BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/_=-])")


def _encoded(text: str) -> Iterator[Secret]:
    """A secret in base64 is one still."""
    for match in BASE64.finditer(text):
        whole = match[0] + "=" * (-len(match[0]) % 4)
        try:
            inside = base64.b64decode(whole, validate=True).decode("ascii")
        except (ValueError, UnicodeDecodeError):
            continue
        if BEGIN.search(inside) or CREDENTIALS.match(inside) or (inside.isprintable() and next(_found(inside), None)):
            yield Secret(match[0], "base64 of a secret")


BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_LINE = re.compile(r"[A-Za-z0-9+/=:, -]{16,100}")


def _private_keys(text: str) -> Iterator[Secret]:
    """From its beginning to its end; where one of them was cut away, what is left of it."""
    at = 0
    first_end = END.search(text)
    while begin := BEGIN.search(text, at):
        end = END.search(text, begin.end())
        at = end.end() if end else len(text)
        yield Secret(text[begin.start() : at], "private key")
    if first_end and not BEGIN.search(text, 0, first_end.start()):
        before = text[max(0, first_end.start() - 20_000) : first_end.start()].split("\n")[:-1]
        kept = len(before)
        while kept and KEY_LINE.fullmatch(before[kept - 1]):
            kept -= 1
        body = "".join(f"{line}\n" for line in before[kept:])
        yield Secret(body + first_end.group(), "private key")


LINES_BELOW = 5


def _near_telling_words(text: str, lowered: str) -> str:
    """The lines with a word that tells of secrets, and a few below each: most of a long text says nothing of any."""
    if len(lowered) != len(text) or len(text) < 400:
        return text
    told: list[str] = []
    begin = end = 0
    for match in TELLING.finditer(lowered):
        if match.start() < end:
            continue
        start = text.rfind("\n", end, match.start()) + 1 or end
        if start > end:
            told += [text[begin:end], "\n\0\n"]
            begin = start
        end = match.end()
        for _ in range(LINES_BELOW):
            end = text.find("\n", end) + 1 or len(text)
    told.append(text[begin:end])
    return "".join(told)


WITH_NEEDS = [(rule, frozenset(rule.needs), rule.stays_near) for rule in RULES]
NEEDS = sorted({need for rule in RULES for need in rule.needs})
NEEDS_NEAR = {need for rule in RULES if rule.stays_near for need in rule.needs}
"""Each is looked for once in a text, not once for each rule that asks for it."""


def _by_rules(text: str, lowered: str) -> Iterator[Secret]:
    near = _near_telling_words(text, lowered)
    stand = {need for need in NEEDS if need in lowered}
    lowered_near = lowered if near is text else near.lower()
    stand_near = {need for need in stand & NEEDS_NEAR if need in lowered_near}
    for rule, needs, stays_near in WITH_NEEDS:
        if needs.isdisjoint(stand_near if stays_near else stand):
            continue
        for match in rule.pattern.finditer(near if stays_near else text):
            value = value_of(rule, match)
            if value is not None:
                yield Secret(value, rule.name)
