"""Commands on recorded sessions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import (
    MOST,
    command,
    open_catalog,
    print_json,
    print_notes,
    progress_line,
    report_option,
    safe,
)
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.library.catalog import Helper, Listing
    from warm_tui.reliability.profile import Judged

PREVIEW_LENGTH = 200


@click.command()
@click.option(
    "--sort",
    metavar="FIELD",
    help="A column, or any profile field; -FIELD sorts down. Rates go by the bounds of their intervals: -error_rate "
    "puts first what fails for certain, error_rate what works for certain. Behind a comma stands what decides between "
    "those that are alike: source,-calls. Default: the newest first.",
)
@click.option(
    "--filter", "query", default="", metavar="Q", help='For example: source:cron errors>20% -tool:patch "a b"'
)
@click.option(
    "--group-by",
    "grouping",
    default="",
    metavar="FIELD",
    help="source, model, agent, home, project or day: what is of one group stands together, with its totals.",
)
@click.option("--totals", is_flag=True, help="Tell what all that match come to, not only those listed.")
@click.option("--limit", type=click.IntRange(0, MOST), default=50, show_default=True, help="List no more than so many.")
@click.option("--offset", type=click.IntRange(0, MOST), default=0, show_default=True, help="Begin after so many.")
@command
@click.pass_obj
def sessions(
    home: Home, sort: str | None, query: str, grouping: str, totals: bool, limit: int, offset: int, as_json: bool
) -> None:
    """List sessions with their reliability."""
    from warm_tui.library.catalog import NEWEST_FIRST
    from warm_tui.reliability.filters import check_order, parse_filter
    from warm_tui.reliability.totals import check_grouping

    try:
        wanted = parse_filter(query)
        order = check_order(sort or NEWEST_FIRST)
        grouping = check_grouping(grouping)
    except Trouble as trouble:
        raise click.UsageError(str(trouble)) from trouble
    with open_catalog(home) as catalog:
        progress = progress_line()
        listing = catalog.window(wanted, order, limit, offset, progress, grouping=grouping, totals=totals)
    if as_json:
        print_json({"success": True, **_listing_fields(listing, grouping)})
        return
    from warm_tui.commands.printing import show_sessions

    show_sessions(listing, offset, grouping, query)


def _listing_fields(listing: Listing, grouping: str) -> dict[str, Any]:
    from warm_tui.reliability.profile import public
    from warm_tui.reliability.totals import public_totals

    listed = [public(profile) for profile in listing.profiles]
    fields: dict[str, Any] = {"total": listing.total, "count": len(listed), "sessions": listed}
    if listing.totals is not None:
        fields["totals"] = public_totals(listing.totals)
    if grouping:
        groups = [{"name": name, **public_totals(totals)} for name, totals in listing.groups.items()]
        fields |= {"grouped_by": grouping, "groups": groups}
    return fields


@click.command()
@click.argument("session")
@command
@click.pass_obj
def profile(home: Home, session: str, as_json: bool) -> None:
    """Show one session's profile. SESSION is an id or the beginning of one.

    Sessions that compaction made of one are one: any of them tells of the whole life.
    """
    from warm_tui.reliability.profile import public

    with open_catalog(home) as catalog:
        profile_ = catalog.profile(session)
        print_notes(_part_of(catalog.find(session)[1].id, profile_.session_ids))
        learned = catalog.learned(session) if profile_.learned else []
    if as_json:
        print_json({"success": True, **public(profile_), "learned_writes": [each._asdict() for each in learned]})
        return
    from warm_tui.commands.printing import show_profile

    show_profile(profile_, learned)


@click.command()
@click.argument("session")
@click.option(
    "--helpers", "of_helpers", is_flag=True, help="Also what helpers did, below the call that gave them work."
)
@command
@click.pass_obj
def calls(home: Home, session: str, of_helpers: bool, as_json: bool) -> None:
    """List the calls of a session's whole life, each with its verdict.

    A session that was compacted into another goes on there: all of its chain is shown.
    """
    with open_catalog(home) as catalog:
        found_session, life, judged = catalog.life(session)
        print_notes(_part_of(found_session.id, [member.id for member in life.sessions]))
        helpers = catalog.helpers(session, [call for call, _ in judged]) if of_helpers else []
    if as_json:
        print_json(
            {
                "success": True,
                "session_id": found_session.id,
                "calls": _listed(judged),
                **({"helpers": [_helper_fields(helper) for helper in helpers]} if of_helpers else {}),
            }
        )
        return
    from warm_tui.commands.printing import show_calls

    show_calls(judged, helpers)


def _listed(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    from warm_tui.reliability.call_json import call_fields

    return [call_fields(call, verdict, PREVIEW_LENGTH) for call, verdict in judged]


def _helper_fields(helper: Helper) -> dict[str, Any]:
    return {
        "session_id": helper.session.id,
        "title": helper.session.title,
        "begun_in": helper.begun_in,
        "begun_by": helper.begun_by,
        "calls": _listed(helper.calls),
    }


def _part_of(session_id: str, life: Sequence[str]) -> list[str]:
    """Where it is not the one that names its life."""
    if session_id == life[0]:
        return []
    return [f"{session_id} is number {life.index(session_id) + 1} of the {len(life)} sessions of {life[0]}."]


@click.command()
@command
@click.pass_obj
def verdicts(home: Home, as_json: bool) -> None:
    """List the verdicts of your own, the latest first, each with what ours had been."""
    from warm_tui.library.overrides import overrides

    with open_catalog(home) as catalog:
        own = overrides(catalog)
    if as_json:
        from warm_tui.reliability.call_json import own_fields

        listed = [
            {"session_id": each.shown_as, "tool_call_id": each.call_id, **own_fields(each.verdict)} for each in own
        ]
        print_json({"success": True, "count": len(listed), "verdicts": listed})
        return
    from warm_tui.commands.printing import show_verdicts

    show_verdicts(own)


@click.command()
@command
@click.pass_obj
def doctor(home: Home, as_json: bool) -> None:
    """Say what was found, what is missing, and what to do about it."""
    from warm_tui.choices import wrong_choices
    from warm_tui.config import Config
    from warm_tui.doctor import examine

    report = examine(home)
    report.advice += wrong_choices(Config(home.ours / "config.toml"))
    if as_json:
        print_json({"success": report.healthy, **report.as_dict()})
    else:
        from warm_tui.commands.printing import show_facts

        show_facts(report.lines())
    if not report.healthy:
        if as_json:
            click.echo(safe(report.problems[0]), err=True)
        sys.exit(1)


@click.command()
@click.argument("session", required=False)
@click.option("--all", "of_all", is_flag=True, help="Over every session that was compacted.")
@report_option
@command
@click.pass_obj
def compress_check(
    home: Home, session: str | None, of_all: bool, report: Path | None, overwrite: bool, as_json: bool
) -> None:
    """Say what compaction did to a session's proficiency: before, after, and what survived."""
    from warm_tui.library.compactions import effects, examine
    from warm_tui.reliability.pooled import pooled
    from warm_tui.reports import impact_json
    from warm_tui.reports.compaction import life_document, pooled_document
    from warm_tui.reports.write import check_report, write_report

    if of_all == bool(session):
        raise click.UsageError("Name a SESSION, or ask for --all.")
    if report:
        check_report(home, report, overwrite)
    with open_catalog(home) as catalog:
        if session:
            examined = examine(catalog, session)
            fields = impact_json.of_life(examined)
            document = life_document(examined, whole=report is not None)
        else:
            lives = list(effects(catalog, progress_line()))
            whole = pooled(lives)
            fields, document = impact_json.of_all(whole, lives), pooled_document(whole, lives)
    if report:
        write_report(home, document, report, overwrite)
        click.echo(f"Written to {safe(str(report))}.", err=True)
    if as_json:
        print_json({"success": True, **fields})
        return
    from warm_tui.commands.printing import show_document

    show_document(document)


COMMANDS = (sessions, profile, calls, compress_check, verdicts, doctor)
