"""The headless twin: every fact a screen shows, printed.

With --json a command prints one JSON document on stdout and nothing else; notes go to stderr. Exit code
1 means it could not be done, 2 that it was asked wrongly. Everything heavy is imported where it is used.
"""

from __future__ import annotations

import sys

import click

from warm_tui import __version__
from warm_tui.commands import compare, experiment, proposals, sessions, templates, warm
from warm_tui.paths import Home, find_home
from warm_tui.writing import clear_abandoned


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
        for folder in ctx.obj.written:
            clear_abandoned(folder)
    if ctx.invoked_subcommand is None:
        _run_app(ctx.obj)


def _demo_home(ctx: click.Context) -> Home:
    import tempfile

    from warm_tui.demo import build_demo

    folder = ctx.with_resource(tempfile.TemporaryDirectory(prefix="warm-tui-demo-", ignore_cleanup_errors=True))
    return build_demo(folder)._replace(passing=True)


def _run_app(home: Home) -> None:
    from warm_tui.app import WarmTui

    app = WarmTui(home)
    app.run()
    sys.exit(app.return_code or 0)


recorded = sessions.COMMANDS
proving = (*compare.COMMANDS, *experiment.COMMANDS)
warming = (*templates.COMMANDS, *proposals.COMMANDS, *warm.COMMANDS)
for each in (*recorded[:3], *warming, recorded[3], *proving, *recorded[4:]):
    cli.add_command(each)
