"""One run, from a fresh folder and a fresh home to what came of it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

import msgspec

from warm_tui.agent.hermes_cli import chat, environment_of, session_in, start_warm
from warm_tui.agent.installed import version_of
from warm_tui.agent.processes import MARK, Ended, Supervised, end_all
from warm_tui.agent.proof import WATCH, arrived
from warm_tui.errors import Trouble
from warm_tui.experiments.outages import (
    BY_NAME,
    CANNOT_RUN,
    UNGIVEN,
    outage_in,
    outage_of_crash,
    outage_of_error,
    telling_line,
)
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.probe import reaches_model
from warm_tui.experiments.room import RoomWatch, is_room_for_a_run
from warm_tui.experiments.workspace import RunFolders, remove
from warm_tui.library.experiments import Run, State
from warm_tui.secrets.credentials import Mask
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.text import clean, clean_line
from warm_tui.writing import copy_regular, read_regular, write_whole

LONGEST_REASON = 300
MOST_LINES, MOST_LETTERS = 200, 1_000_000
"""Of what Hermes says beside its answer, so many lines are kept, the last."""
MINUTE, PROBE_MINUTES = 60.0, 2.0
UNWRITTEN = "Hermes could not write all that it did."


class Job(NamedTuple):
    run: Run
    task: Task
    plan: Plan
    conversation: bytes
    mask: Mask
    redactor: Redactor


class Outcome(msgspec.Struct, frozen=True):
    """What a run came to, as it is kept in its folder until the library has it."""

    state: State
    reason: str
    session_id: str
    success: bool | None
    ended_at: float
    outage: str = ""
    """What outside of the task it came to nothing for."""
    errors: str = ""
    """The last that Hermes said beside its answer, without secrets."""
    hermes: str = ""
    """Its version; nothing where that is not known."""


def perform(job: Job, workspace: RunFolders, stop: Event, hermes: Path) -> Outcome | None:
    """None where it was stopped: it has come to nothing, and can be done again."""
    folder = workspace.run(job.run.position)
    began = time.monotonic()
    room = RoomWatch(folder)
    try:
        if not is_room_for_a_run(workspace):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with Supervised() as supervised, room:
            outcome = _performed(job, workspace, folder, Commands(supervised, folder, stop, hermes))
    except OSError as error:
        outage = outage_of_error(error, starting_hermes=error.filename == str(hermes))
        outcome = _outcome("not started", f"The run could not begin: {why(error)}.", outage=outage)
    finally:
        end_all(job.run.token, folder)
    if outcome is None:
        return None
    if room.ran_out and not outcome.outage and outcome.state != "timed out":
        # Whatever came of it came of that, and what was recorded may be a part of it.
        outcome = msgspec.structs.replace(_no_result(outcome, "disk"), reason=outcome.reason or UNWRITTEN)
    outcome = msgspec.structs.replace(
        as_told(job, outcome),
        # By a clock that nobody sets.
        ended_at=(job.run.started_at or time.time()) + time.monotonic() - began,
        hermes=version_of(hermes),
    )
    keep_outcome(folder, outcome)
    return outcome


def as_told(job: Job, outcome: Outcome) -> Outcome:
    """Without what a terminal obeys, which is cleaned first: it may stand within a secret."""
    return msgspec.structs.replace(
        outcome,
        reason=job.mask(clean_line(outcome.reason))[:LONGEST_REASON],
        errors=_last_lines(job, outcome.errors),
    )


def _no_result(outcome: Outcome, outage: str) -> Outcome:
    state: State = "not started" if outcome.state == "not started" else "crashed"
    return msgspec.structs.replace(outcome, state=state, success=None, outage=outage)


def _last_lines(job: Job, errors: str) -> str:
    masked = job.redactor.redact(job.mask(clean(errors[-MOST_LETTERS:])))
    lines = [line for line in masked.split("\n") if line.strip() and not line.startswith("session_id:")]
    return "\n".join(lines[-MOST_LINES:])


def keep_outcome(folder: Path, outcome: Outcome) -> None:
    with suppress(OSError):
        write_whole(folder / "outcome.json", msgspec.json.encode(outcome))


def kept_outcome(folder: Path) -> Outcome | None:
    """Of a run that had ended before whoever drove it could write that down."""
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(read_regular(folder / "outcome.json"), type=Outcome)
    return None


def why(error: OSError) -> str:
    """Copying a folder collects what went wrong with each file."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        return str(error.args[0][0][-1])
    return error.strerror or str(error)


def state_db(folder: Path) -> Path:
    return folder / "home" / "state.db"


def _make_ready(job: Job, workspace: RunFolders, folder: Path) -> None:
    remove(folder)
    folder.mkdir(parents=True, mode=0o700)
    shutil.copytree(workspace.frozen_home, folder / "home", symlinks=True, copy_function=copy_regular)
    shutil.copytree(workspace.frozen_task(job.task), folder / "work", symlinks=True, copy_function=copy_regular)
    if job.run.arm == "warm":
        write_whole(folder / "prefill.json", job.conversation)
        start_warm(folder / "home", folder / "prefill.json")


class Commands(NamedTuple):
    """How the commands of a run are run."""

    supervised: Supervised
    folder: Path
    stop: Event
    hermes: Path

    def run(self, command: str | list[str], environment: dict[str, str], minutes: float) -> Ended:
        return self.supervised.run(
            command, folder=self.folder / "work", environment=environment, seconds=MINUTE * minutes,
            scratch=self.folder, stop=self.stop,
        )  # fmt: skip


