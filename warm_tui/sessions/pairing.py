"""From the rows of a session to its calls: each call once, with its result, in its segment.

Compaction leaves copies (see `blocks.py`): rows in a block of copies are carried over, all other rows
are fresh. Ids alone would not do: some models number their calls anew in every turn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from warm_tui.sessions.hermes.blocks import find_blocks
from warm_tui.sessions.hermes.tool_calls import ToolCall, tool_calls_of
from warm_tui.sessions.model import Call, Row, as_number, as_text
from warm_tui.sessions.text import plain

UNKNOWN_TOOL = "unknown"

# Rises with every change in what is read as a call, a copy or a segment.
READING_VERSION = 2


class Paired(msgspec.Struct, frozen=True):
    """A session's calls, and what its rows say beside them."""

    calls: list[Call]
    compactions: int
    """Cuts inside these rows; the cut a chained session begins with is its lineage's to count."""
    carried: list[int]
    """Copies of calls, by segment."""
    messages: int
    """Rows of the history that are nobody's copy."""
    replies: int
    first_user: str
    last_timestamp: float | None
    blocks: list[range] = []
    """Which rows are copies."""


def pair(
    rows: Sequence[Row],
    session_id: str,
    *,
    parent: Sequence[Row] | None = None,
    first_segment: int = 0,
    first_position: int = 0,
) -> Paired:
    """Pair the rows of one session. `parent`: the rows of the session it is the continuation of."""
    blocks = find_blocks(rows, parent)
    segment_of = _segments(blocks, inherited=parent is not None) if blocks else None
    calls: list[Call] = []
    by_id: dict[Any, list[Call]] = {}
    carried = [0] * (len(blocks) + (parent is None))
    replies, first_user, segment, copied = 0, "", 0, False
    for index, (row_id, role, content, answers, tool_calls, tool_name, timestamp, _) in enumerate(rows):
        if segment_of is not None:
            segment, copied = segment_of(index)
        if role == "tool":
            for call in () if copied else by_id.get(answers, ()):
                if call.result is None:
                    _give_result(call, row_id, content, tool_name)
                    break
        elif role == "assistant":
            replies += not copied
            made = tool_calls_of(tool_calls) if tool_calls else ()
            if copied:
                carried[segment] += len(made)
                continue
            for nth, one in enumerate(made):
                position = first_position + len(calls)
                call = _call(one, position, first_segment + segment, session_id, timestamp, row_id, nth, by_id)
                calls.append(call)
        elif role == "user" and not first_user and not copied:
            first_user = as_text(content) or ""
    return Paired(
        calls,
        len(blocks) - (parent is not None),
        carried,
        len(rows) - sum(len(block) for block in blocks),
        replies,
        first_user,
        as_number(rows[-1][6]) if rows else None,
        blocks,
    )


def _call(
    made: ToolCall,
    position: int,
    segment: int,
    session_id: str,
    timestamp: Any,
    row_id: int,
    nth: int,
    by_id: dict[Any, list[Call]],
) -> Call:
    """A call as it is made, known from now on by the ids its result may come with."""
    call_id = made.any_id or f"row-{row_id}-{nth}"
    earlier = by_id.get(call_id)
    function = made.function
    if function is not None and type(function.name) is str and type(function.arguments) is str:
        name, arguments = function.name, function.arguments  # as nearly every call is recorded
    else:
        name, arguments = made.any_name, made.any_arguments
    call = Call(
        call_id,
        f"{call_id}#{row_id}-{nth}" if earlier else call_id,
        position,
        segment,
        session_id,
        name or UNKNOWN_TOOL,
        arguments,
        None,
        timestamp if type(timestamp) is float else as_number(timestamp),
        row_id,
        None,
    )
    # Results go to the calls of the last message that used their id, in the order these were made.
    if earlier and earlier[-1].message_id == row_id:
        earlier.append(call)
    else:
        by_id[call_id] = [call]
    if type(made.call_id) is str and made.call_id != call_id:
        by_id[made.call_id] = by_id[call_id]
    return call


def _give_result(call: Call, row_id: int, content: Any, tool_name: Any) -> None:
    """Frozen once it is out of here; until then a call may still get its answer."""
    text = content if type(content) is str else as_text(content) or ""
    force_setattr(call, "result", plain(text) if text[:1] == "\x00" else text)
    force_setattr(call, "result_id", row_id)
    if call.tool_name == UNKNOWN_TOOL and tool_name:
        force_setattr(call, "tool_name", as_text(tool_name))


def _segments(blocks: list[range], *, inherited: bool) -> Callable[[int], tuple[int, bool]]:
    """Tells of each row its segment and whether it is a copy. A block of copies opens a segment."""
    starts = [block.start for block in blocks]

    def segment_of(index: int) -> tuple[int, bool]:
        at = bisect_right(starts, index) - 1
        return at + (not inherited), at >= 0 and index < blocks[at].stop

    return segment_of
