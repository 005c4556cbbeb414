"""What kind of work a session was, by the families of the tools it used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warm_tui.sessions.source import AgentFacts, Family

TASK_SHARE = 0.6
TASKS: tuple[Family, ...] = ("code", "file", "research")


def dominant_tool_type(tools: Mapping[str, int], facts: AgentFacts) -> Family:
    counts = _by_family(tools, facts.family)
    return max(counts, key=counts.__getitem__) if counts else "general"


def task_type(tools: Mapping[str, int], facts: AgentFacts) -> str:
    """What the session worked at, where more than 60 % of its calls agree."""
    counts, total = _by_family(tools, facts.task_family), sum(tools.values())
    return next((kind for kind in TASKS if total and counts.get(kind, 0) / total > TASK_SHARE), "mixed")


def _by_family(tools: Mapping[str, int], family_of: Callable[[str], Family]) -> dict[Family, int]:
    counts: dict[Family, int] = {}
    for tool, count in tools.items():
        family = family_of(tool)
        counts[family] = counts.get(family, 0) + count
    return counts