def _performed(job: Job, workspace: RunFolders, folder: Path, commands: Commands) -> Outcome | None:
    _make_ready(job, workspace, folder)
    task, work = job.task, folder / "work"
    bare = {**os.environ, MARK: job.run.token}
    if task.setup:
        ended = commands.run(task.setup, bare, task.minutes)
        if ended.stopped:
            return None
        if ended.exit_code != 0:
            return _outcome("not started", f"The setup command {_how(ended)}")
    prefill = folder / "prefill.json" if job.run.arm == "warm" else None
    is_to_prove = prefill is not None and not workspace.proved.exists()
    ended = commands.run(
        chat(commands.hermes, task.prompt, job.plan.model, job.plan.flags),
        environment_of(folder / "home", work, prefill, job.run.token) | (WATCH if is_to_prove else {}),
        task.minutes,
    )
    if ended.stopped:
        return None
    session, is_answered = _session_of(folder, session_in(ended.errors) or session_in(ended.out))
    outcome = _of_agent(task, ended, session, is_answered)
    if is_to_prove and not outcome.outage:
        outcome = _proved(job, workspace, commands, outcome)
    if outcome.state == "ended" and task.check:
        checked = _checked(task, work, bare, session, commands)
        reason = checked.reason or outcome.reason if checked else ""
        return msgspec.structs.replace(checked, errors=ended.errors, reason=reason) if checked else None
    return outcome


def _of_agent(task: Task, ended: Ended, session: str, is_answered: bool) -> Outcome:
    """What came of the agent's own work, before anybody has looked whether the task is done."""

    def crashed(reason: str, outage: str) -> Outcome:
        return _outcome("crashed", reason, session, outage=outage, errors=ended.errors)

    late = f"It had not ended after {task.minutes:g} minute{'s' * (task.minutes != 1)}"
    if ended.exit_code is None and session and not is_answered:
        return crashed(f"{late}, and the model had not answered once.", "model")
    if ended.exit_code is None:
        return _outcome("timed out", f"{late}.", session, False if task.check else None, errors=ended.errors)
    if ended.exit_code != 0:
        last = _last_words(ended)
        outage = outage_of_crash(ended.exit_code, last, ended.errors, has_session=bool(session), out=ended.out)
        # Without a session all of it is the agent's own words.
        told = last if session else telling_line(outage, ended.out, last)
        return crashed(f"Hermes {_how(ended, told)}", outage)
    # It goes on where it cannot write, and then lacks what it did.
    if full := outage_in(ended.errors, ("disk",)):
        return crashed(UNWRITTEN, full)
    if not session:
        return crashed("Hermes recorded no session.", "")
    return _outcome("ended", "", session, errors=ended.errors)


def _proved(job: Job, workspace: RunFolders, commands: Commands, outcome: Outcome) -> Outcome:
    """Whether the template reached the model of the first warm run: which files an agent reads differs by version."""
    is_there = arrived(commands.folder / "home", json.loads(job.conversation))
    if is_there is None:
        is_there = _probed(job, commands)
    if is_there:
        write_whole(workspace.proved, "")
    if is_there is False:
        return msgspec.structs.replace(_no_result(outcome, UNGIVEN), reason=f"{BY_NAME[UNGIVEN].is_so}.")
    if is_there is None and outcome.state == "ended":
        return msgspec.structs.replace(outcome, reason="Nothing told whether the template reached the model.")
    return outcome


def _probed(job: Job, commands: Commands) -> bool | None:
    def run(words: list[str], environment: dict[str, str]) -> object:
        return commands.run(words, environment, PROBE_MINUTES)

    with suppress(OSError):
        return reaches_model(commands.hermes, commands.folder, job.conversation, job.run.token, run)
    return None


def _checked(task: Task, work: Path, environment: dict[str, str], session: str, commands: Commands) -> Outcome | None:
    gone = "" if work.is_dir() else "The task's folder was gone; the check ran in an empty one. "
    work.mkdir(exist_ok=True)
    ended = commands.run(task.check, environment, task.minutes)
    if ended.stopped:
        return None
    code = ended.exit_code
    if code is None or code < 0 or code in CANNOT_RUN:
        return _outcome("ended", f"{gone}The check itself failed, so it is not known whether the task was done: "
                        f"it {_how(ended)}", session, None)  # fmt: skip
    return _outcome("ended", gone if code == 0 else f"{gone}The check {_how(ended)}", session, code == 0)


def _outcome(
    state: State, reason: str, session: str = "", success: bool | None = None, *, outage: str = "", errors: str = ""
) -> Outcome:
    return Outcome(state, reason.strip(), session, success, time.time(), outage, errors)


def _how(ended: Ended, told: str = "") -> str:
    """How a command ended, and its last words, unless others tell more."""
    last = told or _last_words(ended)
    words = f": {last}" if last else "."
    if ended.exit_code is None:
        return f"did not end in time{words}"
    return (
        f"was ended by signal {-ended.exit_code}{words}"
        if ended.exit_code < 0
        else f"ended with {ended.exit_code}{words}"
    )


def _last_words(ended: Ended) -> str:
    lines = (line.strip() for line in (*ended.out.splitlines(), *ended.errors.splitlines()))
    return next((line for line in reversed([*lines]) if line and not line.startswith("session_id:")), "")


def _session_of(folder: Path, named: str) -> tuple[str, bool]:
    """The session that the agent named, if it recorded it, else the one it began with; and whether a model answered."""
    with suppress(Trouble, sqlite3.Error), open_source(state_db(folder)) as source:
        known = {session.id: session for session in source.sessions()}
        own = [session.id for session in known.values() if not session.parent_id]
        session = named if named in known else own[-1] if own else ""
        return session, any(m.role == "assistant" for name in known for m in source.messages(name))
    return "", False
