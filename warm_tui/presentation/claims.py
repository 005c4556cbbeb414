"""How a difference looks: grey unless it is shown, and then good or bad, the same wherever it stands."""

from __future__ import annotations

from collections.abc import Mapping

WARM, COLD = "warm", "cold"
"""The arms, wherever they stand beside each other."""

CLAIMS: Mapping[str, str] = {
    "warm better": "ok",
    "warm worse": "failed",
}
"""What claims something, and whether that is good; any other verdict says that nothing is shown."""


ONE_LIFE: Mapping[str, str] = {
    "degraded": "worse after", "improved": "better after", "preserved": "no worse", "inconclusive": "inconclusive",
}  # fmt: skip
"""What is said of one life's change over a compaction: what came after it, not what it did. It has no colour: lives
drift, and a life has no other to stand against."""


CONFOUNDED = "confounded"
"""Something differs, but the arms differ in more than the template."""


def claim_style(verdict: str) -> str:
    """Of a verdict in a table, and of the difference that it is on."""
    return CLAIMS.get(verdict, "dim")


def headline_style(verdict: str) -> str:
    """Of the sentence that a page begins with: it is read first, also where it claims nothing."""
    return "unknown" if verdict == CONFOUNDED else CLAIMS.get(verdict, "strong")


def change_style(change: float | None, *, shown: bool) -> str:
    """Of a change of an error rate: lower is better."""
    return "dim" if not change or not shown else "ok" if change < 0 else "failed"


def change_arrow(change: float) -> str:
    return "↘" if change < 0 else "↗" if change > 0 else "→"
