"""The real agent runs its real tools, and we read what it recorded."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.sparing import environment, settings
from tests.unit.commands import document

HERMES = Path(sys.executable).with_name("hermes")
needs_hermes = [
    pytest.mark.hermes,
    pytest.mark.skipif(not HERMES.is_file(), reason="hermes-agent is not installed beside us: the extra e2e brings it"),
]
# Tests that share what one run of the agent recorded stay in one process.
pytestmark = [*needs_hermes, pytest.mark.xdist_group("hermes")]

SCRIPT = (
    ((("terminal", {"command": "echo hello > a.txt && cat a.txt"}), "success", "ok"),),
    (
        (("terminal", {"command": "cat nothing.txt"}), "failure", "exit_code"),
        (("terminal", {"command": "grep zebra a.txt"}), "success", "benign_exit"),
        (("read_file", {"path": "a.txt"}), "success", "ok"),
    ),
    ((("read_file", {"path": "none.txt"}), "failure", "tool_error"),),
    ((("terminal", {"command": "python3 -c 'import nothing_here' 2>&1 | tail -1"}), "failure", "masked"),),
    ((("frobnicate", {"x": 1}), "failure", "protocol"),),
    ((("write_file", {"path": "b.txt", "content": "error: failed\n"}), "success", "ok"),),
    ((("patch", {"path": "b.txt", "old_string": "nowhere", "new_string": "x"}), "failure", "tool_error"),),
    ((("search_files", {"pattern": "error", "path": "."}), "success", "ok"),),
    ((("terminal", {"command": "sleep 9", "timeout": 1}), "failure", "timeout"),),
    ((("todo", {"todos": [{"id": "1", "content": "fix the error", "status": "pending"}]}), "success", "ok"),),
)
EXPECTED = [(tool, outcome, kind) for turn in SCRIPT for (tool, _), outcome, kind in turn]


def run_hermes(home: Path, folder: Path, task: str) -> None:
    done = subprocess.run(
        [str(HERMES), "chat", "-q", task, "-Q", "--yolo", "--source", "cli"],
        cwd=folder,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the real agent has played the script once."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    with ScriptedModel([[call for call, _, _ in turn] for turn in SCRIPT]) as model:
        (home / "config.yaml").write_text(json.dumps(settings(model.url)))
        run_hermes(home, folder, "Do what the script says.")
        assert model.played == len(SCRIPT)
    return home


LOOKING = ("sessions", "calls", "compress-check", "list", "load", "build", "profile", "compare")
"""These ask nothing of the machine and of the agent that is installed: a process of their own would show no more."""


def warm_tui(home: Path, *words: str) -> dict:
    if words[0] in LOOKING:
        return document("--home", str(home), *words)
    done = subprocess.run(
        [sys.executable, "-m", "warm_tui", "--home", str(home), *words, "--json"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_each_call_is_judged_as_scripted(recorded: Path) -> None:
    (session,) = warm_tui(recorded, "sessions")["sessions"]
    calls = warm_tui(recorded, "calls", session["session_id"])["calls"]
    assert [(call["tool_name"], call["outcome"], call["kind"]) for call in calls] == EXPECTED
    failures = sum(outcome == "failure" for _, outcome, _ in EXPECTED)
    assert (session["tool_call_count"], session["failed_calls"]) == (len(EXPECTED), failures)
    assert (session["source"], session["model"], session["relation"]) == ("cli", "scripted", "none")
    assert session["input_tokens"] > 0


def test_what_the_agent_left_is_as_it_left_it(recorded: Path) -> None:
    def traces() -> dict[str, str]:
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in recorded.glob("state.db*")}

    before = traces()
    for command in (["sessions", "--sort", "error_rate"], ["doctor"], ["sessions", "--filter", "text:error"]):
        warm_tui(recorded, *command)
    assert traces() == before


# As its command line does it: /undo takes back the turn that begins with the last message of the user.
UNDO = "from hermes_state import SessionDB; import sys; SessionDB().rewind_to_message(sys.argv[1], int(sys.argv[2]))"


def test_calls_taken_back_are_unknown_and_count_in_no_rate(recorded: Path, tmp_path: Path) -> None:
    """What a user took back with /undo, by the real agent's own means, is shown as unknown where it was made."""
    home = tmp_path / "home"
    shutil.copytree(recorded, home, symlinks=True)
    (before,) = warm_tui(home, "sessions")["sessions"]
    assert before["failed_calls"] > 0
    with sqlite3.connect(home / "state.db") as database:
        (asked,) = database.execute("SELECT max(id) FROM messages WHERE role = 'user'").fetchone()
    done = subprocess.run(
        [sys.executable, "-c", UNDO, before["session_id"], str(asked)],
        env={"HERMES_HOME": str(home), "HOME": str(home)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    calls = warm_tui(home, "calls", before["session_id"])["calls"]
    assert [(call["outcome"], call["kind"]) for call in calls] == [("unknown", "rewound")] * len(EXPECTED)
    (after,) = warm_tui(home, "sessions")["sessions"]
    assert after["failed_calls"] == 0


READ_AS_SKILL = """
import json, sys
from agent.skill_utils import parse_frontmatter
from tools.skill_manager_tool import _validate_content_size, _validate_frontmatter, _validate_name
from tools.skills_tool import skill_view
text = open(sys.argv[1]).read()
front, body = parse_frontmatter(text)
wrong = [_validate_frontmatter(text), _validate_name(front["name"]), _validate_content_size(text)]
print(json.dumps({"front": front, "wrong": wrong, "seen": json.loads(skill_view(front["name"]))}))
"""


def test_a_template_told_as_a_skill_is_one_for_the_agent(recorded: Path, tmp_path: Path) -> None:
    warm_tui(recorded, "build", "123", "--min-messages", "2")
    file = tmp_path / "SKILL.md"
    warm_tui(recorded, "load", "123", "--as", "skill", "--output", str(file))
    home = tmp_path / "home"
    (home / "skills" / "123").mkdir(parents=True)
    (home / "skills" / "123" / "SKILL.md").write_bytes(file.read_bytes())
    own = {**os.environ, "HERMES_HOME": str(home), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", READ_AS_SKILL, str(file)], env=own, cwd=tmp_path, capture_output=True, text=True
    )
    told = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {"error": done.stderr}
    assert told["wrong"] == [None, None, None], told
    assert told["front"]["name"] == "123"
    assert told["seen"]["success"], told["seen"]
