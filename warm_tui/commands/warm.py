"""Commands that start the agent warm: into a conversation, or into its next sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, print_json, print_notes, safe
from warm_tui.commands.changing import ask
from warm_tui.commands.outside import outside_option, refuse_outside, refuse_secrets
from warm_tui.commands.templates import (
    conversation_of,
    most_option,
    provider_option,
    secrets_option,
    window_share,
)
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.agent.activation import Change


@click.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@most_option
@provider_option
@secrets_option
@outside_option
@command
@click.pass_obj
def inject(
    home: Home,
    name: str,
    file: Path,
    most: int,
    provider: str | None,
    allow_secrets: bool,
    allow_outside: bool,
    as_json: bool,
) -> None:
    """Print the messages of FILE with the template put after its leading system messages."""
    from warm_tui.agent.activation import count_use
    from warm_tui.agent.prefill import Prefill
    from warm_tui.templates.conversation import build_conversation, hidden_problems, validate
    from warm_tui.templates.files import TemplateFiles
    from warm_tui.writing import read_regular

    stored = TemplateFiles(home).load(name)
    refuse_secrets(home, stored.template, allow_secrets)
    refuse_outside(home, stored.template, allow_outside)
    try:
        messages = json.loads(read_regular(file), parse_constant=_no_number, parse_float=_finite)
    except OSError as error:
        raise Trouble(f"{file} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise Trouble(f"{file} is not JSON: {error}.") from error
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise Trouble(f"{file} is no list of messages.")
    rules = provider or Prefill(home).provider()
    calls = [call for message in messages for call in message.get("tool_calls") or () if isinstance(call, dict)]
    taken = {call["id"] for call in calls if isinstance(call.get("id"), str)}
    conversation = build_conversation(stored.template, rules, most, taken)
    at = next((n for n, message in enumerate(messages) if message.get("role") != "system"), len(messages))
    whole = [*messages[:at], *conversation.messages, *messages[at:]]
    # What comes after the user's last words is the agent's to say: the end of the whole is not looked at.
    problems = [p for p in (*conversation.problems, *validate(whole, rules)) if p.message != len(whole) - 1]
    problems += hidden_problems(whole)
    for problem in problems:
        click.echo(
            safe(f"{f'message {problem.message + 1}: ' if problem.message is not None else ''}{problem.text}"), err=True
        )
    print_notes(count_use(home, name, "injected", conversation))
    if as_json:
        listed = [{"message": p.message, "problem": p.text} for p in problems]
        print_json({"success": True, "name": name, "message_count": len(whole), "messages": whole, "problems": listed})
    else:
        click.echo(json.dumps(whole, indent=1))


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise ValueError(f"{text} is too large a number")
    return number


@click.command()
@click.argument("name")
@most_option
@provider_option
@click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal to ask at.")
@click.option("--replace", is_flag=True, help="Set somebody else's prefill file aside.")
@secrets_option
@outside_option
@command
@click.pass_obj
def activate(
    home: Home,
    name: str,
    most: int,
    provider: str | None,
    yes: bool,
    replace: bool,
    allow_secrets: bool,
    allow_outside: bool,
    as_json: bool,
) -> None:
    """Let the agent's next sessions start warm with a template."""
    from warm_tui.agent import activation
    from warm_tui.agent.prefill import Prefill
    from warm_tui.templates.budget import count_tokens, warnings
    from warm_tui.templates.files import TemplateFiles

    prefill = Prefill(home)
    stored = TemplateFiles(home).load(name)
    refuse_secrets(home, stored.template, allow_secrets)
    refuse_outside(home, stored.template, allow_outside)
    conversation = conversation_of(home, stored.template, provider, most)
    if not conversation.patterns:
        raise Trouble(f"Template '{name}' has nothing to tell: {conversation.problems[-1].text}")
    print_notes(warnings(count_tokens(conversation.messages).total, prefill.window(), window_share(home)))
    ask(prefill.plan_activation(replace), yes)
    change = activation.activate(home, name, conversation, replace=replace)
    print_notes(change.notes)
    if warning := activation.override_warning(home):
        click.echo(safe(warning), err=True)
    facts = {"prefill_file": str(prefill.file), "config_file": str(prefill.config), "changed": change.plan.changed}
    if as_json:
        print_json({"success": True, **facts, **_what_follows(home, change)})
        return
    click.echo(safe(f"Active: {name}. The next sessions of {_agent_of(home)} start with:"))
    _print_what_follows(home, change)
    click.echo(safe(activation.told_for(home, provider or prefill.provider())))
    click.echo("`warm-tui deactivate` ends that.")


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal to ask at.")
@command
@click.pass_obj
def deactivate(home: Home, yes: bool, as_json: bool) -> None:
    """Let the agent's next sessions start cold again."""
    from warm_tui.agent import activation
    from warm_tui.agent.prefill import Prefill
    from warm_tui.agent.ways import next_sessions
    from warm_tui.commands.printing import print_lines

    prefill = Prefill(home)
    ask(prefill.plan_deactivation(), yes)
    change = activation.deactivate(home)
    print_notes(change.notes)
    facts = {"prefill_file": None, "config_file": str(prefill.config), "changed": change.plan.changed}
    if as_json:
        print_json({"success": True, **facts, **_what_follows(home, change)})
    elif not change.plan.changed:
        click.echo(safe(f"No template was active in {_agent_of(home)}."))
    elif any(way.messages for way in next_sessions(home)):
        click.echo(safe(f"The next sessions of {_agent_of(home)} start with:"))
        _print_what_follows(home, change)
    else:
        click.echo(safe(f"The next sessions of {_agent_of(home)} start cold."))
        print_lines(agent.told for agent in change.running)


def _what_follows(home: Home, change: Change) -> dict[str, Any]:
    import msgspec

    from warm_tui.agent.ways import next_sessions

    return {
        "next_sessions": msgspec.to_builtins(next_sessions(home)),
        "running": msgspec.to_builtins(change.running),
    }


def _print_what_follows(home: Home, change: Change) -> None:
    from warm_tui.agent.ways import lines_of, next_sessions
    from warm_tui.commands.printing import print_lines, show_facts

    show_facts(lines_of(next_sessions(home)))
    print_lines(agent.told for agent in change.running)


def _agent_of(home: Home) -> str:
    return f"profile {home.profile}" if home.profile else str(home.root)


COMMANDS = (inject, activate, deactivate)
