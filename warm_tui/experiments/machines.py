"""Where runs are made: on this machine, unless others are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import NamedTuple, Protocol, TypeAlias

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.processes import end_all
from warm_tui.experiments.run import Job, Outcome, perform
from warm_tui.experiments.workspace import Workspace
from warm_tui.library.experiments import Run

Perform: TypeAlias = Callable[[Job, Workspace, Event], Outcome | None]


class Next(NamedTuple):
    """The run that begins next, and who makes it."""

    run: Run
    machine: str
    perform: Perform


class Machines(Protocol):
    hermes: Path | None
    """The agent's command, where it is one of this machine."""
    most: int
    """Runs at once."""

    def next(self, runs: Sequence[Run]) -> Next | None:
        """Of an experiment's runs one that is queued and may begin; nothing while there is no room for any."""

    def end(self, run: Run, workspace: Workspace, /) -> None:
        """Nothing of it goes on: whoever drove it was killed."""


class ThisMachine:
    def __init__(self, parallel: int) -> None:
        self.most, self.hermes = parallel, find_hermes()
        self._perform = partial(perform, hermes=self.hermes)

    def next(self, runs: Sequence[Run]) -> Next | None:
        if sum(run.state == "running" for run in runs) >= self.most:
            return None
        return next((Next(run, "", self._perform) for run in runs if run.state == "queued"), None)

    def end(self, run: Run, workspace: Workspace) -> None:
        end_all(run.token, workspace.run(run.position))
