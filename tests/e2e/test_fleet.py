"""An experiment over a fleet with the real agent: a member killed, the operator killed, and whose credentials are used."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from tests.e2e.sparing import QUICKER, settings
from tests.e2e.test_experiment import ENDED, SECRET, Bench, wait_for
from tests.e2e.test_hermes import HERMES, needs_hermes
from tests.e2e.trial_model import TrialModel
from tests.unit.fleeting import RunningFleet, home_at

pytestmark = needs_hermes
NAMES = ("ada", "bob")
CALLS = 2


def key_of(name: str) -> str:
    return f"sk-theKeyOf{name.capitalize()}Alone9876543210"


@contextmanager
def members_of(bench: Bench, folder: Path, url: str) -> Iterator[RunningFleet]:
    homes = {name: home_at(folder / name) for name in NAMES}
    for name, home in homes.items():
        home.root.mkdir()
        (home.root / "config.yaml").write_text(json.dumps(settings(url, key_of(name))))
        (home.root / ".env").write_text(f"OPENAI_API_KEY={key_of(name)}\n")
    running = RunningFleet(folder, homes, bench.home)
    running.environment = {
        **QUICKER,
        "PATH": f"{HERMES.parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_CACHE_HOME": str(folder / "members"),
        "HOME": str(folder / "user"),
    }
    try:
        running.start()
        yield running
    finally:
        running.end()


def check_whole(bench: Bench, told: dict[str, Any], model: TrialModel, folder: Path, pairs: int) -> None:
    runs = told["runs"]
    assert Counter(run["state"] for run in runs) == {"ended": 2 * pairs}, runs
    assert len({run["session_id"] for run in runs}) == 2 * pairs
    assert all(run["task_success"] and run["calls"] == CALLS for run in runs), runs
    for task in {run["task"] for run in runs}:
        assert len({run["machine"] for run in runs if run["task"] == task}) == 1, "a pair is made on one member"
    assert set(model.keys) == {f"Bearer {key_of(name)}" for name in NAMES}, "the members' own, and never the operator's"
    assert not [path for path in (folder / "members").rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert bench.leftovers() == []
    ours = [path for path in bench.root.rglob("*") if path.is_file() and "warm_tui" in path.parts]
    secrets = [SECRET, *map(key_of, NAMES)]
    assert [path.name for path in ours if any(each.encode() in path.read_bytes() for each in secrets)] == []


def test_the_real_agent_makes_each_run_once_on_the_members(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with TrialModel(calls=CALLS) as model:
        bench.model(model.url)
        with members_of(bench, tmp_path, model.url) as running:
            told = bench.run("run", str(bench.plan(2)), "--on", running.address)
            assert {run["machine"] for run in told["runs"]} == set(NAMES)
            assert len(model.arms) == 4
            assert told["comparison"]["paired"]
            check_whole(bench, told, model, tmp_path, 2)


def test_neither_a_killed_member_nor_a_killed_operator_costs_or_doubles_a_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with TrialModel(calls=CALLS) as model:
        bench.model(model.url)
        with members_of(bench, tmp_path, model.url) as running:
            plan = str(bench.plan(4))
            command = bench.words("experiment", "run", plan, "--on", running.address)
            begun = subprocess.Popen(command, env=bench.environment, stdout=subprocess.DEVNULL)
            wait_for(bench, ENDED, 1)
            running.processes["bob"].kill()
            running.start_member("bob")
            wait_for(bench, ENDED, 3)
            os.kill(begun.pid, signal.SIGKILL)
            begun.wait()
            told = bench.run("run", plan, "--resume", "--on", running.address)
            check_whole(bench, told, model, tmp_path, 4)
            assert len(model.arms) <= 8 + 2 + 4, "only what was cut off is done again"
