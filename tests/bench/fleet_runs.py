"""An experiment's runs over a fleet of three: how much faster than one member, and what is left of it when one is killed.

    python -m tests.bench.fleet_runs [RUNS] [SECONDS]

The agent is a stand-in that answers at once; each run waits some seconds in its setup, as an agent does for its model.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from tests.unit.experimenting import PATTERN, begun, runs, tasks
from tests.unit.test_fleet_runs import Members
from warm_tui.experiments.plan import Plan
from warm_tui.experiments.runner import run_experiment
from warm_tui.fleet.client import Fleet
from warm_tui.fleet.machines import FleetMachines
from warm_tui.paths import Home
from warm_tui.sessions.readers import open_source
from warm_tui.templates.building import new_template
from warm_tui.templates.files import TemplateFiles

NAMES = ("ada", "bob", "cyd")


def home_in(folder: Path) -> Home:
    root = folder / "home"
    root.mkdir()
    (root / "config.yaml").write_text("model: m\n")
    home = Home(root, (root / "state.db",))
    TemplateFiles(home).save(new_template("careful", [PATTERN]))
    return home


def over(members: Members, home: Home, plan: Plan, killed: str = "") -> tuple[float, int]:
    """The seconds it took, and the experiment's number. `killed`: a member that is, twice, and comes back."""
    number = begun(home, plan)
    began = time.monotonic()
    with Fleet(members.fleet.home) as fleet, closing(FleetMachines(fleet, plan, lambda said: print(" ", said))) as who:
        driver = Thread(target=run_experiment, args=(home, number, Event()), kwargs={"machines": who})
        driver.start()
        for share in (0.25, 0.6) if killed else ():
            while driver.is_alive() and sum(run.finished for run in runs(home, number)) < share * plan.runs:
                time.sleep(0.2)
            members.fleet.processes[killed].kill()
            members.fleet.start_member(killed)
        driver.join()
    return time.monotonic() - began, number


def tell(name: str, home: Home, number: int, members: Members, seconds: float) -> None:
    made = runs(home, number)
    with open_source(home.archive) as archive:
        sessions = {session.id for session in archive.sessions()}
    print(
        f"{name}: {seconds:.1f} s; {dict(Counter(run.state for run in made))}; "
        f"by member {dict(Counter(run.machine for run in made))}; "
        f"sessions {len(sessions & {run.session_id for run in made})}; agent started {len(members.told())} times; "
        f"pairs on one member {sum(len({r.machine for r in made if r.pair == pair}) == 1 for pair in range(len(made) // 2))}"
    )


def main(count: int, seconds: float) -> None:
    took = {}
    for names in (NAMES[:1], NAMES):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
            members, home = Members(folder, names), home_in(folder)
            try:
                members.fleet.start()
                plan = Plan("few", "careful", tasks(12, setup=f"sleep {seconds}"))
                took[len(names)], number = over(members, home, plan)
                tell(f"24 runs, {len(names)} member(s)", home, number, members, took[len(names)])
                if len(names) == len(NAMES):
                    members.hold()
                    plan = Plan("many", "careful", tasks(count // 4, setup=f"sleep {seconds}"), repeats=2)
                    whole, number = over(members, home, plan, killed="bob")
                    tell(f"{plan.runs} runs, one member killed twice", home, number, members, whole)
            finally:
                members.fleet.end()
    print(f"three members are {took[1] / took[len(NAMES)]:.2f} times as fast as one")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, float(sys.argv[2]) if len(sys.argv) > 2 else 3.0)
