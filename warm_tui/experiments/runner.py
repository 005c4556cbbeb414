"""Work an experiment's queue off: in parallel, durably, within its budget, and with its looks.

This thread alone writes to the library and the archive. A run's threads only make folders and drive the
agent; what they come to is kept in the run's folder until it is in the library, so that a kill at any
moment loses nothing and does nothing twice.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import NamedTuple

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.hermes_config import settings_of
from warm_tui.agent.processes import end_all
from warm_tui.errors import Trouble
from warm_tui.experiments.looks import Look, looks_of
from warm_tui.experiments.progress import complete_pairs
from warm_tui.experiments.results import conclude, is_decided
from warm_tui.experiments.run import Job, Outcome, kept_outcome, perform, state_db, why
from warm_tui.experiments.starting import plan_of
from warm_tui.experiments.workspace import Workspace, remove
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library
from warm_tui.library.experiments import (
    Experiment,
    Run,
    State,
    Wanted,
    add_note,
    add_work,
    change_experiment,
    change_queued,
    change_run,
    experiments,
    load_experiment,
    run_at,
    runs_of,
)
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask, credentials_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.readers import open_source
from warm_tui.writing import check_database

BEAT = 0.2
MOST_IN_A_ROW = 3
"""So many runs in a row that the machine did not let begin are no accident: it is halted, and they are done later."""
Say = Callable[[Run], None]


def run_experiment(home: Home, number: int, stop: Event, say: Say = lambda _run: None) -> Experiment:
    """Until it is done, or is halted by `stop`, by a pause or by being cancelled."""
    with open_library(home.library) as library:
        _clear_finished(home, library)
        experiment = load_experiment(library, number)
        if experiment.state in ("done", "cancelled"):
            raise Trouble(f"Experiment {number} is {experiment.state}: nothing is left to run.")
        workspace = Workspace(home, number)
        with workspace.alone():
            while True:
                ended = Runner(home, library, experiment, workspace, stop, say).run()
                # Whoever paused it may have let it go on in the moment between.
                if ended.state != "running" or stop.is_set():
                    return ended


def _clear_finished(home: Home, library: Library) -> None:
    """A kill may have left the credentials of an experiment that was done."""
    for experiment in experiments(library):
        if (
            experiment.state in ("done", "cancelled")
            and not (workspace := Workspace(home, experiment.id)).is_worked_on()
        ):
            workspace.clear()


class Halt(NamedTuple):
    """Why no other run may begin."""

    state: Wanted
    """What the experiment is then."""
    why: str = ""
    at_once: bool = False
    """The runs that go on are ended, too."""
    look: Look | None = None


class Runner:
    def __init__(
        self, home: Home, library: Library, experiment: Experiment, workspace: Workspace, stop: Event, say: Say
    ) -> None:
        self.home, self.library, self.workspace, self.stop, self.say = home, library, workspace, stop, say
        self.number, self.conversation = experiment.id, experiment.conversation
        self.plan = plan_of(experiment.plan)
        self.looks = looks_of(self.plan.looks, self.plan.pairs)
        self.tasks = {task.id: task for task in self.plan.tasks}
        self.hermes = find_hermes()
        self.mask = Mask(())
        # Set to end the runs that go on: ours to set, unlike `stop`.
        self.ending = Event()
        self.pending: dict[Future[Outcome | None], Run] = {}
        self.not_begun: list[Run] = []
        self.looked: set[Look] = set()
        self.worked_until = time.monotonic()

    def run(self) -> Experiment:
        self._make_ready()
        try:
            self._pick_up()
            change_experiment(self.library, self.number, ("cancelled",), state="running", why="")
            self.worked_until = time.monotonic()
            with ThreadPoolExecutor(self.plan.parallel, thread_name_prefix="run") as pool:
                try:
                    halt = self._work(pool)
                finally:
                    self.ending.set()
            self._end(halt)
        except (Trouble, sqlite3.Error) as error:
            why_halted = f"It was halted: {error}"
            change_experiment(self.library, self.number, ("done", "cancelled"), state="paused", why=why_halted)
            raise Trouble(why_halted) from error
        return load_experiment(self.library, self.number)

    def _make_ready(self) -> None:
        try:
            fresh = self.workspace.freeze(self.plan)
        except OSError as error:
            sentence = f"The home and the tasks could not be copied to {self.workspace.folder}"
            raise Trouble(f"{sentence}: {why(error)}.") from error
        states = {run.state for run in runs_of(self.library, self.number)}
        if fresh and "ended" in states and "queued" in states:
            sentence = "The copy of the home was gone: the runs after that start from the home as it was then."
            add_note(self.library, self.number, sentence)
        # Also those of the copy: a key may have been changed since.
        roots = (self.home.root, self.workspace.frozen_home)
        self.mask = Mask(set().union(*(credentials_of(root, settings_of(root)) for root in roots)))
        try:
            with Archive(self.home.archive):
                pass  # it is there, also where no run leaves a session
        except (sqlite3.Error, OSError) as error:
            why_not = getattr(error, "strerror", None) or error
            raise Trouble(f"The archive {self.home.archive} cannot be used: {why_not}. Move it away.") from error

    def _pick_up(self) -> None:
        """Runs that a kill cut off: what had ended is kept, what had not is ended, and done again."""
        for run in runs_of(self.library, self.number):
            if run.state == "running":
                end_all(run.token, self.workspace.run(run.position))
                outcome = kept_outcome(self.workspace.run(run.position))
                if outcome is not None:
                    self._record(run, outcome)
                else:
                    self._give_back(run)

    # --- working ---

    def _work(self, pool: ThreadPoolExecutor) -> Halt:
        """Until nothing may begin and nothing goes on."""
        halt: Halt | None = None
        while True:
            # Who paused it may let it go on before the runs that still went on have ended.
            halt = halt if halt is not None and halt.state != "paused" else self._halted()
            if halt is not None and halt.at_once:
                self.ending.set()
            while halt is None and len(self.pending) < self.plan.parallel:
                halt = self._begin(pool)
            if not self.pending:
                return halt or Halt("done")
            done, _ = wait(self.pending, timeout=BEAT, return_when=FIRST_COMPLETED)
            for future in done:
                halt = self._ended(self.pending.pop(future), future.result()) or halt
            self._account()

    def _halted(self) -> Halt | None:
        if self.stop.is_set():
            return Halt("paused", "It was stopped.", at_once=True)
        experiment = load_experiment(self.library, self.number)
        if experiment.state != "running":
            return Halt(experiment.state, experiment.why, at_once=experiment.state == "cancelled")
        if len(self.not_begun) >= MOST_IN_A_ROW:
            return self._give_up()
        return None

    def _begin(self, pool: ThreadPoolExecutor) -> Halt | None:
        """The next run of the queue; or why there is none."""
        runs = runs_of(self.library, self.number)
        run = next((run for run in runs if run.state == "queued"), None)
        if run is None:
            return Halt("done")
        if used_up := self._used_up(runs):
            return Halt("done", used_up)
        change_run(
            self.library, self.number, run.position,
            state="running", reason="", token=uuid.uuid4().hex, started_at=time.time(), ended_at=None,
        )  # fmt: skip
        run = run_at(self.library, self.number, run.position)
        job = Job(run, self.tasks[run.task], self.plan, self.conversation, self.hermes, self.mask)
        self.pending[pool.submit(perform, job, self.workspace, self.ending)] = run
        self.say(run)
        return None

    def _used_up(self, runs: list[Run]) -> str:
        budget = self.plan.budget
        if budget.runs is not None and sum(run.finished or run.state == "running" for run in runs) >= budget.runs:
            return f"The budget of {budget.runs:,} runs is used up."
        if budget.dollars is not None and sum(run.cost_usd or 0.0 for run in runs) >= budget.dollars:
            return f"The budget of ${budget.dollars:g} is used up."
        worked = load_experiment(self.library, self.number).worked
        if budget.minutes is not None and worked >= 60 * budget.minutes:
            return f"The budget of {budget.minutes:g} minutes is used up."
        return ""

    def _ended(self, run: Run, outcome: Outcome | None) -> Halt | None:
        if outcome is None:
            self._give_back(run)
            return None
        self._record(run, outcome)
        self.not_begun = [*self.not_begun, run] if outcome.by_us else []
        return self._looked_at()

    def _give_up(self) -> Halt:
        reason = run_at(self.library, self.number, self.not_begun[-1].position).reason
        for run in self.not_begun:
            self._give_back(run)
        return Halt("paused", f"{MOST_IN_A_ROW} runs in a row could not begin. {reason}")

    def _give_back(self, run: Run) -> None:
        """It has come to nothing, and stands in the queue again."""
        self._change(run, state="queued", reason="", token="", started_at=None, ended_at=None, success=None)
        remove(self.workspace.run(run.position))

    def _record(self, run: Run, outcome: Outcome) -> None:
        """First the session, then what is said of it: whoever is killed in between does both again."""
        folder = self.workspace.run(run.position)
        state, reason, session = outcome.state, outcome.reason, outcome.session_id
        facts: dict[str, object] = {}
        if session and _is_readable(state_db(folder)):
            try:
                with Archive(self.home.archive) as archive:
                    sessions = archive.adopt(state_db(folder), self.mask)
            except (sqlite3.Error, OSError) as error:
                # The run stays as it is, in its folder, and is written down when it goes on.
                raise Trouble(f"the archive {self.home.archive} cannot be written: {error}.") from error
            facts = self._facts(session, sessions)
        elif session:
            state, reason, session = _crashed("Its session cannot be read.")
        self._change(
            run, state=state, reason=reason, session_id=session, success=outcome.success, ended_at=outcome.ended_at,
            token="", **facts,
        )  # fmt: skip
        remove(folder)

    def _change(self, run: Run, **fields: object) -> None:
        change_run(self.library, self.number, run.position, **fields)
        self.say(run_at(self.library, self.number, run.position))

    def _facts(self, session: str, recorded: list[str]) -> dict[str, object]:
        """Calls and failures are of the session's whole life; the cost is of all that the run recorded."""
        with Catalog(self.home.archived) as catalog:
            roots = catalog.roots()
            profiles = {p.session_id: p for p in map(catalog.profile, recorded)}.values()
        life = [p for p in profiles if roots.get(p.session_id) == roots.get(session)]
        costs = [p.cost_usd for p in profiles if p.cost_usd is not None]
        return {
            "calls": sum(p.tool_call_count for p in life),
            "failures": sum(p.failed_calls for p in life),
            "cost_usd": sum(costs) if costs else None,
        }

    def _account(self) -> None:
        now = time.monotonic()
        if now - self.worked_until >= 1.0 or not self.pending:
            add_work(self.library, self.number, now - self.worked_until)
            self.worked_until = now

    # --- looking, and the end ---

    def _looked_at(self) -> Halt | None:
        """At a planned look: is it decided? Only its pairs are asked, whatever else has ended meanwhile."""
        complete = complete_pairs(runs_of(self.library, self.number))
        for look in self.looks[:-1]:
            if look.pairs <= complete and look not in self.looked:
                self.looked.add(look)
                if is_decided(self.home, self.number, look):
                    decision = f"It was decided at a planned look, after {look.pairs} of {self.plan.pairs} pairs."
                    return Halt("done", decision, at_once=True, look=look)
        return None

    def _end(self, halt: Halt) -> None:
        self._account()
        if halt.state == "paused":
            # Not where somebody let it go on meanwhile, but for the paused one that it was.
            if self.stop.is_set() or halt.why != load_experiment(self.library, self.number).why:
                self._set(("done", "cancelled"), state="paused", why=halt.why)
        elif halt.state == "cancelled":
            change_queued(self.library, self.number, "cancelled", "")
            self.workspace.clear()
        else:
            self._finish(halt)

    def _set(self, unless: tuple[Wanted, ...], **fields: object) -> bool:
        return change_experiment(self.library, self.number, unless, **fields)

    def _finish(self, halt: Halt) -> None:
        runs = runs_of(self.library, self.number)
        change_queued(self.library, self.number, "not needed", halt.why)
        pairs = halt.look.pairs if halt.look else complete_pairs(runs)
        # What the looks before the end have used is not there any more, whoever made them.
        used = sum(look.level for look in self.looks[:-1] if look.pairs <= pairs)
        level = halt.look.level if halt.look else sum(look.level for look in self.looks) - used
        self._set((), pairs_told=pairs, level=level)
        verdict = conclude(self.home, self.number)
        if not self._set(("cancelled",), state="done", why=halt.why, verdict=verdict):
            self._set((), pairs_told=None, level=None)
        self.workspace.clear()


def _is_readable(path: Path) -> bool:
    try:
        # The agent had this folder: it may have put a link there.
        check_database(path)
        open_source(path).close()
    except (Trouble, sqlite3.Error, OSError):
        return False
    return True


def _crashed(reason: str) -> tuple[State, str, str]:
    return "crashed", reason, ""
