"""A command line may run thousands of commands, as scripts write them: judging it takes no square of their number."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import count

import pytest

from warm_tui.reliability.verdict import judge

COMMANDS, TIMES = 300, 4
MOST = TIMES * 1.2
EACH = (
    "rm x; ", "rm x{}; ", "python a.py; ", "python a{}.py | tail -1; ", "frob x{}; ", "gcc a{}.c; ", "ssh h{} 'cat a.log'; ",
    "mkdir a{} && ", "cat x{}; ", "frob x{}; echo rc=$?; ", "rc{0}=$?; echo $rc{0}; ", "echo rc=$? $a{}; ",
)  # fmt: skip
SAID = (
    "rm: cannot remove 'x': No such file or directory",
    "error: x\nError: y\nKeyError: 1\nfrob: cannot open x",
    'Traceback (most recent call last):\n  File "a", line 1\nKeyError: 1\ncurl: (22) The requested URL returned error: 404',
)


def steps(run: Callable[[], object]) -> int:
    """How many functions, of ours and of Python's own, are called."""
    calls, before = count(), sys.getprofile()
    sys.setprofile(lambda _frame, event, _about: next(calls) if "return" not in event else None)
    try:
        run()
    finally:
        sys.setprofile(before)
    return next(calls)


def judged(each: str, commands: int, said: str) -> Callable[[], object]:
    arguments = json.dumps({"command": "".join(each.format(at) for at in range(commands))})
    result = json.dumps({"output": said, "exit_code": 0, "error": None})
    return lambda: (judge(arguments, result), judge(arguments, said))


@pytest.mark.parametrize("each", EACH)
def test_four_times_the_commands_take_at_most_five_times_the_steps(each: str) -> None:
    for said in SAID:
        assert steps(judged(each, COMMANDS * TIMES, said)) < MOST * steps(judged(each, COMMANDS, said)), said
