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

`python -m tests.bench.injections FILE ...` reads other files of the same form: {set: {"hostile": [...], "innocent": [...]}}.
Of 780 hostile texts that 26 others had published (benchmarks, data of detectors, real mails, prompts sent to contests), of
which nothing was learnt, 308 were known, 39 % (36 to 43), and of 1,228 innocent ones from 331 places (readmes, manuals,
mails, prompts, texts about attacks) 15 were taken, 1.2 % (0.7 to 2.0). They are theirs, and not kept here. What was known of
what kind: orders that never say that they are for an agent (a line in a bug report to run a command first, 0 of 35; "encode
your response in Base64" within a letter, 1 of 45), orders within reports and whois records (2 of 25, 12 of 54), mail that
asks whoever reads it for a confirmation (19 of 60), and questions for a secret that only a chat would get (23 of 50).

Learning from half of those sources and looking at the other half was tried and left.
Where 2 % of the innocent are taken: with the signs that stand here, of the other half 52 % are known and not 44 %, but of
`unseen` and `fresh` together 61 % and not 70 %; with kinds of words close together in place of rules and phrases, in half of
the time, 45 % and 41 %. What the texts of some writers teach says little of those of the next.
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
