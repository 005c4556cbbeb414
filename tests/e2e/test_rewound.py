"""What a user took back with /undo, by the real agent's own means, is shown as unknown where it was made."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.sparing import settings
from tests.e2e.test_hermes import needs_hermes, run_hermes, warm_tui

pytestmark = needs_hermes

STEPS = [[("terminal", {"command": "echo one"})], [("terminal", {"command": "cat none.txt"})]]
# As its command line does it: /undo takes back the turn that begins with the last message of the user.
UNDO = "from hermes_state import SessionDB; import sys; SessionDB().rewind_to_message(sys.argv[1], int(sys.argv[2]))"


def test_calls_taken_back_are_unknown_and_count_in_no_rate(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    with ScriptedModel(STEPS) as model:
        (home / "config.yaml").write_text(json.dumps(settings(model.url)))
        run_hermes(home, folder, "Do what the script says.")
    (before,) = warm_tui(home, "sessions")["sessions"]
    assert (before["tool_call_count"], before["failed_calls"]) == (2, 1)
    with sqlite3.connect(home / "state.db") as database:
        (asked,) = database.execute("SELECT max(id) FROM messages WHERE role = 'user'").fetchone()
    done = subprocess.run(
        [sys.executable, "-c", UNDO, before["session_id"], str(asked)],
        env={"HERMES_HOME": str(home), "HOME": str(home)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    calls = warm_tui(home, "calls", before["session_id"])["calls"]
    assert [(call["outcome"], call["kind"]) for call in calls] == [("unknown", "rewound")] * 2
    (after,) = warm_tui(home, "sessions")["sessions"]
    assert after["failed_calls"] == 0
