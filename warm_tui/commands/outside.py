"""What commands ask of text that came from outside, and of secrets, before a template with them starts any session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from warm_tui.errors import Trouble
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


def refuse_secrets(home: Home, template: Template, allowed: bool) -> None:
    from warm_tui.secrets.redactor import redactor_of
    from warm_tui.templates.redaction import findings_in

    findings = findings_in(template, redactor_of(home))
    if findings and not allowed:
        places = "; ".join(finding.told for finding in findings[:3]) + ("; …" if findings[3:] else "")
        raise Trouble(
            f"Template '{template.name}' holds {len(findings)} secret{'s' * (len(findings) != 1)} ({places}). "
            "Mask them, or say --allow-secrets."
        )
