"""What commands ask of text that came from outside, before a template with it starts any session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.templates.model import Template

outside_option = click.option(
    "--allow-outside", is_flag=True, help="You have read what in it came from outside, and let it stand."
)


def refuse_outside(home: Home, template: Template, allowed: bool) -> None:
    """Who allows it has read it: the same text is not asked about again."""
    from warm_tui.templates.foreign import let_stand, refuse_unread, unread

    if allowed:
        let_stand(home, unread(home, template))
    else:
        refuse_unread(home, template)
