"""A suggestion in a few lines: what it would do, what speaks for it, what comes of it."""

from __future__ import annotations

from warm_tui.review.suggesting import Suggestion
from warm_tui.sessions.text import clean_line


def suggestion_head(suggestion: Suggestion, state: str = "waiting") -> str:
    template = suggestion.template or "a new template"
    later = "  (later)" if state == "later" else ""
    return f"{suggestion.kind:8} {clean_line(template)}: {clean_line(suggestion.words)}{later}"


def suggestion_lines(suggestion: Suggestion, state: str = "waiting") -> list[tuple[str, str]]:
    """Each with its style."""
    lines = [(f"{suggestion.id}  {suggestion_head(suggestion, state)}", "mark")]
    lines += [(f"    because {clean_line(each)}", "") for each in suggestion.evidence]
    lines += [(f"    then    {clean_line(each)}", "dim") for each in suggestion.effect]
    lines += [(f"    call    {clean_line(f'{session_id}:{call}')}", "dim") for session_id, call in suggestion.calls]
    return lines
