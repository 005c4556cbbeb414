"""Learns what each sign, pair, place and word says: `python -m tests.bench.learn_injections [--write]`.

A passage of a hostile text is hostile, but it is not said which: the one that weighs the most is taken for it, and all
is weighed anew, a few times. Of innocent texts every passage is innocent. What is printed was weighed by texts of the
other parts only. Nothing is learnt from the texts of `unseen` and `fresh`, but one number: `enough` is where so few of their
innocent texts are taken as is wanted, since those that are learnt from are learnt too well to tell.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from tests.bench.injections import HELD, TEXTS, UNSEEN, all_sets
from tests.bench.made_injections import generated
from tests.bench.made_orders import orders
from warm_tui.templates.injection import needs_no_weighing, passages, unescaped
from warm_tui.templates.injection_weighing import WEIGHTS

WRITTEN_FOR = ("own", "blind")
"""The rules were written with these at hand, so they are only learnt from."""
PARTS = 5
ROUNDS = 3
INNOCENT_TAKEN = 0.015
AT_LEAST_TEXTS = 5
"""A word, or a pair of signs, in fewer texts says nothing of the next one."""
HELD_BACK = {"signs": 1.0, "place": 1.0, "pairs": 3.0, "words": 3.0}
ALWAYS = ("signs", "place")
"""Of these each has its row, however seldom it is found."""
HOSTILE_COUNTS = 0.7
TOO_LITTLE = 0.01


Named = tuple[str, str]
"""What it is, and its name."""


class Example(NamedTuple):
    text: str
    hostile: bool
    known_to_rules: bool
    passages: list[list[Named]]


def examples(names: Iterable[str]) -> list[Example]:
    sets = all_sets(TEXTS)
    return [
        _example(text, kind == "hostile", name in WRITTEN_FOR)
        for name in names
        for kind in ("hostile", "innocent")
        for text in sets[name][kind]
    ]


def _example(text: str, hostile: bool, known_to_rules: bool) -> Example:
    found = [[(kind, each) for kind in HELD_BACK for each in getattr(one, kind)] for one in passages(unescaped(text))]
    return Example(text, hostile, known_to_rules, found)


def learn(texts: Sequence[Example]) -> tuple[dict[Named, float], float]:
    """What each says, and from where on it is enough."""
    counted = Counter(each for text in texts for each in {each for passage in text.passages for each in passage})
    names = [each for each in sorted(counted) if each[0] in ALWAYS or counted[each] >= AT_LEAST_TEXTS]
    number = {each: at for at, each in enumerate(names)}
    held_back = np.array([HELD_BACK[kind] for kind, _ in names] + [0.0])
    of_text = np.array([at for at, text in enumerate(texts) for _ in text.passages])
    rows = [[number[each] for each in passage if each in number] for text in texts for passage in text.passages]
    ends = np.cumsum([0, *map(len, rows)])
    cells = csr_matrix((np.ones(ends[-1]), np.concatenate(rows).astype(int), ends), shape=(len(rows), len(names)))
    hostile = np.array([texts[at].hostile for at in of_text])
    together = np.bincount(of_text, minlength=len(texts)).astype(float)[of_text]
    counts = np.where(hostile, HOSTILE_COUNTS / together, 1 / np.sqrt(together))
    says = np.zeros(len(names) + 1)
    for _ in range(ROUNDS):
        says = _weigh(cells, hostile, counts, held_back, says)
        scores = cells @ says[:-1]
        counts[hostile] = 0.0
        for at in np.unique(of_text[hostile]):
            own = np.flatnonzero(of_text == at)
            counts[own[np.argmax(scores[own])]] = HOSTILE_COUNTS
    return dict(zip(names, says[:-1], strict=True)), float(-says[-1])


def _weigh(
    cells: csr_matrix,
    hostile: NDArray[np.bool_],
    counts: NDArray[np.float64],
    held_back: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Logistic regression, held back by the squares."""
    sign = np.where(hostile, 1.0, -1.0)

    def loss(says: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = sign * (cells @ says[:-1] + says[-1])
        slope = -counts * sign / (1 + np.exp(np.clip(margin, -50, 50)))
        value = (counts * np.logaddexp(0, -margin)).sum() + 0.5 * (held_back * says**2).sum()
        return float(value), np.append(cells.T @ slope, slope.sum()) + held_back * says

    found: NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found


def score(text: Example, says: dict[Named, float]) -> float:
    if needs_no_weighing(unescaped(text.text)):
        return float("inf")
    return max((sum(says.get(each, 0.0) for each in passage) for passage in text.passages), default=0.0)


def over_parts(texts: Sequence[Example], learnt_from_too: Sequence[Example]) -> list[tuple[float, bool]]:
    """How far above enough each text is by what was learnt from the other parts."""
    found: list[tuple[float, bool]] = []
    for part in range(PARTS):
        others = [text for at, text in enumerate(texts) if at % PARTS != part]
        says, enough = learn([*others, *learnt_from_too])
        found += [(score(text, says) - enough, text.hostile) for text in texts[part::PARTS]]
    return found


def main() -> None:
    texts = examples(name for name in all_sets(TEXTS) if name not in (*UNSEEN, *HELD))
    random.Random(5).shuffle(texts)
    made = [_example(text, kind == "h", True) for kind, text in (*generated(), *orders())]
    new = [text for text in texts if not text.known_to_rules]
    found = over_parts(new, [*made, *(text for text in texts if text.known_to_rules)])
    print(f"{len(new)} texts, each weighed by what was learnt from the other parts:")
    _print_known(found)
    says, _ = learn([*texts, *made])
    kept = {each: round(float(says[each]), 3) for each in sorted(says) if abs(says[each]) >= TOO_LITTLE}
    unseen = [(score(text, kept), text.hostile) for text in examples(UNSEEN)]
    print("texts that nothing was learnt from:")
    _print_known(unseen)
    if "--write" in sys.argv:
        _write(kept, _enough(unseen, INNOCENT_TAKEN))


def _print_known(found: Sequence[tuple[float, bool]]) -> None:
    for taken in (0.01, INNOCENT_TAKEN, 0.02, 0.05, 0.1):
        known = np.mean([score > _enough(found, taken) for score, hostile in found if hostile])
        print(f"  {taken:.1%} of the innocent taken for hostile: {known:.1%} known ({_enough(found, taken):+.2f})")


def _enough(found: Sequence[tuple[float, bool]], taken: float) -> float:
    """Beyond it no larger share of the innocent is."""
    innocent = sorted((score for score, hostile in found if not hostile), reverse=True)
    return innocent[int(taken * len(innocent))]


def _write(says: dict[Named, float], enough: float) -> None:
    tables = {kind: {name: says[of, name] for of, name in says if of == kind} for kind in HELD_BACK}
    document = {"enough": round(enough + 0.001, 3), **tables}
    WEIGHTS.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main()
