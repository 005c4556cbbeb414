"""What a trial has shown so far, in figures and in words; one may look at any time."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Literal, TypeAlias

import msgspec

from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.text import plural
from warm_tui.trials.figures import Drawn, InArm
from warm_tui.trials.secondary import Secondary, secondary

Verdict: TypeAlias = Literal["helps", "harms", "nothing shown yet", "no control group"]

MIN_COLD = 10
"""Of fewer cold sessions nothing is said of how many it would take."""


class Shown(msgspec.Struct, frozen=True):
    """One template of a rule against the sessions that drew cold."""

    template: str
    verdict: Verdict
    warm: int
    cold: int
    warm_rate: float | None
    """Means of the sessions' error rates, in which more than half counts as half."""
    cold_rate: float | None
    low: float | None = None
    high: float | None = None
    """The warm rate less the cold one lies between these, at whatever time one looks."""
    level: float = LEVEL
    wanted: int | None = None
    """How many more sessions would show, in half of all such trials, that failures are halved; none where there were
    so many already."""
    days: int | None = None
    """How long they take to come, as they came so far."""
    secondary: list[Secondary] = []
    """What else was measured: nothing is claimed of it."""

    @property
    def told(self) -> str:
        """In one sentence, after what it is told of."""
        if self.verdict == "no control group":
            return "No session draws cold, so nothing can be shown: a smaller share, or a holdout, makes it a trial."
        if self.verdict == "nothing shown yet":
            return f"Nothing shown yet.{self._what_it_takes()}"
        assert self.low is not None
        assert self.high is not None
        least, most = sorted((abs(self.low), abs(self.high)))
        word = "fewer" if self.verdict == "helps" else "more"
        return (
            f"It {self.verdict}: {least * 100:.1f} to {most * 100:.1f} in a hundred calls {word} fail, as a mean over"
            f" {plural(self.warm, 'warm session')} and {self.cold:,} cold."
        )

    def at_a_rate_of(self, per_day: float | None) -> Shown:
        """With how long what it wants takes to come."""
        return msgspec.structs.replace(self, days=ceil(self.wanted / per_day)) if self.wanted and per_day else self

    def _what_it_takes(self) -> str:
        if self.wanted is None:
            few = self.cold < MIN_COLD
            return f" How many sessions that takes can be said once {MIN_COLD} of them drew cold." if few else ""
        if not self.wanted:
            return " If failures were halved, half of all such trials would have shown it by now."
        when = f", {plural(self.days, 'day')} as they come now," if self.days is not None else ""
        return f" About {plural(self.wanted, 'more session')}{when} would show it if failures were halved."


def shown(template: str, sessions: Sequence[Drawn], templates: int = 1) -> Shown:
    """Sessions of two arms, in the order they came to an end; of several templates each has its part of the level."""
    from warm_tui.trials.betting import bets_of, interval, wanted_to_halve

    level = LEVEL / templates
    sides = [[each for each in sessions if each.warm is warm] for warm in (True, False)]
    (warm, warm_rate), (cold, cold_rate) = map(_mean, sides)
    # A session that could draw in one way only tells of no difference.
    telling = [each for each in sessions if 0 < each.chance < 1]
    if not telling:
        none: Verdict = "no control group" if sessions else "nothing shown yet"
        return Shown(template, none, warm, cold, warm_rate, cold_rate, level=level)
    low, high = interval(bets_of(telling), level)
    verdict: Verdict = "helps" if high < 0 else "harms" if low > 0 else "nothing shown yet"
    found = Shown(template, verdict, warm, cold, warm_rate, cold_rate, low, high, level)
    if verdict != "nothing shown yet" or cold < MIN_COLD:
        return found
    whole = wanted_to_halve(sides[1], telling[-1].chance, level)
    if whole is None:
        return found
    return msgspec.structs.replace(found, wanted=max(0, whole - len(telling)))


def with_secondary(found: Shown, sessions: Sequence[InArm]) -> Shown:
    return msgspec.structs.replace(found, secondary=secondary(sessions))


def _mean(side: Sequence[Drawn]) -> tuple[int, float | None]:
    return len(side), sum(each.rate for each in side) / len(side) if side else None
