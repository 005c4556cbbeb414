"""The revisions of a template: what each changed and showed, how two differ, and back to any."""

from __future__ import annotations

import click

from warm_tui.commands.base import command, open_catalog, print_json, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home


@click.command()
@click.argument("name")
@click.option("--diff", "pair", type=(int, int), metavar="A B", help="Print how revision B differs from A.")
@click.option("--back-to", type=int, metavar="N", help="Make revision N the newest again.")
@click.option("--why", default="", help="With --back-to: why, kept with the revision.")
@command
@click.pass_obj
def revisions(
    home: Home, name: str, pair: tuple[int, int] | None, back_to: int | None, why: str, as_json: bool
) -> None:
    """List what each save of a template changed and showed; --back-to makes an earlier one the newest."""
    from warm_tui.templates import revisions as kept

    if pair is not None and back_to is not None:
        raise Trouble("Say either --diff or --back-to.")
    if back_to is not None:
        path = kept.back_to(home, name, back_to, why)
        newest = kept.revisions_of(home, name)[-1].number
        if as_json:
            print_json({"success": True, "name": name, "revision": newest, "back_to": back_to, "path": str(path)})
        else:
            click.echo(safe(f"Template '{name}' is as it was at revision {back_to}; that is revision {newest} now."))
        return
    entries = kept.revisions_of(home, name)
    if pair is not None:
        before, after = (kept.entry_numbered(entries, name, number) for number in pair)
        lines = kept.changed_lines(home, name, before, after)
        if as_json:
            print_json({"success": True, "name": name, "from": pair[0], "to": pair[1], "difference": lines})
        else:
            click.echo("\n".join(map(safe, lines)) or "They tell the same.")
        return
    from warm_tui.comparisons.revisions import showed

    with open_catalog(home) as catalog:
        results = showed(catalog, name, entries)
    if as_json:
        told = [{**entry.public(), "showed": results.get(entry.number, [])} for entry in entries]
        print_json({"success": True, "name": name, "count": len(entries), "revisions": told})
        return
    from warm_tui.commands.printing import show_revisions

    show_revisions(name, entries, results)


COMMANDS = (revisions,)
