"""A suggestion in a few lines: what it would do, what speaks for it, what comes of it."""

from __future__ import annotations

from warm_tui.review.suggesting import Suggestion
from warm_tui.sessions.text import clean_line, plural

LEAD = len("    because ")
"""Before what is said stands how it bears on the suggestion."""


def suggestion_head(suggestion: Suggestion, state: str = "waiting") -> str:
    template = suggestion.into or "a new template"
    later = "  (later)" if state == "later" else ""
    return f"{clean_line(template)}: {clean_line(suggestion.words)}{later}"


def suggestion_lines(suggestion: Suggestion, state: str = "waiting") -> list[tuple[str, str]]:
    """Each with its style; first by which id it is known to commands."""
    return [
        (f"{suggestion.id}  {suggestion.kind} {suggestion_head(suggestion, state)}", "mark"),
        *what_speaks(suggestion),
    ]


def what_speaks(suggestion: Suggestion) -> list[tuple[str, str]]:
    """For it, what accepting it saves, what comes of it, and of which calls it is made."""
    lines = [(f"    because {clean_line(each)}", "") for each in suggestion.evidence]
    lines.append((f"    accept  {clean_line(what_is_saved(suggestion))}", ""))
    lines += [(f"    then    {clean_line(each)}", "dim") for each in suggestion.effect]
    lines += [(f"    call    {clean_line(f'{session_id}:{call}')}", "dim") for session_id, call in suggestion.calls]
    return lines


def what_is_saved(suggestion: Suggestion) -> str:
    """What accepting it changes, and in which template."""
    added, gone = plural(len(suggestion.calls), "call"), plural(len(suggestion.patterns), "pattern")
    if suggestion.kind == "no help":
        return f"saves nothing: look at template '{suggestion.template}'"
    if suggestion.kind == "split":
        return f"makes a new template of {gone} of '{suggestion.template}', which stays as it is"
    changes = [f"adds {added}"] * bool(suggestion.calls) + [f"leaves out {gone}"] * bool(suggestion.patterns)
    into = f"template '{suggestion.into}'" if suggestion.into else "a new template"
    return f"saves {into}: {' and '.join(changes) or 'changes nothing'}"
