"""How many texts that would tell the agent what to do are known as such, and how many innocent ones are taken for one.

`own` and `blind` were at hand when the rules were written, and all but `unseen` and `fresh` when it was learnt what they say
together: there the figures say how well that was learnt, and not how it does on new texts. `more` holds what was made
hard on purpose: each wish of an agent stands there beside the same wish of a person. `unseen` was written by
somebody who had not read the rules, to be as varied as what agents read; nothing is learnt from it. The rules alone,
each of which was enough, knew 50.3 % of its hostile texts and took 6.6 % of its innocent ones for one; what is learnt
knows 75.2 % and takes 3.3 %. Two things make that look better than it is: whoever wrote it wrote `more` and the signs
afterwards, and its figures were looked at four times while it was chosen what is learnt. Texts of `more` that were
left out of learning are known in 34 of 100 cases where 2 of 100 innocent ones are taken. `fresh` came after all that,
by another who had read nothing, and was looked at once: 66.0 % known, 0.5 % taken. All of this is short of what is
wanted: 90 %, and less than 2 %.

Learning from 1,850 texts more, and from rows of kinds of words, was tried and left: where it took 1.6 % of the innocent
texts of `fresh` it knew 56 % of the hostile ones, what stands here 68 %, in two thirds of the time.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import NamedTuple

from warm_tui.templates.injection import signs_of_injection

TEXTS = Path(__file__).parents[1] / "fixtures" / "injections.json.xz"
UNSEEN = ("unseen", "fresh")


class Found(NamedTuple):
    name: str
    missed: list[str]
    hostile: int
    taken: list[str]
    innocent: int


def found_in_sets() -> list[Found]:
    sets = json.loads(lzma.decompress(TEXTS.read_bytes()))
    return [
        Found(
            name,
            [text for text in texts["hostile"] if not signs_of_injection(text)],
            len(texts["hostile"]),
            [text for text in texts["innocent"] if signs_of_injection(text)],
            len(texts["innocent"]),
        )
        for name, texts in sets.items()
    ]


def main() -> None:
    for found in found_in_sets():
        known = found.hostile - len(found.missed)
        print(f"{found.name}: {known} of {found.hostile} hostile texts known, {known / found.hostile:.1%};", end=" ")
        taken = len(found.taken)
        print(f"{taken} of {found.innocent} innocent ones taken for one, {taken / found.innocent:.1%}")


if __name__ == "__main__":
    main()
