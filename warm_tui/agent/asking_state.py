"""Whether the agents here ask before what cannot be undone, and who could answer."""

from __future__ import annotations

from typing import NamedTuple

from warm_tui.agent.installed import agents_here
from warm_tui.approvals.place import Place
from warm_tui.approvals.tool_rules import settings_of
from warm_tui.paths import Home
from warm_tui.sessions.text import plural


class AskingState(NamedTuple):
    told: str
    advice: list[str]


def asking_state(home: Home) -> AskingState:
    from warm_tui.approvals.operating import is_running

    settings = settings_of(Place.of(home))
    if settings is None:
        return AskingState("the agent asks nobody: `warm-tui confirm enable` has it ask", [])
    running = is_running(home)
    advice = [
        f"{agent.name} asks no plugin before it calls a tool: approvals do not hold there."
        for agent in agents_here()
        if agent.asks_before_calls is False
    ]
    if not running:
        advice.append("No service runs: until `warm-tui confirm serve` does, what is high risk is blocked.")
    where = "the service runs" if running else "no service runs"
    return AskingState(f"the agent asks by {plural(len(settings.rules), 'rule')}, {where}", advice)
