"""Approvals: a human yes before what cannot be undone. The service, and what operators do with it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import click

from warm_tui.commands.base import Group, command, print_json, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

ID_LENGTH = 32

name_argument = click.argument("name", metavar="ID")
by_option = click.option("--by", metavar="NAME", default=None, help="Who answers. Default: the user of this terminal.")
reason_option = click.option("--reason", default="", help="Why, for whoever asked and for the log.")


@click.group(cls=Group)
def confirm() -> None:
    """Approvals: programs and agents ask, and wait for a person's yes."""


@confirm.command()
@click.option("--host", envvar="CONFIRMATION_HOST", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port", envvar="CONFIRMATION_PORT", type=click.IntRange(0, 65535), default=6000, show_default=True,
    help="Which port; 0 is any that is free.",
)  # fmt: skip
@click.option(
    "--rate-limit", type=click.IntRange(0), default=10, show_default=True,
    help="How often people are asked for one action in an hour; 0: always.",
)  # fmt: skip
@click.option("--tls-cert", type=click.Path(path_type=Path), help="A certificate; another host needs one.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its key.")
@click.option(
    "--notify", multiple=True, metavar="TARGET",
    help="Tell people by `hermes send --to TARGET`, or by a program: `run:PATH`. Given again: the next where one fails,"
    " and where nobody answers in half the time.",
)  # fmt: skip
@click.option("--print-unit", is_flag=True, help="Print a unit for systemd, and do not start.")
@click.option("--ends-with-input", is_flag=True, hidden=True, help="End when standard input closes.")
@command
@click.pass_obj
def serve(
    home: Home,
    host: str,
    port: int,
    rate_limit: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    notify: tuple[str, ...],
    print_unit: bool,
    ends_with_input: bool,
    as_json: bool,
) -> None:
    """Hold what programs ask for until somebody answers; ctrl+c ends it, and nothing is lost by that."""
    from warm_tui.systemd import unit

    words = ["--host", host, "--port", str(port), "--rate-limit", str(rate_limit)]
    for option, path in (("--tls-cert", tls_cert), ("--tls-key", tls_key)):
        words += [option, str(path.absolute())] if path else []
    words += [word for target in notify for word in ("--notify", target)]
    if print_unit:
        about = "Warm TUI approvals: a human yes before what cannot be undone"
        text = unit("warm-tui-confirm", about, home.root, ["confirm", "serve", *words])
        print_json({"success": True, "unit": text}) if as_json else click.echo(text, nl=False)
        return
    try:
        from warm_tui.approvals.service import notifying, server
    except ModuleNotFoundError as error:
        raise Trouble(f"The service needs {error.name}: pip install 'warm-tui[confirm]' brings it.") from error

    def tell(running: server.Running) -> None:
        if as_json:
            print_json({"success": True, **running._asdict()})
        else:
            click.echo(running.url)
            click.echo("Holds what is asked for until you answer; ctrl+c ends it, and nothing is lost.", err=True)
        sys.stdout.flush()

    ways = tuple(notifying.Way(target, words_of(home, target)) for target in notify)
    options = server.Options(host, port, rate_limit, tls_cert, tls_key, ways, ends_with_input=ends_with_input)
    server.serve(home, options, tell)


def words_of(home: Home, target: str) -> tuple[str, ...]:
    """The command that tells people; the message is put behind it."""
    if target.startswith("run:"):
        return (target.removeprefix("run:"),)
    from warm_tui.agent.hermes_cli import find_hermes

    return "env", f"HERMES_HOME={home.root.absolute()}", str(find_hermes()), "send", "--to", target


# --- what waits ---


@confirm.command("list")
@command
@click.pass_obj
def list_(home: Home, as_json: bool) -> None:
    """List what waits for an answer, most urgent first, whole."""
    from warm_tui.approvals.operating import is_running, looking
    from warm_tui.presentation.approvals import lines_of_request

    with looking(home) as store:
        waiting = store.pending() if store else []
        at = store.clock() if store else None
    timed = sorted(((each.seconds_left(at), each) for each in waiting if at), key=lambda pair: pair[0])
    timed = [(left, each) for left, each in timed if left > 0]
    if as_json:
        assert at is not None or not timed
        documents = [each.document(at) for _, each in timed if at]
        print_json({"success": True, "count": len(timed), "pending": documents, "running": is_running(home)})
        return
    # Written to a file, each line is one.
    width = shutil.get_terminal_size().columns - 2 if sys.stdout.isatty() else 0
    for left, each in timed:
        click.echo(f"{each.id}  " + "\n  ".join(safe_lines(lines_of_request(each, left), width)))
    if not timed:
        click.echo("Nothing waits." + ("" if is_running(home) else " No service runs: `warm-tui confirm serve`."))


