"""Pause, resume and cancel, from whichever process: the queue tells the one that works it off."""

from __future__ import annotations

import os
import subprocess
import sys

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.processes import end_all
from warm_tui.errors import Trouble
from warm_tui.experiments.crashes import check_unfinished
from warm_tui.experiments.workspace import Workspace
from warm_tui.library.db import open_library
from warm_tui.library.experiments import (
    Experiment,
    change_experiment,
    change_queued,
    change_run,
    load_experiment,
    runs_of,
)
from warm_tui.paths import Home
from warm_tui.sessions.text import plural
from warm_tui.writing import check_may_change, new_file


def known(home: Home, number: int) -> None:
    """Where nothing was ever remembered, asking makes no library."""
    if not home.library.exists():
        raise Trouble(f"There is no experiment {number}.")


def phase(home: Home, experiment: Experiment) -> str:
    """Its state in a word; "interrupted" where it should be running, or wait, and nobody works at it."""
    waits = experiment.state == "paused" and experiment.waits_for
    if (experiment.state == "running" or waits) and not Workspace(home, experiment.id).is_worked_on():
        return "interrupted"
    return experiment.state


def pause(home: Home, number: int) -> str:
    known(home, number)
    with open_library(home.library) as library:
        load_experiment(library, number)
        if not change_experiment(
            library, number, ("done", "cancelled"), state="paused", why="It was paused.", waits_for=""
        ):
            raise Trouble(f"Experiment {number} is {load_experiment(library, number).state} already.")
        going = sum(run.state == "running" for run in runs_of(library, number))
    if going and Workspace(home, number).is_worked_on():
        return f"Experiment {number} pauses; {plural(going, 'run goes on to its', 'runs go on to their')} end."
    return f"Experiment {number} is paused."


def cancel(home: Home, number: int) -> str:
    known(home, number)
    with open_library(home.library) as library:
        load_experiment(library, number)
        if not change_experiment(
            library, number, ("done", "cancelled"), state="cancelled", why="It was cancelled.", waits_for=""
        ):
            raise Trouble(f"Experiment {number} is {load_experiment(library, number).state} already.")
        workspace = Workspace(home, number)
        if not workspace.is_worked_on():
            # Nobody else is there to do it.
            for run in runs_of(library, number):
                if run.state == "running":
                    end_all(run.token, workspace.run(run.position))
                    change_run(library, number, run.position, state="cancelled", token="")
            change_queued(library, number, "cancelled", "")
            workspace.clear()
    return f"Experiment {number} is cancelled."


def resume(home: Home, number: int) -> str:
    """Work it off in a process of its own, which outlives whoever asked for it."""
    check_may_change()
    find_hermes()
    with open_library(home.library) as library:
        experiment = load_experiment(library, number)
        check_unfinished(library, experiment)
    if Workspace(home, number).is_worked_on():
        if experiment.state == "running":
            raise Trouble(f"Experiment {number} is being run already.")
        with open_library(home.library) as library:
            change_experiment(library, number, ("done", "cancelled"), state="running", why="", waits_for="")
        return f"Experiment {number} goes on."
    log = home.ours / f"experiment-{number}.log"
    try:
        descriptor = new_file(log)
    except OSError as error:
        raise Trouble(f"{log} cannot be written: {error.strerror or error}.") from error
    words = [sys.executable, "-P", "-m", "warm_tui", "--home", str(home.root.absolute())]
    with os.fdopen(descriptor, "wb") as out:
        subprocess.Popen(
            [*words, "experiment", "run", str(number), "--resume"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=out,
            start_new_session=True,
        )
    return f"Experiment {number} goes on, also when you leave."
