"""What signs and words say of a text together: whether it would tell the agent what to do.

What each says was learnt from examples by `python -m tests.bench.learn_injections`; none says enough by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from warm_tui.templates.injection_phrases import windows
from warm_tui.writing import read_regular

WEIGHTS = Path(__file__).with_name("injection_weights.json")
SPELLED = "is spelled or packed"
"""The sign of each reading but the first."""
NAMED = 2
"""So many signs, and words, are told of a text."""


class Passage(NamedTuple):
    """What stands close together: the signs, and the words, alone and with the next."""

    signs: frozenset[str]
    words: frozenset[str]


class Weights(NamedTuple):
    """What each sign and each word or two says; more than `enough` in all is taken for instructions."""

    enough: float
    signs: dict[str, float]
    words: dict[str, float]


@cache
def weights() -> Weights:
    return Weights(**json.loads(read_regular(WEIGHTS)))


def passages_of(reading: str, rules: Iterable[tuple[int, str]], *, spelled: bool) -> Iterator[Passage]:
    """Of a reading, with the places in which rules speak."""
    for window in windows(reading, rules):
        words = [word for word in window.words if word[:1].isalpha()]
        signs = window.signs | {SPELLED} if spelled else window.signs
        yield Passage(signs, frozenset({*words, *map(" ".join, pairwise(words))}))


def weighed(passages: Iterable[Passage]) -> list[str]:
    """The signs that weighed the most, then the words that did; none where no passage weighs enough."""
    most, heaviest = weights().enough, None
    for passage in passages:
        if (weight := _weight(passage)) > most:
            most, heaviest = weight, passage
    return _told(heaviest) if heaviest else []


def _weight(passage: Passage) -> float:
    known = weights()
    return sum([known.signs.get(sign, 0.0) for sign in passage.signs]) + sum(
        [known.words[word] for word in passage.words if word in known.words]
    )


def _told(passage: Passage) -> list[str]:
    """The signs and words that say the most; words stand in quotes."""
    known = weights()
    signs = sorted(passage.signs & known.signs.keys(), key=lambda sign: (-known.signs[sign], sign))
    words = sorted(passage.words & known.words.keys(), key=lambda word: (-known.words[word], word))
    return [
        *[sign for sign in signs if known.signs[sign] > 0][:NAMED],
        *[f'"{word}"' for word in words if known.words[word] > 0][:NAMED],
    ]
