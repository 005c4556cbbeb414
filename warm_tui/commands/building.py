"""The command that makes a template of what went well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, open_catalog, print_json, print_notes
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.sessions.text import plural

if TYPE_CHECKING:
    from warm_tui.secrets.redactor import Redactor
    from warm_tui.templates.building import Built, Wanted
    from warm_tui.templates.files import TemplateFiles
    from warm_tui.templates.model import Template


@click.command()
@click.argument("name")
@click.option("--description", default="", help="What it is for.")
@click.option(
    "--min-messages", type=click.IntRange(0), default=30, show_default=True, help="Of sessions with at least so many."
)
@click.option("--max-sessions", type=click.IntRange(1), default=30, show_default=True, help="Of no more sessions.")
@click.option("--source", default="", help="Only sessions of this source.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be given again.")
@click.option("--session", "sessions", multiple=True, metavar="ID", help="Mine these sessions; may be given again.")
@click.option(
    "--call", "calls", multiple=True, metavar="ID", help="Pick this call, as CALL or SESSION:CALL; may be given again."
)
@click.option(
    "--max-patterns",
    "most",
    type=click.IntRange(1, 1000),
    default=15,
    show_default=True,
    help="Pick no more than so many.",
)
@click.option("--addendum", default="", help="Words for the model, put before the patterns.")
@click.option("--neutral-paths", is_flag=True, help="Take the names of users out: of their home folders and elsewhere.")
@click.option("--keep-invisible", is_flag=True, help="Leave invisible characters and escape sequences in.")
@click.option("--replace", is_flag=True, help="Replace a template of this name.")
@click.option("--proposal", is_flag=True, help="Keep it as a proposal, until `accept` makes it a template.")
@command
@click.pass_obj
def build(
    home: Home,
    name: str,
    description: str,
    min_messages: int,
    max_sessions: int,
    source: str,
    tags: tuple[str, ...],
    sessions: tuple[str, ...],
    calls: tuple[str, ...],
    most: int,
    addendum: str,
    neutral_paths: bool,
    keep_invisible: bool,
    replace: bool,
    proposal: bool,
    as_json: bool,
) -> None:
    """Make a template NAME of what went well: mined, or picked by --call."""
    from warm_tui.commands.printing import show_built
    from warm_tui.library.revisions import Note
    from warm_tui.secrets.redactor import redactor_of
    from warm_tui.templates.building import Wanted, new_template
    from warm_tui.templates.files import Proposals, TemplateFiles, check_name
    from warm_tui.templates.model import WhoseAddendum
    from warm_tui.templates.redaction import neutral_patterns, redacted, secret_values
    from warm_tui.templates.visible import visible_template

    check_name(name)
    files = (Proposals if proposal else TemplateFiles)(home)
    expected = _stamp_to_replace(files, name, replace)
    wanted = Wanted(
        min_messages=min_messages, max_sessions=max_sessions, source=source, sessions=sessions, calls=calls,
        most=most, keep_invisible=keep_invisible,
    )  # fmt: skip
    redactor = redactor_of(home)
    built = _mined(home, wanted, redactor)
    patterns = neutral_patterns(built.patterns) if neutral_paths else built.patterns
    raw = new_template(
        name, patterns, description=description or _described(built.metrics, calls),
        tags=tags, addendum=addendum, metrics=built.metrics, whose=WhoseAddendum(addendum="user" if addendum else ""),
    )  # fmt: skip
    raw = raw if keep_invisible else visible_template(raw)
    masked = len(secret_values(raw, redactor))
    template = redacted(raw, redactor)
    path = files.save(template, expected, Note("operator" if calls else "mined", template.description))
    print_notes(files.notes)
    if as_json:
        print_json({"success": True, **built_fields(template), "secrets_masked": masked, "path": str(path)})
        return
    show_built(template, masked, path)


def _mined(home: Home, wanted: Wanted, redactor: Redactor) -> Built:
    from warm_tui.templates.building import build as mine

    with open_catalog(home) as catalog:
        built = mine(catalog, wanted, redactor)
    if not built.patterns:
        raise nothing_found(built.metrics, wanted.min_messages)
    return built


def nothing_found(metrics: Mapping[str, Any], min_messages: int) -> Trouble:
    return Trouble(
        f"Nothing to make a template of: {plural(metrics['sessions_scanned'], 'session')} looked at, "
        f"{metrics['sessions_qualified']:,} qualified (at least {min_messages} messages, at most half of the calls "
        f"failed), {metrics.get('calls_that_succeeded_for_certain', 0):,} calls of theirs succeeded for certain."
    )


def built_fields(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "pattern_count": len(template.patterns),
        "description": template.description,
        "metrics": dict(template.metrics),
        "patterns": _explained(template),
    }


def _described(metrics: Mapping[str, Any], calls: tuple[str, ...]) -> str:
    sessions = metrics["sessions_qualified"]
    return f"{'Picked' if calls else 'Mined'} from {sessions} session{'s' * (sessions != 1)}."


def _stamp_to_replace(files: TemplateFiles, name: str, replace: bool) -> str | None:
    """The stamp of what may be replaced; a name in use is told before any work is done."""
    from warm_tui.templates.files import LARGEST, stamp_of
    from warm_tui.writing import read_regular

    path = files.find(name)
    if path is None:
        return None
    if not replace:
        raise Trouble(f"There is a {files.word.lower()} '{name}' already: --replace replaces it.")
    return stamp_of(read_regular(path, LARGEST)) if path.parent == files.folder else None


def _explained(template: Template) -> list[dict[str, Any]]:
    return [
        {
            "tool_name": p.tool_name,
            "pattern_type": p.kind,
            "success_count": p.success_count,
            "session_id": p.origin.session_id,
            "call": p.origin.call,
            "why": p.origin.why,
        }
        for p in template.patterns
    ]


COMMANDS = (build,)
