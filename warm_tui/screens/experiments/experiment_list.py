"""The experiments of a home, and the runs of those that were looked at."""

from __future__ import annotations

import msgspec

from warm_tui.experiments import control
from warm_tui.library.db import open_library
from warm_tui.library.experiments import Run, counts, experiments, runs_of
from warm_tui.paths import Home
from warm_tui.screens.experiments.table import ExperimentRow


class ExperimentList(msgspec.Struct, frozen=True):
    rows: list[ExperimentRow]
    runs: dict[int, list[Run]]
    """By the number of the experiment; not all are read."""

    def after(self, before: ExperimentList | None) -> ExperimentList:
        """With the runs that were read before, and not again."""
        return ExperimentList(self.rows, {**before.runs, **self.runs}) if before else self

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
