"""What changes in config.yaml is shown first, and asked where there is somebody to answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from warm_tui.commands.base import safe
from warm_tui.errors import Trouble

if TYPE_CHECKING:
    from warm_tui.agent.config_file import Plan


def ask(plan: Plan, sure: bool) -> None:
    """Show what changes, and ask; where nobody can answer, nothing is changed."""
    if not plan.changed:
        return
    click.echo("\n".join(safe(line) for line in plan.difference.split("\n")), err=True)
    if sure:
        return
    if not sys.stdin.isatty():
        raise Trouble("Nothing was changed: there is no terminal to ask at. --yes changes it without asking.")
    if not click.confirm("Change it?", default=True, err=True):
        raise Trouble("Nothing was changed.")
