"""Agents whose runner or supervisor is gone, or halted: they end, and their minutes hold."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.unit.experimenting import begun, runs, told, until
from tests.unit.experimenting import home as home
from tests.unit.experimenting import nothing_stays as nothing_stays
from warm_tui.experiments.plan import Plan, Task
from warm_tui.library.db import open_library
from warm_tui.library.experiments import attempts_of
from warm_tui.paths import Home

DRIVE = """
import sys
from threading import Event
from warm_tui.experiments.runner import run_experiment
from warm_tui.paths import Home
from pathlib import Path
root = Path(sys.argv[1])
run_experiment(Home(root, (root / "state.db",)), 1, Event())
"""


BEFORE_THEY_WOULD_BY_THEMSELVES = 200.0
"""An agent that hangs ends after 300 seconds."""


def driven(home: Home) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", DRIVE, str(home.root)], start_new_session=True)


def is_alive(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def agents_of(home: Home, number: int = 1) -> list[int]:
    """Processes of the agent and of what it began."""
    tokens = {run.token for run in runs(home, number) if run.token}
    listed = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            marks = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(f"WARM_TUI_RUN={token}".encode() in marks for token in tokens) and is_alive(int(entry.name)):
            listed.append(int(entry.name))
    return listed


def test_agents_end_with_a_killed_runner(home: Home) -> None:
    begun(home, Plan("p", "careful", (Task("a", "hang", setup="setsid sleep 300 & true"),), parallel=2))
    driver = driven(home)
    until(lambda: len(told(home)) == 2 and len(agents_of(home)) >= 6)
    going = agents_of(home)
    driver.kill()
    driver.wait()
    until(lambda: not any(map(is_alive, going)), BEFORE_THEY_WOULD_BY_THEMSELVES)


def test_the_minutes_hold_while_the_runner_is_halted(home: Home) -> None:
    begun(home, Plan("p", "careful", (Task("a", "hang", minutes=0.05),)))
    driver = driven(home)
    until(lambda: len(agents_of(home)) >= 2)
    hanging = agents_of(home)[0]
    os.kill(driver.pid, signal.SIGSTOP)
    try:
        until(lambda: not is_alive(hanging), BEFORE_THEY_WOULD_BY_THEMSELVES)
    finally:
        driver.kill()
        driver.wait()


def test_agents_end_with_a_killed_supervisor(home: Home) -> None:
    begun(home, Plan("p", "careful", (Task("a", "hang"),)))
    driver = driven(home)
    until(lambda: len(told(home)) == 1)
    (supervisor,) = (number for number in children_of(driver.pid) if is_alive(number))
    agent = children_of(supervisor)[0]
    os.kill(supervisor, signal.SIGKILL)
    until(lambda: not is_alive(agent), BEFORE_THEY_WOULD_BY_THEMSELVES)
    until(lambda: any(run.attempts for run in runs(home, 1)))
    with open_library(home.library) as library:
        assert attempts_of(library, 1)[0][0].outage == "killed"
    driver.kill()
    driver.wait()


def children_of(number: int) -> list[int]:
    """Of whichever of its threads."""
    listed = [path.read_text().split() for path in Path(f"/proc/{number}/task").glob("*/children")]
    return [int(each) for some in listed for each in some]
