"""A reader of fifty lines is a full source: its sessions are listed, judged, mined and compared like any other's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.other_agent import ScribeReader
from warm_tui.cli import cli
from warm_tui.sessions import readers


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(readers, "READERS", [*readers.READERS, ScribeReader()])
    return write_scribe(tmp_path / "work.scribe")


def write_scribe(path: Path) -> Path:
    """A session that went well and one that did not."""
    lines = [
        {"session": "alpha", "role": "user", "text": "Build it."},
        *({"session": "alpha", "runs": f"make part-{at}", "exit": 0, "text": "done"} for at in range(40)),
        {"session": "beta", "role": "user", "text": "Build it again."},
        *({"session": "beta", "runs": f"make piece-{at}", "exit": at % 2, "text": "hm"} for at in range(6)),
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def asked(recorded: Path, *words: str) -> dict:
    home = recorded.parent / "home"
    done = CliRunner().invoke(cli, ["--home", str(home), "--db", str(recorded), *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_its_sessions_are_listed_with_their_rates(recorded: Path) -> None:
    listed = asked(recorded, "sessions")["sessions"]
    assert [(p["session_id"], p["tool_call_count"], p["failed_calls"]) for p in listed] == [
        ("beta", 6, 3),
        ("alpha", 40, 0),
    ]
    assert {(p["task_type"], p["dominant_tool_type"]) for p in listed} == {("code", "terminal")}


def test_its_calls_are_judged(recorded: Path) -> None:
    calls = asked(recorded, "calls", "bet")["calls"]
    assert [call["outcome"] for call in calls] == ["success", "failure"] * 3


def test_words_in_its_messages_are_found(recorded: Path) -> None:
    assert [p["session_id"] for p in asked(recorded, "sessions", "--filter", 'text:"build it again"')["sessions"]] == [
        "beta"
    ]


def test_its_sessions_are_compared_and_mined(recorded: Path) -> None:
    assert asked(recorded, "compare", "alpha", "beta")["warm_error_rate"] == 0.0
    assert asked(recorded, "build", "from-scribe")["pattern_count"] > 0
    assert asked(recorded, "build", "by-hand", "--call", "run-1")["pattern_count"] == 1


def test_the_doctor_counts_them(recorded: Path) -> None:
    (database,) = asked(recorded, "doctor")["databases"]
    assert (database["readable"], database["sessions"], database["messages"]) == (True, 2, 48)


def test_what_nobody_claims_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing of an agent")
    done = CliRunner().invoke(cli, ["--home", str(tmp_path), "--db", str(path), "sessions"])
    assert (done.exit_code, done.stderr) == (1, f"{path} is not a SQLite database.\n")
