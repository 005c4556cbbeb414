"""A failed test is told in one way by each runner, whoever started it and however much is said behind it."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.failed_tests import FAILED_TESTS, failed_test_in
from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.output import is_calm
from warm_tui.reliability.shell import Simple
from warm_tui.reliability.verdict import judge

MUCH_MORE = "\n".join(f"    line {at} of what the next one says\nanother line" for at in range(20))


def said(line: str, output: str) -> Verdict:
    return judge(json.dumps({"command": line}), json.dumps({"output": output, "exit_code": 0, "error": None}))


@pytest.mark.parametrize("row", FAILED_TESTS, ids=lambda row: row.name)
def test_each_row_knows_its_own_example(row) -> None:
    assert failed_test_in(f"a\n{row.example}\nb", [Simple("frob", ())]) == row.example
    assert row.source
    assert not is_calm(row.example)


@pytest.mark.parametrize("row", FAILED_TESTS, ids=lambda row: row.name)
@pytest.mark.parametrize("line", ["frob test 2>&1 | head -250", "./check.sh | tail -90", "task test || true"])
def test_it_counts_whoever_ran_it_and_wherever_the_rest_was_cut_off(row, line: str) -> None:
    verdict = said(line, f"starting\n{row.example}\n{MUCH_MORE}")
    assert (verdict.outcome, verdict.kind) == ("failure", "masked")


@pytest.mark.parametrize("row", FAILED_TESTS, ids=lambda row: row.name)
@pytest.mark.parametrize(
    "line",
    ["cat old.log | head", "curl -s localhost:9/ci | tail -90", "ci log 17 | head -50", "git log | head", "frob test"],
)
def test_what_tells_of_another_time_proves_nothing(row, line: str) -> None:
    assert said(line, f"starting\n{row.example}\n{MUCH_MORE}").outcome == "success"


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("not ok 3 - sums # TODO not written yet", "1..3"),
        ("--- FAIL: is how a failed test begins", "read on"),
        ("FAILED is what it prints", "read on"),
        ("--- FAIL: TestSum (0.00s)", "all tests passed"),
    ],
)
def test_what_is_no_failed_test_is_none(line: str, end: str) -> None:
    assert said("task test | cat", f"{line}\n{MUCH_MORE}\n{end}").outcome == "success"
