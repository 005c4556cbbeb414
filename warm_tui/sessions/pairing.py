"""From the rows of a session to its calls: each call once, with its result, in its segment.

Compaction leaves copies (see `blocks.py`): rows in a block of copies are carried over, all other rows
are fresh. Ids alone would not do: some models number their calls anew in every turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warm_tui.sessions.blocks import find_blocks
from warm_tui.sessions.model import Call, Row, as_number, as_text
from warm_tui.sessions.toolcalls import tool_calls_of

UNKNOWN_TOOL = "unknown"


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
    rows: Sequence[Row]


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
    calls: list[Call] = []
    by_id: dict[str, int] = {}
    carried = [0] * (len(blocks) + (parent is None))
    replies, first_user = 0, ""
    segment = -1 if parent is not None else 0
    waiting = iter(blocks)
    block = next(waiting, None)
    for index, row in enumerate(rows):
        copied = False
        if block is not None:
            if index == block.stop or not block:
                segment += not block
                block = next(waiting, None)
            if block is not None and index >= block.start:
                segment += index == block.start
                copied = True
        role = row[1]
        if role == "tool":
            at = by_id.get(row[3])
            if at is not None and not copied and calls[at].result is None:
                calls[at] = _with_result(calls[at], row)
        elif role == "assistant":
            replies += not copied
            if not row[4]:
                continue
            for made in tool_calls_of(row[4]):
                if copied:
                    carried[segment] += 1
                    continue
                at = len(calls)
                call_id = made.any_id or f"row-{row[0]}-{at}"
                by_id[call_id] = at
                if made.call_id is not None and isinstance(made.call_id, str):
                    by_id[made.call_id] = at
                calls.append(
                    Call(
                        call_id,
                        first_position + at,
                        first_segment + segment,
                        session_id,
                        made.any_name or UNKNOWN_TOOL,
                        made.any_arguments,
                        None,
                        as_number(row[6]),
                        row[0],
                        None,
                    )
                )
        elif role == "user" and not first_user and not copied:
            first_user = as_text(row[2]) or ""
    return Paired(
        calls,
        len(blocks) - (parent is not None),
        carried,
        len(rows) - sum(len(block) for block in blocks),
        replies,
        first_user,
        as_number(rows[-1][6]) if rows else None,
        rows,
    )


def _with_result(call: Call, row: Row) -> Call:
    content = row[2]
    return Call(
        call.id,
        call.position,
        call.segment,
        call.session_id,
        call.tool_name if call.tool_name != UNKNOWN_TOOL else as_text(row[5]) or UNKNOWN_TOOL,
        call.arguments,
        content if type(content) is str else as_text(content) or "",
        call.timestamp,
        call.message_id,
        row[0],
    )
