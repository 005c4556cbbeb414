"""A question's answer is no word on the work before it: `failing | tail -2; grep ...` exits with the code of `grep`."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.verdict import judge

MISSING = "error: No solution found when resolving dependencies"


@pytest.mark.parametrize(
    ("line", "printed", "outcome"),
    [
        ("uv pip install frob 2>&1 | tail -2; pip list | grep frob", MISSING, "failure"),
        ("uv pip install shop 2>&1 | tail -2; pip list | grep frob", "Installed 3 packages in 9ms", "success"),
        ("cat install.log; grep frob requirements.txt", MISSING, "success"),
        ("pip list | grep frob", "", "success"),
    ],
)
def test_what_failed_before_a_question_is_a_failure(line: str, printed: str, outcome: str) -> None:
    result = json.dumps({"output": printed, "exit_code": 1, "error": None})
    assert judge(json.dumps({"command": line}), result).outcome == outcome
