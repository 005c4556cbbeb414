"""`compare`: the fields that scripts rely on, the ways to name arms, and reports."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.conftest import Record, assistant, result
from tests.unit.commands import at, document, run
from tests.unit.test_cli import OBEYED
from warm_tui.paths import Home

FIELDS = {
    "test_name", "warm_error_rate", "cold_error_rate", "improvement", "warm_better", "warm_sessions", "cold_sessions",
    "warm_calls", "cold_calls", "low", "high", "p_value", "method", "verdict", "mde", "metrics",
}  # fmt: skip
METRICS = {"first_30_error_rate", "calls_to_first_success", "total_errors", "tool_diversity"}
FAILED = '{"output": "", "exit_code": 1, "error": null}'


@pytest.fixture
def demo(known_demo: Home) -> Home:
    return known_demo


def session(failures: int, calls: int) -> list[dict]:
    rows = []
    for n in range(calls):
        rows += [
            assistant((f"c{n}", "terminal", {"command": f"make {n}"})),
            result(f"c{n}", FAILED) if n < failures else result(f"c{n}"),
        ]
    return rows


def arms(record: Record, tmp_path: Path) -> list[str]:
    in_turns = ((f"w{n}", n % 2, f"c{n}", 3 + n % 3) for n in range(6))
    path = record({name: session(failed, 10) for w, few, c, many in in_turns for name, failed in ((w, few), (c, many))})
    return ["--db", str(path), "--home", str(tmp_path / "home")]


def test_two_sessions(record: Record, tmp_path: Path) -> None:
    told = document(*arms(record, tmp_path), "compare", "w1", "c0")
    assert told.keys() >= FIELDS
    assert (told["warm_error_rate"], told["cold_error_rate"]) == (0.1, 0.3)
    assert told["improvement"] == told["cold_error_rate"] - told["warm_error_rate"]
    assert told["low"] <= told["improvement"] <= told["high"]
    assert (told["warm_better"], told["verdict"], told["p_value"]) == (None, "not enough data", None)
    assert (told["warm_sessions"], told["cold_sessions"], told["warm_calls"], told["cold_calls"]) == (1, 1, 10, 10)
    assert told["metrics"]["warm"].keys() >= METRICS
    assert told["metrics"]["cold"]["total_errors"] == 3
    assert "Two sessions prove nothing" in told["sentence"]


def test_named_arms(record: Record, tmp_path: Path) -> None:
    words = [word for n in range(6) for word in ("--warm", f"w{n}", "--cold", f"c{n}")]
    told = document(*arms(record, tmp_path), "compare", *words)
    assert (told["verdict"], told["warm_sessions"], told["cold_sessions"]) == ("warm better", 6, 6)
    assert told["p_value"] < 0.01
    assert told["low"] > 0
    assert told["metrics"]["cold"]["total_errors"] == 24
    paired = document(*arms(record, tmp_path), "compare", *words, "--paired")
    assert (paired["paired"], paired["tasks"]) == (True, 6)
    assert paired["p_value"] == 2 / 2**6


def test_tasks_and_their_outcomes_from_a_file(record: Record, tmp_path: Path) -> None:
    facts = [
        {"session_id": f"{arm}{n}", "task": f"t{n}", "success": arm == "w"} for n in range(6) for arm in ("w", "c")
    ]
    (tmp_path / "tasks.json").write_text(json.dumps(facts))
    words = [word for n in range(6) for word in ("--warm", f"w{n}", "--cold", f"c{n}")]
    told = document(*arms(record, tmp_path), "compare", *words, "--tasks", str(tmp_path / "tasks.json"))
    assert (told["paired"], told["differences"]["task_success"]["difference"]) == (True, 1.0)
    home = arms(record, tmp_path)
    kept = document(*home, "compare", *words, "--tasks", str(tmp_path / "tasks.json"), "--save", "with tasks")
    assert document(*home, "compare", "--saved", "with tasks") == kept, "tasks are kept with it"
    assert document(*home, "compare", "--saved", "with tasks", "--unpaired")["paired"] is False
    for wrong in (
        '{"a": 1}',
        "{}1",
        '[{"session_id": "w0", "task": "t", "success": "false"}]',
        '[{"session_id": "w0"}]',
    ):
        (tmp_path / "tasks.json").write_text(wrong)
        done = run(*home, "compare", "w0", "c0", "--tasks", str(tmp_path / "tasks.json"), check=False)
        assert done.returncode == 1, wrong
        assert "is no JSON list" in done.stderr


def test_a_session_that_is_named_twice_counts_once(record: Record, tmp_path: Path) -> None:
    told = document(*arms(record, tmp_path), "compare", "--warm", "w0", "--warm", "w0", "--cold", "c0")
    assert (told["warm_sessions"], told["warm_calls"]) == (1, 10)


def test_one_arm_alone(record: Record, tmp_path: Path) -> None:
    done = run(*arms(record, tmp_path), "compare", "--warm", "w0")
    assert "the cold arm is empty" in done.stdout


def test_filters_and_a_template_and_a_saved_one(demo: Home) -> None:
    words = ("--warm-filter", "model:gpt", "--cold-filter", "model:llama")
    told = document(*at(demo), "compare", *words, "--save", "by model")
    assert document(*at(demo), "compare", "--saved", "by model") == told
    by_template = document(*at(demo), "compare", "--template", "log-triage")
    assert by_template["template"] == "log-triage"
    assert by_template["notes"]
    done = run(*at(demo), "compare", "--saved", "other", check=False)
    assert (done.returncode, "no saved comparison 'other'" in done.stderr) == (1, True)


def test_no_marks(demo: Home) -> None:
    told = document(*at(demo), "compare", "--marks")
    assert (told["verdict"], told["warm_error_rate"], told["improvement"]) == ("not enough data", None, None)
    assert "both arms are empty" in told["sentence"]


def test_wrong_usage(demo: Home) -> None:
    for words in (
        [], ["one"], ["a", "b", "c"], ["a", "b", "--marks"], ["--marks", "--paired", "--unpaired"],
        ["--warm-filter", "errors>x"], ["--marks", "--save", " "],
    ):  # fmt: skip
        assert run(*at(demo), "compare", *words, check=False).returncode == 2, words
    assert run(*at(demo), "compare", "no-such", "session", check=False).returncode == 1


def test_reports(demo: Home, tmp_path: Path) -> None:
    words = ("compare", "--template", "log-triage")
    for form, begins in ((".html", "<!doctype html>"), (".md", "# Warm by"), (".svg", "<svg "), (".json", "{")):
        path = tmp_path / f"report{form}"
        run(*at(demo), *words, "--report", str(path))
        assert path.read_text().startswith(begins)
    assert json.loads((tmp_path / "report.json").read_text())["template"] == "log-triage"
    assert "The sessions behind it" in (tmp_path / "report.md").read_text()


def test_hostile_titles_reach_no_terminal(record: Record, tmp_path: Path) -> None:
    evil = "\x1b]0;x\x07 \u202eevil"
    path = record({"a": session(1, 3), "b": session(2, 3)}, a={"title": evil, "model": evil}, b={"title": evil})
    done = run("--db", str(path), "--home", str(tmp_path / "h"), "compare", "a", "b")
    assert not OBEYED.search(done.stdout)


def test_scipy_is_not_imported_before_it_is_needed(demo: Home) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from warm_tui.__main__ import main; sys.argv = ['warm-tui', '--home', sys.argv[1], 'sessions'];\n"
        "try: main()\nexcept SystemExit: pass\n"
        "import warm_tui.app, warm_tui.screens.compare.screen, warm_tui.screens.compaction.screen\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'scipy', 'numpy'}))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(demo.root)], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")


def test_a_library_that_cannot_be_written_keeps_nothing_and_says_so(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warm_tui.library.db.BUSY_SECONDS", 0.1)
    home = arms(record, tmp_path)
    words = ("compare", "w0", "c0", "--save", "mine")
    run(*home, "compare", "w0", "c0")
    library = sqlite3.connect(tmp_path / "home" / "warm_tui" / "library.db", isolation_level=None)
    library.execute("BEGIN EXCLUSIVE")
    done = run(*home, *words, "--json", check=False)
    library.close()
    assert (done.returncode, json.loads(done.stdout)["success"]) == (1, False)
    assert "could not be written: database is locked" in done.stderr
    (tmp_path / "file").write_text("no folder")
    done = run(*home[:2], "--home", str(tmp_path / "file"), *words, check=False)
    assert (done.returncode, "Nothing will be remembered" in done.stderr) == (1, True)


@pytest.mark.parametrize("column", ["input_tokens", "actual_cost_usd", "started_at"])
@pytest.mark.parametrize("value", [1e308, -1e308, float("inf")])
def test_numbers_beyond_all_bounds_are_none(demo: Home, column: str, value: float) -> None:
    warm, cold = (row["session_id"] for row in document(*at(demo), "sessions", "--limit", "2")["sessions"])
    database = sqlite3.connect(demo.databases[0])
    database.execute(f"UPDATE sessions SET {column} = ? WHERE id = ?", (value, warm))
    database.commit()
    database.close()
    run(*at(demo), "compare", warm, cold)
    run(*at(demo), "compare", warm, cold, "--json")
