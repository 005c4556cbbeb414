"""Did a family go down since sessions began with a template? By sessions that could have had it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from warm_tui.reliability.families import Exposed, Family
from warm_tui.reliability.stats import newcombe

Went: TypeAlias = Literal["down", "up", "cannot tell"]


class Effect(msgspec.Struct, frozen=True):
    """How many sessions had it, of those that could have: cold ones before the template, and those it warmed."""

    since: float
    before: tuple[int, int]
    after: tuple[int, int]
    low: float | None
    high: float | None
    """Where the true difference of their shares lies, 95 times in 100."""

    @property
    def went(self) -> Went:
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return "cannot tell"
        return "down" if self.high < 0 else "up"


def effect_of(
    family: Family, exposed: Exposed, template: str, template_of: Callable[[str, float], str]
) -> Effect | None:
    """`template_of`: by what a session was warmed, by its name and its beginning. None where none was by this one.

    The session in which it was first seen is left out: it had to have it.
    """
    had = set(family.lives)
    sessions = [
        (start, life in had, template_of(life, start))
        for life, start in zip(exposed.lives, exposed.starts, strict=True)
        if life != family.lives[0]
    ]
    since = min((start for start, _, by in sessions if by == template), default=None)
    if since is None:
        return None
    before = [it_had for start, it_had, by in sessions if family.starts[0] <= start < since and not by]
    after = [it_had for _, it_had, by in sessions if by == template]
    counts = (sum(before), len(before)), (sum(after), len(after))
    low, high = newcombe(*counts) or (None, None)
    return Effect(since, *counts, low, high)
