"""Runs that come to nothing, one after the other: what that says of the machine, and whether they are tried again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from warm_tui.errors import Trouble
from warm_tui.experiments.outages import BY_NAME
from warm_tui.library.db import Library
from warm_tui.library.experiments import Experiment, Run, runs_of

IN_A_ROW = 2
MOST_ATTEMPTS = 3
"""Of a run that crashes for what does not last."""
NUMBERS = re.compile(r"(?<![0-9a-f])[a-f]*\d[0-9a-f]*")


class Alike(NamedTuple):
    """The runs that crashed last, all of them alike."""

    runs: tuple[Run, ...] = ()

    def after(self, run: Run) -> Alike:
        """A run that began and went on is the end of a row; a setup that failed says nothing of the agent."""
        if run.state in ("ended", "timed out"):
            return Alike()
        if run.state == "not started" and not run.outage:
            return self
        if not may_try_again(run):
            return self
        return (
            Alike((*self.runs, run)) if self.runs and crashed_for(self.runs[-1]) == crashed_for(run) else Alike((run,))
        )

    @property
    def is_outage(self) -> bool:
        """One that nobody can name may be the task's own: both halves of a pair would crash for it."""
        known = bool(self.runs and self.runs[-1].outage)
        return len(self.runs if known else {run.task for run in self.runs}) >= IN_A_ROW


def crashed_for(run: Run) -> str:
    return run.outage or NUMBERS.sub("#", run.reason)


def may_try_again(run: Run) -> bool:
    return run.attempts < MOST_ATTEMPTS or not run.outage or BY_NAME[run.outage].lasting


def is_tried_again_at_once(pair: Sequence[Run]) -> bool:
    """Not where a half of it is given up, nor for what nobody can name: that is tried again when somebody says so."""
    crashed = [run for run in pair if is_no_result(run)]
    return all(run.outage and may_try_again(run) for run in crashed)


def is_no_result(run: Run) -> bool:
    return run.state == "crashed" or (run.state == "not started" and bool(run.outage))


def is_unfinished(library: Library, experiment: Experiment) -> bool:
    """One that is done may have runs that came to nothing, and can be gone on with unless it ended before its time."""
    if experiment.state != "done":
        return experiment.state != "cancelled"
    runs = runs_of(library, experiment.id)
    return any(map(is_no_result, runs)) and not any(run.state == "not needed" for run in runs)


def check_unfinished(library: Library, experiment: Experiment) -> None:
    if not is_unfinished(library, experiment):
        raise Trouble(f"Experiment {experiment.id} is {experiment.state}: nothing is left to run.")


def sentence_of(kind: str, reason: str) -> str:
    """Why an experiment waits, and what for; without a kind somebody has to come."""
    last = f" ({reason.rstrip('.')})" if reason else ""
    if not kind:
        return f"Runs crash one after the other{last}. It does not go on by itself; going on tries again what crashed."
    outage = BY_NAME[kind]
    if not outage.until:
        return f"{outage.is_so}{last}. After a while one run is tried; it goes on by itself when that goes well."
    return f"{outage.is_so}{last}. It goes on by itself when {outage.until}."
