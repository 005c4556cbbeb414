"""From the messages of a session to its calls: each call once, with its result, in its segment.

Compaction leaves copies, and so does branching: messages in a block of copies (an agent's facts tell which
those are) are carried over, all others are fresh. Ids alone would not do: some models number their calls anew
in every turn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from warm_tui.sessions.model import Call, MadeCall, Message
from warm_tui.sessions.source import AgentFacts

UNKNOWN_TOOL = "unknown"

# Rises with every change in what is read as a call, a copy or a segment.
READING_VERSION = 7


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
    """Of those messages."""
    blocks: list[range] = []
    """Which messages compaction copied."""
    branched: int = 0
    """How many messages at the beginning are copies of those of the session it was branched from."""
    first_timestamp: float | None = None
    """Of the messages that are nobody's copy."""
    again: list[range] = []
    """Which messages the session holds already, though no compaction copied them."""


def pair(
    messages: Sequence[Message],
    session_id: str,
    facts: AgentFacts,
    *,
    parent: Sequence[Message] | None = None,
    original: Sequence[Message] | None = None,
    taken_back: Sequence[Message] = (),
    first_segment: int = 0,
    first_position: int = 0,
) -> Paired:
    """Pair the messages of one session.

    `parent`: those of the session it is the continuation of; `original`: those of the one it is a branch of;
    `taken_back`: those that are no part of the history: the calls made in them stand where they were made, and
    nothing else is changed by them.
    """
    branched = facts.count_copies(messages, original) if original else 0
    blocks = facts.find_blocks(messages, parent, branched)
    again = facts.find_again(messages)
    segment_of = _segments(blocks, branched, inherited=parent is not None) if blocks or branched or again else None
    repeats = frozenset(at for at in chain.from_iterable(again) if segment_of and not segment_of(at)[1])
    walked = _walk(messages, session_id, facts.trivial_tools, segment_of, first_segment, first_position, repeats)
    calls = walked.calls
    if taken_back:
        taken_back = _without_again(taken_back, messages, facts)
        rewound = _walk(taken_back, session_id, facts.trivial_tools).calls
        _place(rewound, messages, blocks[parent is not None :], first_segment)
        calls = _with_rewound(calls, rewound, first_position)
    own = (
        messages
        if segment_of is None
        else [each for at, each in enumerate(messages) if not segment_of(at)[1] and at not in repeats]
    )
    return Paired(
        calls,
        len(blocks) - (parent is not None),
        [walked.carried.get(segment, 0) for segment in range(len(blocks) + (parent is None))],
        len(own),
        walked.replies,
        walked.first_user,
        _first_time(reversed(own)),
        blocks,
        branched,
        _first_time(own),
        again,
    )


def joined(parts: Sequence[Paired]) -> Paired:
    """The sessions of one life as one: where one goes on from another, there is a cut."""
    if len(parts) == 1:
        return parts[0]
    return Paired(
        [call for part in parts for call in part.calls],
        sum(part.compactions for part in parts) + len(parts) - 1,
        [count for part in parts for count in part.carried],
        sum(part.message_count for part in parts),
        sum(part.replies for part in parts),
        next((part.first_user for part in parts if part.first_user), ""),
        next((part.last_timestamp for part in reversed(parts) if part.last_timestamp is not None), None),
        first_timestamp=next((part.first_timestamp for part in parts if part.first_timestamp is not None), None),
    )


class _Walked(NamedTuple):
    calls: list[Call]
    carried: dict[int, int]
    """Copies of calls, by segment."""
    replies: int
    first_user: str


def _walk(
    messages: Sequence[Message],
    session_id: str,
    trivial_tools: frozenset[str],
    segment_of: Callable[[int], tuple[int, bool]] | None = None,
    first_segment: int = 0,
    first_position: int = 0,
    repeats: Collection[int] = (),
) -> _Walked:
    """One pass over the messages: each result is given to its call, and copies are only counted.

    `repeats`: those that nothing carried over, and that are not counted either.
    """
    calls: list[Call] = []
    by_id: dict[str, list[Call]] = {}
    carried: dict[int, int] = {}
    replies, first_user, segment, copied = 0, "", 0, False
    for index, message in enumerate(messages):
        if index in repeats:
            continue
        if segment_of is not None:
            segment, copied = segment_of(index)
        role = message.role
        if role == "tool":
            for call in () if copied else by_id.get(message.answers, ()):
                if call.result is None:
                    # Frozen once it is out of here; until then a call may still get its answer.
                    force_setattr(call, "result", message.text)
                    force_setattr(call, "result_id", message.id)
                    if message.report is not None:
                        force_setattr(call, "report", message.report)
                    if call.tool_name == UNKNOWN_TOOL and message.tool_name:
                        force_setattr(call, "tool_name", message.tool_name)
                        force_setattr(call, "trivial", message.tool_name in trivial_tools)
                    break
        elif role == "assistant":
            replies += not copied
            if copied:
                carried[segment] = carried.get(segment, 0) + len(message.calls)
                continue
            for nth, made in enumerate(message.calls):
                position = first_position + len(calls)
                call = _call(made, message, nth, session_id, position, first_segment + segment, trivial_tools, by_id)
                calls.append(call)
        elif role == "user" and not first_user and not copied:
            first_user = message.text
    return _Walked(calls, carried, replies, first_user)


def _first_time(messages: Iterable[Message]) -> float | None:
    return next((message.timestamp for message in messages if message.timestamp is not None), None)


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


def _without_again(taken_back: Sequence[Message], messages: Sequence[Message], facts: AgentFacts) -> Sequence[Message]:
    """Of what was written twice, the second may be taken back: the first is still a part of the history."""
    written = sorted([*messages, *taken_back], key=lambda message: message.id)
    again = {written[at].id for at in chain.from_iterable(facts.find_again(written))}
    return [message for message in taken_back if message.id not in again]


def _place(rewound: list[Call], messages: Sequence[Message], blocks: list[range], first_segment: int) -> None:
    """Calls that were taken back stand in the segment in which they were made."""
    ids, starts = [message.id for message in messages], [block.start for block in blocks]
    for call in rewound:
        cuts_before = bisect_left(starts, bisect_left(ids, call.message_id))
        force_setattr(call, "segment", first_segment + cuts_before)


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


def _segments(blocks: list[range], branched: int, *, inherited: bool) -> Callable[[int], tuple[int, bool]]:
    """Tells of each row its segment and whether it is a copy. A block of copies opens a segment."""
    starts = [block.start for block in blocks]

    def segment_of(index: int) -> tuple[int, bool]:
        at = bisect_right(starts, index) - 1
        return at + (not inherited), index < branched or (at >= 0 and index < blocks[at].stop)

    return segment_of
