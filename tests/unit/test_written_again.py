"""A session that was resumed and left without a word is written down once more: its calls were made once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Record, Row, assistant, result, summary, user
from tests.unit.test_branches import BRANCHED, drawn, profiles
from warm_tui.library.catalog import Catalog
from warm_tui.paths import Home
from warm_tui.sessions.transcript import transcript

REWOUND = {"active": 0, "compacted": 0}


def timed(rows: list[Row], first: float = 1e9, **columns: Any) -> list[Row]:
    return [{**row, "timestamp": first + at / 7, **columns} for at, row in enumerate(rows)]


LIVED = timed([user("build it "), *drawn(0, 5), assistant(content="done")])
AGAIN = [{**row, "content": row["content"].strip()} for row in LIVED]


def test_each_call_is_counted_once_where_it_was_made(record: Record, tmp_path: Path) -> None:
    more = timed([user("go on"), *drawn(5, 7)], 2e9)
    path = record({"s": [*LIVED, *AGAIN, *AGAIN, *more]})
    seen = profiles(path, tmp_path)["s"]
    assert (seen.tool_call_count, seen.failed_calls, seen.message_count, seen.compactions) == (7, 7, 17, 0)
    with Catalog(Home(tmp_path / "home", (path,))) as catalog:
        _, life, calls = catalog.life("s")
        told = [(item.kind, item.count) for item in transcript(life) if item.kind != "call"]
    assert [call.timestamp for call, _ in calls[:5]] == [
        row["timestamp"] for row in LIVED if row["role"] == "assistant"
    ][:5]
    assert told == [("user", 0), ("assistant", 0), ("carried", 24), ("user", 0)]


def test_a_compaction_that_is_written_again_is_one(record: Record, tmp_path: Path) -> None:
    kept = timed([summary(), *drawn(4, 5), assistant(content="done"), user("go on"), *drawn(5, 7)], 2e9)
    retired = [{**row, "active": 0, "compacted": 1} for row in LIVED]
    for name, rows in {"once.db": [*retired, *kept], "twice.db": [*retired, *kept, *kept]}.items():
        path = record({"s": rows}, name=name)
        seen = profiles(path, tmp_path)["s"]
        assert (seen.tool_call_count, seen.compactions) == (7, 1), name
        with Catalog(Home(tmp_path / "home", (path,))) as catalog:
            _, life, _ = catalog.life("s")
        assert [part.carried for part in life.parts] == [[0, 1]], name


def test_a_branch_copies_both_and_adds_its_own(record: Record, tmp_path: Path) -> None:
    copied = [{name: value for name, value in row.items() if name != "timestamp"} for row in (*LIVED, *AGAIN)]
    path = record({"parent": [*LIVED, *AGAIN], "branch": [*copied, *drawn(9, 10)]}, branch=BRANCHED)
    assert [profiles(path, tmp_path)[name].tool_call_count for name in ("parent", "branch")] == [5, 1]


def test_what_is_taken_back_of_it_was_made_no_second_time(record: Record, tmp_path: Path) -> None:
    path = record({"s": [*LIVED, *({**row, **REWOUND} for row in AGAIN)]})
    seen = profiles(path, tmp_path)["s"]
    assert (seen.tool_call_count, seen.unknown_calls) == (5, 0)


@pytest.mark.parametrize("first", [1e9, 2e9])
def test_the_same_ids_at_another_time_are_other_calls(record: Record, tmp_path: Path, first: float) -> None:
    rows = [assistant(("call_1", "terminal", {})), result("call_1")]
    seen = profiles(record({"s": [*timed(rows), *timed(rows, first + 1)]}), tmp_path)["s"]
    assert seen.tool_call_count == 2


def test_calls_of_one_moment_with_ids_that_are_counted_are_told_as_they_are(record: Record, tmp_path: Path) -> None:
    """Where a history has one time for all, the same command in two turns was called twice."""
    turn = [user("again"), assistant(("call_1", "terminal", {"command": "git status"})), result("call_1")]
    rows = [{**row, "timestamp": 1e9} for row in (*turn, *turn)]
    assert profiles(record({"s": rows}), tmp_path)["s"].tool_call_count == 2


def test_words_that_were_written_at_once_are_told_as_they_are(record: Record, tmp_path: Path) -> None:
    """A history that was written anew has one time for all: what was said twice in it was said twice."""
    rows = [{**row, "timestamp": 1e9} for row in (user("continue"), assistant(content="ok"), user("continue"))]
    assert profiles(record({"s": rows}), tmp_path)["s"].message_count == 3
