"""A template, told in the form of another program."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import click

from warm_tui.commands.base import print_json, safe
from warm_tui.outputs import write_output
from warm_tui.paths import Home
from warm_tui.sessions.text import clean
from warm_tui.templates.conversation import build_conversation
from warm_tui.templates.model import Template
from warm_tui.templates.telling import FORMS, Setting, skill_name


def tell_as(
    home: Home, template: Template, form: str, most: int, output: Path | None, overwrite: bool, as_json: bool
) -> None:
    """Out to another program: on stdout, or in a file."""
    setting = Setting(uuid4(), os.getcwd(), datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"))
    conversation = build_conversation(template, FORMS[form].provider, most)
    text, problems = FORMS[form].tell(conversation, template, setting)
    if output is not None:
        write_output(home, output, text, overwrite)
    if as_json:
        where = {"output": str(output)} if output else {"text": text}
        named = {"session_id": str(setting.session)} if form == "claude-code" else {}
        told = [{"message": each.message, "problem": each.text} for each in conversation.problems]
        told += [{"message": None, "problem": problem} for problem in problems]
        print_json({"success": True, "name": template.name, "form": form, "problems": told, **named, **where})
        return
    for problem in (*(each.text for each in conversation.problems), *problems):
        click.echo(safe(problem), err=True)
    if output is None:
        # A terminal would obey what stands in it; a file or a program gets it as it is.
        click.echo(clean(text) if sys.stdout.isatty() else text, nl=False)
    else:
        click.echo(f"Written to {safe(str(output))}.")
        if form == "skill":
            place = f"skills/{skill_name(template.name)}/SKILL.md"
            click.echo(f"It is read as {place} in a Hermes home, or as ~/.claude/{place}.")
        if form == "claude-code":
            click.echo(
                f"Put it into ~/.claude/projects/{safe(setting.folder.replace('/', '-'))}/{setting.session}.jsonl"
                f" and run `claude --resume {setting.session}`."
            )
