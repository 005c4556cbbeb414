"""Sessions that the real agent branches: every call where it was made, none twice, and all one unit."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

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


def test_a_branch_of_the_real_agent_counts_only_its_own(tmp_path: Path) -> None:
    script, database = Path(__file__).with_name("branched_sessions.py"), tmp_path / "state.db"
    environment = {**os.environ, "HERMES_HOME": str(tmp_path / "agent")}
    (tmp_path / "agent").mkdir()
    done = subprocess.run([sys.executable, str(script), str(database)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    made = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    assert len(made) == 4, "three branches there were"
    with Catalog(Home(tmp_path / "home", (database,))) as catalog:
        profiles, (unit,) = catalog.profiles(), units_of(catalog.profiles(), catalog.roots())
        calls = {name: [call.id for call, _ in catalog.life(name)[2]] for name in made}
    assert calls == {name: [f"call-{number}" for number in numbers] for name, numbers in made.items()}
    assert {p.session_id: p.tool_call_count for p in profiles} == {name: len(made[name]) for name in made}
    assert (unit.life, unit.calls) == ("parent", 27)
