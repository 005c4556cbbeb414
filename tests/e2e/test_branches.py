"""Sessions that the real agent branches: every call where it was made, none twice, and all one unit."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from warm_tui.comparisons.units import units_of
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home

pytestmark = [
    pytest.mark.hermes,
    pytest.mark.skipif(
        not importlib.util.find_spec("hermes_state"),
        reason="hermes-agent is not installed beside us: the extra e2e brings it",
    ),
]
ROOT = Path(__file__).parents[2]


def recorded(script: str, folder: Path) -> tuple[Path, dict[str, list[Any]]]:
    """What the agent's own code recorded, and the calls that were made in each session."""
    database = folder / "state.db"
    environment = {**os.environ, "HERMES_HOME": str(folder / "agent"), "PYTHONPATH": str(ROOT)}
    (folder / "agent").mkdir()
    words = [sys.executable, str(Path(__file__).with_name(script)), str(database)]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return database, json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))


def test_forks_and_imports_of_the_real_agent_count_each_call_once(tmp_path: Path) -> None:
    database, made = recorded("forked_sessions.py", tmp_path)
    assert len(made) == 11
    with Catalog(Home(tmp_path / "home", (database,))) as catalog:
        profiles, units = catalog.profiles(), units_of(catalog.profiles(), catalog.roots())
        calls = {name: [call.id for call, _ in catalog.life(name)[2]] for name in made}
    lives = {"root": made["root"] + made["tip"]}
    assert calls == {**made, **lives, "tip": lives["root"]}
    assert {p.session_id: p.tool_call_count for p in profiles} == {
        name: len(lives.get(name, made[name])) for name in made if name != "tip"
    }
    assert sorted(unit.calls for unit in units) == [7, 8, 8, 9]


def test_a_branch_of_the_real_agent_counts_only_its_own(tmp_path: Path) -> None:
    database, made = recorded("branched_sessions.py", tmp_path)
    assert len(made) == 4, "three branches there were"
    with Catalog(Home(tmp_path / "home", (database,))) as catalog:
        profiles, (unit,) = catalog.profiles(), units_of(catalog.profiles(), catalog.roots())
        calls = {name: [call.id for call, _ in catalog.life(name)[2]] for name in made}
    assert calls == {name: [f"call-{number}" for number in numbers] for name, numbers in made.items()}
    assert {p.session_id: p.tool_call_count for p in profiles} == {name: len(made[name]) for name in made}
    assert (unit.life, unit.calls) == ("parent", 27)


def test_what_the_real_agent_writes_again_when_a_session_is_left_was_made_once(tmp_path: Path) -> None:
    database, made = recorded("resumed_sessions.py", tmp_path)
    (written,) = made.pop("written")
    assert written == 22, "five calls in eleven messages, each of them twice"
    with Catalog(Home(tmp_path / "home", (database,))) as catalog:
        profiles, units = catalog.profiles(), units_of(catalog.profiles(), catalog.roots())
        calls = {name: [call.id for call, _ in catalog.life(name)[2]] for name in made}
    assert calls == {name: [f"call-{number}" for number in numbers] for name, numbers in made.items()}
    assert {p.session_id: p.failed_calls for p in profiles} == {name: len(made[name]) for name in made}
    assert next(p for p in profiles if p.session_id == "first").message_count == 11
    assert {unit.life: unit.calls for unit in units} == {"first": 7, "second": 0}
