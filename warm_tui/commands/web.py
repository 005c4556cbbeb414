"""The command that shows the app in a browser."""

from __future__ import annotations

import sys
from typing import Any

import click

from warm_tui.commands.base import command, print_json
from warm_tui.errors import Trouble

OPTIONS = {"home": "--home", "profile": "--profile", "databases": "--db", "kind": "--from"}
"""What says whose sessions are shown: the app in the browser is begun with the same."""


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Which port to listen on. Default: any free one."
)
@click.option("--allow-changes", is_flag=True, help="Let whoever has the link change things, and not only look.")
@command
@click.pass_context
def web(ctx: click.Context, port: int, allow_changes: bool, as_json: bool) -> None:
    """Show the app in a browser of this machine, behind a link that is printed; ctrl+c ends it."""
    try:
        from warm_tui.web.server import BrowserServer
    except ModuleNotFoundError as error:
        raise Trouble(f"The browser needs {error.name}: pip install 'warm-tui[web]' brings it.") from error
    assert ctx.parent is not None
    try:
        server = BrowserServer(words_of_app(ctx.parent.params, allow_changes), port)
    except OSError as error:
        raise Trouble(f"Port {port} cannot be listened on: {error.strerror or error}.") from error
    looks_only = not allow_changes or ctx.parent.params["read_only"]
    if as_json:
        print_json({"success": True, "link": server.link, "read_only": looks_only})
    else:
        click.echo(server.link)
        note = "Whoever has this link can look" + (". " if looks_only else " and change things. ")
        click.echo(f"{note}It works on this machine alone; ctrl+c ends it.", err=True)
    sys.stdout.flush()
    server.serve_until_stopped()


def words_of_app(given: dict[str, Any], allow_changes: bool) -> list[str]:
    words = [sys.executable, "-P", "-m", "warm_tui"]
    for name, option in OPTIONS.items():
        value = given[name]
        for each in value if isinstance(value, tuple) else (value,):
            words += [] if each is None else [option, each]
    words += ["--demo"] if given["demo"] else []
    return words if allow_changes and not given["read_only"] else [*words, "--read-only"]


COMMANDS = (web,)
