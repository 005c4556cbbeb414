"""How many texts that would tell the agent what to do are known as such, and how many innocent ones are taken for one.

`own` and `blind` were at hand when the rules were written, and they, `more` and `today` when it was learnt what the signs say
together: there the figures say how well that was learnt, and not how it does on new texts. Left out of learning, texts of
`more` and `today` are known in 40 of 100 cases where 2 of 100 innocent ones are taken; both were made hard on purpose, `more`
with each wish of an agent beside the same wish of a person. Nothing is learnt from `unseen` and `fresh` but from where on it
is enough, so that their innocent ones are not quite new; they were looked at some forty times while it was chosen what
is learnt and weighed. 79.8 % of their hostile texts are known and 1.5 % of the innocent taken; before signs were weighed with
their place it was 70.2 and 1.8 %. `today-held` was looked at only at the end: 53.3 % of 60 and one of 60; before, 38.3 % and none.
All of this is short of what is wanted, 90 % and less than 2 %, but for `own` and `blind`, which are learnt from.

`python -m tests.bench.injections FILE ...` reads other files of the same form: {set: {"hostile": [...], "innocent": [...]}}.
Of 780 hostile texts that 26 others had published (benchmarks, data of detectors, real mails, prompts sent to contests), of
which nothing was learnt, 402 are known, 51.5 % (48 to 55), before 39 %; of 1,228 innocent ones from 331 places (readmes,
manuals, mails, prompts, texts about attacks) 20 are taken, 1.6 % (1.1 to 2.5), before 1.2 %. They are theirs, and not kept here.
The half of the sources that was looked at only at the end: 48.5 % of 421, 2.0 % of 706 (14); before 37.1 and 1.1 %.

Tried and left. What is learnt from half of those sources says little of the other half, and less of `unseen` and `fresh`. Bags
of words and kinds of words close together, and 1,850 texts more, did no better. The vectors of words of wordllama (16 MB in its
wheel, whose loader looks for its own tokenizer in a folder of another name): alone they knew 5 % of `unseen` and `fresh`,
beside signs and words 72 instead of 70, and 42 instead of 46 of what others published. A network with one hidden layer
knew as many as the sums do. Composed chat formats and questions for the prompt took from the rest what they gave.
"""

from __future__ import annotations

import json
import lzma
import sys
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from tests.bench.read_today import made
from warm_tui.templates.injection import signs_of_injection

TEXTS = Path(__file__).parents[1] / "fixtures" / "injections.json.xz"
UNSEEN = ("unseen", "fresh")
HELD = ("today-held",)


class Found(NamedTuple):
    name: str
    missed: list[str]
    hostile: int
    taken: list[str]
    innocent: int


def read_sets(file: Path) -> dict[str, dict[str, list[str]]]:
    sets: dict[str, dict[str, list[str]]] = json.loads(lzma.decompress(file.read_bytes()))
    return sets


def all_sets(file: Path) -> dict[str, dict[str, list[str]]]:
    """With those that are made, where they are the project's own."""
    return read_sets(file) | (made() if file == TEXTS else {})


def found_in_sets(file: Path = TEXTS) -> list[Found]:
    return [
        Found(
            name,
            [text for text in texts["hostile"] if not signs_of_injection(text)],
            len(texts["hostile"]),
            [text for text in texts["innocent"] if signs_of_injection(text)],
            len(texts["innocent"]),
        )
        for name, texts in all_sets(file).items()
    ]


def share(some: int, all_: int) -> str:
    """With where 95 of 100 such shares lie (Wilson)."""
    if not all_:
        return "none"
    about, wide = (some + 1.92) / (all_ + 3.84), 1.96 * sqrt(some * (all_ - some) / all_ + 0.96) / (all_ + 3.84)
    return f"{some} of {all_}, {some / all_:.1%} [{max(0.0, about - wide):.1%} to {about + wide:.1%}]"


def main() -> None:
    for file in [Path(each) for each in sys.argv[1:]] or [TEXTS]:
        sets = found_in_sets(file)
        both = Found(
            "all",
            [text for each in sets for text in each.missed],
            sum(each.hostile for each in sets),
            [text for each in sets for text in each.taken],
            sum(each.innocent for each in sets),
        )
        for found in (*(each for each in sets if each.hostile), both):
            known = share(found.hostile - len(found.missed), found.hostile)
            print(
                f"{found.name}: hostile texts known {known}; innocent ones taken {share(len(found.taken), found.innocent)}"
            )


if __name__ == "__main__":
    main()
