"""What a comparison proves, in one sentence."""

from __future__ import annotations

from warm_tui.comparisons.compare import Comparison
from warm_tui.presentation.figures import p_value, percent, points, signed
from warm_tui.reliability.stats import Difference

NONE_SHOWN = "no difference shown"


def sentence(told: Comparison) -> str:
    """What a manager may quote and a statistician will not object to."""
    one = told.primary.difference
    if not told.warm and not told.cold:
        return "both arms are empty, so there is nothing to compare."
    if not told.warm or not told.cold:
        return f"the {'cold' if told.warm else 'warm'} arm is empty, so there is nothing to compare."
    if one.difference is None:
        return "an arm has no call with a verdict, so nothing can be compared."
    rates = f"{percent(one.second)} of the warm calls failed and {percent(one.first)} of the cold ones"
    if len(told.warm) == len(told.cold) == 1:
        return f"{rates} ({_interval(one)} within these two). Two sessions prove nothing."
    if told.withheld:
        return f"{rates}. {told.withheld}"
    size = f"{one.units[1]:,} warm and {one.units[0]:,} cold sessions"
    size = f"{one.units[0]:,} tasks in both arms" if told.paired else size
    if told.verdict == "not enough data":
        least = "6 tasks" if told.paired else "4 sessions an arm"
        return f"{rates}, in {size}. With fewer than {least} nothing can be shown."
    found = f"{rates}: {signed(one.difference)} ({_interval(one)}, p {p_value(one.p_value)}; {size})."
    if one.low is not None and one.high is not None and (one.low <= 0 <= one.high) != (told.verdict == NONE_SHOWN):
        found += " Interval and test disagree: few sessions, or one that is most of its arm. The test decides."
    if told.verdict != NONE_SHOWN:
        return found
    return f"{found} {_missing(told, one)}"


def _missing(told: Comparison, one: Difference) -> str:
    """What would have been shown, and what it would take."""
    if one.mde is None:
        return "All sessions are alike, so how large a difference might be is not known."
    if one.mde >= 1:
        return "So few sessions, so unlike one another, could hardly have shown any difference."
    said = f"A difference of {signed(one.mde).lstrip('+')} or more would have been shown four times in five"
    units = "tasks" if told.paired else "sessions in each arm"
    if one.wanted is None or one.wanted > 100_000 or one.wanted <= min(one.units):
        return f"{said}."
    return f"{said}; to show one as large as this takes about {one.wanted:,} {units}."


def _interval(one: Difference) -> str:
    return "no interval" if one.low is None or one.high is None else points(one.low, one.high)
