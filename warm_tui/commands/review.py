"""What the last sessions taught, as suggestions, and what becomes of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, open_catalog, print_json, print_notes, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.sessions.text import plural

if TYPE_CHECKING:
    from warm_tui.library.suggestions import Kept
    from warm_tui.review.suggesting import Suggestion

ACTS = ("accept", "edit", "decline", "later")
PAUSE_SECONDS = 30.0


@click.command()
@click.argument("act", required=False, type=click.Choice(ACTS))
@click.argument("suggestion", required=False)
@click.option("--why", default="", help="With decline: why; it does not come back.")
@click.option("--as", "called", default="", metavar="NAME", help="With accept: what a new template is called.")
@click.option("--watch", is_flag=True, help="Go on, and tell what each session that ends teaches.")
@command
@click.pass_obj
def review(
    home: Home, act: str | None, suggestion: str | None, why: str, called: str, watch: bool, as_json: bool
) -> None:
    """Read the sessions that ended, and list what they suggest; accept, edit or decline ID decides on one."""
    if act is not None and not suggestion:
        raise Trouble(f"Say which suggestion: `warm-tui review {act} ID`.")
    if act is not None and suggestion:
        _decide(home, act, suggestion, why, called, as_json)
        return
    from warm_tui.library.suggestions import kept_suggestions
    from warm_tui.review.gathering import review as read_new

    with open_catalog(home) as catalog:
        read = read_new(catalog)
        kept = kept_suggestions(catalog.library)
    if as_json and not watch:
        documents = [public(each) for each in kept]
        counts = {"sessions": read.sessions, "going_on": read.going_on, "count": len(kept)}
        print_json({"success": True, **counts, "suggestions": documents})
        return
    _tell(kept, read.sessions, as_json)
    if read.waits and not as_json:
        click.echo(read.waits)
    while watch:
        time.sleep(PAUSE_SECONDS)
        with open_catalog(home) as catalog:
            read = read_new(catalog)
            names = {each.id for each in read.fresh}
            fresh = [each for each in kept_suggestions(catalog.library) if each.id in names]
        if read.sessions:
            _tell(fresh, read.sessions, as_json)


def _decide(home: Home, act: str, name: str, why: str, called: str, as_json: bool) -> None:
    from warm_tui.review import deciding

    with open_catalog(home) as catalog:
        template = ""
        if act == "accept":
            accepted = deciding.accept(catalog, name, called)
            decided, template = accepted.suggestion, accepted.template
            words = f"Template '{template}' was saved: {decided.words}."
            print_notes([accepted.note] if accepted.note else [])
        elif act == "edit":
            decided, template, *_ = deciding.edit(catalog, name)
            words = f"Draft '{template}' is on Curate: saving it there accepts the suggestion."
        elif act == "decline":
            decided = deciding.put_off(catalog, name, "declined", why)
            words = f"Declined, and not suggested again: {decided.words}."
        else:
            decided = deciding.put_off(catalog, name, "later")
            words = f"For later: {decided.words}."
    if as_json:
        print_json({"success": True, "suggestion_id": decided.id, "act": act, "template": template or None})
    else:
        click.echo(safe(words))


def public(kept: Kept) -> dict[str, Any]:
    from warm_tui.review.gathering import as_suggestion

    suggestion = as_suggestion(kept)
    told = {} if suggestion is None else _told(suggestion)
    return {"suggestion_id": kept.id, **told, "state": kept.state, "suggested_at": kept.at}


def _told(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "kind": suggestion.kind, "template": suggestion.into or None, "words": suggestion.words,
        "evidence": list(suggestion.evidence), "effect": list(suggestion.effect), "family": suggestion.family or None,
        "calls": [{"session_id": session_id, "call": call} for session_id, call in suggestion.calls],
    }  # fmt: skip


def _tell(kept: list[Kept], sessions: int, as_json: bool) -> None:
    if as_json:
        print_json({"success": True, "sessions": sessions, "suggestions": [public(each) for each in kept]})
        return
    from warm_tui.commands.printing import print_line
    from warm_tui.presentation.suggestions import suggestion_lines
    from warm_tui.review.gathering import as_suggestion

    print_line(f"{plural(sessions, 'new session')} read, {plural(len(kept), 'suggestion')}", "strong")
    for each in kept:
        if (suggestion := as_suggestion(each)) is not None:
            for line in suggestion_lines(suggestion, each.state):
                print_line(*line)


COMMANDS = (review,)
