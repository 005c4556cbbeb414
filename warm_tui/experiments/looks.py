"""When an experiment may be looked at, and what each look costs.

Looking again and again until p is small finds effects that are not there. So the looks are fixed
beforehand and share the 5 %: little is spent early (as O'Brien and Fleming do, in the form of Lan and
DeMets), and each look is tested at what it adds. That the shares add up to the whole holds for any test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from warm_tui.reliability.stats import LEVEL

NORMAL = NormalDist()


class Look(NamedTuple):
    pairs: int
    """So many pairs, the first in the order of the plan, are looked at."""
    level: float
    """p must be below this to stop, or at the end to claim a difference."""


def spent(share: float, level: float = LEVEL) -> float:
    """How much of the level may have been used when this share of the pairs is known."""
    return 4 * (1 - NORMAL.cdf(NORMAL.inv_cdf(1 - level / 4) / math.sqrt(share)))


def looks_of(shares: Sequence[float], pairs: int) -> list[Look]:
    """The looks in their order; the last is the end."""
    looks: list[Look] = []
    before = 0.0
    for share in (*shares, 1.0):
        count = min(pairs, max(1, math.ceil(round(share * pairs, 6))))
        if looks and count <= looks[-1].pairs:
            continue
        used = spent(count / pairs) if count < pairs else LEVEL
        looks.append(Look(count, used - before))
        before = used
    return looks
