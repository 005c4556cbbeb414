"""Live experiments: the same tasks cold and warm, with the real agent."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import Group, command, open_catalog, open_remembered, print_json, report_option, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.experiments.machines import Machines
    from warm_tui.experiments.plan import Plan
    from warm_tui.library.experiments import Experiment, Run


NUMBER = re.compile(r"[0-9]{1,9}")


@click.group(cls=Group)
def experiment() -> None:
    """Run the same tasks cold and warm with the real agent, and see whether a template helps."""


@experiment.command()
@click.argument("plan", metavar="PLAN")
@click.option("--resume", is_flag=True, help="Go on with an unfinished one; PLAN may be its number.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen, how long and how much.")
@click.option("--without-sources", is_flag=True, help="Leave out tasks that the template was made from.")
@click.option("--yes", is_flag=True, help="Do not ask before a plan is started that can show nothing.")
@click.option("--on", metavar="SCHEDULER", help="Have the members of this fleet make the runs.")
@command
@click.pass_obj
def run(
    home: Home,
    plan: str,
    resume: bool,
    dry_run: bool,
    without_sources: bool,
    yes: bool,
    on: str | None,
    as_json: bool,
) -> None:
    """Run the experiment of a PLAN: a YAML or TOML file."""
    from warm_tui.experiments.plan import read_plan
    from warm_tui.experiments.runner import run_experiment
    from warm_tui.experiments.starting import begin, checked

    if resume:
        if dry_run:
            raise click.UsageError("--dry-run and --resume cannot go together.")
        number = _unfinished(home, plan)
    else:
        wanted = read_plan(Path(plan))
        with open_catalog(home.present) as catalog:
            wanted, notes = checked(catalog, wanted, without_sources=without_sources)
            for note in notes:
                click.echo(safe(note), err=True)
            if dry_run:
                _print_forecast(home, wanted, as_json)
                return
            _ask_if_few(wanted, yes or as_json)
            number = begin(catalog, wanted)
        click.echo(f"Experiment {number}. `warm-tui experiment run {number} --resume` goes on with it.", err=True)
    stop = Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda *_: stop.set())
    with _machines(home, number, on) as machines:
        ended = run_experiment(home, number, stop, _progress, _tell, machines)
    _print_experiment(home, ended, as_json)


def _tell(sentence: str) -> None:
    click.echo(safe(sentence), err=True)


@contextmanager
def _machines(home: Home, number: int, scheduler: str | None) -> Iterator[Machines | None]:
    """The members of a fleet, where one is named."""
    from warm_tui.experiments.starting import plan_of
    from warm_tui.library.experiments import load_experiment

    with open_remembered(home) as library:
        plan = plan_of(load_experiment(library, number).plan)
    if scheduler is None:
        if plan.where:
            raise Trouble("The plan asks for machines of a fleet (where): name its scheduler with --on.")
        yield None
        return
    from warm_tui.fleet.client import Fleet
    from warm_tui.fleet.machines import FleetMachines

    with Fleet(home, scheduler) as fleet, closing(FleetMachines(fleet, plan, _tell)) as machines:
        yield machines


def _ask_if_few(plan: Plan, sure: bool) -> None:
    """Where there is somebody to answer; elsewhere it is said, and begun."""
    from warm_tui.experiments.forecast import few_tasks

    few = few_tasks(plan)
    if not few:
        return
    click.echo(f"! {few}", err=True)
    if not sure and sys.stdin.isatty() and not click.confirm("Start it all the same?", default=False, err=True):
        raise Trouble("Nothing was started.")


def _unfinished(home: Home, named: str) -> int:
    """By its number, or the newest of the plan's name."""
    from warm_tui.experiments.control import known
    from warm_tui.experiments.crashes import is_unfinished
    from warm_tui.experiments.plan import read_plan
    from warm_tui.experiments.starting import plan_of
    from warm_tui.library.experiments import experiments

    if NUMBER.fullmatch(named) and not Path(named).exists():
        known(home, int(named))
        return int(named)
    plan = read_plan(Path(named))
    if os.path.exists(home.library):
        with open_remembered(home) as library:
            experiment = next((each for each in experiments(library) if each.name == plan.name), None)
            if experiment is not None and is_unfinished(library, experiment):
                if plan_of(experiment.plan) != plan:
                    click.echo(f"{safe(named)} was changed since: it goes on with the plan as it was.", err=True)
                return experiment.id
    raise Trouble(f"There is no unfinished experiment of the plan {plan.name!r}.")


def _progress(run: Run) -> None:
    """A line for each run that begins or ends."""
    state = f"{run.state}{f': {run.reason}' if run.reason else ''}"
    click.echo(safe(f"run {run.position + 1:>3}  {run.arm}  {run.task}  {state}"), err=True)


def _print_forecast(home: Home, plan: Plan, as_json: bool) -> None:
    from warm_tui.experiments.forecast import forecast_of
    from warm_tui.presentation.lines import text_of
    from warm_tui.reports.forecast import forecast_lines

    forecast = forecast_of(home, plan)
    if as_json:
        import msgspec

        facts = msgspec.to_builtins(forecast)
        facts["looks"] = [{"pairs": look.pairs, "level": look.level} for look in forecast.looks]
        print_json({"success": True, "name": plan.name, "template": plan.template, **facts})
        return
    for line in forecast_lines(plan, forecast):
        click.echo(safe(text_of(line)))


