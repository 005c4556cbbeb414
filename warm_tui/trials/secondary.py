"""What else differs between the arms: figures with intervals that hold whenever one looks, and no verdict on any.

One thing is claimed of a trial, by its session error rate. Of these each interval holds for itself: among several one
misses now and then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from warm_tui.reliability.stats import LEVEL
from warm_tui.trials.figures import Figures, InArm

Form: TypeAlias = Literal["rate", "number", "times", "money"]

HALF = 0.5
MOST_CALLS = 20.0
FEWEST_TOKENS, LEAST_COST = 128.0, 0.0001
DOUBLINGS = 24.0
MOST_TIMES = 100


FORMATS: dict[Form, str] = {"rate": "{:.1%}", "number": "{:.1f}", "times": "{:,.0f}", "money": "${:.4f}"}


class Metric(NamedTuple):
    name: str
    title: str
    form: Form
    better: Literal[-1, 1]
    """Which way is better: -1 down, 1 up."""
    of: Callable[[Figures], float | None]
    """From 0 to the largest; None where a session has none."""
    largest: float
    guess: float
    """What the mean of an arm is taken for before its first session."""
    unit: float = 0.0
    """Where its doublings are counted, so that arms are told apart by times: what counts as none."""


class Secondary(msgspec.Struct, frozen=True):
    """One figure of two arms. By doublings: `times` and `money`, whose means are geometric, and whose bounds are how
    many times as much a warm session takes as a cold one."""

    name: str
    title: str
    form: Form
    better: int
    warm: int
    cold: int
    """How many sessions have it."""
    warm_mean: float
    cold_mean: float
    low: float
    high: float

    @property
    def told(self) -> str:
        """Without a verdict."""
        warm, cold = (FORMATS[self.form].format(mean) for mean in (self.warm_mean, self.cold_mean))
        arms = f"warm {warm} ({self.warm:,}), cold {cold} ({self.cold:,})"
        if self.form in ("times", "money"):
            return f"{arms}; {_times(self.low)} to {_times(self.high)} times as much"
        scale, unit = (100, " pp") if self.form == "rate" else (1, "")
        return f"{arms}; difference {self.low * scale:+.1f} to {self.high * scale:+.1f}{unit}"


def _times(value: float) -> str:
    """What is further off than anybody could mean is not told to the digit."""
    if value < 1 / MOST_TIMES:
        return f"below {1 / MOST_TIMES:g}"
    return f"above {MOST_TIMES:,}" if value > MOST_TIMES else f"{value:.2f}"


def _first_rate(of: Figures) -> float | None:
    return min(of.first_failures / of.first_known, HALF) if of.first_known else None


def _calls_to_success(of: Figures) -> float | None:
    """One without a success takes as many as are counted at most."""
    return min(float(of.first_success or MOST_CALLS), MOST_CALLS) if of.known else None


def _doublings(value: float | None, unit: float) -> float | None:
    return None if value is None else min(log2(max(value, unit) / unit), DOUBLINGS)


METRICS: tuple[Metric, ...] = (
    Metric("first_30_error_rate", "first 30 calls", "rate", -1, _first_rate, HALF, 0.05),
    Metric("calls_to_first_success", "calls to success", "number", -1, _calls_to_success, MOST_CALLS, 1.0),
    Metric("sessions_done", "sessions done", "rate", 1, lambda f: None if f.done is None else float(f.done), 1.0, 0.5),
    Metric(
        "tokens", "tokens a session", "times", -1, lambda f: _doublings(f.tokens, FEWEST_TOKENS), DOUBLINGS, 8.0,
        FEWEST_TOKENS,
    ),
    Metric(
        "cost_usd", "cost a session", "money", -1, lambda f: _doublings(f.cost_usd, LEAST_COST), DOUBLINGS, 8.0,
        LEAST_COST,
    ),
)  # fmt: skip


def secondary(sessions: Sequence[InArm]) -> list[Secondary]:
    """Those that both arms have, in the order of the table; of sessions in the order they came to an end."""
    telling = [each for each in sessions if 0 < each.chance < 1]
    return [found for metric in METRICS if (found := _measured(metric, telling)) is not None]


def _measured(metric: Metric, sessions: Sequence[InArm]) -> Secondary | None:
    import numpy as np

    from warm_tui.trials.betting import bets, interval

    having = [(each.warm, each.chance, value) for each in sessions if (value := metric.of(each.figures)) is not None]
    arms = {arm for arm, _, _ in having}
    if len(arms) < 2 or (metric.unit and not any(value for _, _, value in having)):
        return None
    warm = np.array([arm for arm, _, _ in having])
    chance = np.array([each for _, each, _ in having])
    values = np.array([each for _, _, each in having], dtype=float)
    low, high = interval(bets(warm, chance, values, metric.largest, metric.guess), LEVEL, metric.largest)
    means = float(values[warm].mean()), float(values[~warm].mean())
    if metric.unit:
        low, high, means = 2**low, 2**high, (metric.unit * 2 ** means[0], metric.unit * 2 ** means[1])
    counts = int(warm.sum()), int((~warm).sum())
    return Secondary(metric.name, metric.title, metric.form, metric.better, *counts, *means, low, high)
