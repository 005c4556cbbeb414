"""What several sessions come to, as it stands below or above their columns, and in words."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from warm_tui.presentation.figures import UNKNOWN_VALUE, percent, rate_style, short
from warm_tui.presentation.outcomes import rate_in_words
from warm_tui.reliability.totals import Totals
from warm_tui.sessions.text import clean_line, plural


def group_name(name: str, grouping: str) -> str:
    if grouping == "day" and name:
        return f"{datetime.date.fromisoformat(name):%Y-%m-%d %a}"
    return clean_line(name) if name else f"no {grouping}"


def total_shown(field: str, totals: Totals) -> tuple[str, str]:
    """Under the column of a field: the text and its style. Nothing, where a sum has no meaning."""
    if field == "error_rate":
        return percent(totals.error_rate), rate_style(totals.error_rate, totals.known_calls)
    if field == "total_tokens":
        return _at_least(totals.total_tokens, totals.sessions_without_tokens, lambda count: short(round(count), 1_000))
    if field == "cost_usd":
        return _at_least(totals.cost_usd, totals.sessions_without_cost, money)
    if field == "outcome":
        known = totals.outcomes
        return (f"{known.done:,} of {known.known:,}", "") if known.known else (UNKNOWN_VALUE, "dim")
    count = {
        "message_count": totals.message_count,
        "tool_call_count": totals.tool_call_count,
        "failed_calls": totals.failed_calls,
        "compactions": totals.compactions,
    }.get(field)
    return ("", "") if count is None else (short(count), "")


def money(cost: float) -> str:
    return f"${cost:,.2f}" if cost < 1_000 else f"${short(round(cost))}"


def _at_least(amount: float | None, without: int, written: Callable[[float], str]) -> tuple[str, str]:
    """What is not known of some sessions is missing from the sum."""
    if amount is None:
        return UNKNOWN_VALUE, "dim"
    return f"{'≥' if without else ''}{written(amount)}", ""


def total_in_words(field: str, totals: Totals) -> str:
    """Of a column, what its sum is made of."""
    sessions = f"of {plural(totals.sessions, 'session')} together"
    if field in ("error_rate", "tool_call_count", "failed_calls"):
        return f"{sum_of_calls(totals)}, {sessions}."
    if field == "total_tokens":
        return f"Tokens {sessions}{_left_out(totals.sessions_without_tokens, 'tokens')}."
    if field == "cost_usd":
        return f"The cost {sessions}{_left_out(totals.sessions_without_cost, 'cost')}."
    if field == "outcome":
        return f"Done: {rate_in_words(totals.outcomes)}, {sessions}."
    names = {"message_count": "Messages", "compactions": "Compactions"}
    return f"{names[field]} {sessions}." if field in names else ""


def sum_of_calls(totals: Totals) -> str:
    failed = f"{totals.failed_calls:,} failed ({percent(totals.error_rate)})"
    unknown = f", {totals.unknown_calls:,} unknown" if totals.unknown_calls else ""
    return f"{plural(totals.tool_call_count, 'call')}, {failed}{unknown}"


def _left_out(without: int, what: str) -> str:
    return f"; of {plural(without, 'session')} more nobody counted the {what}" if without else ""


def total_line(totals: Totals) -> str:
    """The most of it, on one line."""
    tokens, cost = total_shown("total_tokens", totals)[0], total_shown("cost_usd", totals)[0]
    done = f", done {rate_in_words(totals.outcomes)}" if totals.outcomes.known else ""
    return f"{plural(totals.sessions, 'session')}, {sum_of_calls(totals)}, {tokens} tokens, {cost}{done}"


def totals_in_words(totals: Totals) -> list[str]:
    """All of it, a line each."""
    tokens, cost = total_shown("total_tokens", totals)[0], total_shown("cost_usd", totals)[0]
    return [
        f"{plural(totals.sessions, 'session')}, {plural(totals.message_count, 'message')}",
        sum_of_calls(totals),
        f"done: {rate_in_words(totals.outcomes)}",
        plural(totals.compactions, "compaction"),
        f"{tokens} tokens{_left_out(totals.sessions_without_tokens, 'tokens')}",
        f"{cost} cost{_left_out(totals.sessions_without_cost, 'cost')}",
    ]
