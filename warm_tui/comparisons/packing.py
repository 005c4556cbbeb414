"""A template as a pack, with what trials and experiments showed of each of its revisions."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from warm_tui.comparisons.trials import shown_states
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import Run, experiments, runs_of
from warm_tui.library.trials import messages_of
from warm_tui.paths import Home
from warm_tui.secrets.redactor import redactor_of
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.packs import Result, packed
from warm_tui.templates.revisions import revisions_of, told_as, words_hash


class Made(NamedTuple):
    text: str
    note: str
    """Why it tells no results, where they cannot be read."""


def pack_of(home: Home, name: str) -> Made:
    stored = TemplateFiles(home).load(name)
    entries = revisions_of(home, name)
    results: list[Result] = []
    note = ""
    try:
        with Catalog(home) as catalog:
            numbers = told_as(home, name, entries)
            results = _of_trials(catalog, name, numbers) + _of_experiments(catalog, name, numbers)
    except (Trouble, sqlite3.Error) as trouble:
        note = f"It tells nothing of trials and experiments. {trouble}"
    return Made(packed(stored.template, entries[-1].number, results, redactor_of(home), time.time()), note)


Numbers = Mapping[str, Sequence[int]]
"""The revisions that tell a model the same, by that."""


def _of_trials(catalog: Catalog, name: str, numbers: Numbers) -> list[Result]:
    found = []
    for _, content, shown in shown_states(catalog, name):
        messages = messages_of(catalog.library.connection, content)
        found.append(
            Result(
                by="trial", revision=_number(numbers, messages), verdict=shown.verdict,
                warm=shown.warm, cold=shown.cold, warm_rate=shown.warm_rate, cold_rate=shown.cold_rate,
                low=shown.low, high=shown.high,
            )
        )  # fmt: skip
    return found


def _of_experiments(catalog: Catalog, name: str, numbers: Numbers) -> list[Result]:
    found = []
    for experiment in experiments(catalog.library):
        if experiment.template != name:
            continue
        messages = None
        with suppress(ValueError, TypeError):
            messages = json.loads(experiment.conversation)
        ended = [run for run in runs_of(catalog.library, experiment.id) if run.state == "ended"]
        warm, cold = ([run for run in ended if run.arm == arm] for arm in ("warm", "cold"))
        found.append(
            Result(
                by="experiment", revision=_number(numbers, messages), verdict=experiment.verdict[:200],
                warm=len(warm), cold=len(cold), warm_rate=_rate(warm), cold_rate=_rate(cold),
            )
        )  # fmt: skip
    return found


def _rate(runs: Sequence[Run]) -> float | None:
    judged = sum(run.judged or 0 for run in runs)
    return sum(run.failures for run in runs) / judged if judged else None


def _number(numbers: Numbers, messages: object) -> int | None:
    """The latest revision that tells that."""
    with suppress(TypeError, KeyError, AttributeError):
        if isinstance(messages, list):
            return max(numbers.get(words_hash(messages), ()), default=None)
    return None