@experiment.command("list")
@command
@click.pass_obj
def list_(home: Home, as_json: bool) -> None:
    """List the experiments."""
    from warm_tui.commands.printing import show_document
    from warm_tui.library.experiments import experiments, runs_of
    from warm_tui.reports.experiment import experiment_facts, experiments_document

    if not os.path.exists(home.library):
        with_runs: list[tuple[Experiment, list[Run]]] = []
    else:
        with open_remembered(home) as library:
            with_runs = [(each, runs_of(library, each.id)) for each in experiments(library)]
    if as_json:
        facts = [experiment_facts(home, *each) for each in with_runs]
        print_json({"success": True, "count": len(with_runs), "experiments": facts})
        return
    if with_runs:
        show_document(experiments_document(home, with_runs))
    else:
        click.echo("There is no experiment yet: `warm-tui experiment run PLAN` begins one.")


@experiment.command()
@click.argument("number", metavar="ID", type=click.IntRange(1, 999_999_999))
@click.option("--run", "which", metavar="N", type=click.IntRange(1), help="Only this run, and what Hermes said in it.")
@report_option
@command
@click.pass_obj
def show(home: Home, number: int, which: int | None, report: Path | None, overwrite: bool, as_json: bool) -> None:
    """Show an experiment, its runs, and what it proves."""
    from warm_tui.experiments.control import known
    from warm_tui.library.experiments import load_experiment

    known(home, number)
    with open_remembered(home) as library:
        experiment = load_experiment(library, number)
    if which is not None:
        _print_run(home, number, which, as_json)
        return
    if report:
        from warm_tui.experiments.results import result_of
        from warm_tui.library.experiments import runs_of
        from warm_tui.reports.experiment import result_document
        from warm_tui.reports.write import check_report, write_report

        check_report(home, report, overwrite)
        with open_remembered(home) as library:
            runs = runs_of(library, number)
        write_report(home, result_document(experiment, runs, result_of(home, number)), report, overwrite)
        click.echo(f"Written to {safe(str(report))}.", err=True)
    _print_experiment(home, experiment, as_json)


@experiment.command()
@click.argument("number", metavar="ID", type=click.IntRange(1, 999_999_999))
@command
@click.pass_obj
def pause(home: Home, number: int, as_json: bool) -> None:
    """Let no other run begin; those that go on are ended to their end."""
    from warm_tui.experiments.control import pause as do

    _done(do(home, number), as_json)


@experiment.command()
@click.argument("number", metavar="ID", type=click.IntRange(1, 999_999_999))
@command
@click.pass_obj
def cancel(home: Home, number: int, as_json: bool) -> None:
    """End it for good; what was run stays in the archive."""
    from warm_tui.experiments.control import cancel as do

    _done(do(home, number), as_json)


def _print_run(home: Home, number: int, which: int, as_json: bool) -> None:
    from warm_tui.commands.printing import show_document
    from warm_tui.library.experiments import attempts_of, runs_of
    from warm_tui.reports.experiment import run_document, run_facts

    with open_remembered(home) as library:
        run = next((run for run in runs_of(library, number) if run.position + 1 == which), None)
        attempts = attempts_of(library, number).get(which - 1, [])
    if run is None:
        raise Trouble(f"Experiment {number} has no run {which}.")
    if as_json:
        print_json({"success": True, **run_facts(run, attempts)})
    else:
        show_document(run_document(run, attempts))


def _done(sentence: str, as_json: bool) -> None:
    if as_json:
        print_json({"success": True, "message": sentence})
    else:
        click.echo(safe(sentence))


def _print_experiment(home: Home, experiment: Experiment, as_json: bool) -> None:
    from warm_tui.library.experiments import attempts_of, runs_of
    from warm_tui.reports.experiment import experiment_document, experiment_facts, run_facts

    with open_remembered(home) as library:
        runs, attempts = runs_of(library, experiment.id), attempts_of(library, experiment.id)
    compared, why = _result(home, experiment)
    if as_json:
        from warm_tui.reports.comparison_json import of_comparison

        facts: dict[str, Any] = experiment_facts(home, experiment, runs)
        facts |= {"runs": [run_facts(run, attempts.get(run.position, [])) for run in runs]}
        facts |= {"comparison": of_comparison(compared) if compared else None, "no_comparison": why or None}
        print_json({"success": True, **facts})
        return
    from warm_tui.commands.printing import show_document

    show_document(experiment_document(home, experiment, runs))
    if compared:
        from warm_tui.reports.comparison import comparison_document

        show_document(comparison_document(compared))
    elif why:
        click.echo(safe(why), err=True)
    sys.stdout.flush()


def _result(home: Home, experiment: Experiment) -> tuple[Any, str]:
    from warm_tui.experiments.results import result_of

    try:
        return result_of(home, experiment.id), ""
    except Trouble as trouble:
        return None, str(trouble)


COMMANDS = (experiment,)
