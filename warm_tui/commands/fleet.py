"""Fleet: many homes on many machines, seen as one. Who is in, and whether they answer."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import Group, command, print_json, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.fleet.messages import Member

ABOUT = "Warm TUI fleet: "
certificate_option = click.option(
    "--certificate", type=click.Path(path_type=Path), metavar="FILE", help="What `fleet init` handed out; once."
)
print_unit_option = click.option("--print-unit", is_flag=True, help="Print a unit for systemd, and do not start.")
name_argument = click.argument("name")


@click.group(cls=Group)
def fleet() -> None:
    """Fleet: homes on other machines beside those here. Needs `pip install 'warm-tui[fleet]'` on each."""
    from warm_tui.fleet.folder import check_installed

    try:
        check_installed()
    except Trouble as trouble:
        click.echo(str(trouble), err=True)
        sys.exit(1)


@fleet.command()
@click.option("--member", "members", multiple=True, metavar="NAME", help="Sign a certificate for this machine.")
@click.option("--operator", "operators", multiple=True, metavar="NAME", help="For somebody who may ask all members.")
@click.option("--scheduler", "schedulers", multiple=True, metavar="NAME", help="For a scheduler on another machine.")
@click.option("--days", type=click.IntRange(1, 3_650), default=365, show_default=True, help="How long it holds.")
@command
@click.pass_obj
def init(
    home: Home,
    members: tuple[str, ...],
    operators: tuple[str, ...],
    schedulers: tuple[str, ...],
    days: int,
    as_json: bool,
) -> None:
    """Make the authority of a fleet here, once, and sign who may be in it.

    Whoever has an operator's certificate, or the scheduler's, may run any program on every member: give agents none,
    and keep them like the key of a shell. A member's can make no other machine run anything.
    """
    from warm_tui.fleet.authority import Authority
    from warm_tui.fleet.folder import Folder

    folder = Folder.of(home)
    begun = not folder.authority.exists()
    authority = Authority.begun(folder, days) if begun else Authority.of(folder)
    asked = [*(("member", each) for each in members), *(("operator", each) for each in operators)]
    asked += [("scheduler", each) for each in schedulers]
    written = {name: str(authority.issue(role, name, folder.handed_out(name), days)) for role, name in asked}  # type: ignore[arg-type]
    if as_json:
        print_json({"success": True, "begun": begun, "authority": str(folder.authority), "certificates": written})
        return
    if begun:
        click.echo(f"The authority is {folder.authority}: it never has to leave this machine.")
    for name, path in written.items():
        click.echo(f"{path}: take it to {name}, and delete it here.")
    if not written and not begun:
        click.echo("There is an authority here already; --member NAME signs a certificate.")


@fleet.command()
@click.option("--host", default="", metavar="HOST", help="Where to listen. Default: on every address, by TLS alone.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8786, show_default=True)
@certificate_option
@print_unit_option
@command
@click.pass_obj
def scheduler(home: Home, host: str, port: int, certificate: Path | None, print_unit: bool, as_json: bool) -> None:
    """Bring members and operators together; ctrl+c ends it, and they come back when it does."""
    words = ["fleet", "scheduler", "--port", str(port), *(["--host", host] if host else [])]
    if print_unit:
        return _print_unit("scheduler", home, words, as_json)
    from warm_tui.fleet.credentials import install
    from warm_tui.fleet.folder import Folder
    from warm_tui.fleet.scheduler import serve

    if certificate:
        install(Folder.of(home), "scheduler", certificate)

    def tell(address: str) -> None:
        print_json({"success": True, "address": address}) if as_json else click.echo(address)
        sys.stdout.flush()

    return serve(home, host, port, tell)


@fleet.command()
@click.argument("address", metavar="SCHEDULER")
@click.option("--name", required=True, help="What this machine is called: the name in its certificate.")
@certificate_option
@click.option("--slots", type=click.IntRange(0, 1_000), default=2, show_default=True, help="Runs it takes at once.")
@click.option("--offers", multiple=True, metavar="WHAT", help="What plans may ask for, like docker or gpu=2.")
@click.option("--titles", is_flag=True, help="Let titles of sessions travel, masked: they are told by what was said.")
@print_unit_option
@command
@click.pass_obj
def join(
    home: Home,
    address: str,
    name: str,
    certificate: Path | None,
    slots: int,
    offers: tuple[str, ...],
    titles: bool,
    print_unit: bool,
    as_json: bool,
) -> None:
    """Be a member with the homes of this machine until ctrl+c; a scheduler that is away is waited for."""
    from warm_tui.fleet.folder import Folder, check_address, check_name

    address, name = check_address(address), check_name(name)
    words = ["fleet", "join", address, "--name", name, "--slots", str(slots)]
    words += [word for each in offers for word in ("--offers", each)] + ["--titles"] * titles
    if print_unit:
        return _print_unit("member", home, words, as_json)
    from warm_tui.fleet.credentials import install
    from warm_tui.fleet.member import join, usual_offers
    from warm_tui.fleet.telling import titles_travel

    if titles:
        titles_travel.set()
    if certificate:
        install(Folder.of(home), "member", certificate)

    def tell(sentence: str) -> None:
        print_json({"success": True, "said": sentence}) if as_json else click.echo(sentence)
        sys.stdout.flush()

    return join(home, address, name, slots, {**usual_offers(), **_offered(offers)}, tell)


def _offered(offers: tuple[str, ...]) -> dict[str, float]:
    offered = {}
    for each in offers:
        what, _, amount = each.partition("=")
        try:
            offered[what] = float(amount or 1)
        except ValueError:
            raise Trouble(f"{each!r} tells no amount: write {what}=2.") from None
        if what.startswith("home:") or what == "run" or offered[what] <= 0:
            raise Trouble(f"{each!r} cannot be offered.")
    return offered


def _print_unit(what: str, home: Home, words: list[str], as_json: bool) -> None:
    from warm_tui.systemd import unit

    text = unit(f"warm-tui-fleet-{what}", f"{ABOUT}{what}", home.root, words)
    print_json({"success": True, "unit": text}) if as_json else click.echo(text, nl=False)


@fleet.command()
@click.argument("address", metavar="[SCHEDULER]", default="")
@certificate_option
@command
@click.pass_obj
def status(home: Home, address: str, certificate: Path | None, as_json: bool) -> None:
    """Tell who is in the fleet, what runs there, and who is away."""
    from warm_tui.fleet.client import Fleet
    from warm_tui.fleet.credentials import install
    from warm_tui.fleet.folder import Away, Folder
    from warm_tui.fleet.known import note_seen, with_away
    from warm_tui.writing import looks_only

    if certificate:
        install(Folder.of(home), "operator", certificate)
    try:
        with Fleet(home, address) as found:
            members = found.members()
    except Away:
        if not as_json:
            _print_members(with_away(home, [], time.time()))
        raise
    if not looks_only():
        note_seen(Folder.of(home), members, are_all=True)
    members = with_away(home, members, time.time())
    if as_json:
        print_json({"success": True, "scheduler": found.address, "members": [_document(each) for each in members]})
        return
    if not members:
        click.echo("The scheduler answers; no member is there.")
    _print_members(members)


def _document(member: Member) -> dict[str, Any]:
    import msgspec

    told = {**member._asdict(), "refused": member.refused, "skew": member.skew}
    return {**told, "standing": msgspec.to_builtins(member.standing)}


def _print_members(members: list[Member]) -> None:
    from warm_tui.commands.printing import print_table
    from warm_tui.presentation.fleet import COLUMNS, notes_of, row_of

    now = time.time()
    if not members:
        return
    print_table(COLUMNS, [row_of(each, now) for each in members])
    for note in (note for each in members for note in notes_of(each, now)):
        click.echo(safe(note))


@fleet.command()
@command
@click.pass_obj
def refresh(home: Home, as_json: bool) -> None:
    """Have what has changed on all members; the app does that by itself."""
    from warm_tui.fleet.client import Fleet
    from warm_tui.fleet.gathering import Gatherer
    from warm_tui.sessions.text import plural

    with Fleet(home) as found:
        gathered = Gatherer(home, found).until_all_is_had()
    if as_json:
        print_json({"success": True, **gathered._asdict()})
        return
    click.echo(
        f"{plural(gathered.lives, 'session')} of {plural(gathered.homes, 'home')} on"
        f" {plural(gathered.machines, 'machine')}, {gathered.bytes:,} bytes."
    )
    for trouble in gathered.troubles:
        click.echo(safe(trouble), err=True)


@fleet.command()
@name_argument
@click.option("--undo", is_flag=True, help="Let it get runs again.")
@command
@click.pass_obj
def drain(home: Home, name: str, undo: bool, as_json: bool) -> None:
    """Give member NAME no new runs; what runs there ends."""
    from warm_tui.fleet.client import Fleet
    from warm_tui.fleet.draining import drain
    from warm_tui.writing import check_may_change

    check_may_change()
    with Fleet(home) as found:
        drain(home, found, name, not undo, seconds=10)
    if as_json:
        print_json({"success": True, "name": name, "drained": not undo})
    else:
        click.echo(f"{name} {'gets runs again' if undo else 'gets no new runs'}.")


@fleet.command()
@click.argument("name", default="")
@command
@click.pass_obj
def leave(home: Home, name: str, as_json: bool) -> None:
    """Take NAME out for good, where the authority is: its certificates are revoked.

    Of a scheduler, its members are told by it as its last deed; this machine's own gets a new certificate at once.

    On a member, without a name: this machine forgets its certificate, and joins no more.
    """
    if not name:
        return _leave_here(home, as_json)
    from warm_tui.fleet.leaving import leave

    left = leave(home, name)
    if as_json:
        print_json({"success": True, "name": name, "revoked": left.revoked, "said": left.said})
    elif left.revoked:
        click.echo(f"{name} can no longer join. {left.said}")
    else:
        click.echo(f"{name} has no certificate that holds. {left.said}")
    return None


def _leave_here(home: Home, as_json: bool) -> None:
    from warm_tui.fleet.folder import Folder
    from warm_tui.writing import check_may_change

    check_may_change()
    path = Folder.of(home).credentials("member")
    if not path.exists():
        raise Trouble("This machine is no member of a fleet; on the authority's, a name is needed.")
    path.unlink()
    said = "This machine has forgotten its certificate. `fleet leave NAME` where the authority is revokes it."
    print_json({"success": True, "said": said}) if as_json else click.echo(said)


COMMANDS = [fleet]