def safe_lines(lines: list[str], width: int) -> list[str]:
    """Blanks at their beginnings stay: they show what belongs to what. Where a terminal would break a line, no bars
    would stand before the rest of it: that is done here."""
    from warm_tui.presentation.approvals import rows_within
    from warm_tui.sessions.invisible import in_sight

    first, *others = [in_sight(line) for line in lines]
    return [first, *(row for line in others for row in (rows_within(line, width) if width else [line]))]


@confirm.command()
@name_argument
@by_option
@reason_option
@click.option(
    "--for", "scope", type=click.Choice(["once", "session", "hour", "always"]), default="once", show_default=True,
    help="Whether the same action is asked for again: in this session, within an hour, ever.",
)  # fmt: skip
@click.option("--even-high-risk", is_flag=True, help="Let such a rule pass what is high risk, too.")
@click.option(
    "--details", metavar="JSON", default=None,
    help="What shall run in place of what was asked for, where whoever asks takes that; - reads it.",
)  # fmt: skip
@command
@click.pass_obj
def approve(
    home: Home,
    name: str,
    by: str | None,
    reason: str,
    scope: str,
    even_high_risk: bool,
    details: str | None,
    as_json: bool,
) -> None:
    """Say yes to request ID; its first letters do."""
    from warm_tui.approvals.operating import approve

    try:
        edited = None if details is None else {"details": json.loads(sys.stdin.read() if details == "-" else details)}
    except (ValueError, RecursionError) as error:
        raise Trouble("--details is no JSON.") from error
    _tell(approve(home, _whole(home, name), by or "", reason, scope, even_high_risk, edited), as_json)


@confirm.command()
@name_argument
@by_option
@reason_option
@command
@click.pass_obj
def deny(home: Home, name: str, by: str | None, reason: str, as_json: bool) -> None:
    """Say no to request ID; its first letters do."""
    from warm_tui.approvals.operating import deny

    _tell(deny(home, _whole(home, name), by or "", reason), as_json)


def _tell(answered: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"success": True, "request": answered})
    else:
        from warm_tui.presentation.approvals import answer_in_words

        click.echo(safe(answer_in_words(answered)))


# --- the log, and what need not be asked ---


@confirm.command()
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=50, show_default=True)
@click.option("--verify", is_flag=True, help="Say whether anything was changed, left out or put in.")
@click.option("--since", metavar="HASH", default="", help="With --verify: the log still has to hold this hash.")
@command
@click.pass_obj
def audit(home: Home, limit: int, verify: bool, since: str, as_json: bool) -> None:
    """Print the log, newest first, or verify it."""
    import msgspec

    from warm_tui.approvals.operating import looking
    from warm_tui.presentation.approvals import line_of_entry
    from warm_tui.presentation.figures import moment

    with looking(home) as store:
        if verify:
            if store is None:
                raise Trouble("There is no log yet.")
            found = store.verify(since.strip())
            if as_json:
                print_json({"success": found.valid, **msgspec.to_builtins(found)})
            else:
                for problem in found.problems:
                    click.echo(safe(problem))
                click.echo(
                    f"{found.rows:,} rows, {'as they were written' if found.valid else 'not as they were written'}."
                )
                click.echo(f"Hash of the last: {found.head}")
            if not found.valid:
                sys.exit(1)
            return
        entries = store.audit(limit) if store else []
    if as_json:
        print_json({"success": True, "count": len(entries), "entries": entries})
    for entry in entries if not as_json else ():
        click.echo(f"{moment(entry['at'])}  {line_of_entry(entry)}")


