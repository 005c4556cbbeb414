"""A run of another machine's experiment, made here: asked for again it is not made again, but answered as before."""

from __future__ import annotations

import os
import re
import threading
import zlib
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

import msgspec

from warm_tui.agent.hermes_cli import find_hermes
from warm_tui.agent.hermes_config import settings_of
from warm_tui.errors import Trouble
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.run import Job, Outcome, perform, state_db
from warm_tui.experiments.workspace import RunFolders, remove
from warm_tui.fleet.bundle import CONVERSATION, unpack
from warm_tui.fleet.messages import decoded, encode
from warm_tui.library.experiments import Arm, Run
from warm_tui.paths import Home
from warm_tui.secrets.credentials import Mask, credentials_of
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.hermes.archive import Archive
from warm_tui.writing import read_regular, write_whole

LARGEST_SESSION = 256_000_000
CLAIM = "needed-by-"
EXPERIMENT, NAMES = re.compile(r"[0-9a-f]{32}"), re.compile(r"[0-9a-f]{0,64}")
FORGOTTEN_SECONDS = 24 * 3600.0
"""Of an experiment whose machine never said that it is over."""


class RunAsked(msgspec.Struct, frozen=True):
    bundle: str
    experiment: str
    """Which one of all that begin from the same bundle."""
    token: str
    """Of one try of a run: it is made once, however often it is asked for."""
    position: int
    arm: Arm
    started_at: float
    """By the clock of who asks: times are told by that one."""
    task: Task
    plan: Plan


class RunMade(msgspec.Struct, frozen=True):
    outcome: Outcome | None = None
    """None where it was ended before it came to anything."""
    session: bytes = b""
    """The database that Hermes wrote, with credentials masked."""
    lacks_bundle: bool = False


class Token(msgspec.Struct, frozen=True):
    token: str


class Sent(msgspec.Struct, frozen=True):
    bundle: str
    experiment: str
    body: bytes = b""
    """Nothing where it is over, and shall be forgotten."""


class Going(NamedTuple):
    ending: Event
    made: Future[RunMade]
    of: tuple[str, str]
    """Its bundle and its experiment."""


_going: dict[str, Going] = {}
_over: deque[str] = deque(maxlen=10_000)
"""Runs that were ended, maybe while they waited for their turn: they begin no more."""
_lock = threading.Lock()
_unpacking = threading.Lock()


class Folders(RunFolders):
    """Of one experiment of another machine; a run's is named by its token, since positions come again."""

    def __init__(self, home: Home, bundle: str, token: str = "") -> None:
        if not NAMES.fullmatch(bundle) or not NAMES.fullmatch(token):
            raise Trouble("That is no name of what runs begin from, nor of a run.")
        super().__init__(home, f"fleet-{bundle[:32]}")
        self.token = token

    def run(self, position: int) -> Path:
        return self.folder / f"run-{self.token or position}"

    @property
    def answer(self) -> Path:
        return self.folder / f"answer-{self.token}"

    def claim(self, experiment: str) -> None:
        """It is needed as long as one experiment is not over."""
        if not EXPERIMENT.fullmatch(experiment):
            raise Trouble("That is no experiment.")
        (self.folder / f"{CLAIM}{experiment}").touch(mode=0o600)
        os.utime(self.folder)

    def give_up(self, experiment: str) -> None:
        if EXPERIMENT.fullmatch(experiment):
            (self.folder / f"{CLAIM}{experiment}").unlink(missing_ok=True)
        if not list(self.folder.glob(f"{CLAIM}*")):
            self.clear()


def run(home: Home, request: RunAsked) -> RunMade:
    folders = Folders(home, request.bundle, request.token)
    with _lock:
        if request.token in _over:
            return RunMade()
        going = _going.get(request.token)
        is_mine = going is None
        if going is None:
            going = _going[request.token] = Going(Event(), Future(), (request.bundle, request.experiment))
    if not is_mine:
        return going.made.result()
    try:
        made = _kept(folders) or _made(home, request, folders, going.ending)
        going.made.set_result(made)
        return made
    except BaseException as error:
        going.made.set_exception(error)
        raise
    finally:
        with _lock:
            del _going[request.token]


def _kept(folders: Folders) -> RunMade | None:
    """It had been made, and nobody heard of it."""
    with suppress(OSError, Trouble):
        return decoded(read_regular(folders.answer, LARGEST_SESSION), RunMade, str(folders.answer))
    return None


def _made(home: Home, request: RunAsked, folders: Folders, ending: Event) -> RunMade:
    with _unpacking:
        if not folders.frozen.is_dir():
            return RunMade(lacks_bundle=True)
        folders.claim(request.experiment)
    hermes = find_hermes()
    frozen = folders.frozen_home
    mask = Mask(credentials_of(frozen, settings_of(frozen)))
    run = Run(request.position, request.task.id, 0, request.arm, token=request.token, started_at=request.started_at)
    conversation = read_regular(folders.frozen / CONVERSATION)
    job = Job(run, request.task, request.plan, conversation, mask, redactor_of(home))
    folder = folders.run(request.position)
    try:
        outcome = perform(job, folders, ending, hermes)
        if outcome is None:
            return RunMade()
        made = RunMade(outcome, _masked_session(folder, mask) if outcome.session_id else b"")
        write_whole(folders.answer, encode(made))
        return made
    finally:
        remove(folder)


def _masked_session(folder: Path, mask: Mask) -> bytes:
    with suppress(OSError):
        if state_db(folder).stat().st_size > LARGEST_SESSION:
            raise Trouble(f"What the agent recorded is larger than {LARGEST_SESSION:,} bytes.")
    masked = folder / "masked.db"
    with suppress(OSError, Trouble):
        with Archive(masked) as archive:
            archive.adopt(state_db(folder), mask)
        return zlib.compress(read_regular(masked, LARGEST_SESSION), 1)
    return b""


def take_bundle(home: Home, request: Sent) -> Token:
    folders = Folders(home, request.bundle)
    with _unpacking:
        if not folders.frozen.is_dir():
            unpack(request.body, request.bundle, folders, home)
        folders.claim(request.experiment)
        _forget_old(home, folders.folder.stat().st_mtime)
    return Token(request.bundle)


def end_run(_home: Home, request: Token) -> Token:
    with _lock:
        _over.append(request.token)
        going = _going.get(request.token)
    if going is not None:
        going.ending.set()
    return request


def forget(home: Home, request: Sent) -> Token:
    """The experiment is over: what goes on of it is ended, and nothing of it stays but what others begin from, too."""
    with _lock:
        going = [each for each in _going.values() if each.of == (request.bundle, request.experiment)]
    for each in going:
        each.ending.set()
    for each in going:
        with suppress(Exception):
            each.made.result()
    with _unpacking:
        Folders(home, request.bundle).give_up(request.experiment)
    return Token(request.bundle)


def _forget_old(home: Home, now: float) -> None:
    """`now`: as the disk has it, whose clock may be another than this machine's."""
    kin = Folders(home, "").folder
    for folder in kin.parent.glob(f"{kin.name}*"):
        with suppress(OSError):
            if now - folder.stat().st_mtime > FORGOTTEN_SECONDS:
                remove(folder)
