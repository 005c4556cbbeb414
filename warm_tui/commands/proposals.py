"""Commands on what the agent proposes: take a proposal in as a template, or put it away."""

from __future__ import annotations

import click

from warm_tui.commands.base import command, print_json, safe
from warm_tui.paths import Home


@click.command()
@click.argument("name")
@click.option("--as", "called", default="", metavar="OTHER", help="The template's name, where its own is taken.")
@command
@click.pass_obj
def accept(home: Home, name: str, called: str, as_json: bool) -> None:
    """Make a proposal of the agent a template."""
    from warm_tui.templates.files import Proposals

    path = Proposals(home).accept(name, called)
    if as_json:
        print_json({"success": True, "name": path.stem, "path": str(path)})
    else:
        click.echo(safe(f"'{path.stem}' is a template now: `warm-tui activate {path.stem}` starts sessions with it."))


@click.command()
@click.argument("name")
@command
@click.pass_obj
def discard(home: Home, name: str, as_json: bool) -> None:
    """Put a proposal of the agent away; where it is kept is told."""
    from warm_tui.templates.files import Proposals

    message = f"Proposal '{name}' discarded. It is kept as {Proposals(home).delete(name)}."
    print_json({"success": True, "message": message}) if as_json else click.echo(safe(message))


COMMANDS = (accept, discard)
