"""From the rows of Hermes' tables to sessions and messages: SQLite keeps whatever type it was given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from warm_tui.sessions.hermes.facts import AGENT, COMPACTED
from warm_tui.sessions.hermes.identity import DRAWN_BY_LOT
from warm_tui.sessions.hermes.learning import opens_review
from warm_tui.sessions.hermes.summaries import STARTS
from warm_tui.sessions.hermes.tool_calls import calls_in
from warm_tui.sessions.hermes.usage import total_cost, usage_of
from warm_tui.sessions.model import MadeCall, Message, Session, as_count, as_number, as_text
from warm_tui.sessions.source import Stamp
from warm_tui.sessions.text import plain

Row: TypeAlias = tuple[Any, ...]

# The column as it is read, and what stands for it where a version of Hermes has none.
SESSION_COLUMNS = {
    "id": "NULL", "source": "NULL", "model": "NULL", "title": "NULL", "parent_session_id": "NULL",
    "started_at": "NULL", "ended_at": "NULL", "end_reason": "NULL", "input_tokens": "0", "output_tokens": "0",
    "cache_read_tokens": "0", "cache_write_tokens": "0", "reasoning_tokens": "0", "actual_cost_usd": "NULL",
    "estimated_cost_usd": "NULL", "cost_status": "NULL", "model_config": "NULL", "cwd": "NULL",
}  # fmt: skip
MESSAGE_COLUMNS = {
    "id": "NULL", "role": "NULL", "content": "NULL", "tool_call_id": "NULL", "tool_calls": "NULL",
    "tool_name": "NULL", "timestamp": "NULL", "compacted": "0",
}  # fmt: skip
# Seconds: a session may be written down a moment after it was spoken to.
CLOCKS_DIFFER = 2.0
SPOKEN = ("user", "assistant")
BEHIND_BLOCKS = "\x01"
"""Text that begins with the sign of content in blocks comes before it."""


def messages_of(rows: Iterable[Row]) -> list[Message]:
    """A million rows are read at a time: nearly every value is text, and is asked for its type before anything else."""
    messages: list[Message] = []
    for row_id, role, content, answers, tool_calls, tool_name, timestamp, compacted in rows:
        text = content if type(content) is str else as_text(content) or ""
        size = len(text)
        if text < BEHIND_BLOCKS and size:
            text = plain(text)
        if type(timestamp) is not float:
            timestamp = as_number(timestamp)
        if role == "tool":
            answered = answers if type(answers) is str else as_text(answers) or ""
            tool = tool_name if type(tool_name) is str else as_text(tool_name) or ""
            message = Message(row_id, "tool", text, size, answered, (), tool, timestamp)
        else:
            calls: Sequence[MadeCall] = ()
            if tool_calls and role == "assistant":
                column = tool_calls if type(tool_calls) is str else as_text(tool_calls) or ""
                calls = calls_in(column)
                size += len(column)
            spoken = role if type(role) is str else as_text(role) or ""
            message = Message(row_id, spoken, text, size, "", calls, "", timestamp)
            if text and text[0] == "[" and role in SPOKEN and text.startswith(STARTS):
                force_setattr(message, "is_summary", True)
        # Nobody has seen it yet, and what few messages have takes no time of all others.
        if compacted:
            force_setattr(message, "retired", True)
        messages.append(message)
    return messages


class _Config(msgspec.Struct):
    branched: Any = msgspec.field(default=None, name="_branched_from")
    delegated: Any = msgspec.field(default=None, name="_delegate_from")


_decode_config = msgspec.json.Decoder(_Config).decode


def session_of(row: Row, home: str = "") -> Session:
    (
        sid, source, model, title, parent, started, ended, reason, tokens_in, tokens_out, cache_read,
        cache_write, reasoning, actual, estimated, cost_status, config, folder, by_model, first_message, first_words,
        repeated_call,
    ) = row  # fmt: skip
    branched = delegated = None
    config = as_text(config)
    if config and "_from" in config:
        with suppress(msgspec.MsgspecError, RecursionError):
            marks = _decode_config(config)
            branched, delegated = as_text(marks.branched), as_text(marks.delegated)
    # No helper begins with what it was not asked to do, whatever it was marked as when the database was migrated.
    if repeats := DRAWN_BY_LOT.search(as_text(repeated_call) or "") is not None:
        delegated = None
    usage = usage_of(by_model)
    began, first_said, why = as_number(started), as_number(first_message), as_text(reason)
    return Session(
        id=as_text(sid) or "",
        source=as_text(source) or "",
        model=as_text(model),
        title=as_text(title),
        parent_id=as_text(parent) or None,
        started_at=began,
        replays=repeats or (began is not None and first_said is not None and first_said < began - CLOCKS_DIFFER),
        ended_at=as_number(ended),
        end_reason=why,
        handed_on=why == COMPACTED,
        tokens=(
            max(as_count(tokens_in), usage.tokens_in), max(as_count(tokens_out), usage.tokens_out),
            max(as_count(cache_read), usage.cache_read), max(as_count(cache_write), usage.cache_write),
            max(as_count(reasoning), usage.reasoning),
        ),
        cost_usd=total_cost(as_number(actual), as_number(estimated), as_text(cost_status), usage),
        auxiliary_tokens=usage.auxiliary,
        auxiliary_cost_usd=usage.auxiliary_cost,
        reviews=opens_review(as_text(first_words) or ""),
        branched_from=branched,
        delegated_from=delegated,
        project=as_text(folder) or None,
        agent=AGENT,
        home=home,
    )  # fmt: skip


def stamp_of(counts: Iterable[Any]) -> Stamp:
    """Of how many rows there are, the last of them, and which are live."""
    rows, *marks = counts
    return Stamp(as_count(rows), "-".join(map(str, marks)))
