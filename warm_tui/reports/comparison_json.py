"""Warm against cold, as the commands print it."""

from __future__ import annotations

from typing import Any

from warm_tui.comparisons.compare import Row
from warm_tui.comparisons.spec import ArmComparison
from warm_tui.reports.comparison_words import sentence


def of_comparison(compared: ArmComparison) -> dict[str, Any]:
    """`improvement` is cold less warm, so that more is better; `low` and `high` are its interval."""
    told = compared.comparison
    one = told.primary.difference
    warm, cold = one.second, one.first
    return {
        "test_name": compared.title,
        "warm_error_rate": warm,
        "cold_error_rate": cold,
        "improvement": None if one.difference is None else -one.difference,
        "warm_better": None if warm is None or cold is None else warm < cold,
        "warm_sessions": len(told.warm),
        "cold_sessions": len(told.cold),
        "warm_calls": sum(unit.calls for unit in told.warm),
        "cold_calls": sum(unit.calls for unit in told.cold),
        "low": None if one.high is None else -one.high,
        "high": None if one.low is None else -one.low,
        "p_value": one.p_value,
        "method": told.method,
        "verdict": told.verdict,
        "mde": one.mde,
        "sessions_needed": one.wanted,
        "paired": told.paired,
        "tasks": told.tasks,
        "sentence": sentence(told),
        "template": compared.template or None,
        "metrics": {
            arm: {row.name: getattr(row.difference, side) for row in told.rows}
            | {"total_errors": sum(unit.failures for unit in units)}
            for arm, side, units in (("warm", "second", told.warm), ("cold", "first", told.cold))
        },
        "differences": {row.name: _row(row) for row in told.rows},
        "tools": {row.name: _row(row) for row in told.tools},
        "notes": compared.notes,
        "sessions": {
            arm: [unit.session_id for unit in units] for arm, units in (("warm", told.warm), ("cold", told.cold))
        },
    }


def _row(row: Row) -> dict[str, Any]:
    one = row.difference
    return {
        "warm": one.second,
        "cold": one.first,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "p_value": one.p_value,
        "p_corrected": row.p_corrected,
        "verdict": row.verdict,
    }
