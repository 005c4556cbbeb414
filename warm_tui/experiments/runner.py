"""Work an experiment's queue off: in parallel, durably, within its budget, and with its looks.

This thread alone writes to the library and the archive. A run's threads only make folders and drive the
agent; what they come to is kept in the run's folder until it is in the library, so that a kill at any
moment loses nothing and does nothing twice. Runs that crash for what is outside of their task are no results:
it waits until that is over, and does them again.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Event
from typing import NamedTuple

from warm_tui.agent.frozen import refresh_settings
from warm_tui.agent.hermes_config import settings_of
from warm_tui.errors import Trouble
from warm_tui.experiments.crashes import (
    Alike,
    check_unfinished,
    crashed_for,
    is_no_result,
    is_tried_again_at_once,
    may_try_again,
    sentence_of,
)
from warm_tui.experiments.looks import Look, looks_of
from warm_tui.experiments.machines import Machines, ThisMachine
from warm_tui.experiments.outages import UNGIVEN
from warm_tui.experiments.progress import complete_pairs, used_up
from warm_tui.experiments.recording import Records, Say
from warm_tui.experiments.results import conclude, is_decided
from warm_tui.experiments.room import is_full
from warm_tui.experiments.run import Job, Outcome, kept_outcome, why
from warm_tui.experiments.starting import plan_of
from warm_tui.experiments.waiting import Waiting
from warm_tui.experiments.workspace import Workspace, clear_finished
from warm_tui.library.db import Library, open_library
from warm_tui.library.experiments import (
    Experiment,
    Run,
    Wanted,
    add_note,
    add_work,
    change_experiment,
    change_queued,
    change_run,
    load_experiment,
    run_at,
    runs_of,
)
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask, credentials_of
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.sessions.text import plural

BEAT = 0.2
Tell = Callable[[str], None]


def run_experiment(
    home: Home,
    number: int,
    stop: Event,
    say: Say = lambda _run: None,
    tell: Tell = lambda _sentence: None,
    machines: Machines | None = None,
) -> Experiment:
    """Until it is done, or is halted by `stop`, by a pause or by being cancelled. `machines`: None for this one."""
    with open_library(home.library) as library:
        clear_finished(home, library)
        experiment = load_experiment(library, number)
        check_unfinished(library, experiment)
        workspace = Workspace(home, number)
        with workspace.alone():
            while True:
                ended = Runner(home, library, experiment, workspace, stop, say, tell, machines).run()
                # Whoever paused it may have let it go on in the moment between.
                if ended.state != "running" or stop.is_set():
                    return ended
                experiment = ended


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
        self,
        home: Home,
        library: Library,
        experiment: Experiment,
        workspace: Workspace,
        stop: Event,
        say: Say,
        tell: Tell,
        machines: Machines | None,
    ) -> None:
        self.home, self.library, self.workspace, self.stop = home, library, workspace, stop
        self.say, self.tell = say, tell
        self.number, self.conversation, self.before = experiment.id, experiment.conversation, experiment
        self.plan = plan_of(experiment.plan)
        self.looks = looks_of(self.plan.looks, self.plan.pairs)
        self.tasks = {task.id: task for task in self.plan.tasks}
        self.machines = machines or ThisMachine(self.plan.parallel)
        self.mask, self.redactor = Mask(()), redactor_of(home)
        self.records = Records(home, library, experiment.id, workspace, say)
        # Set to end the runs that go on: ours to set, unlike `stop`.
        self.ending = Event()
        self.pending: dict[Future[Outcome | None], Run] = {}
        self.unwritten: list[tuple[Run, Outcome | None]] = []
        self.unjudged: list[Run] = []
        self.alike = Alike()
        self.known_crashes: set[str] = set()
        """What nobody could name, and it was told to go on all the same."""
        self.waiting: Waiting | None = None
        self.sentence = ""
        """Of the outage; empty once it stands in the library."""
        self.cannot_write = False
        """For want of room: what has ended waits in its folder."""
        self.fruitless = 0
        self.is_trying = False
        """One run alone shows whether an outage is over."""
        self.looked: set[Look] = set()
        self.worked_until = time.monotonic()

    def run(self) -> Experiment:
        self._make_ready()
        try:
            self._pick_up()
            self._set(("cancelled",), state="running", why="", waits_for="", pairs_told=None, level=None, verdict="")
            self.worked_until = time.monotonic()
            with ThreadPoolExecutor(self.machines.most, thread_name_prefix="run") as pool:
                try:
                    halt = self._work(pool)
                finally:
                    self.ending.set()
            self._end(halt)
        except (Trouble, sqlite3.Error) as error:
            why_halted = f"It was halted: {error}"
            with suppress(Trouble):
                self._set(("done", "cancelled"), state="paused", why=why_halted, waits_for="")
            raise Trouble(why_halted) from error
        return load_experiment(self.library, self.number)

    def _make_ready(self) -> None:
        try:
            fresh = self.workspace.freeze(self.plan)
        except OSError as error:
            sentence = f"The home and the tasks could not be copied to {self.workspace.folder}"
            raise Trouble(f"{sentence}: {why(error)}.") from error
        runs = runs_of(self.library, self.number)
        states = {run.state for run in runs}
        if fresh and "ended" in states and ("queued" in states or any(map(is_no_result, runs))):
            sentence = "The copy of the home was gone: the runs after that start from the home as it was then."
            add_note(self.library, self.number, sentence)
        if not fresh and (self.before.waits_for or any(map(is_no_result, runs))):
            with suppress(OSError):
                self._note_settings(refresh_settings(self.home.root, self.workspace.frozen_home))
        self._know_credentials()
        try:
            with Archive(self.home.archive):
                pass  # it is there, also where no run leaves a session
        except (sqlite3.Error, OSError) as error:
            why_not = getattr(error, "strerror", None) or error
            raise Trouble(f"The archive {self.home.archive} cannot be used: {why_not}. Move it away.") from error

    def _know_credentials(self) -> None:
        # Also those of the copy: a key may have been changed since.
        roots = (self.home.root, self.workspace.frozen_home)
        self.mask = Mask(set().union(*(credentials_of(root, settings_of(root)) for root in roots)))

    def _note_settings(self, changed: Sequence[str]) -> None:
        if changed:
            names = " and ".join(changed)
            sentence = f"{names} {'was' if len(changed) == 1 else 'were'} changed while runs crashed: "
            add_note(self.library, self.number, f"{sentence}the runs after that go by what it says now.")

    def _pick_up(self) -> None:
        """Runs that a kill cut off: what had ended is kept, what had not is done again, and so is what crashed."""
        for run in runs_of(self.library, self.number):
            if run.state == "running":
                self.machines.end(run, self.workspace)
                outcome = kept_outcome(self.workspace.run(run.position))
                if outcome is not None:
                    self.records.record(run, outcome, self.mask)
                else:
                    self.records.give_back(run)
        crashed = [run for run in runs_of(self.library, self.number) if is_no_result(run)]
        if crashed and self.before.state == "done":
            sentence = f"{plural(len(crashed), 'run')} that had crashed {'was' if len(crashed) == 1 else 'were'} done"
            add_note(self.library, self.number, f"{sentence} again after there had been a result.")
        self.known_crashes = {crashed_for(run) for run in crashed if not run.outage}
        for run in crashed:
            self.records.give_back_pair(run)

    # --- working ---

    def _work(self, pool: ThreadPoolExecutor) -> Halt:
        """Until nothing may begin and nothing goes on."""
        halt: Halt | None = None
        while True:
            # Who paused it may let it go on before the runs that still went on have ended.
            halt = halt if halt is not None and halt.state != "paused" else self._halted()
            if halt is not None and halt.at_once:
                self.ending.set()
            try:
                self._begin_some(pool, halt)
                done, _ = wait(self.pending, timeout=BEAT, return_when=FIRST_COMPLETED)
                self.unwritten += [(self.pending.pop(future), future.result()) for future in done]
                if not self.cannot_write:
                    halt = self._settle() or halt
                    self._account()
                self._announce()
                if self.pending:
                    continue
                halt = halt or self._nothing_left()
                if halt is not None:
                    return halt
                self._wait_a_beat()
            except Trouble as trouble:
                if halt is not None or not is_full(self.home.ours, self.workspace.base):
                    raise
                self.cannot_write = True
                self._wait_for("disk", str(trouble))

    def _halted(self) -> Halt | None:
        if self.stop.is_set():
            return Halt("paused", "It was stopped.", at_once=True)
        experiment = load_experiment(self.library, self.number)
        if self.waiting is not None and not self.sentence and experiment.state == "running":
            # Somebody said so.
            self._try_again(self.waiting)
        elif experiment.state != "running" and not experiment.waits_for:
            return Halt(experiment.state, experiment.why, at_once=experiment.state == "cancelled")
        return None

    def _begin_some(self, pool: ThreadPoolExecutor, halt: Halt | None) -> None:
        while halt is None and self.waiting is None and not (self.is_trying and self.pending):
            runs = runs_of(self.library, self.number)
            following = None if self._used_up(runs) else self.machines.next(runs)
            if following is None:
                return
            position = following.run.position
            change_run(
                self.library, self.number, position, machine=following.machine,
                state="running", reason="", token=uuid.uuid4().hex, started_at=time.time(), ended_at=None,
            )  # fmt: skip
            run = run_at(self.library, self.number, position)
            job = Job(run, self.tasks[run.task], self.plan, self.conversation, self.mask, self.redactor)
            self.pending[pool.submit(following.perform, job, self.workspace, self.ending)] = run
            self.say(run)

    def _nothing_left(self) -> Halt | None:
        if self.unwritten or self.unjudged:
            return None
        runs = runs_of(self.library, self.number)
        if used_up := self._used_up(runs):
            return Halt("done", used_up)
        return None if any(run.state == "queued" for run in runs) else Halt("done")

    def _used_up(self, runs: list[Run]) -> str:
        return used_up(self.plan.budget, runs, load_experiment(self.library, self.number).worked)

    def _settle(self) -> Halt | None:
        """Write down what has ended, then say what follows. Where a disk is full, the rest waits for room."""
        halt: Halt | None = None
        while self.unwritten:
            run, outcome = self.unwritten[0]
            if outcome is None:
                self.records.give_back(run)
            else:
                self.unjudged.append(self.records.record(run, outcome, self.mask))
            self.unwritten.pop(0)
        while self.unjudged:
            halt = self._follow(self.unjudged[0]) or halt
            self.unjudged.pop(0)
        return halt

    def _follow(self, run: Run) -> Halt | None:
        if run.outage == UNGIVEN:
            return Halt("paused", run.reason, at_once=True)
        self.alike = self.alike.after(run)
        if run.state in ("ended", "timed out"):
            self.is_trying, self.fruitless = False, 0
        elif is_no_result(run):
            fails_again = self.is_trying and may_try_again(run)
            if (fails_again or self.alike.is_outage) and crashed_for(run) not in self.known_crashes:
                self._wait_for(run.outage, run.reason)
            pair = [other for other in runs_of(self.library, self.number) if other.pair == run.pair]
            if is_tried_again_at_once(pair):
                self.records.give_back_pair(run)
        return self._looked_at()

    # --- outages ---

    def _wait_for(self, kind: str, reason: str) -> None:
        if not kind:
            # Nothing can be waited for: somebody has to come.
            self.alike = Alike()
            self._set(("done", "cancelled", "paused"), state="paused", why=sentence_of(kind, reason))
        elif self.waiting is None:
            self.fruitless += self.is_trying
            self.waiting = Waiting(kind, self.home, self.workspace, self.machines.hermes, self.fruitless)
            self.sentence = sentence_of(kind, reason)
            self.alike, self.is_trying = Alike(), False

    def _announce(self) -> None:
        if self.waiting is None or not self.sentence:
            return
        # Where the disk is full, it cannot be written yet.
        with suppress(Trouble):
            unless: tuple[Wanted, ...] = ("done", "cancelled", "paused")
            if self._set(unless, state="paused", why=self.sentence, waits_for=self.waiting.kind):
                self.tell(self.sentence)
            self.sentence = ""

    def _wait_a_beat(self) -> None:
        if self.waiting is None:
            return
        if self.waiting.is_over():
            self._try_again(self.waiting)
        else:
            self.stop.wait(BEAT)

    def _try_again(self, waiting: Waiting) -> None:
        self.waiting, self.is_trying, self.sentence, self.cannot_write = None, True, "", False
        self._note_settings(waiting.refreshed)
        self._know_credentials()
        if load_experiment(self.library, self.number).waits_for:
            self._set(("done", "cancelled"), state="running", why="", waits_for="")
        self.worked_until = time.monotonic()
        self.tell("It goes on: one run is tried.")

    def _account(self) -> None:
        now = time.monotonic()
        if now - self.worked_until >= 1.0 or not self.pending:
            if self.waiting is None or self.pending:
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
                self._set(("done", "cancelled"), state="paused", why=halt.why, waits_for="")
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
        if not self._set(("cancelled",), state="done", why=halt.why, verdict=verdict, waits_for=""):
            self._set((), pairs_told=None, level=None)
        self.workspace.clear()
