"""What a session spent, as Hermes' own `insights` sums it.

A session's row counts the main loop alone. `session_model_usage` has a row for each model and task: the main loop
again, under no task, and what was given to other models beside it, such as summaries and titles. Either may lack
what the other has, so the greater of the two is the total.
"""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any, NamedTuple

from warm_tui.sessions.model import as_count, as_number

COUNTED = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


class ModelUsage(NamedTuple):
    """The sums over a session's rows; the last three of auxiliary tasks alone."""

    tokens_in: int = 0
    tokens_out: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    estimated: float = 0.0
    actual: float = 0.0
    auxiliary: int | None = None
    """None where no task is told: then nobody knows."""
    auxiliary_estimated: float = 0.0
    auxiliary_actual: float = 0.0

    @property
    def auxiliary_cost(self) -> float:
        return self.auxiliary_actual or self.auxiliary_estimated


NO_USAGE = ModelUsage()
NOTHING_SPENT = ModelUsage(auxiliary=0)


def usage_column(columns: Container[str]) -> str:
    """The sums of a session, as a column of it; `columns` are those of the table, if there is one."""
    if "session_id" not in columns:
        return "NULL"
    present = [
        name if name in columns else "0"
        for name in (*COUNTED, "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd")
    ]
    sums = [f"total({name})" for name in present]
    if "task" in columns:
        apart = ("+".join(f"coalesce({name}, 0)" for name in present[: len(COUNTED)]), *present[-2:])
        sums += [f"total(CASE WHEN coalesce(task, '') != '' THEN {name} END)" for name in apart]
    # A model that was asked for nothing is no row; a session without rows has no sums, and nothing was spent beside it.
    none = "''" if "task" in columns else "NULL"
    rows = "session_model_usage WHERE session_model_usage.session_id = sessions.id"
    return f"(SELECT CASE WHEN count(*) THEN json_array({', '.join(sums)}) ELSE {none} END FROM {rows})"


def usage_of(sums: Any) -> ModelUsage:
    if not sums:
        return NO_USAGE if sums is None else NOTHING_SPENT
    tokens_in, tokens_out, cache_read, cache_write, reasoning, estimated, actual, *apart = json.loads(sums)
    auxiliary, auxiliary_estimated, auxiliary_actual = apart or (None, 0.0, 0.0)
    return ModelUsage(
        as_count(tokens_in), as_count(tokens_out), as_count(cache_read), as_count(cache_write), as_count(reasoning),
        as_number(estimated) or 0.0, as_number(actual) or 0.0,
        None if auxiliary is None else as_count(auxiliary),
        as_number(auxiliary_estimated) or 0.0, as_number(auxiliary_actual) or 0.0,
    )  # fmt: skip


def total_cost(
    actual: float | None, estimated: float | None, status: str | None, usage: ModelUsage = NO_USAGE
) -> float | None:
    """What it cost; None where nobody knows, which Hermes writes as a zero of unknown status.

    What was billed is better than an estimate; of auxiliary models there often is only that.
    """
    if actual is not None or usage.actual:
        billed_apart = usage.auxiliary_cost - usage.auxiliary_actual
        return max(actual or 0.0, usage.actual) + billed_apart
    if total := max(estimated or 0.0, usage.estimated):
        return total
    return None if status in (None, "", "unknown") else estimated
