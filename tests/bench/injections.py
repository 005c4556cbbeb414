"""How many texts that would tell the agent what to do are known as such, and how many innocent ones are taken for one.

`own` was written beside the rules. `blind` was written by somebody who did not know them: at first look 47.3 % of its
150 hostile texts were known, and 6.0 % of its 150 innocent ones were taken for hostile. When one half had been mended,
56.0 % and 6.7 % of the other; when three quarters had been, 54.1 % and 8.1 % of the last quarter. Then the rules were
mended with all of them at hand, so what is printed here says how well they hold, and not how they do on new texts.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import NamedTuple

from warm_tui.templates.injection import signs_of_injection

TEXTS = Path(__file__).parents[1] / "fixtures" / "injections.json.xz"


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
