"""What may be written into a pattern by hand, and which of a draft's secrets are masked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from warm_tui.errors import Trouble
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.text import clean_line
from warm_tui.templates.draft import Draft
from warm_tui.templates.model import FAILED, WRITTEN_BY_HAND, Origin, Pattern
from warm_tui.templates.redaction import findings_in


def value_of(pattern: Pattern, field: str) -> Any:
    """Of its call, or of the failed one that it mended."""
    return getattr(pattern.mended if field.startswith(FAILED) else pattern, field.removeprefix(FAILED))


def as_text(pattern: Pattern, field: str) -> str:
    """A field of a pattern as it is written in a window."""
    value = value_of(pattern, field)
    return json.dumps(value, indent=2, ensure_ascii=False) if field.endswith("arguments") else str(value)


def from_text(field: str, text: str) -> Any:
    return json.loads(text) if field.endswith("arguments") else text


def check_field(field: str, text: str) -> None:
    """Raises Trouble where a pattern cannot have this in that field."""
    if field.endswith("arguments"):
        check_arguments(text)
    elif field == "tool_name" and not text.strip():
        raise Trouble("A tool must be named.")


def check_fields(fields: Mapping[str, str]) -> None:
    check_field("tool_name", fields["tool_name"])
    check_field("arguments", fields["arguments"])


def check_arguments(text: str) -> None:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Trouble(f"This is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Trouble("The arguments must be a JSON object: {...}")


def _refuse_constant(name: str) -> None:
    raise Trouble(f"{name} is no JSON.")


def pattern_by_hand(fields: Mapping[str, str]) -> Pattern:
    origin = Origin(chosen_by="operator", why="written by hand")
    values: dict[str, Any] = {**fields, "arguments": from_text("arguments", fields["arguments"])}
    return Pattern(**values, origin=origin, whose=WRITTEN_BY_HAND)


def secret_options(draft: Draft, redactor: Redactor) -> list[tuple[str, str]]:
    """Every secret of the draft by its placeholder: whether it is masked, and where it stands first."""
    options: dict[str, str] = {}
    for finding in findings_in(draft.template, redactor):
        placeholder = redactor.placeholder(finding.secret.value)
        state = "stands " if placeholder in draft.refused else "masked "
        options.setdefault(placeholder, f"{state} {finding.told}  {clean_line(finding.secret.value[:4])}…")
    return list(options.items())


def with_secret_turned(draft: Draft, placeholder: str) -> Draft:
    """Masked where it stood, left standing where it was masked."""
    return msgspec.structs.replace(draft, refused=tuple(sorted(set(draft.refused) ^ {placeholder})))
