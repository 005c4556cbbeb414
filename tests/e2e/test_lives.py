"""Lives that the real agent compacts, in place and chained: every call in its segment, none twice."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from warm_tui.sessions.hermes.database import HermesDb
from warm_tui.sessions.lineage import read_life

pytestmark = [
    pytest.mark.hermes,
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("hermes_state", "agent")),
        reason="hermes-agent is not installed beside us: the extra e2e brings it",
    ),
]
COUNT = 24


def test_every_call_is_found_once_where_it_was_made(tmp_path: Path) -> None:
    script = Path(__file__).with_name("compacted_lives.py")
    environment = {**os.environ, "HERMES_HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), "7", str(COUNT)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    lives = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(lives) == COUNT
    assert sum(len(life["made"]) - 1 for life in lives) > 2 * COUNT, "compactions there were"
    wrong = {}
    for life in lives:
        with HermesDb(tmp_path / f"{life['name']}.db") as database:
            for session in database.sessions():
                found = read_life(database, session)
                counts = Counter(call.segment for call in found.calls)
                told = [counts[segment] for segment in range(found.segments)]
                if told != life["made"]:
                    wrong[life["name"], session.id] = (told, life["made"])
    assert not wrong
