"""From a few fields to a plan that may run: what was filled in, what a plan would do, and its start."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.experiments import control
from warm_tui.experiments.forecast import forecast_of
from warm_tui.experiments.plan import Budget, Plan, Task, as_yaml, check_plan, parse_plan, tasks_of, words_of
from warm_tui.experiments.starting import begin, checked
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.presentation.lines import Line
from warm_tui.reports.forecast import forecast_lines
from warm_tui.screens.experiments.plan_draft import DraftFile, merged
from warm_tui.templates.files import TemplateFiles

COMMENT = """\
# Further settings, for a task:  files: {name: text}   setup: COMMAND   minutes: 10
# For the whole:  looks: [0.5]   seed: 7
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
    "model": "",
    "dollars": "",
    "budget_minutes": "",
    "runs": "",
    "flags": "--yolo",
}


class PlanPreview(NamedTuple):
    """A plan as it would run, and what is to be said of it before."""

    plan: Plan
    lines: list[Line]


class Plans:
    """What was filled in stands there again the next time, until an experiment has begun."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._files = TemplateFiles(home)
        self._file = DraftFile(home)
        self.templates: tuple[str, ...] = ()

    def fields(self) -> dict[str, str] | None:
        """What the form begins with; None where there is no template to try."""
        self.templates = tuple(stored.template.name for stored in self._files.all()[0])
        if not self.templates:
            return None
        active = Prefill(self._home).active()
        template = active.template if active is not None and active.template in self.templates else self.templates[0]
        return {**DEFAULTS, "template": template, **self._file.draft.fields}

    def check_fields(self, fields: Mapping[str, str]) -> None:
        """Raises Trouble where no plan can be made of them."""
        self._files.load(fields["template"])
        check_plan(plan_from(fields, FIRST_TASK))

    def keep_fields(self, fields: Mapping[str, str]) -> None:
        self._file.draft = replace(self._file.draft, fields=dict(fields))

    def keep_tasks(self, tasks: str) -> None:
        self._file.draft = replace(self._file.draft, tasks=tasks)

    def keep_text(self, text: str) -> None:
        """Of the plan that was made of fields and tasks, as it is changed by hand."""
        self._file.draft = replace(self._file.draft, text=text)

    def changed(self, was: str) -> str:
        """The plan of an earlier experiment, with what was changed in it by hand before."""
        return self._file.draft.again.get(was, was)

    def keep_changed(self, was: str, text: str) -> None:
        rest = {plan: kept for plan, kept in self._file.draft.again.items() if plan != was}
        self._file.draft = replace(self._file.draft, again=rest if text == was else {**rest, was: text})

    def save(self) -> None:
        self._file.save()

    @property
    def tasks(self) -> str:
        return self._file.draft.tasks or FIRST_TASK

    def check_tasks(self, tasks: str) -> None:
        check_plan(plan_from(self._file.draft.fields, tasks))

    def write_plan(self) -> str:
        """The whole plan as a text, to be looked over, with what was changed in it by hand before."""
        draft = self._file.draft
        made = as_yaml(plan_from(draft.fields, self.tasks), COMMENT)
        text = draft.text if draft.text and draft.made == made else self._with_changes(made)
        self._file.draft = replace(draft, text=text, made=made)
        return text

    def _with_changes(self, made: str) -> str:
        draft = self._file.draft
        if not draft.text or draft.text == draft.made:
            return made
        here = Path.cwd()
        try:
            return as_yaml(
                merged(parse_plan(draft.made, here), parse_plan(draft.text, here), parse_plan(made, here)), COMMENT
            )
        except Trouble:
            # Half a plan, written by hand: not thrown away for what a form says.
            return draft.text

    def look_ahead(self, plan: Plan, *, without_sources: bool) -> PlanPreview:
        """Raises Leaking where tasks are what the template was made from. It reads sessions: for a worker."""
        with Catalog(self._home.present) as catalog:
            plan, notes = checked(catalog, plan, without_sources=without_sources)
        lines = forecast_lines(plan, forecast_of(self._home, plan))
        return PlanPreview(plan, [*lines, *([(note, "")] for note in (*notes, *_missing()))])

    def start(self, plan: Plan) -> int:
        """The number of the experiment that has begun. For a worker."""
        with Catalog(self._home.present) as catalog:
            number = begin(catalog, plan)
        control.resume(self._home, number)
        return number

    def begun(self, again: str | None) -> None:
        """An experiment was made of the plan that was filled in, or of an earlier one tried `again`."""
        self._file.draft = self._file.draft.begun(again)
        self._file.save()


def plan_from(fields: Mapping[str, str], tasks: str) -> Plan:
    fields = {**DEFAULTS, **fields}
    folder = str(path_of(fields["folder"]).absolute()) if fields["folder"] else ""
    like = Task("task", FIRST_TASK, folder, check=fields["check"], minutes=_number("Minutes", fields["minutes"]))
    return Plan(
        fields["name"],
        fields["template"],
        tuple(tasks_of(tasks, like)),
        repeats=_whole("Repeats", fields["repeats"]),
        parallel=_whole("Runs at once", fields["parallel"]),
        model=fields["model"],
        flags=tuple(words_of(fields["flags"])),
        budget=Budget(
            _whole("Budget in runs", fields["runs"]) if fields["runs"] else None,
            _number("Budget in dollars", fields["dollars"].removeprefix("$")) if fields["dollars"] else None,
            _number("Budget in minutes", fields["budget_minutes"]) if fields["budget_minutes"] else None,
        ),
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
