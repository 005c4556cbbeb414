"""`compress-check`: the fields that scripts rely on, and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Record, assistant, result, user
from tests.unit.commands import at, document, run
from tests.unit.test_cli import OBEYED
from warm_tui.paths import Home
from warm_tui.reliability.profile import PUBLIC_FIELDS

FIELDS = {
    "session_id", "has_compression", "pre_compression_profile", "post_compression_profile", "proficiency_preserved",
    "segments", "verdict", "p_value",
}  # fmt: skip
SEGMENT_FIELDS = {"index", "session_id", "calls", "carried_calls", "failures", "error_rate", "low", "high"}


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


def session(home: Home, title: str) -> str:
    """The id of the demo's session of this title."""
    listed = document(*at(home), "sessions", "--filter", f'"{title}"', "--sort", "started_at")
    return listed["sessions"][0]["session_id"]


def test_the_fields_of_the_contract(demo: Home) -> None:
    told = document(*at(demo), "compress-check", session(demo, "Crunch all batches"))
    assert told.keys() >= FIELDS
    assert all(segment.keys() >= SEGMENT_FIELDS for segment in told["segments"])
    assert told["has_compression"] is True
    before, after = told["pre_compression_profile"], told["post_compression_profile"]
    assert tuple(before) == tuple(after) == PUBLIC_FIELDS
    assert before["tool_call_count"] == told["segments"][0]["calls"]
    assert after["tool_call_count"] == sum(segment["calls"] for segment in told["segments"][1:])
    assert before["failed_calls"] == told["segments"][0]["failures"]
    answers = {"preserved": True, "improved": True, "degraded": False, "inconclusive": None}
    assert told["proficiency_preserved"] is answers[told["verdict"]]
    assert told["verdict"] in ("preserved", "degraded", "improved", "inconclusive")
    assert 0 <= told["p_value"] <= 1


def test_a_chain_is_told_the_same_from_each_of_its_sessions(demo: Home) -> None:
    root = session(demo, "Port the test suite")
    told = document(*at(demo), "compress-check", root)
    assert len(told["sessions"]) == 3
    for other in told["sessions"]:
        assert document(*at(demo), "compress-check", other) == {**told, "session_id": other}


def test_a_session_without_compaction(demo: Home) -> None:
    told = document(*at(demo), "compress-check", session(demo, "Weekly numbers"))
    assert (told["has_compression"], told["verdict"], told["p_value"]) == (False, None, None)
    assert told["post_compression_profile"] is None
    assert len(told["segments"]) == 1
    assert "No compaction" in run(*at(demo), "compress-check", told["session_id"]).stdout


def test_over_all_sessions(demo: Home) -> None:
    told = document(*at(demo), "compress-check", "--all")
    assert (told["lives"], told["compactions"]) == (8, 14)
    assert {group["name"] for group in told["by_model"]} == {one["model"] for one in told["sessions"]}
    assert "no difference shown" in run(*at(demo), "compress-check", "--all", COLUMNS="200").stdout


def test_wrong_usage_and_what_is_not_there(demo: Home) -> None:
    assert run(*at(demo), "compress-check", check=False).returncode == 2
    assert run(*at(demo), "compress-check", "x", "--all", check=False).returncode == 2
    done = run(*at(demo), "compress-check", "nothing", "--json", check=False)
    assert (done.returncode, json.loads(done.stdout)["success"]) == (1, False)


def test_reports(demo: Home, tmp_path: Path) -> None:
    life = session(demo, "Crunch all batches")
    for form, begins in ((".html", "<!doctype html>"), (".md", "# Crunch all batches"), (".svg", "<svg ")):
        path = tmp_path / f"report{form}"
        done = run(*at(demo), "compress-check", life, "--report", str(path), "--json")
        assert json.loads(done.stdout)["success"]
        text = path.read_text()
        assert text.startswith(begins)
        assert "INCONCLUSIVE" in text
        assert "good calls that were lost" in text
        assert "Historical Task Snapshot" in text, "the summary, readable"
    done = run(*at(demo), "compress-check", life, "--report", str(tmp_path / "r.txt"), check=False)
    assert done.returncode == 1
    assert "ends in .html, .md, .svg, .json" in done.stderr


def test_secrets_are_masked_in_a_report(record: Record, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    retired = {"active": 0, "compacted": 1}
    rows = [
        user("go", **retired),
        assistant(("a", "terminal", {"command": f"curl -H 'Authorization: token {secret}' x"}), **retired),
        result("a", **retired),
        user(f"[CONTEXT COMPACTION]\nthe token is {secret}"),
        assistant(("b", "terminal", {"command": "ls"})),
        result("b"),
    ]
    path = record({"s": rows})
    for form in ("html", "md", "svg"):
        report = tmp_path / f"r.{form}"
        run("--db", str(path), "--home", str(tmp_path / "h"), "compress-check", "s", "--report", str(report))
        assert secret not in report.read_text()
        assert "curl" in report.read_text()


def test_hostile_text_reaches_no_terminal(record: Record, tmp_path: Path) -> None:
    evil = "\x1b]0;x\x07 \u202eevil"
    rows = [
        user(evil, active=0, compacted=1),
        assistant(("a", evil, {"x": evil}), active=0, compacted=1),
        user(f"[CONTEXT COMPACTION]\n{evil}"),
    ]
    path = record({"s": rows}, s={"title": evil})
    for words in (["s"], ["--all"]):
        done = run("--db", str(path), "--home", str(tmp_path / "h"), "compress-check", *words)
        assert not OBEYED.search(done.stdout)
