"""The experiments, and the runs of one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from warm_tui.comparisons.makers import makers_told
from warm_tui.library.experiments import Experiment, Run
from warm_tui.presentation.claims import COLD, WARM, claim_style
from warm_tui.presentation.figures import age, duration, percent, rate_style
from warm_tui.reliability.bounds import rate_bounds
from warm_tui.reports.experiment import judged_calls, money, rate_of, state_cell, task_cell
from warm_tui.screens.shared.arranging import has_words, ordered
from warm_tui.screens.shared.neighbour import Neighbour
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable

ENDED = re.compile(r"^Hermes ended with \d+: (?:API call failed after \d+ retries: )?")
PHASE_STYLES = {"running": "mark", "interrupted": "failed", "paused": "unknown", "done": "ok"}


class ExperimentRow(msgspec.Struct, frozen=True):
    experiment: Experiment
    phase: str
    finished: int
    total: int

    @property
    def why_no_result(self) -> str:
        """Nothing where there is one."""
        if self.phase == "cancelled":
            return "It was cancelled: there is no result."
        if self.experiment.pairs_told is None:
            return "There is no result yet: it comes at the end, or at a planned look."
        return ""


def _state(row: ExperimentRow) -> Shown:
    """What it showed, once it has shown something."""
    verdict = row.experiment.verdict
    if row.phase == "done" and verdict:
        return verdict, claim_style(verdict)
    return row.phase, PHASE_STYLES.get(row.phase, "dim")


EXPERIMENT_FIELDS = (
    Field("id", "", 3, lambda r, _: (str(r.experiment.id), "dim"), right=True),
    Field("name", "experiment", 30, lambda r, _: (clean_line(r.experiment.name), ""), min_width=16, grow=1),
    Field("phase", "state", 19, lambda r, _: _state(r)),
    Field("finished", "runs", 6, lambda r, _: (f"{r.finished}/{r.total}", ""), right=True),
    Field("template", "template", 16, lambda r, _: (clean_line(r.experiment.template), "dim"), min_width=16, rank=2),
    Field("created_at", "age", 4, lambda r, now: (age(r.experiment.created_at, now), "dim"), right=True, rank=1),
)


class ExperimentTable(Neighbour[ExperimentRow]):
    FIELDS: ClassVar = EXPERIMENT_FIELDS
    TERMS: ClassVar = {"id": "number"}

    def identity(self, row: ExperimentRow) -> str:
        return str(row.experiment.id)


def _took(run: Run, now: float) -> Shown:
    if run.state == "running" and run.started_at is not None:
        return duration(max(0.0, now - run.started_at)), "mark"
    return (duration(run.seconds), "") if run.seconds is not None else ("", "")


def _when_finished(run: Run, text: str, style: str = "") -> Shown:
    return (text, style) if run.finished else ("", "")


def _rate(run: Run) -> Shown:
    return _when_finished(run, percent(rate_of(run)), rate_style(rate_of(run), judged_calls(run)))


def _why(run: Run) -> Shown:
    """Without what stands in the column of the state already."""
    return clean_line(ENDED.sub("", run.reason)), "dim"


MAKER_FIELDS = (
    Field("machine", "machine", 10, lambda r, _: (clean_line(r.machine), ""), rank=4),
    Field("hermes", "Hermes", 8, lambda r, _: (clean_line(r.hermes), "dim"), rank=4),
)
RUN_FIELDS = (
    Field("position", "run", 5, lambda r, _: (f"{r.position + 1:,}", "dim"), right=True),
    Field("arm", "arm", 4, lambda r, _: (r.arm, WARM if r.arm == "warm" else COLD)),
    Field("task", "task", 20, lambda r, _: (clean_line(r.task), ""), min_width=10, grow=3),
    Field("state", "state", 13, lambda r, _: state_cell(r)),
    Field("success", "task done", 11, lambda r, _: task_cell(r), rank=1),
    Field("seconds", "time", 8, _took, right=True, rank=2),
    Field("calls", "calls", 5, lambda r, _: _when_finished(r, f"{r.calls:,}"), right=True, rank=4),
    Field("failures", "errors", 7, lambda r, _: _rate(r), right=True),
    Field("cost_usd", "cost", 8, lambda r, _: _when_finished(r, money(r.cost_usd), "dim"), right=True, rank=5),
    *MAKER_FIELDS,
    Field("reason", "why", 60, lambda r, _: _why(r), min_width=33, rank=3),
)  # fmt: skip


class RunTable(LineTable[Run]):
    FIELDS: ClassVar = RUN_FIELDS
    TERMS: ClassVar = {"machine": "machine of a run"}

    def identity(self, row: Run) -> str:
        return str(row.position)

    def show(self, rows: Sequence[Run], *, now: float) -> None:
        told = makers_told(rows)
        self.fields = tuple(each for each in RUN_FIELDS if each not in MAKER_FIELDS or each.name in told)
        super().show(rows, now=now)


def arranged_runs(runs: Sequence[Run], query: str, order: str) -> list[Run]:
    return ordered((run for run in runs if has_words(query, _searched_text(run))), order, _value)


def _value(run: Run, name: str) -> Any:
    return rate_bounds(run.failures, judged_calls(run)) if name == "failures" else getattr(run, name)


def _searched_text(run: Run) -> str:
    return f"{run.arm} {run.task} {run.state} {run.reason} {run.session_id} {task_cell(run)[0]}"
