"""From the messages of a session to its calls: each call once, with its result, in its segment.

Compaction leaves copies: messages in a block of copies (an agent's facts tell which those are) are carried
over, all others are fresh. Ids alone would not do: some models number their calls anew in every turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import force_setattr

from warm_tui.sessions.model import Call, MadeCall, Message
from warm_tui.sessions.source import AgentFacts, no_blocks

UNKNOWN_TOOL = "unknown"

# Rises with every change in what is read as a call, a copy or a segment.
READING_VERSION = 3


class Paired(msgspec.Struct, frozen=True):
    """A session's calls, and what its messages say beside them."""

    calls: list[Call]
    compactions: int
    """Cuts inside these messages; the cut a chained session begins with is its lineage's to count."""
    carried: list[int]
    """Copies of calls, by segment."""
    message_count: int
    """Messages that are nobody's copy."""
    replies: int
    first_user: str
    last_timestamp: float | None
    blocks: list[range] = []
    """Which messages are copies."""


def pair(
    messages: Sequence[Message],
    session_id: str,
    facts: AgentFacts,
    *,
    parent: Sequence[Message] | None = None,
    taken_back: Sequence[Message] = (),
    first_segment: int = 0,
    first_position: int = 0,
) -> Paired:
    """Pair the messages of one session.

    `parent`: those of the session it is the continuation of. `taken_back`: those that are no part of the history;
    the calls made in them stand where they were made, and nothing else is changed by them.
    """
    blocks = facts.find_blocks(messages, parent)
    segment_of = _segments(blocks, inherited=parent is not None) if blocks else None
    calls: list[Call] = []
    by_id: dict[str, list[Call]] = {}
    carried = [0] * (len(blocks) + (parent is None))
    trivial_tools = facts.trivial_tools
    replies, first_user, segment, copied = 0, "", 0, False
    for index, message in enumerate(messages):
        if segment_of is not None:
            segment, copied = segment_of(index)
        role = message.role
        if role == "tool":
            for call in () if copied else by_id.get(message.answers, ()):
                if call.result is None:
                    _give_result(call, message, trivial_tools)
                    break
        elif role == "assistant":
            replies += not copied
            if copied:
                carried[segment] += len(message.calls)
                continue
            for nth, made in enumerate(message.calls):
                position = first_position + len(calls)
                call = _call(made, message, nth, session_id, position, first_segment + segment, trivial_tools, by_id)
                calls.append(call)
        elif role == "user" and not first_user and not copied:
            first_user = message.text
    if taken_back:
        rewound = pair(taken_back, session_id, msgspec.structs.replace(facts, find_blocks=no_blocks)).calls
        ids, starts = [message.id for message in messages], [block.start for block in blocks]
        for call in rewound:
            cuts_before = bisect_left(starts, bisect_left(ids, call.message_id))
            force_setattr(call, "segment", first_segment + max(0, cuts_before - (parent is not None)))
        calls = _with_rewound(calls, rewound, first_position)
    return Paired(
        calls,
        len(blocks) - (parent is not None),
        carried,
        len(messages) - sum(len(block) for block in blocks),
        replies,
        first_user,
        messages[-1].timestamp if messages else None,
        blocks,
    )


def _call(
    made: MadeCall,
    message: Message,
    nth: int,
    session_id: str,
    position: int,
    segment: int,
    trivial_tools: frozenset[str],
    by_id: dict[str, list[Call]],
) -> Call:
    """A call as it is made, known from now on by the ids its result may come with."""
    call_id = made.id or f"row-{message.id}-{nth}"
    earlier = by_id.get(call_id)
    tool_name = made.tool_name or UNKNOWN_TOOL
    call = Call(
        call_id,
        f"{call_id}#{message.id}-{nth}" if earlier else call_id,
        position,
        segment,
        session_id,
        tool_name,
        made.arguments,
        None,
        message.timestamp,
        message.id,
        None,
        tool_name in trivial_tools,
    )
    # Results go to the calls of the last message that used their id, in the order these were made.
    if earlier and earlier[-1].message_id == message.id:
        earlier.append(call)
    else:
        by_id[call_id] = [call]
    if made.alias:
        by_id[made.alias] = by_id[call_id]
    return call


def _give_result(call: Call, message: Message, trivial_tools: frozenset[str]) -> None:
    """Frozen once it is out of here; until then a call may still get its answer."""
    force_setattr(call, "result", message.text)
    force_setattr(call, "result_id", message.id)
    if call.tool_name == UNKNOWN_TOOL and message.tool_name:
        force_setattr(call, "tool_name", message.tool_name)
        force_setattr(call, "trivial", message.tool_name in trivial_tools)


def _with_rewound(calls: list[Call], rewound: list[Call], first_position: int) -> list[Call]:
    """All calls in the order they were made; those that were not taken back keep their keys."""
    keys = {call.key for call in calls}
    for call in rewound:
        force_setattr(call, "rewound", True)
        if call.key in keys:
            force_setattr(call, "key", f"{call.key}#{call.message_id}")
    made = sorted([*calls, *rewound], key=lambda call: call.message_id)
    for position, call in enumerate(made, first_position):
        force_setattr(call, "position", position)
    return made


def _segments(blocks: list[range], *, inherited: bool) -> Callable[[int], tuple[int, bool]]:
    """Tells of each row its segment and whether it is a copy. A block of copies opens a segment."""
    starts = [block.start for block in blocks]

    def segment_of(index: int) -> tuple[int, bool]:
        at = bisect_right(starts, index) - 1
        return at + (not inherited), at >= 0 and index < blocks[at].stop

    return segment_of
