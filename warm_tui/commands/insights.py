"""Commands on all sessions together: what came of them, how they go, and what the research asked."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warm_tui.commands.base import command, open_catalog, print_json, progress_line, report_option, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.reliability.trends import Unit
    from warm_tui.reports.document import Document

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
        if profile.machine and (reached or take_back):
            raise Trouble(f"What came of sessions of {profile.machine} is said there.")
        if reached and (own := read_reached(reached)):
            set_outcome(catalog.library, profile.names[0], own, why)
        elif take_back:
            unset_outcome(catalog.library, profile.names)
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


@click.command()
@click.option(
    "--by",
    "unit",
    type=click.Choice(("day", "3-days", "week", "month")),
    default="day",
    show_default=True,
    help="What a point of the line is of; all of it: the last 14, 30, 56 or 180 days.",
)
@report_option
@command
@click.pass_obj
def overview(home: Home, unit: Unit, report: Path | None, overwrite: bool, as_json: bool) -> None:
    """Say how it goes, all sessions together: key figures against the time before, what is new, what waits."""
    from warm_tui.insights.gathering import failures_told, overview_of
    from warm_tui.insights.ruled import ruled_of
    from warm_tui.library.visits import last_visit
    from warm_tui.reports.overview import overview_document

    if report:
        check(home, report, overwrite)
    now = time.time()
    with open_catalog(home) as catalog:
        profiles = catalog.profiles(progress_line())
        since = last_visit(catalog.library, now)
        known = failures_told(catalog, profiles, now, since), ruled_of(catalog)
        told = overview_of(home, catalog.library, profiles, unit, now, since, None, *known)
        document = overview_document(told)
    _told(home, document, report, overwrite, as_json)


@click.command()
@report_option
@command
@click.pass_obj
def insights(home: Home, report: Path | None, overwrite: bool, as_json: bool) -> None:
    """Answer four questions of your own sessions: length, how they began, compaction, warmth."""
    from warm_tui.insights.answers import insights_of
    from warm_tui.reports.insights import insights_document

    if report:
        check(home, report, overwrite)
    with open_catalog(home) as catalog:
        document = insights_document(insights_of(catalog, progress_line()))
    _told(home, document, report, overwrite, as_json)


def check(home: Home, report: Path, overwrite: bool) -> None:
    from warm_tui.reports.write import check_report

    check_report(home, report, overwrite)


def _told(home: Home, document: Document, report: Path | None, overwrite: bool, as_json: bool) -> None:
    if report:
        from warm_tui.reports.write import write_report

        write_report(home, document, report, overwrite)
        click.echo(f"Written to {safe(str(report))}.", err=True)
    if as_json:
        print_json({"success": True, **(document.facts or {})})
        return
    from warm_tui.commands.printing import show_document

    show_document(document)


COMMANDS = (overview, insights, outcome)
