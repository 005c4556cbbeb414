"""What we sum is what the real agent's `insights` sums of the same database."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.reliability.totals import Totals
from warm_tui.reliability.trends import sums_of

pytestmark = [
    pytest.mark.hermes,
    pytest.mark.skipif(
        not importlib.util.find_spec("hermes_state"),
        reason="hermes-agent is not installed beside us: the extra e2e brings it",
    ),
]
BESIDE = {"input": 70, "output": 3}
"""What was spent beside a session whose work nobody counted: it is in no figure of that session but its own."""


def test_tokens_and_cost_equal_the_agents_own(tmp_path: Path) -> None:
    script, database = Path(__file__).with_name("spending.py"), tmp_path / "state.db"
    environment = {**os.environ, "HERMES_HOME": str(tmp_path / "agent")}
    (tmp_path / "agent").mkdir()
    done = subprocess.run([sys.executable, str(script), str(database)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    with Catalog(Home(tmp_path / "home", (database,))) as catalog:
        profiles = catalog.profiles()

    def total(field: str) -> float:
        return sum(getattr(profile, field) or 0 for profile in profiles)

    uncounted = next(p for p in profiles if p.session_id == "uncounted")
    assert (uncounted.total_tokens, uncounted.auxiliary_tokens) == (None, 73)
    assert Totals.of(profiles).total_tokens == sums_of(profiles).tokens == theirs["total_tokens"] > 0
    profiles.remove(uncounted)
    theirs |= {f"total_{kind}_tokens": theirs[f"total_{kind}_tokens"] - beside for kind, beside in BESIDE.items()}
    for kind in ("input", "output", "cache_read", "cache_write"):
        assert total(f"{kind}_tokens") == theirs[f"total_{kind}_tokens"], kind
    assert total("cost_usd") == pytest.approx(theirs["estimated_cost"])
    assert total("auxiliary_tokens") == 2 * 738
