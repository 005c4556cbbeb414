"""Plans, to-do lists and questions among a call's arguments, told as lists and not as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warm_tui.presentation.lines import Line

STATES: Mapping[str, tuple[str, str]] = {
    "completed": ("☑", "ok"),
    "done": ("☑", "ok"),
    "in_progress": ("▶", "mark"),
    "pending": ("☐", ""),
    "cancelled": ("☒", "dim"),
    "blocked": ("☒", "failed"),
}
STEP_NAMES = ("content", "step", "title", "subject", "text")


def checklist(value: Any) -> list[Line] | None:
    """A line a step and an option, in words as they stand; None for what is no such list. Nothing is left out."""
    if not isinstance(value, list) or not value or not all(isinstance(each, dict) for each in value):
        return None
    told = [_step(each) or _question(each) for each in value]
    return [line for lines in told for line in lines or ()] if all(told) else None


def _step(entry: dict[str, Any]) -> list[Line] | None:
    name = next((name for name in STEP_NAMES if isinstance(entry.get(name), str)), None)
    state = entry.get("status")
    if name is None or not isinstance(state, str) or state not in STATES:
        return None
    glyph, style = STATES[state]
    return [[(f"  {glyph} {entry[name]}", style), *_besides(entry, name, "status")]]


def _question(entry: dict[str, Any]) -> list[Line] | None:
    question, options = entry.get("question"), entry.get("options", [])
    if not isinstance(question, str) or not isinstance(options, list):
        return None
    lines: list[Line] = [[(f"  ? {question}", "mark"), *_besides(entry, "question", "options")]]
    for option in options:
        if isinstance(option, str):
            lines.append([(f"    ○ {option}", "")])
        elif isinstance(option, dict) and isinstance(option.get("label"), str):
            lines.append([(f"    ○ {option['label']}", ""), *_besides(option, "label")])
        else:
            return None
    return lines


def _besides(entry: dict[str, Any], *told: str) -> Line:
    rest = {name: value for name, value in entry.items() if name not in told}
    return [("  " + "  ".join(f"{name}: {value}" for name, value in rest.items()), "dim")] if rest else []
