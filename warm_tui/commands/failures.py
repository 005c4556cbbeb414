"""The command on what fails most."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from warm_tui.commands.base import MOST, command, open_catalog, print_json, progress_line, report_option, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.library.catalog import Catalog
    from warm_tui.reliability.families import Families, Family
    from warm_tui.reliability.filters import Filter
    from warm_tui.templates.speaking import Speaker


@click.command()
@click.argument("family", required=False)
@click.option("--filter", "query", default="", metavar="Q", help="Only of sessions that match, as in `sessions`.")
@click.option("--limit", type=click.IntRange(0, MOST), default=50, show_default=True, help="List no more than so many.")
@click.option("--mute", metavar="WHY", help="Say why FAMILY is not to disturb any more.")
@click.option("--resolve", metavar="WHY", help="Say that FAMILY is mended; it is told when it comes back.")
@click.option("--unmute", is_flag=True, help="Take back what was said of FAMILY.")
@report_option
@command
@click.pass_obj
def failures(
    home: Home,
    family: str | None,
    query: str,
    limit: int,
    mute: str | None,
    resolve: str | None,
    unmute: bool,
    report: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Say what fails most: failures that are the same trouble, since when, and what mended them.

    FAMILY is the id of one, or the beginning of one: its calls are told, too.
    """
    from warm_tui.reports.failures import facts_of, families_document, family_document
    from warm_tui.reports.write import check_report, write_report

    acts = [act for act in (mute is not None, resolve is not None, unmute) if act]
    if len(acts) > 1 or (acts and not family):
        raise click.UsageError("Name a FAMILY to mute it, to resolve it, or to take that back: one of these.")
    wanted = _parsed(query)
    if report:
        check_report(home, report, overwrite)
    say = partial(_say, mute=mute, resolve=resolve) if acts else None
    found, one, spoken, now = _look(home, wanted, family, say)
    if one:
        document = family_document(one, found, spoken.get(one.id, ()), now, whole=True)
        listed, fields = [one], document.facts or {}
    else:
        document, listed = families_document(found, spoken, now, query=query), found.all[:limit]
        told = [facts_of(each, spoken.get(each.id, ())) for each in listed]
        fields = {"total": len(found.all), "count": len(told), "families": told}
    if report:
        write_report(home, document, report, overwrite)
        click.echo(f"Written to {safe(str(report))}.", err=True)
    if as_json:
        print_json({"success": True, **fields})
        return
    from warm_tui.commands.printing import show_document

    show_document(document if one else families_document(found._replace(all=listed), spoken, now, query=query))


def _parsed(query: str) -> Filter:
    from warm_tui.reliability.filters import parse_filter

    try:
        return parse_filter(query)
    except Trouble as trouble:
        raise click.UsageError(str(trouble)) from trouble


class Seen(NamedTuple):
    found: Families
    one: Family | None
    """The one that was named."""
    spoken: Mapping[str, Sequence[Speaker]]
    """Which templates speak to which."""
    now: float


def _look(home: Home, wanted: Filter, family: str | None, say: Callable[[Catalog, str], None] | None) -> Seen:
    """`say`: says of the one that is named what is to be said of it, before it is looked at."""
    from warm_tui.library.families import families
    from warm_tui.templates.speaking import speakers

    with open_catalog(home) as catalog:
        catalog.profiles(progress_line())
        now = time.time()
        found = families(catalog, wanted, now=now)
        one = _named(found, family) if family else None
        if one and say:
            say(catalog, one.id)
            found = families(catalog, wanted, now=now)
            one = _named(found, one.id)
        return Seen(found, one, speakers(catalog, found), now)


def _named(found: Families, name: str) -> Family:
    named = found.named(name)
    if not named:
        raise Trouble(f"There is no family {name!r} among the failures of these sessions.")
    if len(named) > 1:
        raise Trouble(f"{name!r} is the beginning of several families: {', '.join(each.id for each in named[:5])}.")
    return named[0]


def _say(catalog: Catalog, family: str, mute: str | None, resolve: str | None) -> None:
    from warm_tui.library.families import say_of_family, take_back
    from warm_tui.reliability.families import Said

    if mute is not None:
        say_of_family(catalog.library, family, Said("muted", mute, time.time()))
    elif resolve is not None:
        say_of_family(catalog.library, family, Said("resolved", resolve, time.time()))
    else:
        take_back(catalog.library, family)


COMMANDS = (failures,)
