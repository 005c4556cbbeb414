"""A real fleet on this machine: a scheduler and members, each a process of its own with a home of its own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from warm_tui.__main__ import main
from warm_tui.fleet.authority import Authority
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.folder import Folder
from warm_tui.fleet.messages import Member
from warm_tui.paths import Home

NOBODY_WAITS_SECONDS = 60.0
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "warm_tui.commands.fleet", "warm_tui.fleet.member", "warm_tui.fleet.runs", "warm_tui.fleet.scheduler",
        "warm_tui.fleet.telling", "tests.unit.fleeting",
    ]
)  # fmt: skip
AHEAD = "CLOCK_AHEAD_SECONDS"
"""In a process' environment: its clock is off by that."""


def home_at(folder: Path) -> Home:
    return Home(folder, (folder / "state.db",))


def _command(words: list[str], environment: dict[str, str], out: Connection, errors: Connection) -> None:
    os.environ.update(environment)
    time.tzset()
    _set_clock(float(environment.get(AHEAD, "0")))
    sys.argv = ["warm-tui", *words]
    for number, connection in ((1, out), (2, errors)):
        os.dup2(connection.fileno(), number)
        connection.close()
    sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115
    main()


def _set_clock(ahead: float) -> None:
    """As programs are told the time; certificates are still looked at by the machine's own clock."""
    own = time.time

    def clock() -> float:
        return own() + ahead

    for module in [*sys.modules.values()] if ahead else ():
        for name, value in [*getattr(module, "__dict__", {}).items()]:
            if value is own:
                setattr(module, name, clock)


class Process:
    """A command of ours that goes on until it is ended; what it says is read line by line.

    It is forked from a process that has imported the engine, which takes longer than all else that it does.
    """

    def __init__(self, home: Home, *words: str, **environment: str) -> None:
        (out, told), (errors, troubles) = (FORKS.Pipe(duplex=False) for _ in range(2))
        words = ("--home", str(home.root), "fleet", *words)
        self.process = FORKS.Process(target=_command, args=(list(words), environment, told, troubles), daemon=True)
        self.process.start()
        for given in (told, troubles):
            given.close()
        self.out, self.errors = (os.fdopen(os.dup(each.fileno())) for each in (out, errors))

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def line(self) -> str:
        """The next thing that it says; nothing when it has ended."""
        return self.out.readline().rstrip("\n")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.out.close()
        self.errors.close()

    def ended(self) -> tuple[int | None, str]:
        """Its exit code and its last words."""
        self.process.join(NOBODY_WAITS_SECONDS)
        return self.process.exitcode, self.errors.read().rstrip("\n")


class RunningFleet:
    """Its operator's home has the authority; each member has its own."""

    def __init__(self, folder: Path, members: dict[str, Home], operator: Home | None = None) -> None:
        self.folder, self.home = folder, operator or home_at(folder / "operator")
        self.files = Folder.of(self.home)
        self.authority = Authority.begun(self.files)
        self.homes = members
        self.processes: dict[str, Process] = {}
        self.environment: dict[str, str] = {}
        """Of every member."""
        self.clocks: dict[str, float] = {}
        """How many seconds those of members are ahead, by name."""
        self.own: dict[str, dict[str, str]] = {}
        """What stands in the environment of one member alone, by name."""
        self.port = "0"

    def start(self) -> None:
        self.start_scheduler()
        for name in self.homes:
            self.start_member(name)
        for name in self.homes:
            assert "is in the fleet" in self.processes[name].line(), self.processes[name].ended()

    def start_scheduler(self) -> None:
        scheduler = Process(self.home, "scheduler", "--host", "127.0.0.1", "--port", self.port)
        self.processes["scheduler"] = scheduler
        self.address = scheduler.line()
        assert self.address.startswith("tls://127.0.0.1:"), scheduler.ended()
        self.port = self.address.rpartition(":")[2]

    def start_member(self, name: str, **environment: str) -> Process:
        certificate = self.files.handed_out(name)
        if not certificate.exists():
            self.authority.issue("member", name, certificate)
        words = ("join", self.address, "--name", name, "--certificate", str(certificate), "--offers", "docker")
        ahead = {AHEAD: str(self.clocks[name])} if name in self.clocks else {}
        environment = self.environment | self.own.get(name, {}) | ahead | environment
        self.processes[name] = Process(self.homes[name], *words, **environment)
        return self.processes[name]

    def end(self) -> None:
        for process in self.processes.values():
            process.kill()


@contextmanager
def fleet_of(folder: Path, members: dict[str, Home]) -> Iterator[RunningFleet]:
    running = RunningFleet(folder, members)
    try:
        running.start()
        yield running
    finally:
        running.end()


def when(fleet: Fleet, holds: Callable[[dict[str, Member]], bool]) -> dict[str, Member]:
    """Who is there, as soon as that holds: beats come by the second."""
    from threading import Event

    beat = Event()
    for _ in range(int(NOBODY_WAITS_SECONDS / 0.05)):
        members = {each.name: each for each in fleet.members()}
        if holds(members):
            return members
        beat.wait(0.05)
    raise AssertionError(members)
