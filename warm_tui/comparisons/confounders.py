"""What else sets two arms apart: where it does, a difference between them need not be the template's doing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from warm_tui.comparisons.units import Unit
from warm_tui.reliability.stats import LEVEL

BY_CHANCE = 0.01
"""How seldom arms dealt by lot would be as far apart in one of these."""


class Confounder(msgspec.Struct, frozen=True):
    name: str
    words: str
    """How the arms differ in it, without a full stop."""


class Kind(NamedTuple):
    name: str
    of: Callable[[Unit], str]
    unknown: str


KINDS = (
    Kind("model", lambda unit: unit.model, "an unknown model"),
    Kind("source", lambda unit: unit.source, "an unknown source"),
)


def differs(first: tuple[int, int], second: tuple[int, int], level: float = LEVEL) -> bool:
    """(with, without) of two groups: more than chance would have it, by Fisher's test."""
    from scipy.stats import fisher_exact

    return float(fisher_exact([list(first), list(second)]).pvalue) < level


def confounders_of(warm: Sequence[Unit], cold: Sequence[Unit]) -> list[Confounder]:
    if not warm or not cold:
        return []
    found = [_by_kind(kind, warm, cold) for kind in KINDS] + [_by_time(warm, cold)]
    return [confounder for confounder in found if confounder is not None]


def _by_kind(kind: Kind, warm: Sequence[Unit], cold: Sequence[Unit]) -> Confounder | None:
    """Nothing in common, or one model (or source) oftener in one arm than chance would have it."""
    in_warm, in_cold = (Counter(kind.of(unit) for unit in units) for units in (warm, cold))
    values = sorted(in_warm | in_cold, key=lambda value: (-abs(in_warm[value] - in_cold[value]), value))
    for value in values:
        first, second = ((one[value], len(units) - one[value]) for one, units in ((in_warm, warm), (in_cold, cold)))
        if not in_warm & in_cold or differs(first, second, BY_CHANCE / len(values)):
            named = value or kind.unknown
            return Confounder(
                kind.name,
                f"{in_warm[value]:,} of {len(warm):,} warm and {in_cold[value]:,} of {len(cold):,} cold sessions "
                f"are of {named}",
            )
    return None


def _by_time(warm: Sequence[Unit], cold: Sequence[Unit]) -> Confounder | None:
    """Spans that do not meet, or times spread otherwise than chance would have it (Kolmogorov and Smirnov)."""
    from scipy.stats import ks_2samp

    in_warm, in_cold = (sorted(u.started_at for u in units if u.started_at is not None) for units in (warm, cold))
    if min(len(in_warm), len(in_cold)) < 2:
        return None
    for earlier, later, order in ((in_cold, in_warm, "after the last"), (in_warm, in_cold, "before the first")):
        if earlier[-1] < later[0]:
            return Confounder("time", f"every warm session began {order} cold one")
    if float(ks_2samp(in_warm, in_cold, method="asymp").pvalue) >= BY_CHANCE:
        return None
    return Confounder("time", "the warm sessions began at other times than the cold ones")
