"""Commands on all sessions together: what came of them, how they go, and what the research asked."""

from __future__ import annotations

import click

from warm_tui.commands.base import command, open_catalog, print_json
from warm_tui.paths import Home

OUTCOMES = ("done", "not-done", "unknown")


@click.command()
@click.argument("session")
@click.argument("reached", type=click.Choice(OUTCOMES), required=False)
@click.option("--why", metavar="WORDS", default="", help="A word of why, kept beside it.")
@click.option("--take-back", is_flag=True, help="Take your own word back: what the rules say holds again.")
@command
@click.pass_obj
def outcome(home: Home, session: str, reached: str | None, why: str, take_back: bool, as_json: bool) -> None:
    """Say what came of a session; with done, not-done or unknown, that is your own word."""
    from warm_tui.library.outcomes import set_outcome, unset_outcome
    from warm_tui.reliability.session_outcome import read_reached

    if take_back and (reached or why):
        raise click.UsageError("--take-back stands alone.")
    if why and not reached:
        raise click.UsageError("--why goes with a word of your own: done, not-done or unknown.")
    with open_catalog(home) as catalog:
        profile = catalog.profile(session)
        if reached and (own := read_reached(reached)):
            set_outcome(catalog.library, profile.life, own, why)
        elif take_back:
            unset_outcome(catalog.library, profile.session_ids)
        profile = catalog.profile(session)
    if as_json:
        ruled = profile.ruled_outcome
        print_json(
            {
                "success": True,
                "session_id": profile.session_id,
                "outcome": profile.outcome,
                "outcome_reason": profile.outcome_reason,
                "outcome_confidence": profile.outcome_confidence,
                "ruled_outcome": ruled and {"outcome": ruled.reached, "reason": ruled.reason, "rule": ruled.rule},
            }
        )
        return
    from warm_tui.commands.printing import print_lines
    from warm_tui.presentation.outcomes import whole

    print_lines([f"{profile.session_id}: {whole(profile)}"])


COMMANDS = (outcome,)
