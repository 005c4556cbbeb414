"""How far an experiment is: what came of its runs, what it cost, and how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from warm_tui.library.experiments import Run, State


class ExperimentProgress(NamedTuple):
    states: Counter[State]
    finished: int
    total: int
    cost_usd: float | None
    """Of the runs whose cost is known; None where it is of none."""
    seconds_left: float | None

    @property
    def share(self) -> float:
        return self.finished / self.total if self.total else 0.0


def progress_of(parallel: int, runs: Sequence[Run], now: float) -> ExperimentProgress:
    states: Counter[State] = Counter(run.state for run in runs)
    wanted = [run for run in runs if run.state != "not needed"]
    costs = [run.cost_usd for run in runs if run.cost_usd is not None]
    return ExperimentProgress(
        states,
        sum(run.finished for run in runs),
        len(wanted),
        sum(costs) if costs else None,
        _left(parallel, wanted, now),
    )


def _left(parallel: int, runs: Sequence[Run], now: float) -> float | None:
    """By how long the finished runs took; one that goes on needs what is missing to that."""
    took = [run.seconds for run in runs if run.finished and run.seconds is not None]
    if not took:
        return None
    mean = sum(took) / len(took)
    going = [now - run.started_at for run in runs if run.state == "running" and run.started_at is not None]
    waiting = sum(run.state == "queued" for run in runs)
    left = waiting * mean + sum(max(0.0, mean - spent) for spent in going)
    return left / max(1, min(parallel, waiting + len(going)))


def complete_pairs(runs: Sequence[Run]) -> int:
    """How many pairs are finished, counted from the first without a gap."""
    pairs: dict[int, bool] = {}
    for run in runs:
        pairs[run.pair] = pairs.get(run.pair, True) and run.finished
    for count, pair in enumerate(sorted(pairs)):
        if not pairs[pair]:
            return count
    return len(pairs)
