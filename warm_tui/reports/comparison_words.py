"""What a comparison proves, in one sentence."""

from __future__ import annotations

from warm_tui.comparisons.compare import Comparison
from warm_tui.presentation.figures import p_value, percent, points, signed
from warm_tui.reliability.stats import FEW_SESSIONS, MIN_NAMED, MIN_NAMED_BETTER, Difference, is_named

NONE_SHOWN = "no difference shown"
WIDE = (
    f"Of fewer than {FEW_SESSIONS} sessions in an arm little is known, so the interval is mostly wider than need be: "
    "it holds the truth in 95 % of cases or more (93 % at the least)."
)
CAUTIOUS = (
    "The test alone would tell a difference, but so few sessions may be more alike within than was seen: the interval "
    "holds no difference too, so none is told."
)


def headline(comparison: Comparison) -> str:
    return f"{comparison.announced.upper()}: {sentence(comparison)}"


def sentence(comparison: Comparison) -> str:
    """What a manager may quote and a statistician will not object to."""
    if not comparison.confounders:
        return _figures(comparison)
    how = "; ".join(confounder.words for confounder in comparison.confounders)
    names = " and ".join(confounder.name for confounder in comparison.confounders)
    return (
        f"the arms differ in {names} ({how}), so what differs may be due to that. As they are: {_figures(comparison)}"
    )


def _figures(comparison: Comparison) -> str:
    difference = comparison.primary.difference
    if not comparison.warm and not comparison.cold:
        return "both arms are empty, so there is nothing to compare."
    if not comparison.warm or not comparison.cold:
        return f"the {'cold' if comparison.warm else 'warm'} arm is empty, so there is nothing to compare."
    if difference.difference is None:
        return "an arm has no call with a verdict, so nothing can be compared."
    rates = f"{percent(difference.second)} of the warm calls failed and {percent(difference.first)} of the cold ones"
    if len(comparison.warm) == len(comparison.cold) == 1:
        return f"{rates} ({_interval(difference)} within these two). Two sessions prove nothing."
    if comparison.withheld:
        return f"{rates}. {comparison.withheld}"
    size = f"{difference.units[1]:,} warm and {difference.units[0]:,} cold sessions"
    size = f"{difference.units[0]:,} tasks in both arms" if comparison.paired else size
    if comparison.verdict == "not enough data":
        min_units = "6 tasks" if comparison.paired else "4 sessions an arm"
        return f"{rates}, in {size}. With fewer than {min_units} nothing can be shown."
    shown = (
        f"{rates}: {signed(difference.difference)} ({_interval(difference)}, p {p_value(difference.p_value)}; {size})."
    )
    if difference.low is not None and not comparison.paired and min(difference.units) < FEW_SESSIONS:
        shown += f" {WIDE}"
    if comparison.verdict != NONE_SHOWN:
        return shown
    if difference.p_value is not None and difference.p_value < comparison.level:
        shown += f" {CAUTIOUS}"
    return f"{shown} {_missing(comparison, difference)}"


def _missing(comparison: Comparison, difference: Difference) -> str:
    """What would have been shown, and what it would take."""
    units = "tasks" if comparison.paired else "sessions in each arm"
    if min(difference.units) < MIN_NAMED:
        return f"So few show no size of difference reliably: none is named below {MIN_NAMED} {units}."
    if not is_named(*difference.units):
        return "Arms of so different a size show no size of difference reliably: none is named."
    if difference.mde is None:
        return "Sessions so unlike one another show no size of difference reliably: none is named."
    told = f"{_would_have_shown(difference)} would have been shown four times in five"
    if difference.mde_down is None:
        told += f"; of an improvement no size is named{_why_no_improvement(comparison, difference)}"
    if difference.wanted is None or difference.wanted > 100_000 or difference.wanted <= min(difference.units):
        return f"{told}."
    return f"{told}; to show a difference as large as this takes about {difference.wanted:,} {units}."


def _why_no_improvement(comparison: Comparison, difference: Difference) -> str:
    if comparison.paired:
        return ": it would take nearly all failures away, or more"
    if min(difference.units) < MIN_NAMED_BETTER:
        return f" below {MIN_NAMED_BETTER} sessions in each arm"
    return ": with so few failures, or sessions so unlike one another, none is shown reliably"


def _would_have_shown(difference: Difference) -> str:
    ways = (("a worsening", difference.mde_up), ("an improvement", difference.mde_down))
    told = " and ".join(f"{way} of {signed(reach).lstrip('+')} or more" for way, reach in ways if reach is not None)
    return told[0].upper() + told[1:]


def _interval(difference: Difference) -> str:
    return (
        "no interval" if difference.low is None or difference.high is None else points(difference.low, difference.high)
    )
