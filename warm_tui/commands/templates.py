"""Commands on templates: list, look, delete."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, overwrite_option, print_json, print_notes, safe
from warm_tui.commands.outside import outside_option, refuse_outside, refuse_secrets
from warm_tui.errors import Trouble
from warm_tui.paths import Home
from warm_tui.sessions.text import plural

if TYPE_CHECKING:
    from warm_tui.templates.conversation import Conversation
    from warm_tui.templates.files import Stored
    from warm_tui.templates.model import Template

PROVIDERS = ("openai", "anthropic", "mistral", "gemini", "any")
PREVIEWED = 6
PREVIEW_LENGTH = 100


def provider_option(function: Callable[..., None]) -> Callable[..., None]:
    help_text = "Whose rules the conversation has to keep. Default: those of the model in config.yaml."
    return click.option("--provider", type=click.Choice(PROVIDERS), help=help_text)(function)


def most_option(function: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--max-patterns",
        "most",
        type=click.IntRange(1, 1000),
        default=15,
        show_default=True,
        help="Tell no more than so many.",
    )(function)


secrets_option = click.option("--allow-secrets", is_flag=True, help="Go on though secrets stand in it.")


@click.command("list")
@click.option("--type", "task_type", default="", help="Only templates for this kind of work.")
@click.option("--tag", default="", help="Only templates with this tag.")
@command
@click.pass_obj
def list_templates(home: Home, task_type: str, tag: str, as_json: bool) -> None:
    """List the templates."""
    from warm_tui.templates.shelf import proposed, shelf

    (rows, bad), (proposals, also_bad) = shelf(home), proposed(home)
    rows = [row for row in rows if row.fits(task_type, tag)]
    proposals = [row for row in proposals if row.fits(task_type, tag)]
    for unreadable in (*bad, *also_bad):
        click.echo(safe(unreadable.why), err=True)
    if as_json:
        print_json(
            {
                "success": True, "count": len(rows), "templates": [row.public() for row in rows],
                "proposals": [row.public() for row in proposals],
            }
        )  # fmt: skip
        return
    from warm_tui.commands.printing import show_templates
    from warm_tui.library.warmth import uses_of

    show_templates(rows, proposals, uses_of(home))


@click.command()
@click.argument("name")
@most_option
@provider_option
@click.option("--full", is_flag=True, help="Print the whole conversation.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write it to a file for HERMES_PREFILL_MESSAGES_FILE.",
)
@overwrite_option
@secrets_option
@outside_option
@click.option("--proposal", is_flag=True, help="The proposal of this name, where there is a template, too.")
@click.option(
    "--as",
    "form",
    type=click.Choice(["chat", "anthropic", "claude-code", "skill"]),
    help="Print it, or write it to --output, as chat messages, a session of Claude Code or a SKILL.md.",
)
@command
@click.pass_obj
def load(
    home: Home,
    name: str,
    most: int,
    provider: str | None,
    full: bool,
    output: Path | None,
    overwrite: bool,
    allow_secrets: bool,
    allow_outside: bool,
    proposal: bool,
    form: str | None,
    as_json: bool,
) -> None:
    """Show the conversation that a template makes, or a proposal would."""
    from warm_tui.templates.files import Proposals, TemplateFiles

    proposal = proposal or (TemplateFiles(home).find(name) is None and Proposals(home).find(name) is not None)
    if proposal and output is not None:
        raise Trouble(f"'{name}' is a proposal of the agent: `warm-tui accept {name}` makes it a template.")
    stored = (Proposals if proposal else TemplateFiles)(home).load(name)
    if form is not None:
        refuse_secrets(home, stored.template, allow_secrets)
        refuse_outside(home, stored.template, allow_outside)
        from warm_tui.commands.telling import tell_as

        tell_as(home, stored.template, form, most, output, overwrite, as_json)
        return
    conversation = conversation_of(home, stored.template, provider, most)
    if allow_outside:
        refuse_outside(home, stored.template, allow_outside)
    if output is not None:
        refuse_secrets(home, stored.template, allow_secrets)
        refuse_outside(home, stored.template, allow_outside)
        _write(home, name, conversation, output, overwrite)
    facts = _facts(home, stored, conversation, provider) | {"proposal": proposal}
    if as_json:
        whole = {"conversation": conversation.messages} if full else {}
        print_json({"success": True, **facts, **({"output": str(output)} if output else {}), **whole})
        return
    from warm_tui.commands.printing import show_conversation

    show_conversation(
        facts, conversation.messages if full else conversation.messages[:PREVIEWED], len(conversation.messages)
    )
    if output is not None:
        click.echo(f"Written to {safe(str(output))}. {safe(_how_to_start_with(output))}")


def _write(home: Home, name: str, conversation: Conversation, output: Path, overwrite: bool) -> None:
    from warm_tui.agent.activation import count_use
    from warm_tui.outputs import write_output

    text = json.dumps(conversation.messages, ensure_ascii=False, indent=1) + "\n"
    write_output(home, output, text, overwrite)
    print_notes(count_use(home, name, "written", conversation))


def _how_to_start_with(output: Path) -> str:
    from warm_tui.agent import installed

    if len(installed.places_read(installed.agents_here())) > 1:
        return "Name it in config.yaml: before 0.16 the command line of Hermes reads agent.prefill_messages_file alone."
    return f"Start Hermes with HERMES_PREFILL_MESSAGES_FILE={output}"


def conversation_of(home: Home, template: Template, provider: str | None, most: int) -> Conversation:
    from warm_tui.agent.prefill import Prefill
    from warm_tui.templates.conversation import build_conversation

    return build_conversation(template, provider or Prefill(home).provider(), most)


def _facts(home: Home, stored: Stored, conversation: Conversation, provider: str | None) -> dict[str, Any]:
    from warm_tui.agent.prefill import Prefill
    from warm_tui.secrets.redactor import redactor_of
    from warm_tui.templates.budget import count_tokens, warnings
    from warm_tui.templates.conversation import hidden_problems, validate
    from warm_tui.templates.foreign import as_document, marks_of, notes_of, unread
    from warm_tui.templates.redaction import findings_in

    prefill = Prefill(home)
    waiting = unread(home, stored.template)
    marks = marks_of(stored.template, conversation)
    named = provider or prefill.provider()
    messages = conversation.messages
    tokens = count_tokens(messages)
    problems = [
        {"message": p.message, "problem": p.text}
        for p in (*conversation.problems, *validate(messages, named), *hidden_problems(messages))
    ]
    problems += [
        {"message": None, "problem": text} for text in warnings(tokens.total, prefill.window(), window_share(home))
    ]
    for finding in findings_in(stored.template, redactor_of(home)):
        at = conversation.of_message.index(finding.pattern) if finding.pattern in conversation.patterns else None
        problems.append({"message": at, "problem": f"A secret stands in {finding.told}."})
    return {
        "name": stored.template.name,
        "provider": named,
        "message_count": len(conversation.messages),
        "pattern_count": len(conversation.patterns),
        "tokens": tokens.total,
        "tokens_exact": tokens.exact,
        "problems": problems,
        "notes": notes_of(stored.template, named, waiting),
        "outside": as_document(stored.template, waiting),
        "outside_messages": [{"message": at, "came": came} for at, came in marks.items()],
        "conversation_preview": [
            {"role": message["role"], "content_preview": _preview(message)}
            for message in conversation.messages[:PREVIEWED]
        ],
    }


def window_share(home: Home) -> float:
    """The share of the model's window that a template may take, as the operator set it."""
    from warm_tui.config import Config
    from warm_tui.templates.budget import SHARE_OF_WINDOW

    return Config(home.ours / "config.toml").number("window_share", SHARE_OF_WINDOW)


