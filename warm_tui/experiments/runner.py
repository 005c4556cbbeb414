"""Work an experiment's queue off: in parallel, durably, within its budget, and with its looks.

This thread alone writes to the library and the archive. A run's threads only make folders and drive the
agent; what they come to is kept in the run's folder until it is in the library, so that a kill at any
moment loses nothing and does nothing twice.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
import uuid
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from threading import Event

from warm_tui.agent.hermes_cli import find_hermes, secrets_of
from warm_tui.agent.processes import end_marked
from warm_tui.errors import Trouble
from warm_tui.experiments.looks import Look, looks_of
from warm_tui.experiments.performing import Job, Outcome, kept_outcome, perform, state_db, why
from warm_tui.experiments.place import Place
from warm_tui.experiments.results import conclude, is_decided
from warm_tui.experiments.standing import complete_pairs
from warm_tui.experiments.starting import plan_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library, open_library
from warm_tui.library.experiments import (
    Experiment,
    Run,
    State,
    add_note,
    add_work,
    change_experiment,
    change_queued,
    change_run,
    experiment,
    runs_of,
)
from warm_tui.paths import Home
from warm_tui.sessions.archive import Archive

BEAT = 0.2
MASKED = "[masked: a credential]"
Say = Callable[[Run], None]


def run_experiment(home: Home, number: int, stop: Event, say: Say = lambda _run: None) -> Experiment:
    """Until it is done, or is halted by `stop`, by a pause or by being cancelled."""
    with open_library(home.library) as library:
        found = experiment(library, number)
        if found.state in ("done", "cancelled"):
            raise Trouble(f"Experiment {number} is {found.state}: nothing is left to run.")
        place = Place(home, number)
        with place.alone():
            return Runner(home, library, found, place, stop, say).run()


class Runner:
    def __init__(self, home: Home, library: Library, found: Experiment, place: Place, stop: Event, say: Say) -> None:
        self.home, self.library, self.place, self.stop, self.say = home, library, place, stop, say
        self.number, self.conversation = found.id, found.conversation
        self.plan = plan_of(found.plan)
        self.tasks = {task.id: task for task in self.plan.tasks}
        self.hermes = find_hermes()
        self.secrets = secrets_of(home.root)
        # Set to end the runs that go on: ours to set, unlike `stop`.
        self.halt = Event()
        self.pending: dict[Future[Outcome | None], Run] = {}
        self.looked = 0
        self.worked_until = time.monotonic()

    def mask(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, MASKED)
        return text

    def run(self) -> Experiment:
        self._freeze()
        self._pick_up()
        change_experiment(self.library, self.number, ("cancelled",), state="running", why="")
        self.worked_until = time.monotonic()
        with ThreadPoolExecutor(self.plan.parallel, thread_name_prefix="run") as pool:
            try:
                why_not = self._work(pool)
            finally:
                self.halt.set()
        self._account()
        return self._end(why_not)

    def _freeze(self) -> None:
        try:
            fresh = self.place.freeze(self.plan)
        except OSError as error:
            raise Trouble(
                f"The home and the tasks could not be copied to {self.place.folder}: {why(error)}."
            ) from error
        if fresh and any(run.finished for run in runs_of(self.library, self.number)):
            told = "The copy of the home was gone: the runs after that start from the home as it was then."
            add_note(self.library, self.number, told)

    def _pick_up(self) -> None:
        """Runs that a kill cut off: what had ended is kept, what had not is ended, and done again."""
        for run in runs_of(self.library, self.number):
            if run.state == "running":
                end_marked(run.token)
                outcome = kept_outcome(self.place.run(run.position))
                if outcome is not None:
                    self._record(run, outcome)
                else:
                    self._give_back(run)

    # --- working ---

    def _work(self, pool: ThreadPoolExecutor) -> str:
        """Until nothing may begin and nothing goes on. Why nothing may: "" at the end of the queue."""
        barred = ""
        while True:
            # Who paused it may let it go on before the runs that still went on have ended.
            barred = barred if barred not in ("", "paused") else self._barred()
            if barred in ("stopped", "cancelled", "look"):
                self.halt.set()
            while not barred and len(self.pending) < self.plan.parallel and self._begin(pool):
                pass
            if not self.pending:
                return barred
            done, _ = wait(self.pending, timeout=BEAT, return_when=FIRST_COMPLETED)
            for future in done:
                run = self.pending.pop(future)
                outcome = future.result()
                if outcome is None:
                    self._give_back(run)
                else:
                    self._record(run, outcome)
                    barred = barred or self._looked_at()
            self._account()

    def _barred(self) -> str:
        """Why no other run may begin."""
        if self.stop.is_set():
            return "stopped"
        state = experiment(self.library, self.number).state
        if state != "running":
            return state
        budget, runs = self.plan.budget, runs_of(self.library, self.number)
        begun = sum(run.finished or run.state == "running" for run in runs)
        cost = sum(run.cost_usd or 0.0 for run in runs)
        worked = experiment(self.library, self.number).worked
        if budget.runs is not None and begun >= budget.runs and any(run.state == "queued" for run in runs):
            return f"The budget of {budget.runs:,} runs is used up."
        if budget.dollars is not None and cost >= budget.dollars:
            return f"The budget of ${budget.dollars:,.2f} is used up."
        if budget.minutes is not None and worked >= 60 * budget.minutes:
            return f"The budget of {budget.minutes:g} minutes is used up."
        return ""

    def _begin(self, pool: ThreadPoolExecutor) -> bool:
        run = next((run for run in runs_of(self.library, self.number) if run.state == "queued"), None)
        if run is None or self._barred():
            return False
        token = uuid.uuid4().hex
        change_run(
            self.library, self.number, run.position,
            state="running", reason="", token=token, started_at=time.time(), ended_at=None,
        )  # fmt: skip
        run = next(each for each in runs_of(self.library, self.number) if each.position == run.position)
        job = Job(run, self.tasks[run.task], self.plan, self.conversation, self.hermes, self.mask)
        self.pending[pool.submit(perform, job, self.place, self.halt)] = run
        self.say(run)
        return True

    def _give_back(self, run: Run) -> None:
        """It has come to nothing, and stands in the queue again."""
        self._change(run, state="queued", token="", started_at=None)
        shutil.rmtree(self.place.run(run.position), ignore_errors=True)

    def _record(self, run: Run, outcome: Outcome) -> None:
        """First the session, then what is said of it: whoever is killed in between does both again."""
        folder = self.place.run(run.position)
        state: State = outcome.state
        reason, session, facts = outcome.reason, outcome.session_id, {}
        try:
            session = session if self._archive(folder) else ""
            facts = self._facts(session)
        except (sqlite3.Error, OSError, Trouble) as error:
            state, session = "crashed", ""
            reason = f"Its session could not be kept: {error}."
        self._change(
            run, state=state, reason=reason, session_id=session, success=outcome.success, ended_at=outcome.ended_at,
            token="", **facts,
        )  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)

    def _change(self, run: Run, **fields: object) -> None:
        change_run(self.library, self.number, run.position, **fields)
        with suppress(StopIteration):
            self.say(next(each for each in runs_of(self.library, self.number) if each.position == run.position))

    def _archive(self, folder: Path) -> bool:
        if not state_db(folder).is_file():
            return False
        with Archive(self.home.archive) as archive:
            archive.adopt(state_db(folder), self.mask)
        return True

    def _facts(self, session: str) -> dict[str, object]:
        if not session:
            return {}
        with Catalog(self.home.archived) as catalog:
            profile = catalog.profile(session)
        return {"calls": profile.tool_call_count, "failures": profile.failed_calls, "cost_usd": profile.cost_usd}

    def _account(self) -> None:
        now = time.monotonic()
        if now - self.worked_until >= 1.0 or not self.pending:
            add_work(self.library, self.number, now - self.worked_until)
            self.worked_until = now

    # --- looking, and the end ---

    @property
    def looks(self) -> list[Look]:
        return looks_of(self.plan.looks, self.plan.pairs)

    def _looked_at(self) -> str:
        """At a planned look: is it decided? Only its pairs are asked, whatever else has ended meanwhile."""
        complete = complete_pairs(runs_of(self.library, self.number))
        for at, look in enumerate(self.looks[:-1]):
            if at < self.looked or complete < look.pairs:
                continue
            self.looked = at + 1
            if is_decided(self.home, self.number, look):
                change_experiment(self.library, self.number, pairs_told=look.pairs, level=look.level)
                return "look"
        return ""

    def _end(self, why_not: str) -> Experiment:
        if why_not == "stopped":
            change_experiment(self.library, self.number, ("cancelled",), state="paused", why="It was stopped.")
        elif why_not == "cancelled":
            change_queued(self.library, self.number, "cancelled", "")
            self.place.clear()
        elif why_not != "paused":
            self._finish(why_not)
        return experiment(self.library, self.number)

    def _finish(self, why_not: str) -> None:
        found = experiment(self.library, self.number)
        if why_not == "look":
            told = f"It was decided at a planned look, after {found.pairs_told} of {self.plan.pairs} pairs."
            change_queued(self.library, self.number, "not needed", "It was decided before.")
        else:
            told = why_not
            change_queued(self.library, self.number, "not needed", why_not)
            used = sum(look.level for look in self.looks[: self.looked])
            pairs = complete_pairs(runs_of(self.library, self.number))
            change_experiment(self.library, self.number, pairs_told=pairs, level=self._level(used))
        verdict = conclude(self.home, self.number)
        change_experiment(self.library, self.number, state="done", why=told, verdict=verdict)
        self.place.clear()

    def _level(self, used: float) -> float:
        """What the looks that were made have left."""
        return sum(look.level for look in self.looks) - used
