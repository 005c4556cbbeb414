"""One run, from a fresh folder and a fresh home to what came of it."""

from __future__ import annotations

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
from warm_tui.agent.processes import MARK, Ended, end_all, run_limited
from warm_tui.errors import Trouble
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.workspace import Workspace, remove
from warm_tui.library.experiments import Run, State
from warm_tui.secrets.credentials import Mask
from warm_tui.sessions.readers import open_source
from warm_tui.sessions.text import clean_line
from warm_tui.writing import copy_regular, read_regular, write_whole

CANNOT_RUN = (126, 127)
"""What a shell says of a command that is not there, or is none."""
LONGEST_REASON = 300
MINUTE = 60.0


class Job(NamedTuple):
    run: Run
    task: Task
    plan: Plan
    conversation: bytes
    hermes: Path
    mask: Mask


class Outcome(msgspec.Struct, frozen=True):
    """What a run came to, as it is kept in its folder until the library has it."""

    state: State
    reason: str
    session_id: str
    success: bool | None
    ended_at: float
    by_us: bool = False
    """It was not the agent, nor the task: the machine did not let it begin."""


def perform(job: Job, workspace: Workspace, stop: Event) -> Outcome | None:
    """None where it was stopped: it has come to nothing, and can be done again."""
    folder = workspace.run(job.run.position)
    try:
        _make_ready(job, workspace, folder)
        outcome = _performed(job, folder, stop)
    except OSError as error:
        outcome = _outcome("not started", f"The run could not begin: {why(error)}.", by_us=True)
    finally:
        end_all(job.run.token, folder)
    if outcome is None:
        return None
    # Cleaned first: what a terminal obeys may stand within a secret.
    outcome = msgspec.structs.replace(outcome, reason=job.mask(clean_line(outcome.reason))[:LONGEST_REASON])
    with suppress(OSError):
        write_whole(folder / "outcome.json", msgspec.json.encode(outcome))
    return outcome


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


def _make_ready(job: Job, workspace: Workspace, folder: Path) -> None:
    remove(folder)
    folder.mkdir(parents=True, mode=0o700)
    shutil.copytree(workspace.frozen_home, folder / "home", symlinks=True, copy_function=copy_regular)
    shutil.copytree(workspace.frozen_task(job.task), folder / "work", symlinks=True, copy_function=copy_regular)
    if job.run.arm == "warm":
        write_whole(folder / "prefill.json", job.conversation)
        start_warm(folder / "home", folder / "prefill.json")


def _performed(job: Job, folder: Path, stop: Event) -> Outcome | None:
    task, work = job.task, folder / "work"
    seconds = task.minutes * MINUTE
    bare = {**os.environ, MARK: job.run.token}
    if task.setup:
        ended = run_limited(task.setup, folder=work, environment=bare, seconds=seconds, scratch=folder, stop=stop)
        if ended.stopped:
            return None
        if ended.exit_code != 0:
            return _outcome("not started", f"The setup command {_how(ended)}")
    prefill = folder / "prefill.json" if job.run.arm == "warm" else None
    ended = run_limited(
        chat(job.hermes, task.prompt, job.plan.model, job.plan.flags),
        folder=work,
        environment=environment_of(folder / "home", work, prefill, job.run.token),
        seconds=seconds,
        scratch=folder,
        stop=stop,
    )
    if ended.stopped:
        return None
    session = _session_of(folder, session_in(ended.errors) or session_in(ended.out))
    success = None if not task.check else False
    if ended.exit_code is None:
        return _outcome("timed out", f"It had not ended after {task.minutes:g} minutes.", session, success)
    if ended.exit_code != 0:
        return _outcome("crashed", f"Hermes {_how(ended)}", session, success)
    if not session:
        return _outcome("crashed", "Hermes recorded no session.", session, success)
    if not task.check:
        return _outcome("ended", "", session, None)
    return _checked(task, work, bare, folder, session, stop)


def _checked(
    task: Task, work: Path, environment: dict[str, str], folder: Path, session: str, stop: Event
) -> Outcome | None:
    gone = "" if work.is_dir() else "The task's folder was gone; the check ran in an empty one. "
    work.mkdir(exist_ok=True)
    ended = run_limited(
        task.check, folder=work, environment=environment, seconds=task.minutes * MINUTE, scratch=folder, stop=stop
    )
    if ended.stopped:
        return None
    code = ended.exit_code
    if code is None or code < 0 or code in CANNOT_RUN:
        return _outcome("ended", f"{gone}The check itself failed, so it is not known whether the task was done: "
                        f"it {_how(ended)}", session, None)  # fmt: skip
    return _outcome("ended", gone if code == 0 else f"{gone}The check {_how(ended)}", session, code == 0)


def _outcome(
    state: State, reason: str, session: str = "", success: bool | None = None, *, by_us: bool = False
) -> Outcome:
    return Outcome(state, reason.strip(), session, success, time.time(), by_us)


def _how(ended: Ended) -> str:
    """How a command ended, and its last words."""
    lines = [line for line in (*ended.out.splitlines(), *ended.errors.splitlines()) if line.strip()]
    lines = [line.strip() for line in lines if not line.startswith("session_id:")]
    words = f": {lines[-1]}" if lines else "."
    if ended.exit_code is None:
        return f"did not end in time{words}"
    return (
        f"was ended by signal {-ended.exit_code}{words}"
        if ended.exit_code < 0
        else f"ended with {ended.exit_code}{words}"
    )


def _session_of(folder: Path, named: str) -> str:
    """The session that the agent named, if it recorded it; else the one it began with."""
    with suppress(Trouble, sqlite3.Error), open_source(state_db(folder)) as source:
        known = {session.id: session for session in source.sessions()}
        own = [session.id for session in known.values() if not session.parent_id]
        return named if named in known else own[-1] if own else ""
    return ""
