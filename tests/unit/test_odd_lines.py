"""Whatever stands in a command line, whole or cut off, it is judged: of one that is not, a whole library stays unread."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warm_tui.reliability.verdict import judge

OPERATORS = [
    "||",
    "&&",
    ";",
    "|",
    "\n",
    "&",
    "(",
    ")",
    "{",
    "}",
    "'",
    '"',
    "`",
    "$(",
    "<<EOF\n",
    "EOF\n",
    "\\",
    "#",
    "--",
]
WORDS = ["rm -rf x", "mkdir x", "git branch -D t", "docker rm a", "kubectl create ns a", "kill 1", "until", "while", "!", "do",
         "done", "for i in 1 2", "break", "continue", "if", "then", "fi", "true", "x=1", "echo a", "curl -sf http://h/x",
         "bash -c", "timeout 3", "ssh h 'cat a.log'", "docker exec a cat b", "python a.py", "pytest -q", "tail -3"]  # fmt: skip
SAID = ["rm: cannot remove 'x': No such file or directory", "mkdir: cannot create directory 'x': File exists", "",
        "curl: (22) The requested URL returned error: 404", "Traceback (most recent call last):", '  File "a", line 1',
        "KeyError: 1", "FAILED", "1 failed, 2 passed", "error: x", "Error: y", "nothing to commit", "\x00", "\ud800",
        "bash: line 1: foo: command not found", "[1]+ Terminated", "Build failed: x"]  # fmt: skip


def results(output: str) -> list[str]:
    """Half a character is no text that a reader gives; within JSON that a tool made it may be spelt."""
    return [output.encode("utf-8", "replace").decode(), json.dumps({"output": output, "exit_code": 0, "error": None})]


@settings(max_examples=1_000)
@given(st.lists(st.sampled_from([*OPERATORS, *WORDS]), max_size=9), st.lists(st.sampled_from(SAID), max_size=6))
def test_any_line_and_any_output_are_judged(words: list[str], said: list[str]) -> None:
    for result in results("\n".join(said)):
        assert judge(json.dumps({"command": " ".join(words)}), result).outcome in ("success", "failure")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cd a && rm -rf build || rc=$?", "rm: cannot remove 'build': Permission denied"),
        ("mkdir x || RC=1", "mkdir: cannot create directory 'x': No such file or directory"),
        ('rm a || "', "rm: cannot remove 'a': Permission denied"),
        ("for i in 1 2 3; do curl -sf http://h/x && OK=1", "curl: (22) The requested URL returned error: 404"),
        ("docker-compose logs web | tail", "no such service: web"),
        ("curl -s https://chat.example/api/auth.test | tail -1", "Error: not_authed"),
    ],
)
def test_what_goes_no_further_has_failed(command: str, output: str) -> None:
    for result in results(output):
        assert judge(json.dumps({"command": command}), result).outcome == "failure"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("oc logs web | tail", "started\nerror: job failed"),
        ("kubectl exec web -c app -- tail /a.log", "ERROR: x\nKeyError: 1"),
        ("git commit -qm a; make deploy | tail", "nothing to commit, working tree clean\ndeployed 3 files"),
    ],
)
def test_what_a_log_says_or_was_followed_by_other_work_has_not(command: str, output: str) -> None:
    for result in results(output):
        assert judge(json.dumps({"command": command}), result).outcome == "success"


@pytest.mark.parametrize("half", ["\\ud83d", "\\udc00", "\\uD83d"])
def test_half_a_character_in_what_a_tool_printed_hides_no_failure(half: str) -> None:
    """A text that was cut in the middle of one, and put into JSON with what is left of it."""
    printed = f'cut {half}\\nTraceback (most recent call last):\\n  File \\"a.py\\", line 1, in <module>\\nKeyError: 1'
    for output in (printed, f"{printed} {half}"):
        result = f'{{"output": "{output}", "exit_code": 0, "error": null}}'
        assert judge(json.dumps({"command": "python a.py | tail"}), result).outcome == "failure"


def test_a_number_of_thousands_of_digits_is_no_reason_to_raise() -> None:
    for result in results("frob: error: bad\nx"):
        assert judge(json.dumps({"command": f"frob | tail -n {'9' * 5000}"}), result).outcome == "failure"
