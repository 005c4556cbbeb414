"""Where the signs of `injection_signs.py` stand in a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from warm_tui.templates.injection_signs import GROUPS, SIGNS

GAP = 3
"""So many words `~` stands for at most."""
BEGINS = "^"

_WORD = re.compile(r"[^\W_]{1,60}(?:['’.\-][^\W_]{1,60}){0,8}|[^\w\s]|_")
_OPENING = frozenset('([{<>#*/`"-—:')
_ENDING = frozenset(".!?;。！？")


class Element(NamedTuple):
    """One word of a phrase: which ones it may be, by name or by how they begin."""

    words: frozenset[str]
    beginnings: tuple[str, ...]
    may_be_missing: bool

    def allows(self, word: str) -> bool:
        return word in self.words or bool(self.beginnings and word.startswith(self.beginnings))


Phrase = tuple[Element | None, ...]
"""None stands for a gap."""


class Reading(NamedTuple):
    """A text in words: where its sentences begin, which signs begin where, and which are of the text as a whole."""

    words: list[str]
    sentences: list[int]
    found: list[tuple[int, str]]
    of_text: frozenset[str]


def read(text: str, others: Iterable[tuple[int, str]] = ()) -> Reading:
    """A text that was folded. `others`: what else was found, and where."""
    words, sentences, places = _words(text)
    found = {(at, SIGNS[sign].name) for at, sign in _found(text, words, places)}
    found.update((bisect_right(places, place) - 1, name) for place, name in others)
    of_text = frozenset(SIGNS[sign].name for sign, pattern in _patterns(of_text=True) if pattern.search(text))
    return Reading(words, sentences, sorted(found), of_text)


def _words(text: str) -> tuple[list[str], list[int], list[int]]:
    """The words with a mark where something begins, where sentences begin, and where each word stands."""
    words, sentences, places = [BEGINS], [0], [0]
    last = 0

    def begin(at: int, *, sentence: bool) -> None:
        if sentence:
            sentences.append(len(words))
        words.append(BEGINS)
        places.append(at)

    for match in _WORD.finditer(text):
        word = match[0]
        if "\n" in text[last : match.start()]:
            begin(match.start(), sentence=True)
        words.append(word)
        places.append(match.start())
        last = match.end()
        if word in _OPENING:
            begin(last, sentence=False)
        elif word in _ENDING and (last == len(text) or text[last].isspace() or word in "。！？"):
            begin(last, sentence=True)
    return words, sentences, places


def _found(text: str, words: Sequence[str], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Signs by number, each with the word that it begins at."""
    count = len(words)
    for at, word in enumerate(words):
        alone, by_next, others = _beginning_with(word)
        for sign in alone:
            yield at, sign
        after = at + 1
        if by_next and after < count:
            if words[after] == BEGINS and after + 1 < count:
                after += 1
            for sign, phrase in by_next.get(words[after], ()):
                if _goes_on(words, after + 1, phrase, 2):
                    yield at, sign
        for sign, phrase in others:
            if _goes_on(words, at + 1, phrase, 1):
                yield at, sign
    for sign, pattern in _patterns(of_text=False):
        for match in pattern.finditer(text):
            yield bisect_right(places, match.start()) - 1, sign


def _goes_on(words: Sequence[str], at: int, phrase: Phrase, step: int) -> bool:
    """Whether the rest of a phrase stands here. A mark of a beginning is passed over where none is wanted."""
    while step < len(phrase):
        element = phrase[step]
        step += 1
        if element is None:
            for gap in range(at, min(at + GAP, len(words)) + 1):
                if gap > at + 1 and words[gap - 1] == BEGINS:
                    return False
                if _goes_on(words, gap, phrase, step):
                    return True
            return False
        here = at + (at < len(words) and words[at] == BEGINS and BEGINS not in element.words)
        if here < len(words) and element.allows(words[here]):
            at = here + 1
        elif not element.may_be_missing:
            return False
    return True


# --- the table, made ready ---


@cache
def _group(name: str) -> tuple[list[str], list[str]]:
    return _choices(GROUPS[name])


def _choices(written: str) -> tuple[list[str], list[str]]:
    words: list[str] = []
    beginnings: list[str] = []
    for choice in filter(None, written.split("/")):
        if choice[0] == "{" and len(choice) > 1:
            of_group = _group(choice[1:-1])
            words += of_group[0]
            beginnings += of_group[1]
        elif choice[-1] == "*" and len(choice) > 1:
            beginnings.append(choice[:-1])
        else:
            words.append(choice)
    return words, beginnings


def _phrase(written: str) -> Phrase:
    elements: list[Element | None] = []
    for each in written.split():
        if each == "~":
            elements.append(None)
            continue
        may_be_missing = len(each) > 1 and each.endswith("?")
        words, beginnings = _choices(each.removesuffix("?") if may_be_missing else each)
        elements.append(Element(frozenset(words), tuple(beginnings), may_be_missing))
    return tuple(elements)


def _variants(phrase: Phrase) -> Iterator[Phrase]:
    """With and without the words at its beginning that may be missing."""
    yield phrase
    while len(phrase) > 1 and phrase[0] is not None and phrase[0].may_be_missing:
        phrase = phrase[1:]
        yield phrase


class Phrases(NamedTuple):
    """Of one word: the signs that it is by itself, the phrases by the one word that must come next, and all others."""

    alone: tuple[int, ...]
    by_next: dict[str, list[tuple[int, Phrase]]]
    others: list[tuple[int, Phrase]]


@cache
def _phrases() -> tuple[dict[str, list[tuple[int, Phrase]]], dict[str, list[tuple[str, int, Phrase]]]]:
    """By their first word, and by its first letter where only its beginning is told."""
    by_word: dict[str, list[tuple[int, Phrase]]] = {}
    by_letter: dict[str, list[tuple[str, int, Phrase]]] = {}
    for number, sign in enumerate(SIGNS):
        for written in filter(str.strip, sign.phrases.split(";")):
            for phrase in _variants(_phrase(written)):
                assert phrase[0] is not None, written
                for word in phrase[0].words:
                    by_word.setdefault(word, []).append((number, phrase))
                for beginning in phrase[0].beginnings:
                    by_letter.setdefault(beginning[0], []).append((beginning, number, phrase))
    return by_word, by_letter


@lru_cache(20_000)
def _beginning_with(word: str) -> Phrases:
    by_word, by_letter = _phrases()
    phrases = list(by_word.get(word, ()))
    for beginning, number, phrase in by_letter.get(word[0], ()):
        if word.startswith(beginning):
            phrases.append((number, phrase))
    alone = {number for number, phrase in phrases if len(phrase) == 1}
    found = Phrases(tuple(alone), {}, [])
    for number, phrase in phrases:
        if number in alone:
            continue
        second = phrase[1]
        if second is None or second.may_be_missing or second.beginnings or BEGINS in second.words:
            found.others.append((number, phrase))
        else:
            for following in second.words:
                found.by_next.setdefault(following, []).append((number, phrase))
    return found


@cache
def _patterns(*, of_text: bool) -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Of the signs that phrases cannot say."""
    return tuple(
        (number, pattern)
        for number, sign in enumerate(SIGNS)
        for pattern in (sign.pattern, sign.pieces and re.compile("|".join(map(re.escape, sign.pieces.split("|")))))
        if pattern and sign.of_text == of_text
    )
