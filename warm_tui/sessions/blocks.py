"""Where compaction copied rows: the blocks of carried-over messages, and so the cuts of a session.

In place, Hermes retires the live rows and writes the kept head, a summary and the kept tail again as
new rows of the same session. Chained, a child session begins with them. Either way a block of copies
stands around a summary (around two, where the summary of the last compaction was itself kept), and
what follows the block is fresh. A block may lack its summary, when writing one failed; then the
repeats of retired rows give it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from warm_tui.sessions.model import Row, as_text
from warm_tui.sessions.toolcalls import tool_calls_of

SUMMARY_STARTS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]", "[PRIOR CONTEXT")
ROLE, CONTENT, CALL_ID, TOOL_CALLS, COMPACTED = 1, 2, 3, 4, 7

Mark: TypeAlias = tuple[Any, ...]


def _may_hold_copies(rows: Sequence[Row]) -> bool:
    for row in rows:  # noqa: SIM110 - on every row of every session, a generator would be felt
        if row[COMPACTED] or (row[ROLE] != "tool" and is_summary(row)):
            return True
    return False


def is_summary(row: Row) -> bool:
    content = row[CONTENT]
    return (
        isinstance(content, str)
        and content[:1] == "["
        and row[ROLE] in ("user", "assistant")
        and content.startswith(SUMMARY_STARTS)
    )


def find_blocks(rows: Sequence[Row], parent: Sequence[Row] | None = None) -> list[range]:
    """The runs of copied rows, in order. With a parent, the first block is what it handed on."""
    if parent is None and not _may_hold_copies(rows):
        return []
    marks = [_mark(row) for row in rows]
    seen = {_mark(row) for row in parent or ()}
    retired: set[Mark] = set()
    telling = _ids_are_unique(marks)
    repeats: list[bool] = []
    blocks: list[range] = []
    at = 0
    while at < len(rows):
        inherited = parent is not None and not blocks
        if inherited or is_summary(rows[at]) or (telling and marks[at][0] == "calls" and marks[at] in retired):
            floor = blocks[-1].stop if blocks else 0
            start = at
            while start > floor and repeats[start - 1]:
                start -= 1
            # What a session inherits may be nothing at all; a summary is a row at least.
            stop = _block_end(rows, marks, seen, start, at if inherited else at + 1)
            blocks.append(range(start, stop))
        else:
            stop = at + 1
        for index in range(at, stop):
            repeats.append(marks[index] in seen)
            seen.add(marks[index])
            if rows[index][COMPACTED]:
                retired.add(marks[index])
        at = stop
    return blocks


def _ids_are_unique(marks: list[Mark]) -> bool:
    """Does one id always stand for one call here?"""
    calls: dict[str, Any] = {}
    return all(calls.setdefault(call[0], call) == call for mark in marks if mark[0] == "calls" for call in mark[1:])


def _block_end(rows: Sequence[Row], marks: list[Mark], seen: set[Mark], start: int, at: int) -> int:
    """Behind the last copy, before the first fresh call and before anything the block already holds."""
    inside = set(marks[start:at])
    stop = at
    for index in range(at, len(rows)):
        mark = marks[index]
        if mark in inside and mark[0] != "tool":
            break
        if mark in seen or is_summary(rows[index]):
            stop = index + 1
        elif mark[0] == "calls":
            break
        inside.add(mark)
    return stop


def _mark(row: Row) -> Mark:
    """What a copy of this row has in common with it. Compaction shortens arguments and results."""
    role = row[ROLE]
    if role == "tool":
        return ("tool", row[CALL_ID])
    if row[TOOL_CALLS] and (calls := tool_calls_of(row[TOOL_CALLS])):
        return (
            "calls",
            *((c.any_id, c.any_name, "".join(c.any_arguments[:160].split())[:60]) for c in calls),
        )
    return (role, as_text(row[CONTENT]) or "")
