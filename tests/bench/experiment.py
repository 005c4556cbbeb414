"""An experiment beside the app: what a run costs beyond the agent, and whether a key still is answered at once.

The agent is a stand-in that records a session and leaves: what remains is our own work.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from database import large_database
from screens import SIZE, key_to_paint, report, screen_of

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.unit import fake_hermes
from warm_tui.app import WarmTui
from warm_tui.experiments import control
from warm_tui.experiments.plan import Plan, Task
from warm_tui.experiments.starting import begin
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import open_library
from warm_tui.library.experiments import runs_of
from warm_tui.paths import Home
from warm_tui.screens.experiments.table import RunTable
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern

PATTERN = Pattern(
    tool_name="terminal",
    arguments={"command": "ls"},
    result='{"output": "a"}',
    context="Look around.",
    whose=WRITTEN_BY_HAND,
)


def begun(home: Home, count: int, parallel: int) -> int:
    tasks = tuple(Task(f"t{at}", f"Task {at}.") for at in range(count))
    with Catalog(home) as catalog:
        return begin(catalog, Plan(f"p{count}-{parallel}", "careful", tasks, parallel=parallel))


def overhead(home: Home, command: Path) -> None:
    """A run of the queue against the same agent called directly, one after the other."""
    number = begun(home, 30, 1)
    began = time.perf_counter()
    words = [sys.executable, "-m", "warm_tui", "--home", str(home.root), "experiment", "run", str(number), "--resume"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours = (time.perf_counter() - began) / 60
    alone = []
    for at in range(30):
        bare = Path(tempfile.mkdtemp(dir=home.root.parent))
        began = time.perf_counter()
        subprocess.run(
            [str(command), "chat", f"--query=Task {at}."], check=True, cwd=bare, capture_output=True,
            env={**os.environ, "HERMES_HOME": str(bare)},
        )  # fmt: skip
        alone.append(time.perf_counter() - began)
    print(f"{'a run / the same agent called directly':50} {ours / statistics.mean(alone):.2f} ({ours * 1000:.0f} ms)")


async def beside(home: Home) -> None:
    """Keys while runs begin and end all the time, on the table of 10,000 sessions and on the runs themselves."""
    app = WarmTui(home)
    async with app.run_test(size=SIZE) as pilot:
        screen = screen_of(app)
        while len(screen.sessions.profiles) < 10_000 or screen.table.pending or screen.sessions.feeding:
            await asyncio.sleep(0.05)
        await pilot.pause(0.5)
        report("key to paint, nothing beside it", [await key_to_paint(app) for _ in range(100)])
        number = begun(home, 400, 2)
        control.resume(home, number)
        while not any(run.finished for run in runs(home, number)):
            await asyncio.sleep(0.1)
        taken = []
        for _ in range(150):
            taken.append(await key_to_paint(app))
            await asyncio.sleep(0.02)
        report("key to paint in Sessions, an experiment beside it", taken)
        await pilot.press("7")
        await pilot.pause(1.5)
        table = app.screen.query_one(RunTable)
        table.focus()
        report("key to paint in Experiments, its runs coming in", [await moved(app, table) for _ in range(150)])
        assert any(run.state == "queued" for run in runs(home, number)), "it was over too soon"
        control.cancel(home, number)


async def moved(app: WarmTui, table: RunTable) -> float:
    painted = asyncio.Event()
    before = table.cursor
    began = time.perf_counter()
    table.move(before + 1)
    app.call_after_refresh(painted.set)
    await painted.wait()
    taken = time.perf_counter() - began
    await asyncio.sleep(0.03)
    return taken


def runs(home: Home, number: int) -> list:  # type: ignore[type-arg]
    with open_library(home.library) as library:
        return runs_of(library, number)


def main() -> None:
    path = large_database(10_000, 1_000_000)
    with tempfile.TemporaryDirectory() as scratch:
        log = fake_hermes.install(Path(scratch) / "bin")
        os.environ["PATH"] = f"{log.parent}{os.pathsep}{os.environ['PATH']}"
        os.environ["XDG_CACHE_HOME"] = str(Path(scratch) / "cache")
        home = Home(Path(scratch) / "home", (path,))
        home.root.mkdir()
        TemplateFiles(home).save(new_template("careful", [PATTERN]))
        with Catalog(home) as catalog:
            catalog.profiles()
        overhead(home, log.parent / "hermes")
        asyncio.run(beside(home))


if __name__ == "__main__":
    main()
