"""Figures as people read them: rates, changes, amounts and times."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from warm_tui.reliability.bounds import FEW_CALLS, change_bounds, change_is_shown

if TYPE_CHECKING:
    from warm_tui.reliability.profile import Profile

UNKNOWN_VALUE = "–"
GOOD_RATE, BAD_RATE = 0.05, 0.2
"""An error rate below the one is good, from the other on bad."""


def percent(rate: float | None) -> str:
    return UNKNOWN_VALUE if rate is None else f"{rate:.0%}" if rate in (0, 1) else f"{rate:.1%}"


def rate_style(rate: float | None, calls: int) -> str:
    """How an error rate of so many calls with a verdict looks: the name of a style."""
    if rate is None or calls < FEW_CALLS:
        return "dim"
    return "ok" if rate < GOOD_RATE else "unknown" if rate < BAD_RATE else "failed"


def signed(change: float | None) -> str:
    """A change of a rate in percentage points."""
    return UNKNOWN_VALUE if change is None else f"{change * 100:+.1f} pp"


def change_in_words(p: Profile) -> str:
    """From early to late, and what is known of it."""
    bounds = change_bounds(p)
    if bounds is None:
        return UNKNOWN_VALUE
    known = "" if change_is_shown(p) else ", too few calls to tell" if bounds.exclude_zero else ", none shown"
    return f"{signed(p.proficiency_gain)}{known} (95 %: {points(*bounds)})"


def and_uncounted(uncounted: int) -> str:
    """Behind a number of calls, those that are no part of any figure: plans, questions, what an agent looks up in its
    own head."""
    return f", {uncounted:,} more not counted" if uncounted else ""


def p_value(value: float | None) -> str:
    """As it stands behind a `p`."""
    return UNKNOWN_VALUE if value is None else "< 0.001" if value < 0.001 else f"= {value:.3f}"


def points(low: float, high: float) -> str:
    """An interval of a change, in percentage points."""
    return f"{low * 100:+.1f} to {high * 100:+.1f} pp"


def interval(p: Profile) -> str:
    """Where the error rate of a session lies."""
    if p.error_rate_low is None or p.error_rate_high is None:
        return ""
    return f"{p.error_rate_low:.0%}–{p.error_rate_high:.0%}"


def shrunk(before: int, after: int) -> str:
    """How many tokens a context took before a compaction, and after it: both are estimates."""
    return f"≈{before:,} → ≈{after:,}"


def tokens(p: Profile) -> str:
    """The total, and what it is made of; what stands at nothing is left out."""
    if p.total_tokens is None:
        return f"unknown, and {p.auxiliary_tokens:,} auxiliary" if p.auxiliary_tokens else "unknown"
    parts = [f"{p.input_tokens:,} in, {p.output_tokens:,} out"]
    if p.cache_read_tokens or p.cache_write_tokens:
        parts.append(f"cache {p.cache_read_tokens:,} read, {p.cache_write_tokens:,} written")
    if p.auxiliary_tokens:
        parts.append(f"{p.auxiliary_tokens:,} of it auxiliary")
    return f"{p.total_tokens:,}: " + ", ".join(parts) if parts[1:] else parts[0]


def cost(p: Profile) -> str:
    if p.cost_usd is None:
        return "unknown"
    return f"${p.cost_usd:,.4f}" + (f", ${p.auxiliary_cost_usd:,.4f} of it auxiliary" if p.auxiliary_cost_usd else "")


def short(count: int, whole: int = 100_000) -> str:
    """Whole below so much; else in thousands or more, and no wider than `999.9k`."""
    if count < whole:
        return f"{count:,}"
    size, unit = next((size, unit) for size, unit in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"))
                      if count < 999.95 * size or unit == "T")  # fmt: skip
    return f"{count / size:.1f}{unit}"


def moment(timestamp: float | None) -> str:
    if timestamp is None:
        return UNKNOWN_VALUE
    try:
        return datetime.datetime.fromtimestamp(timestamp).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return UNKNOWN_VALUE


def duration(seconds: float | None) -> str:
    if seconds is None:
        return UNKNOWN_VALUE
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def age(timestamp: float | None, now: float) -> str:
    if timestamp is None:
        return UNKNOWN_VALUE
    seconds = max(0.0, now - timestamp)
    for unit, size in (("y", 31557600), ("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f}{unit}"
    return "now"


def ago(timestamp: float | None, now: float) -> str:
    told = age(timestamp, now)
    return "just now" if told == "now" else f"{told} ago"


def learned_in_words(p: Profile) -> str:
    """What the agent kept for later, and how much of it by its own review."""
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(p.learned.items()))
    return f"{told}; {p.learned_by_review:,} by its review" if p.learned_by_review else told
