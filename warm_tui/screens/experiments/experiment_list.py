"""The experiments of a home, and the runs of those that were looked at."""

from __future__ import annotations

import msgspec

from warm_tui.experiments import control
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Run, counts, experiments, runs_of
from warm_tui.paths import Home
from warm_tui.screens.experiments.table import ExperimentRow
from warm_tui.sessions.text import plural


class ExperimentList(msgspec.Struct, frozen=True):
    rows: list[ExperimentRow]
    runs: dict[int, list[Run]]
    """By the number of the experiment; not all are read."""

    def after(self, before: ExperimentList | None) -> ExperimentList:
        """With the runs that were read before, and not again."""
        return ExperimentList(self.rows, {**before.runs, **self.runs}) if before else self

    @property
    def told_counts(self) -> list[str]:
        """How many there are, and how many of those run."""
        running = sum(row.phase == "running" for row in self.rows)
        told = [plural(len(self.rows), "experiment")] if self.rows else []
        return [*told, *([f"{running} running"] if running else [])]

    def place_of(self, number: int) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row.experiment.id == number), None)


def read_experiments(home: Home, wanted: int | None) -> ExperimentList:
    """All of them, with the runs of the first and of the one that is wanted. For a worker."""
    with open_library(home.library) as library:
        totals = counts(library)
        rows = [
            ExperimentRow(experiment, control.phase(home, experiment), *totals.get(experiment.id, (0, 0)))
            for experiment in experiments(library)
        ]
        numbers = {row.experiment.id for row in rows[:1]} | ({wanted} if wanted is not None else set())
        return ExperimentList(rows, {number: runs_of(library, number) for number in numbers})


def why_no_session(run: Run) -> str:
    return f"This run has no session to open. It is {run.state}.{f' {run.reason}' if run.reason else ''}"
