"""The same call again, and what was changed before it."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.again import changes_between, may_change, same_call
from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.model import Call

OK, FAILED = (Verdict(outcome, "ok", "", "certain", "a rule") for outcome in ("success", "failure"))


def call(tool: str = "terminal", **arguments: str) -> Call:
    return Call("c", "c", 0, 0, "s", tool, json.dumps(arguments), "", None, 0, 0)


def command(words: str) -> Call:
    return call(command=words)


SAME = [
    ("to the letter", "pytest -q", "pytest -q"),
    ("with less of its output", "pytest -q", "pytest -q 2>&1 | tail -3"),
    ("with what it complains of", "pytest -q", "pytest -q 2>&1"),
    ("with what was looked for in it", "pytest -q", "pytest -q | grep -E '(PASS|FAIL)'"),
    ("with its exit code shown", "pytest -q", "pytest  -q; echo $?"),
]
OTHER = [
    ("another flag", "pytest -q", "pytest -x"),
    ("elsewhere", "pytest", "cd app && pytest"),
    ("with another setting", "pytest", "CI=1 pytest"),
    ("with other rights", "apt install jq", "sudo apt install jq"),
    ("fed with another file", "python <<E\n1\nE", "python <<E\n2\nE"),
]


@pytest.mark.parametrize(("first", "second"), [pytest.param(a, b, id=name) for name, a, b in SAME])
def test_the_same_call(first: str, second: str) -> None:
    assert same_call(command(first), command(second))


@pytest.mark.parametrize(("first", "second"), [pytest.param(a, b, id=name) for name, a, b in OTHER])
def test_another_call(first: str, second: str) -> None:
    assert not same_call(command(first), command(second))


CHANGES = [
    call("patch", path="a.py"),
    call("Edit", file_path="a.py"),
    command("sed -i s/a/b/ a.py"),
    command("cat > a.py <<E\n1\nE"),
    command("npm ci"),
    command("sleep 5"),
    command("golangci-lint run --fix"),
]
LOOKS = [
    call("read_file", path="a.py"),
    call("WebSearch", query="a"),
    call("browser_get_images"),
    command("cat a.py | grep b > /dev/null"),
    command("git status 2>&1 && ls"),
    command("git commit -qam 'as it is'"),
    command("sed -n 1,9p a.py"),
    command("go test ./pkg"),
    call("patch", path="a.py", old_string="f()", new_string="f()\nprint(x)"),
]


@pytest.mark.parametrize("made", CHANGES, ids=lambda made: made.arguments)
def test_what_may_change_something(made: Call) -> None:
    assert may_change(made)


@pytest.mark.parametrize("made", LOOKS, ids=lambda made: made.arguments)
def test_what_only_looks(made: Call) -> None:
    assert not may_change(made)


def test_what_was_changed_are_the_edits_that_worked_else_the_commands() -> None:
    test, edit, install, look = command("pytest"), call("patch", path="a.py"), command("npm ci"), command("ls")
    made = [test, edit, install, edit, look, test]
    assert changes_between(made, [FAILED, OK, OK, FAILED, OK, OK], 0, 5) == [1]
    assert changes_between(made, [FAILED, FAILED, OK, FAILED, OK, OK], 0, 5) == [2]
    assert changes_between(made, [FAILED, FAILED, FAILED, FAILED, OK, OK], 0, 5) == []
    assert changes_between(made, [FAILED, OK, OK, OK, OK, OK], 0, 5) == [1, 3]
    assert changes_between([test, install, install, test], [FAILED, OK, OK, OK], 0, 3) == [1, 2]
