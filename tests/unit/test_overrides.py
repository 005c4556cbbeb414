"""A person's verdict decides, and ours stays beside it: in the calls, in the list of all, in reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Record, assistant, result, summary, user
from tests.unit.commands import run
from warm_tui.library.catalog import Catalog
from warm_tui.library.compactions import examine
from warm_tui.library.overrides import overrides
from warm_tui.library.verdicts import set_verdict, unset_verdict
from warm_tui.paths import Home
from warm_tui.presentation import verdicts as words
from warm_tui.reports.compaction import life_document
from warm_tui.reports.document import Say
from warm_tui.sessions.model import SessionName

FAILED = '{"output": "no", "exit_code": 1, "error": null}'
ROWS = [user("go"), assistant(("a", "terminal", {})), result("a"), assistant(("b", "patch", {})), result("b", FAILED)]


@pytest.fixture
def home(record: Record, tmp_path: Path) -> Home:
    path = record({"s": ROWS, "t": ROWS})
    home = Home(tmp_path / "home", (path,))
    with Catalog(home) as catalog:
        set_verdict(catalog.library, SessionName("s"), "b", "success", "it was meant to fail", at=1_000.0)
        set_verdict(catalog.library, SessionName("gone"), "x", "failure", at=900.0)
    return home


def asked(home: Home, *words: str) -> dict[str, Any]:
    done = run("--home", str(home.root), "--db", str(home.databases[0]), *words, "--json")
    return json.loads(done.stdout)


def test_a_call_says_whose_verdict_it_is_and_what_ours_had_been(home: Home) -> None:
    ours, own = asked(home, "calls", "s")["calls"]
    assert ours["own"] is None
    assert (own["outcome"], own["confidence"]) == ("success", "yours"), "not certain: nobody has proved it"
    assert own["own"] == {
        "outcome": "success", "reason": "it was meant to fail", "at": 1_000.0, "was": "failure",
        "was_kind": "exit_code", "was_reason": "exit code 1: no", "was_confidence": "certain",
    }  # fmt: skip


def test_in_words_both_are_said(home: Home) -> None:
    options = ["--home", str(home.root), "--db", str(home.databases[0])]
    line = run(*options, "calls", "s").stdout.splitlines()[-1]
    assert "✓ yours" in line
    assert "it was meant to fail (1970-01-01); ours: failure: exit code 1: no" in line
    with Catalog(home) as catalog:
        (_, verdict) = catalog.life("s")[2][1]
    said = "success, yours since 1970-01-01 00:16:40: it was meant to fail; ours: failure: exit code 1: no"
    assert words.whole(verdict) == said
    assert words.why(verdict) == "yours: it was meant to fail"


def test_all_of_them_are_listed_the_latest_first(home: Home) -> None:
    listed = asked(home, "verdicts")
    assert listed["count"] == 2
    own, gone = listed["verdicts"]
    assert (own["session_id"], own["tool_call_id"], own["outcome"], own["was"]) == ("s", "b", "success", "failure")
    assert (own["reason"], own["at"]) == ("it was meant to fail", 1_000.0)
    assert (gone["session_id"], gone["tool_call_id"], gone["was"]) == ("gone", "x", None), "its session is deleted"
    text = run("--home", str(home.root), "--db", str(home.databases[0]), "verdicts").stdout
    assert "✓ success" in text
    assert "ours: failure: exit code 1" in text
    assert "ours is not known: the call is gone" in text


def test_without_any_it_is_said_how_to_set_one(record: Record, tmp_path: Path) -> None:
    done = run("--home", str(tmp_path / "none"), "--db", str(record({"s": ROWS})), "verdicts")
    assert "No verdict of your own yet" in done.stdout


def test_sessions_with_one_are_found_by_a_filter(home: Home) -> None:
    assert [p["session_id"] for p in asked(home, "sessions", "--filter", "verdict:mine")["sessions"]] == ["s"]
    assert [p["session_id"] for p in asked(home, "sessions", "--filter", "-verdict:mine")["sessions"]] == ["t"]
    with Catalog(home) as catalog:
        unset_verdict(catalog.library, SessionName("s"), "b")
    assert asked(home, "sessions", "--filter", "verdict:mine")["total"] == 0


def test_a_comparison_says_how_many_were_judged_by_hand_and_which(home: Home, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    compared = asked(home, "compare", "s", "t", "--report", str(report))
    assert "Of the calls, 1 is judged by yourself." in compared["notes"]
    (own,) = compared["own_verdicts"]
    assert (own["session_id"], own["tool_call_id"], own["outcome"], own["was"]) == ("s", "b", "success", "failure")
    assert "s, call 2, patch: success, yours since" in report.read_text()


def test_a_report_lists_what_was_judged_by_hand(record: Record, tmp_path: Path) -> None:
    rows = [*[{**row, "active": 0, "compacted": 1} for row in ROWS], summary(), *ROWS[3:]]
    home = Home(tmp_path / "home", (record({"s": rows}),))
    with Catalog(home) as catalog:
        set_verdict(catalog.library, SessionName("s"), "b", "success", "as meant", at=1_000.0)
        said = [part.text for part in life_document(examine(catalog, "s")).whole if isinstance(part, Say)]
    assert any("call 2, patch: success, yours since" in line and "ours: failure" in line for line in said)
    (own,) = asked(home, "compress-check", "s")["own_verdicts"]
    assert (own["tool_call_id"], own["reason"], own["at"], own["was"]) == ("b", "as meant", 1_000.0, "failure")


def test_a_verdict_on_a_branch_is_on_the_call_it_made(record: Record, tmp_path: Path) -> None:
    branch = {"parent_session_id": "s", "model_config": '{"_branched_from": "s"}'}
    more = [*ROWS, assistant(("c", "terminal", {})), result("c", FAILED)]
    home = Home(tmp_path / "home", (record({"s": ROWS, "branch": more}, branch=branch),))
    with Catalog(home) as catalog:
        set_verdict(catalog.library, SessionName("branch"), "c", "success")
        (only,) = overrides(catalog)
    assert only.call is not None
    assert (only.verdict.ours and only.verdict.ours.outcome, only.call.id) == ("failure", "c")


def test_a_failure_of_ones_own_is_told_as_that_among_the_others(home: Home) -> None:
    with Catalog(home) as catalog:
        set_verdict(catalog.library, SessionName("t"), "a", "failure", "the wrong answer", at=1_000.0)
    families = asked(home, "failures")["families"]
    calls = [call for family in families for call in asked(home, "failures", family["family_id"])["calls"]]
    assert {(call["tool_call_id"], call["ours"]) for call in calls} == {("a", "success (ok)"), ("b", None)}
    (own,) = [family for family in families if family["title"].endswith("the wrong answer")]
    options = ["--home", str(home.root), "--db", str(home.databases[0])]
    told = " ".join(run(*options, "failures", own["family_id"]).stdout.split())
    assert "yours: the wrong answer; ours: success (ok)" in told
