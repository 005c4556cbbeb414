"""Warm against cold, as the commands print it."""

from __future__ import annotations

from typing import Any

from warm_tui.comparisons.compare import Comparison, Row
from warm_tui.comparisons.spec import ArmComparison
from warm_tui.reliability.call_json import own_fields
from warm_tui.reports.comparison_words import sentence


def of_comparison(compared: ArmComparison) -> dict[str, Any]:
    """`improvement` is cold less warm, so that more is better; `low` and `high` are its interval.

    `warm_better` answers only where the verdict does, which of confounded arms nobody announces: their figures stand
    for themselves.
    """
    comparison = compared.comparison
    difference = comparison.primary.difference
    warm, cold = difference.second, difference.first
    return {
        "test_name": compared.title,
        "arms": compared.dealt,
        "warm_error_rate": warm,
        "cold_error_rate": cold,
        "improvement": None if difference.difference is None else 0.0 - difference.difference,
        "warm_better": {"warm better": True, "warm worse": False}.get(comparison.announced),
        "warm_sessions": len(comparison.warm),
        "cold_sessions": len(comparison.cold),
        "warm_calls": sum(unit.calls for unit in comparison.warm),
        "cold_calls": sum(unit.calls for unit in comparison.cold),
        "low": None if difference.high is None else 0.0 - difference.high,
        "high": None if difference.low is None else 0.0 - difference.low,
        "p_value": difference.p_value,
        "method": comparison.method,
        "verdict": comparison.announced,
        "mde": difference.mde,
        "mde_worse": difference.mde_up,
        "mde_better": difference.mde_down,
        "sessions_needed": difference.wanted,
        "paired": comparison.paired,
        "tasks": comparison.tasks,
        "confounders": [{"name": each.name, "words": each.words} for each in comparison.confounders],
        "sentence": sentence(comparison),
        "template": compared.template or None,
        "metrics": {
            arm: {row.name: getattr(row.difference, side) for row in comparison.rows}
            | {"total_errors": sum(unit.failures for unit in units)}
            for arm, side, units in (("warm", "second", comparison.warm), ("cold", "first", comparison.cold))
        },
        "differences": {row.name: _row(row, comparison) for row in comparison.rows},
        "tools": {row.name: _row(row, comparison) for row in comparison.tools},
        "notes": compared.notes,
        "own_verdicts": [
            {"session_id": each.session_id, "tool_call_id": each.call_id, **own_fields(each.verdict)}
            for each in compared.own
        ],
        "sessions": {
            arm: [unit.session_id for unit in units]
            for arm, units in (("warm", comparison.warm), ("cold", comparison.cold))
        },
    }


def _row(row: Row, comparison: Comparison) -> dict[str, Any]:
    difference = row.difference
    return {
        "warm": difference.second,
        "cold": difference.first,
        "difference": difference.difference,
        "low": difference.low,
        "high": difference.high,
        "p_value": difference.p_value,
        "p_corrected": row.p_corrected,
        "verdict": comparison.announced_of(row),
    }
