"""A call in a line, by what tells it from others: how a mend is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from warm_tui.reliability.recorded_failures import MOST_WORDS, told_call

TOLD = [
    ("a command speaks for itself", "terminal", {"command": "make clean", "timeout": 5}, "make clean"),
    ("an edit by its file, and what it changed", "patch", {"replace_all": False, "path": "app/views.py", "old_string": "a  =\n1", "new_string": "a = 2"}, "patch app/views.py, old_string: a = 1, new_string: a = 2"),
    ("one argument without its name", "process_poll", {"id": "proc 7"}, "process_poll proc 7"),
    ("of a long path its end", "read_file", {"path": f"/srv/{'deep/' * 20}app/views.py", "offset": 10}, "read_file …/app/views.py, offset: 10"),
    ("nothing of what was left as it is", "list", {"filter": None, "all": False, "names": [], "depth": 0}, "list"),
    ("of a long text its beginning", "write_file", {"path": "a.md", "content": "word " * 200}, f"write_file a.md, content: {('word ' * 10)[:49].rstrip()}…"),
    ("what holds more than one thing", "book", {"seats": [1, 2]}, "book [1,2]"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "words"), [pytest.param(*row, id=name) for name, *row in TOLD])
def test_a_call_is_told_by_what_tells_it_from_others(tool: str, arguments: dict[str, Any], words: str) -> None:
    assert told_call(tool, json.dumps(arguments)) == words


@pytest.mark.parametrize("arguments", ["", "no json", "[1]", '{"content": "' + "x" * 30_000 + '"}'])
def test_what_cannot_be_read_is_told_by_its_tool(arguments: str) -> None:
    assert told_call("write_file", arguments) == "write_file"


def test_it_is_never_longer_than_a_line() -> None:
    assert len(told_call("book", json.dumps({f"name{at}": "value " * 9 for at in range(30)}))) <= MOST_WORDS
