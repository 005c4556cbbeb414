"""Exit codes that a command line prints itself are as good as one in a field, wherever they stand."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.verdict import judge

SHIP = "./ship.sh > ship.log 2>&1; "
TOLD = [
    ('pytest -q 2>&1 | tail -3; echo "exit=${PIPESTATUS[0]}"', "no tests ran in 0.01s\nexit=5", "failure"),
    ("./ship.sh | tail -3; echo ${PIPESTATUS[0]}", "uploaded\n1", "failure"),
    ("./ship.sh | tail -3; echo ${PIPESTATUS[0]}", "uploaded\n0", "success"),
    ('./ship.sh | tail -3; echo "ship: $pipestatus[1]"', "uploaded\nship: 2", "failure"),
    (SHIP + 'echo "rc=$?"; tail -3 ship.log', "rc=2\nstep 4\nstep 5", "failure"),
    (SHIP + 'echo "rc=$?"; tail -3 ship.log', "rc=0\nretry 1: Error: busy\nstep 5", "success"),
    (SHIP + 'rc=$?; tail -3 ship.log; echo "rc=$rc"', "step 4\nstep 5\nrc=3", "failure"),
    (SHIP + 'rc=$?; tail -3 ship.log; echo "rc=$rc"', "ERROR: no mirror was slow\nstep 5\nrc=0", "success"),
    (
        'python a.py 2>&1 | tail -n 2; rc=$?; echo "rc=$rc"; echo done',
        "    raise X\nValueError: bad row\nrc=0\ndone",
        "failure",
    ),
    ('grep -q frost notes.md; echo "found=$?"; cat notes.md', "found=1\nno such thing", "success"),
    ('grep frost notes.md; echo "rc=$?"; python a.py; echo "rc=$?"', "rc=1\nfine\nrc=0", "success"),
    ("seq 3; echo $?", "1\n2\n3\n0", "success"),
    ('wc -l < rows.csv; echo "rc=$?"', "3\nrc=0", "success"),
    ("x | y; echo ${PIPESTATUS[7]}", "1", "success"),
]


@pytest.mark.parametrize("form", ["structured", "text"])
@pytest.mark.parametrize(("line", "printed", "outcome"), TOLD, ids=[line for line, _, _ in TOLD])
def test_a_code_that_the_line_tells_decides(line: str, printed: str, outcome: str, form: str) -> None:
    result = json.dumps({"output": printed, "exit_code": 0, "error": None}) if form == "structured" else printed
    assert judge(json.dumps({"command": line}), result).outcome == outcome


def test_the_reason_is_what_stands_above_and_not_the_file_that_is_shown_below() -> None:
    line = 'aws s3 cp app.zip s3://b/; echo "rc=$?"; git log --oneline -1'
    printed = "upload failed: app.zip: Access Denied\nrc=1\n5d6e7f8 Build failed on CI"
    assert judge(json.dumps({"command": line}), printed).reason == "exit code 1: upload failed: app.zip: Access Denied"


def test_the_reason_is_what_the_program_complained_of() -> None:
    line = 'make > build.log 2>&1; rc=$?; tail -2 build.log; echo "rc=$rc"'
    printed = "make: *** No targets specified and no makefile found.  Stop.\nrc=2"
    reason = judge(json.dumps({"command": line}), printed).reason
    assert reason == "exit code 2: make: *** No targets specified and no makefile found. Stop."
