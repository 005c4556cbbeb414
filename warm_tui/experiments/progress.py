"""How far an experiment is: what came of its runs, what it cost, and how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from warm_tui.experiments.plan import Budget
from warm_tui.library.experiments import Run, State
from warm_tui.reliability.session_outcome import Rate, Reached, rate_of
from warm_tui.sessions.text import plural


class ExperimentProgress(NamedTuple):
    states: Counter[State]
    finished: int
    total: int
    cost_usd: float | None
    """Of the runs whose cost is known, attempts that came to nothing included; None where it is of none."""
    seconds_left: float | None
    set_aside: int
    """Attempts that came to nothing, and were made again."""
    done: Mapping[str, Rate]
    """Of each arm, what the checks said of its runs."""

    @property
    def share(self) -> float:
        return self.finished / self.total if self.total else 0.0


def progress_of(parallel: int, runs: Sequence[Run], now: float) -> ExperimentProgress:
    states: Counter[State] = Counter(run.state for run in runs)
    wanted = [run for run in runs if run.state != "not needed"]
    return ExperimentProgress(
        states,
        sum(run.finished for run in runs),
        len(wanted),
        spent(runs),
        _left(parallel, wanted, now),
        sum(run.attempts - (run.attempts > 0 and run.finished) for run in runs),
        {arm: rate_of(_reached(run) for run in runs if run.finished and run.arm == arm) for arm in ("warm", "cold")},
    )


def _reached(run: Run) -> Reached:
    return "unknown" if run.success is None else "done" if run.success else "not-done"


def spent(runs: Sequence[Run]) -> float | None:
    """Dollars, also for what came to nothing."""
    costs = [(run.cost_usd or 0.0) + run.lost_usd for run in runs if run.cost_usd is not None or run.lost_usd]
    return sum(costs) if costs else None


def used_up(budget: Budget, runs: Sequence[Run], worked: float) -> str:
    """Why no other run may begin; nothing where one may."""
    if budget.runs is not None and sum(run.finished or run.state == "running" for run in runs) >= budget.runs:
        return f"The budget of {plural(budget.runs, 'run')} is used up."
    if budget.dollars is not None and (spent(runs) or 0.0) >= budget.dollars:
        return f"The budget of ${budget.dollars:g} is used up."
    if budget.minutes is not None and worked >= 60 * budget.minutes:
        return f"The budget of {budget.minutes:g} minute{'s' * (budget.minutes != 1)} is used up."
    return ""


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