@confirm.command()
@click.option("--add", metavar="ACTION", help="Do not ask for this action any more.")
@click.option("--requester", default="", help="With --add: of this program alone.")
@click.option("--session", "session_key", default="", help="With --add: in this session alone.")
@click.option("--hours", type=click.FloatRange(0, 8_760, min_open=True), help="With --add: for so long.")
@click.option("--even-high-risk", is_flag=True, help="With --add: although it is high risk.")
@click.option("--remove", type=click.IntRange(1), metavar="NUMBER", help="Ask again for what this rule lets pass.")
@command
@click.pass_obj
def whitelist(
    home: Home,
    add: str | None,
    requester: str,
    session_key: str,
    hours: float | None,
    even_high_risk: bool,
    remove: int | None,
    as_json: bool,
) -> None:
    """List what is not asked for, or add a rule, or remove one."""
    from warm_tui.approvals.operating import add_rule, looking, remove_rule
    from warm_tui.approvals.risk import is_high_risk

    if add is not None and remove is not None:
        raise click.UsageError("--add and --remove: one at a time.")
    if add is not None:
        if is_high_risk(add) and not even_high_risk:
            raise Trouble(f"{add} is high risk: --even-high-risk lets it pass.")
        kept = add_rule(
            home, add, requester=requester, session_key=session_key, even_high_risk=even_high_risk,
            seconds=hours * 3_600 if hours else None,
        )  # fmt: skip
        print_json({"success": True, "rule": kept}) if as_json else click.echo(f"Rule {kept['number']} is added.")
        return
    if remove is not None:
        kept = remove_rule(home, remove)
        print_json({"success": True, "rule": kept}) if as_json else click.echo(f"Rule {remove} is removed.")
        return
    with looking(home) as store:
        rules = [rule for rule in store.whitelist() if rule.holds(store.clock())] if store else []
        documents = [rule.document(store.clock()) for rule in rules] if store else []
    if as_json:
        print_json({"success": True, "count": len(documents), "whitelist": documents})
        return
    for rule in rules:
        click.echo(safe(f"{rule.number}. {rule.told}"))
    if not rules:
        click.echo("Everything is asked for.")


# --- in the agent ---


@confirm.command()
@click.option("--without", multiple=True, metavar="RULE", help="A rule that shall not be asked by; may be given again.")
@click.option("--seconds", type=click.IntRange(30, 3_600), help="How long the agent waits for an answer. Default: 300.")
@click.option(
    "--unreachable", type=click.Choice(["block", "pass"]),
    help="What happens to calls that are not high risk where no service answers. Default: pass.",
)  # fmt: skip
@command
@click.pass_obj
def enable(home: Home, without: tuple[str, ...], seconds: int | None, unreachable: str | None, as_json: bool) -> None:
    """Let the agent ask before calls that cannot be undone; what may not be asked is blocked."""
    from warm_tui.agent.asking_state import asking_state
    from warm_tui.agent.plugin_state import plugin_state
    from warm_tui.approvals.place import make_folder
    from warm_tui.approvals.risk import is_high_risk
    from warm_tui.approvals.tool_rules import enable

    settings = enable(make_folder(home), without, seconds, unreachable)
    advice = [*plugin_state(home).advice, *asking_state(home).advice]
    if as_json:
        rules = [
            {
                "name": rule.name, "action": rule.action, "high_risk": is_high_risk(rule.action),
                "tools": list(rule.tools), "source": rule.source, "example": rule.example[1],
            }
            for rule in settings.rules
        ]  # fmt: skip
        print_json({"success": True, "rules": rules, "seconds": settings.seconds, "advice": advice})
        return
    for rule in settings.rules:
        example = next(iter(rule.example[1].values()), "")
        click.echo(safe(f"{rule.action}: {rule.name.replace('_', ' ')}, such as {example}"))
    for sentence in advice:
        click.echo(safe(sentence))


@confirm.command()
@command
@click.pass_obj
def disable(home: Home, as_json: bool) -> None:
    """Let the agent go on without asking; the service stays as it is."""
    from warm_tui.approvals.place import make_folder
    from warm_tui.approvals.tool_rules import disable

    disable(make_folder(home))
    print_json({"success": True, "enabled": False}) if as_json else click.echo("The agent asks nobody any more.")


# --- what they share ---


def _whole(home: Home, name: str) -> str:
    """The id that begins so, among those that wait."""
    if not name.isalnum():
        raise Trouble(f"{name!r} is no id of a request.")
    if len(name) == ID_LENGTH:
        return name
    from warm_tui.approvals.operating import looking

    with looking(home) as store:
        matching = [each.id for each in store.pending() if each.id.startswith(name.lower())] if store else []
    if len(matching) != 1:
        raise Trouble(f"{'No request' if not matching else 'More than one request'} that waits begins with {name!r}.")
    return matching[0]


COMMANDS = (confirm,)
