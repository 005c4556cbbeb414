"""Ordinary lines that a rule could forgive, or condemn, too easily: an "until" in a commit's message, a retry that came to
nothing, names of files behind a crash; and beside them lines that look alike, and are judged the other way."""

from __future__ import annotations

import json

import pytest

from tests.conftest import FIXTURES
from warm_tui.reliability.verdict import judge

CASES = [json.loads(line) for line in (FIXTURES / "ordinary_lines.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[f"{at}" for at in range(len(CASES))])
def test_it_is_judged_as_a_person_would(case: dict[str, str]) -> None:
    result = case["output"]
    if case["form"] == "structured":
        result = json.dumps({"output": result, "exit_code": 0, "error": None})
    assert judge(json.dumps({"command": case["command"]}), result).outcome == case["verdict"], case["command"]
