"""What compaction did, as the commands print it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warm_tui.library.compactions import Examined
from warm_tui.reliability.call_json import own_fields
from warm_tui.reliability.compaction import Change, Counts, Segment
from warm_tui.reliability.pooled import Effect, Group, Pooled
from warm_tui.reliability.profile import public
from warm_tui.reliability.survival import FATES, Survival


def of_life(examined: Examined) -> dict[str, Any]:
    before, after = examined.before_and_after()
    whole = examined.impact.whole
    return {
        "session_id": examined.session.id,
        "has_compression": whole is not None,
        "pre_compression_profile": public(before),
        "post_compression_profile": public(after) if after else None,
        "proficiency_preserved": whole.preserved if whole else None,
        "verdict": whole.verdict if whole else None,
        "p_value": whole.p_value if whole else None,
        "difference": whole.difference if whole else None,
        "difference_low": whole.low if whole else None,
        "difference_high": whole.high if whole else None,
        "sessions": examined.impact.session_ids,
        "segments": [_segment(segment) for segment in examined.impact.segments],
        "changes": [{"compaction": at, **_change(each)} for at, each in enumerate(examined.impact.changes, 1)],
        "survived": [_survival(each) for each in examined.survived],
        "gaps": examined.life.gaps,
        "own_verdicts": [
            {"session_id": call.session_id, "tool_call_id": call.id, **own_fields(verdict)}
            for call, verdict in examined.calls
            if verdict.is_own
        ],
    }


def _segment(segment: Segment) -> dict[str, Any]:
    low, high = segment.interval or (None, None)
    return {
        "index": segment.index,
        "session_id": segment.session_id,
        "calls": segment.calls,
        "carried_calls": segment.carried_calls,
        "failures": segment.counts.failures,
        "error_rate": segment.counts.rate,
        "low": low,
        "high": high,
        "tools": {tool: _counts(counts) for tool, counts in segment.tools.items()},
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {"calls": counts.calls, "failures": counts.failures, "error_rate": counts.rate}


def _change(change: Change) -> dict[str, Any]:
    return {
        "before": change.before.rate,
        "after": change.after.rate,
        "difference": change.difference,
        "low": change.low,
        "high": change.high,
        "p_value": change.p_value,
        "p_corrected": change.p_corrected,
        "verdict": change.verdict,
        "proficiency_preserved": change.preserved,
    }


def _survival(survival: Survival) -> dict[str, Any]:
    return {
        "compaction": survival.index,
        "session_id": survival.session_id,
        "in_place": survival.in_place,
        "recorded": survival.recorded,
        "tokens_before": survival.tokens_before,
        "tokens_after": survival.tokens_after,
        "tokens_exact": False,
        "calls": {fate: survival.calls(fate) for fate in FATES},
        "messages": {fate: survival.messages(fate) for fate in FATES},
        "lost_calls": [
            {"tool_call_id": piece.call[0].id, "tool_name": piece.call[0].tool_name, "fate": piece.fate}
            for piece in survival.pieces
            if piece.lost_success and piece.call
        ],
        "summary": survival.summary,
    }


def of_all(whole: Pooled, lives: Sequence[Effect]) -> dict[str, Any]:
    return {
        "lives": len(lives),
        "compactions": sum(effect.compactions for effect in lives),
        "all": _group(whole.all),
        "by_tool": [_group(group) for group in whole.by_tool],
        "by_model": [_group(group) for group in whole.by_model],
        "by_share_cut": [_group(group) for group in whole.by_share],
        "sessions": [
            {
                "session_id": effect.session_id,
                "model": effect.model,
                "compactions": effect.compactions,
                "share_cut": effect.share_cut,
                **(_change(effect.impact.whole) if effect.impact.whole else {}),
            }
            for effect in lives
        ],
    }


def _group(group: Group) -> dict[str, Any]:
    difference = group.difference
    return {
        "name": group.name,
        "lives": group.lives,
        "compactions": group.compactions,
        "before": difference.first,
        "after": difference.second,
        "difference": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "p_value": difference.p_value,
    }
