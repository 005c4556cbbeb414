"""From a few fields to a plan that may run: what was filled in, what a plan would do, and its start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.experiments import control
from warm_tui.experiments.forecast import forecast_of
from warm_tui.experiments.plan import Plan, Task, as_yaml, check_plan, tasks_of, words_of
from warm_tui.experiments.starting import begin, checked
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reports.experiment import forecast_lines
from warm_tui.templates.files import TemplateFiles

COMMENT = """\
# Further settings, for a task:  files: {name: text}   setup: COMMAND   minutes: 10
# For the whole:  model: NAME   budget: {runs: 40, dollars: 5, minutes: 60}   looks: [0.5]   seed: 7
"""
WHOLE = re.compile(r"[0-9]{1,6}")
FIRST_TASK = "Find out why the build fails, and mend it."
DEFAULTS = {
    "name": "does-it-help",
    "folder": "",
    "check": "",
    "repeats": "2",
    "parallel": "2",
    "minutes": "10",
    "flags": "--yolo",
}


class PlanPreview(NamedTuple):
    """A plan as it would run, and what is to be said of it before."""

    plan: Plan
    lines: list[str]


class Plans:
    """What was filled in stands there again the next time, until an experiment has begun."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._files = TemplateFiles(home)
        self._fields: dict[str, str] = {}
        self.tasks = FIRST_TASK

    def fields(self) -> dict[str, str] | None:
        """What the form begins with; None where there is no template to try."""
        names = [stored.template.name for stored in self._files.all()[0]]
        if not names:
            return None
        active = Prefill(self._home).active()
        template = active.template if active is not None and active.template in names else names[0]
        return {**DEFAULTS, "template": template, **self._fields}

    def check_fields(self, fields: Mapping[str, str]) -> None:
        """Raises Trouble where no plan can be made of them."""
        self._files.load(fields["template"])
        check_plan(plan_from(fields, FIRST_TASK))

    def fill_in(self, fields: Mapping[str, str]) -> None:
        self._fields = dict(fields)

    def check_tasks(self, tasks: str) -> None:
        check_plan(plan_from(self._fields, tasks))

    def write_tasks(self, tasks: str) -> str:
        """The whole plan as a text, to be looked over; what the form does not ask for is added there."""
        self.tasks = tasks
        return as_yaml(plan_from(self._fields, tasks), COMMENT)

    def look_ahead(self, plan: Plan, *, without_sources: bool) -> PlanPreview:
        """Raises Leaking where tasks are what the template was made from. It reads sessions: for a worker."""
        with Catalog(self._home.present) as catalog:
            plan, notes = checked(catalog, plan, without_sources=without_sources)
        return PlanPreview(plan, [*forecast_lines(plan, forecast_of(self._home, plan)), *notes, *_missing()])

    def start(self, plan: Plan) -> int:
        """The number of the experiment that has begun. For a worker."""
        with Catalog(self._home.present) as catalog:
            number = begin(catalog, plan)
        control.resume(self._home, number)
        self._fields, self.tasks = {}, FIRST_TASK
        return number


def plan_from(fields: Mapping[str, str], tasks: str) -> Plan:
    folder = str(path_of(fields["folder"]).absolute()) if fields["folder"] else ""
    like = Task("task", FIRST_TASK, folder, check=fields["check"], minutes=_number("Minutes", fields["minutes"]))
    return Plan(
        fields["name"],
        fields["template"],
        tuple(tasks_of(tasks, like)),
        repeats=_whole("Repeats", fields["repeats"]),
        parallel=_whole("Runs at once", fields["parallel"]),
        flags=tuple(words_of(fields["flags"])),
    )


def path_of(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise Trouble(f"There is no folder {text[:60]}.") from error


def _missing() -> list[str]:
    """It can be planned where it cannot be run."""
    try:
        find_hermes()
    except Trouble as trouble:
        return [f"! {trouble} It cannot be started here."]
    return []


def _whole(name: str, text: str) -> int:
    if not WHOLE.fullmatch(text):
        raise Trouble(f"{name}: {text[:20]!r} is no whole number.")
    return int(text)


def _number(name: str, text: str) -> float:
    with suppress(ValueError):
        return float(text)
    raise Trouble(f"{name}: {text[:20]!r} is no number.")
