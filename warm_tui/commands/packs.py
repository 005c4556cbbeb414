"""Packs: a template to hand on, and one that somebody handed on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, overwrite_option, print_json, print_notes, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.templates.packs import Examined


@click.command()
@click.argument("name")
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it there; else it is printed.")
@overwrite_option
@command
@click.pass_obj
def pack(home: Home, name: str, output: Path | None, overwrite: bool, as_json: bool) -> None:
    """Make a template a pack to hand on: secrets masked, where it comes from, and what trials showed."""
    from warm_tui.comparisons.packing import pack_of
    from warm_tui.outputs import check_output, write_output
    from warm_tui.templates.packs import examined

    if output is not None:
        check_output(home, output, overwrite)
    text, note = pack_of(home, name)
    print_notes([note] if note else [])
    if output is None:
        click.echo(text, nl=False)
        return
    known = examined(home, text, "The pack")
    write_output(home, output, text, overwrite)
    if as_json:
        print_json({"success": True, **_public(known), "output": str(output)})
        return
    click.echo(safe(f"Written to {output}: {len(known.pack.masked):,} masked, {known.hash}."))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--as", "called", default="", metavar="NAME", help="What it is called here; default: as it says.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal to ask at.")
@command
@click.pass_obj
def unpack(home: Home, file: Path, called: str, yes: bool, as_json: bool) -> None:
    """Show what a pack holds, ask, and make it a template: all of its text counts as from outside."""
    from warm_tui.commands.printing import print_line
    from warm_tui.presentation.packs import pack_lines
    from warm_tui.templates.packs import examined, read_whole
    from warm_tui.templates.packs import unpack as take_in
    from warm_tui.writing import check_may_change

    known = examined(home, read_whole(file), str(file))
    if not as_json:
        for line in pack_lines(known):
            print_line("".join(text for text, _ in line), line[-1][1])
    if not yes:
        if not sys.stdin.isatty():
            raise Trouble("Nothing was taken in: there is no terminal to ask at. --yes takes it in without asking.")
        if not click.confirm("Take it in?", default=False, err=True):
            raise Trouble("Nothing was taken in.")
    check_may_change()
    path = take_in(home, known, called)
    if as_json:
        print_json({"success": True, **_public(known), "name": path.stem, "path": str(path)})
        return
    words = f"'{path.stem}' is a template now. Read it before it starts a session: `warm-tui load {path.stem} --full`."
    click.echo(safe(words))


def _public(known: Examined) -> dict[str, Any]:
    import msgspec

    return {
        "name": known.name, "revision": known.pack.revision, "hash": known.hash,
        "patterns": len(known.template.patterns), "masked": len(known.pack.masked), "secrets": known.secrets,
        "foreign": len(known.foreign),
        "reads_like_instructions": [each.told for each in known.foreign if each.signs],
        "problems": {provider: found for provider, found in known.problems.items() if found},
        "results": msgspec.to_builtins(known.pack.results),
    }  # fmt: skip


COMMANDS = (pack, unpack)
