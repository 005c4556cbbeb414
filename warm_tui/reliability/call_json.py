"""A judged call as the commands print it."""

from __future__ import annotations

import json
from typing import Any

from warm_tui.reliability.outcome import Verdict
from warm_tui.sessions.model import Call


def call_fields(call: Call, verdict: Verdict, preview_length: int) -> dict[str, Any]:
    return {
        "tool_call_id": call.id,
        "position": call.position,
        "segment": call.segment,
        "session_id": call.session_id,
        "tool_name": call.tool_name,
        "arguments": arguments_of(call),
        "outcome": verdict.outcome,
        "kind": verdict.kind,
        "reason": verdict.reason,
        "confidence": verdict.confidence,
        "trivial": call.trivial,
        "result_preview": preview(call.result, preview_length),
        "timestamp": call.timestamp,
        "own": own_fields(verdict) if verdict.is_own else None,
    }


def own_fields(verdict: Verdict) -> dict[str, Any]:
    """What a person said of a call, and what the rules had said; nothing of these where the call is gone."""
    ours = verdict.ours
    return {
        "outcome": verdict.outcome,
        "reason": verdict.reason,
        "at": verdict.said_at,
        "was": ours.outcome if ours else None,
        "was_kind": ours.kind if ours else None,
        "was_reason": ours.reason if ours else None,
        "was_confidence": ours.confidence if ours else None,
    }


def arguments_of(call: Call) -> Any:
    """The arguments as an object; as the text that was recorded where that is no JSON object."""
    try:
        value = json.loads(call.arguments)
        json.dumps([[[[value]]]], allow_nan=False)  # as deep as it will stand in the document
    except (ValueError, RecursionError):
        return call.arguments
    return value if isinstance(value, dict) else call.arguments


def preview(result: str | None, length: int) -> str | None:
    if result is None:
        return None
    return result if len(result) <= length else result[: length - 1] + "…"
