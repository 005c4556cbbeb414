"""The headless twin: every fact a screen shows, printed.

With --json a command prints one JSON document on stdout and nothing else; notes go to stderr. Exit code
1 means it could not be done, 2 that it was asked wrongly. Everything heavy is imported where it is used.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warm_tui import __version__
from warm_tui.commands import (
    building,
    compare,
    confirm,
    experiment,
    failures,
    fleet,
    insights,
    packs,
    plugin,
    proposals,
    review,
    revisions,
    sessions,
    templates,
    trials,
    warm,
    web,
)
from warm_tui.commands.base import Group
from warm_tui.errors import Trouble
from warm_tui.paths import Home, find_home
from warm_tui.writing import clear_abandoned, look_only

if TYPE_CHECKING:
    from warm_tui.sessions.elsewhere import Asking


@click.group(cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", metavar="DIR", help="The Hermes home. Default: the one that hermes would run in here.")
@click.option(
    "--profile", metavar="NAME", help="The home of a Hermes profile, instead of the one that was chosen last."
)
@click.option(
    "--db",
    "databases",
    metavar="PATH",
    multiple=True,
    help="A database, file or folder of sessions; may be given again.",
)
@click.option(
    "--from", "kind", metavar="KIND", help="Only sessions of one agent: hermes, claude-code, codex, opencode, chat."
)
@click.option("--read-only", is_flag=True, help="Show everything, change nothing.")
@click.option("--demo", is_flag=True, help="Use a sample home, made on the spot in a temporary folder.")
@click.version_option(__version__, prog_name="warm-tui")
@click.pass_context
def cli(
    ctx: click.Context,
    home: str | None,
    profile: str | None,
    databases: tuple[str, ...],
    kind: str | None,
    read_only: bool,
    demo: bool,
) -> None:
    """Browse agents' sessions by reliability, and start new ones of Hermes Agent warm.

    Without a command, the app opens. Without --home, --profile and --db, all sessions are shown that this machine
    has: of every Hermes profile, of Claude Code, Codex and opencode.
    """
    if demo and (home or profile or databases):
        raise click.UsageError("--demo makes a home of its own: it cannot go with --home, --profile or --db.")
    if ctx.invoked_subcommand is None and not _has_terminal():
        click.echo("The app needs a terminal; `warm-tui --help` lists the commands that do without one.", err=True)
        ctx.exit(2)
    if home and profile:
        raise click.UsageError("--home and --profile each name a home: give one of them.")
    ctx.obj = _demo_home(ctx) if demo else find_home(_root(home, profile), databases)
    if not demo and not (home or profile or databases):
        ctx.obj = _with_all(ctx.obj)
    if kind is not None:
        ctx.obj = _only(ctx.obj, kind)
    if not demo:
        _let_ask(ctx.obj)
    if read_only:
        look_only()
    elif not demo:
        for folder in ctx.obj.written:
            clear_abandoned(folder)
    if ctx.invoked_subcommand is None:
        _run_app(ctx.obj)


def _has_terminal() -> bool:
    """Textual reads stdin and draws on stderr; another driver, like a browser's, has means of its own."""
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (sys.stdin.isatty() and sys.stderr.isatty())


def _root(home: str | None, profile: str | None) -> Path:
    from warm_tui.homes import default_home, home_of_profile

    try:
        return home_of_profile(profile) if profile else Path(home).expanduser() if home else default_home()
    except Trouble as trouble:
        raise click.UsageError(str(trouble)) from trouble


def _with_all(home: Home) -> Home:
    """The home and whatever else this machine has, and config.toml names."""
    from warm_tui.config import Config
    from warm_tui.sessions.readers import found_by_itself

    fleet = home.ours / "fleet"
    own = [path for path in home.databases if os.path.exists(path)]
    named = [Path(name).expanduser() for name in Config(home.ours / "config.toml").texts("sources")]
    places = {os.path.realpath(path): path for path in (*named, *found_by_itself(), *own)}
    first = {os.path.realpath(path): path for path in own}
    if os.path.isdir(fleet):
        from warm_tui.sessions.elsewhere import places_of

        places |= {os.fspath(path): path for path in places_of(fleet)}
    return home._replace(databases=tuple((first | places).values()) or home.databases, fleet=os.path.isdir(fleet))


def _let_ask(home: Home) -> None:
    """Who is an operator of a fleet reads what stands on other machines, when they ask for it."""
    if os.path.isfile(home.ours / "fleet" / "operator.pem"):
        from warm_tui.sessions.elsewhere import ask_by

        ask_by(lambda: _asking_of(home))


def _asking_of(home: Home) -> Asking:
    from warm_tui.fleet.folder import check_installed

    check_installed()
    from warm_tui.fleet.asking import AskingFleet

    return AskingFleet(home)


def _only(home: Home, kind: str) -> Home:
    from warm_tui.sessions.readers import kinds, reader_of

    if kind not in kinds():
        raise click.UsageError(
            f"There is no agent {kind!r} that sessions can be read of; there are {', '.join(kinds())}."
        )
    places = tuple(path for path in home.databases if reader_of(path).kind == kind)
    if not places:
        where = " or ".join(str(path) for path in home.databases)
        raise click.UsageError(f"No sessions of {kind} were found in {where}.")
    return home._replace(databases=places)


def _demo_home(ctx: click.Context) -> Home:
    from warm_tui.demo import build_demo
    from warm_tui.demo.elsewhere import add_other_agents
    from warm_tui.demo.nightly import add_nightly_reports
    from warm_tui.demo.trials import add_trials
    from warm_tui.passing_folder import PassingFolder
    from warm_tui.sessions.source import HERMES_FOLDER

    folder = ctx.with_resource(PassingFolder("warm-tui-demo-"))
    home, now = build_demo(Path(folder) / HERMES_FOLDER), time.time()
    add_trials(home, now)
    places = (add_nightly_reports(home, now), *add_other_agents(Path(folder), now))
    return home._replace(passing=True, databases=(*home.databases, *places))


def _run_app(home: Home) -> None:
    from warm_tui.app import WarmTui
    from warm_tui.choices import OPENS
    from warm_tui.config import Config
    from warm_tui.leaving import Leaving, note_signals, was_heard
    from warm_tui.widgets.terminal import LastingDriver

    note_signals()
    app = WarmTui(home, Config(home.ours / "config.toml").text("opens", OPENS[0]))
    if issubclass(LastingDriver, app.driver_class):
        app.driver_class = LastingDriver
    app.run()
    if was_heard():
        raise Leaving
    sys.exit(app.return_code or 0)


recorded = sessions.COMMANDS
proving = (*compare.COMMANDS, *experiment.COMMANDS, *trials.COMMANDS)
warming = (
    *building.COMMANDS,
    *templates.COMMANDS,
    *proposals.COMMANDS,
    *packs.COMMANDS,
    *revisions.COMMANDS,
    *review.COMMANDS,
    *warm.COMMANDS,
)
said_together = (*failures.COMMANDS, *insights.COMMANDS)
afterwards = (*proving, *confirm.COMMANDS, *fleet.COMMANDS, *plugin.COMMANDS, *web.COMMANDS, *recorded[4:])
for each in (*recorded[:3], *said_together, *warming, recorded[3], *afterwards):
    cli.add_command(each)
