"""What signs and words say of a text together: whether it would tell the agent what to do.

What each says was learnt from examples by `python -m tests.bench.learn_injections`; none says enough by itself. What
stands close together is weighed, and its place: an order is another thing in a list of steps than in a report. Words
are added up however often they are there, so that none need be gone through again from each sentence on.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations
from pathlib import Path
from typing import NamedTuple

from warm_tui.templates.injection_phrases import BEGINS, Reading
from warm_tui.writing import read_regular

WEIGHTS = Path(__file__).with_name("injection_weights.json")
SPELLED = "is spelled or packed"
"""The sign of each reading but the first."""
AN_ORDER = "begins with an order"
CLOSE = 60
"""So many words from the beginning of a sentence are looked at together."""
MARKS = frozenset('#<*/`"-(>[{')
"""What stands before a comment, a quotation, a value, an item."""
NAMED = 2
"""So many signs, and words, are told of a text."""


class Passage(NamedTuple):
    """What stands close together: the signs, the pairs of them within a sentence, its place, and the words."""

    signs: frozenset[str]
    pairs: Sequence[str]
    place: Sequence[str]
    words: Sequence[str]


class Weights(NamedTuple):
    """What each sign, pair, place and word says; more than `enough` in all is taken for instructions."""

    enough: float
    signs: dict[str, float]
    pairs: dict[str, float]
    place: dict[str, float]
    words: dict[str, float]


@cache
def weights() -> Weights:
    return Weights(**json.loads(read_regular(WEIGHTS)))


class _Close(NamedTuple):
    """From the word `start` on; sentences from `first` to before `last` begin, or hold, what stands there."""

    start: int
    first: int
    last: int
    signs: frozenset[str]
    place: tuple[str, ...]


def passages_of(reading: Reading, *, spelled: bool) -> Iterator[Passage]:
    by_sentence = _by_sentence(reading)
    for close in _close_together(reading, by_sentence, spelled=spelled):
        yield _passage(reading, by_sentence, close)


def heaviest(reading: Reading, *, spelled: bool) -> tuple[float, Passage] | None:
    """What weighs the most, and how much; none where nothing weighs enough."""
    known, by_sentence = weights(), _by_sentence(reading)
    words = list(accumulate(_each_word_says(reading.words), initial=0.0))
    pairs = list(accumulate(map(_pairs_say, by_sentence), initial=0.0))
    most, found = known.enough, None
    for close in _close_together(reading, by_sentence, spelled=spelled):
        weight = (
            _signs_say(close.signs)
            + _place_says(close.place)
            + (pairs[close.last] - pairs[close.first])
            + (words[min(close.start + CLOSE, len(reading.words))] - words[close.start])
        )
        if weight > most:
            most, found = weight, close
    return (most, _passage(reading, by_sentence, found)) if found else None


def weight_of(passage: Passage) -> float:
    """As `heaviest` finds it without going through all of it."""
    known = weights()
    return (
        _signs_say(passage.signs)
        + _place_says(tuple(passage.place))
        + sum(known.pairs.get(pair, 0.0) for pair in passage.pairs)
        + sum(known.words.get(word, 0.0) for word in passage.words)
    )


def told(passage: Passage) -> list[str]:
    """The signs and words that say the most; words stand in quotes."""
    known = weights()
    signs = sorted(passage.signs & known.signs.keys(), key=lambda sign: (-known.signs[sign], sign))
    words = sorted(known.words.keys() & set(passage.words), key=lambda word: (-known.words[word], word))
    return [
        *[sign for sign in signs if known.signs[sign] > 0][:NAMED],
        *[f'"{word.removeprefix(BEGINS + " ")}"' for word in words if known.words[word] > 0][:NAMED],
    ]


# --- what stands close together ---


def _by_sentence(reading: Reading) -> list[frozenset[str]]:
    """The signs of each sentence."""
    signs: list[set[str]] = [set() for _ in reading.sentences]
    for at, sign in reading.found:
        signs[bisect_right(reading.sentences, at) - 1].add(sign)
    return [frozenset(each) for each in signs]


def _close_together(reading: Reading, by_sentence: Sequence[frozenset[str]], *, spelled: bool) -> Iterator[_Close]:
    words, sentences, found, of_text = reading
    of_text |= {SPELLED} if spelled else frozenset()
    starts = [at for at, _ in found]
    orders = list(accumulate((AN_ORDER in signs for signs in by_sentence), initial=0))
    length = f"of {_roughly(len(sentences), (2, 7, 30))} sentences"
    for number, (begins, ends) in enumerate(zip(sentences, [*sentences[1:], len(words)], strict=True)):
        for start in range(begins, max(ends, begins + 1), CLOSE):
            near = found[bisect_left(starts, start) : bisect_left(starts, start + CLOSE)]
            if not near and not of_text:
                continue
            last = bisect_left(sentences, start + CLOSE)
            elsewhere = orders[-1] - (orders[last] - orders[number])
            place = [length, f"{_roughly(elsewhere, (0, 2))} orders elsewhere"]
            if start:
                place.append("after the beginning")
            if start + CLOSE < len(words):
                place.append("before the end")
            place += [f"after {mark}" for mark in MARKS.intersection(words[max(0, start - 3) : start + 2])]
            yield _Close(start, number, last, of_text.union([sign for _, sign in near]), tuple(place))


def _roughly(count: int, steps: Sequence[int]) -> str:
    return next((f"up to {step}" for step in steps if count <= step), "more")


def _passage(reading: Reading, by_sentence: Sequence[frozenset[str]], close: _Close) -> Passage:
    pairs = [pair for signs in by_sentence[close.first : close.last] for pair in _pairs(signs)]
    words = [said for at in _said(reading.words)[close.start : close.start + CLOSE] for said in at]
    return Passage(close.signs, pairs, close.place, words)


@lru_cache(4096)
def _pairs(signs: frozenset[str]) -> tuple[str, ...]:
    """Of the signs of one sentence."""
    return tuple(f"{one} + {other}" for one, other in combinations(sorted(signs), 2))


def _said(words: Sequence[str]) -> list[list[str]]:
    """Of each word: itself, with the one before, and as the first of what begins there."""
    said: list[list[str]] = []
    before, begins = "", False
    for word in words:
        if word == BEGINS:
            said.append([])
        elif word[:1].isalpha():
            said.append([word, *([f"{before} {word}"] if before else []), *([f"{BEGINS} {word}"] if begins else [])])
            before = word
        else:
            said.append([])
            before = ""
        begins = word == BEGINS
    return said


# --- what it says ---


def _each_word_says(words: Sequence[str]) -> Iterator[float]:
    """As `_said`, without making what nothing is known of."""
    known, together = weights().words, _by_the_first()
    nothing: dict[str, float] = {}
    before, begins = nothing, nothing
    for word in words:
        if word == BEGINS:
            yield 0.0
            begins = together.get(BEGINS, nothing)
            continue
        if word[:1].isalpha():
            yield known.get(word, 0.0) + before.get(word, 0.0) + begins.get(word, 0.0)
            before = together.get(word, nothing)
        else:
            yield 0.0
            before = nothing
        begins = nothing


@cache
def _by_the_first() -> dict[str, dict[str, float]]:
    """What two words say, by the first and then by the second."""
    found: dict[str, dict[str, float]] = {}
    for words, says in weights().words.items():
        first, _, second = words.partition(" ")
        if second:
            found.setdefault(first, {})[second] = says
    return found


@lru_cache(4096)
def _signs_say(signs: frozenset[str]) -> float:
    known = weights().signs
    return sum(known.get(sign, 0.0) for sign in signs)


@lru_cache(4096)
def _pairs_say(signs: frozenset[str]) -> float:
    known = weights().pairs
    return sum(known.get(pair, 0.0) for pair in _pairs(signs))


@lru_cache(1024)
def _place_says(place: tuple[str, ...]) -> float:
    known = weights().place
    return sum(known.get(each, 0.0) for each in place)