def _preview(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    if calls and not message["content"]:
        function = calls[0]["function"]
        return f"{function['name']}({function['arguments']})"[:PREVIEW_LENGTH]
    return str(message["content"])[:PREVIEW_LENGTH]


@click.command()
@click.argument("name")
@command
@click.pass_obj
def delete(home: Home, name: str, as_json: bool) -> None:
    """Delete a template; where it is kept is told."""
    from warm_tui.templates.files import TemplateFiles

    kept_at = TemplateFiles(home).delete(name)
    message = f"Template '{name}' deleted. It is kept as {kept_at}."
    print_json({"success": True, "message": message}) if as_json else click.echo(safe(message))


@click.command()
@click.option("--type", "task_type", required=True, help="The kind of work: code, file, research or mixed.")
@click.option("--tag", default="", help="Only templates with this tag.")
@command
@click.pass_obj
def get(home: Home, task_type: str, tag: str, as_json: bool) -> None:
    """Name the least used template that fits."""
    from warm_tui.templates.shelf import shelf

    fitting = [row for row in shelf(home)[0] if row.fits(task_type, tag)]
    if not fitting:
        raise Trouble(f"No template is for {task_type!r}" + (f" with the tag {tag!r}." if tag else "."))
    row = min(fitting, key=lambda each: (each.usage_count, each.name))
    print_json({"success": True, **row.public()}) if as_json else click.echo(safe(row.name))


@click.command()
@command
@click.pass_obj
def stats(home: Home, as_json: bool) -> None:
    """Count templates, what is in them, and how often they were activated or injected."""
    from collections import Counter

    from warm_tui.templates.shelf import shelf

    rows, _ = shelf(home)
    facts: dict[str, Any] = {
        "total": len(rows),
        "by_type": dict(sorted(Counter(row.task_type for row in rows).items())),
        "total_examples": sum(row.pattern_count for row in rows),
        "total_usage": sum(row.usage_count for row in rows),
    }
    if as_json:
        print_json({"success": True, **facts})
        return
    by_type = ", ".join(f"{count} {name}" for name, count in facts["by_type"].items())
    click.echo(safe(f"{plural(facts['total'], 'template')}{f' ({by_type})' if by_type else ''}"))
    times = plural(facts["total_usage"], "time")
    click.echo(f"{plural(facts['total_examples'], 'pattern')}, activated or injected {times}")


COMMANDS = (list_templates, load, delete, get, stats)
