"""Where runs happen: outside of the Hermes home, so that nothing in it changes."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import platformdirs

from warm_tui.agent.frozen import freeze_home
from warm_tui.errors import Trouble
from warm_tui.experiments.plan import Plan, Task
from warm_tui.library.db import Library
from warm_tui.library.experiments import experiments
from warm_tui.locking import is_locked, locked
from warm_tui.paths import Home
from warm_tui.writing import copy_regular, write_whole


class RunFolders:
    """Where one experiment's runs are made. It holds credentials while it lasts: no other user may look into it."""

    def __init__(self, home: Home, experiment: str) -> None:
        # However the home is spelled, it is one.
        key = hashlib.sha256(os.fsencode(home.root.resolve())).hexdigest()[:12]
        self.base = platformdirs.user_cache_path("warm-tui") / "runs"
        self.folder = self.base / f"{key}-{experiment}"
        self.frozen = self.folder / "frozen"

    @property
    def frozen_home(self) -> Path:
        return self.frozen / "home"

    @property
    def proved(self) -> Path:
        """It is there once a warm run was seen to be given the template."""
        return self.folder / "proved"

    def run(self, position: int) -> Path:
        return self.folder / f"run-{position}"

    def frozen_task(self, task: Task) -> Path:
        return self.frozen / "tasks" / task.id

    def clear(self) -> None:
        """Nothing of the credentials stays."""
        remove(self.folder)


class Workspace(RunFolders):
    """The folders of an experiment of this home."""

    def __init__(self, home: Home, experiment: int) -> None:
        super().__init__(home, str(experiment))
        self.lock = home.ours / f"experiment-{experiment}.lock"
        self.home = home

    def freeze(self, plan: Plan) -> bool:
        """The home and the tasks' folders as they stand now, once for all runs. False where that was done before."""
        if self.frozen.is_dir():
            return False
        making = self.folder / "freezing"
        remove(making)
        making.mkdir(parents=True, mode=0o700)
        try:
            freeze_home(self.home.root, making / "home")
            for task in plan.tasks:
                self._freeze_task(task, making / "tasks" / task.id)
        except BaseException:
            remove(making)
            raise
        making.rename(self.frozen)
        return True

    def _freeze_task(self, task: Task, target: Path) -> None:
        if task.folder:
            if self.base.resolve().is_relative_to(Path(task.folder).resolve()):
                raise Trouble(f"Task {task.id}: its folder holds the one that runs are made in, {self.base}.")
            shutil.copytree(task.folder, target, symlinks=True, copy_function=copy_regular)
        target.mkdir(parents=True, exist_ok=True)
        for name, content in task.files.items():
            path = target / name
            # A link in the task's folder may lead out of it.
            if not path.parent.resolve().is_relative_to(target.resolve()) or path.is_symlink():
                raise Trouble(f"Task {task.id}: the file {name!r} would be written through a link.")
            write_whole(path, content, 0o644)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one at a time works off an experiment."""
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.lock, wait=False))
            except BlockingIOError as error:
                raise Trouble("This experiment is being run already, by another Warm TUI.") from error
            except OSError as error:
                raise Trouble(f"{self.lock} cannot be written: {error.strerror or error}.") from error
            yield

    def is_worked_on(self) -> bool:
        return is_locked(self.lock)


def clear_finished(home: Home, library: Library) -> None:
    """A kill may have left the credentials of an experiment that was done."""
    for experiment in experiments(library):
        workspace = Workspace(home, experiment.id)
        if experiment.state in ("done", "cancelled") and not workspace.is_worked_on():
            workspace.clear()


def remove(folder: Path) -> None:
    """A folder and all in it, also where an agent made a part of it read-only."""
    shutil.rmtree(folder, ignore_errors=True)
    if folder.is_dir() and not folder.is_symlink():
        for parent, _, _ in os.walk(folder):
            with suppress(OSError):
                os.chmod(parent, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
