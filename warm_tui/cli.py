"""The headless twin: every fact a screen shows, printed.

With --json a command prints one JSON document on stdout and nothing else; notes go to stderr. Exit code
1 means it could not be done, 2 that it was asked wrongly. Everything heavy is imported where it is used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from warm_tui import __version__
from warm_tui.errors import Trouble
from warm_tui.paths import Home, find_home

if TYPE_CHECKING:
    from warm_tui.library.catalog import Catalog

P = ParamSpec("P")

PREVIEW_LENGTH = 200
MOST = 1_000_000_000


class Group(click.Group):
    """Commands in the order they are told of, not of the alphabet."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", metavar="DIR", help="The Hermes home. Default: $HERMES_HOME, else ~/.hermes.")
@click.option("--db", "databases", metavar="FILE", multiple=True, help="A session database; may be given again.")
@click.option("--demo", is_flag=True, help="Use a sample home, made on the spot in a temporary folder.")
@click.version_option(__version__, prog_name="warm-tui")
@click.pass_context
def cli(ctx: click.Context, home: str | None, databases: tuple[str, ...], demo: bool) -> None:
    """Browse Hermes Agent sessions by reliability, and start new ones warm.

    Without a command, the app opens.
    """
    if demo and (home or databases):
        raise click.UsageError("--demo makes a home of its own: it cannot go with --home or --db.")
    if demo:
        ctx.obj = _demo_home(ctx)
    else:
        ctx.obj = find_home(home, databases)
    if ctx.invoked_subcommand is None:
        _run_app(ctx.obj)


def _demo_home(ctx: click.Context) -> Home:
    import tempfile

    from warm_tui.demo import build_demo

    folder = ctx.with_resource(tempfile.TemporaryDirectory(prefix="warm-tui-demo-", ignore_cleanup_errors=True))
    return build_demo(folder)


def _run_app(home: Home) -> None:
    from warm_tui.app import WarmTui

    app = WarmTui(home)
    app.run()
    sys.exit(app.return_code or 0)


def command(function: Callable[P, None]) -> Callable[P, None]:
    """--json, and trouble told as one sentence: every command has both."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    @wraps(function)
    def told(*args: P.args, **kwargs: P.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            function(*args, **kwargs)
        except Trouble as trouble:
            sentence = safe(str(trouble))
            if as_json:
                print_json({"success": False, "error": sentence})
            click.echo(sentence, err=True)
            sys.exit(1)

    return told


@contextmanager
def open_catalog(home: Home) -> Iterator[Catalog]:
    from warm_tui.library.catalog import Catalog

    with Catalog(home) as catalog:
        try:
            yield catalog
        finally:
            for line in catalog.notes:
                click.echo(safe(line), err=True)


@cli.command()
@click.option("--sort", metavar="FIELD", help="Any profile field; -FIELD sorts down. Default: the newest first.")
@click.option(
    "--filter", "query", default="", metavar="Q", help='For example: source:cron errors>0.2 -tool:patch "a b"'
)
@click.option("--limit", type=click.IntRange(0, MOST), default=50, show_default=True)
@click.option("--offset", type=click.IntRange(0, MOST), default=0, show_default=True)
@command
@click.pass_obj
def sessions(home: Home, sort: str | None, query: str, limit: int, offset: int, as_json: bool) -> None:
    """List sessions with their reliability."""
    from warm_tui.library.catalog import NEWEST_FIRST
    from warm_tui.reliability.filters import check_order, parse_filter
    from warm_tui.reliability.profile import public

    try:
        wanted = parse_filter(query)
        order = check_order(sort or NEWEST_FIRST)
    except Trouble as trouble:
        raise click.UsageError(str(trouble)) from trouble
    with open_catalog(home) as catalog:
        listing = catalog.window(wanted, order, limit, offset, progress=_progress())
    if as_json:
        listed = [public(profile) for profile in listing.profiles]
        print_json({"success": True, "total": listing.total, "count": len(listed), "sessions": listed})
        return
    from warm_tui.printing import show_sessions

    show_sessions(listing, offset)


@cli.command()
@click.argument("session")
@command
@click.pass_obj
def profile(home: Home, session: str, as_json: bool) -> None:
    """Show one session's profile. SESSION is an id or the beginning of one."""
    from warm_tui.reliability.profile import public

    with open_catalog(home) as catalog:
        found = catalog.profile(session)
    if as_json:
        print_json({"success": True, **public(found)})
        return
    from warm_tui.printing import show_profile

    show_profile(found)


@cli.command()
@click.argument("session")
@command
@click.pass_obj
def calls(home: Home, session: str, as_json: bool) -> None:
    """List the calls of a session's whole life, each with its verdict.

    A session that was compressed into another goes on there: all of its chain is shown.
    """
    with open_catalog(home) as catalog:
        found, _, judged = catalog.life(session)
    if as_json:
        from warm_tui.reliability.call_json import call_fields

        listed = [call_fields(call, verdict, PREVIEW_LENGTH) for call, verdict in judged]
        print_json({"success": True, "session_id": found.id, "calls": listed})
        return
    from warm_tui.printing import show_calls

    show_calls(judged)


@cli.command()
@command
@click.pass_obj
def doctor(home: Home, as_json: bool) -> None:
    """Say what was found, what is missing, and what to do about it."""
    from warm_tui.doctor import examine

    report = examine(home)
    if as_json:
        print_json({"success": report.healthy, **report.as_dict()})
    else:
        from warm_tui.printing import show_facts

        show_facts(report.lines())
    if not report.healthy:
        if as_json:
            click.echo(safe(report.problems[0]), err=True)
        sys.exit(1)


def print_json(document: dict[str, Any]) -> None:
    """ASCII only, so that nothing in a recorded session can reach the terminal as itself."""
    click.echo(json.dumps(document, ensure_ascii=True, allow_nan=False, default=str))


def safe(text: str) -> str:
    from warm_tui.sessions.text import clean_line

    return clean_line(text)


def _progress() -> Callable[[int, int], None] | None:
    """A line on stderr that tells how far profiling is, where somebody is looking."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    import time

    began = time.monotonic()

    def show(done: int, total: int) -> None:
        if done == total:
            click.echo("\r\x1b[K", err=True, nl=False)
        elif done % 100 == 0 and time.monotonic() - began > 0.5:
            click.echo(f"\rprofiling {done:,} of {total:,} sessions", err=True, nl=False)

    return show
