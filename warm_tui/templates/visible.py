"""What is invisible in templates and conversations, and the same without it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from warm_tui.sessions.invisible import hidden_in
from warm_tui.sessions.text import seen
from warm_tui.templates.formats import read_template, write_template
from warm_tui.templates.model import Template


def visible(value: Any) -> Any:
    """The same with what is seen of each text, names of fields too; also of a text that is JSON, and hides it there."""
    if isinstance(value, str):
        inner = _escaped_in(value)
        return seen(value) if not hidden_within(inner) else json.dumps(visible(inner), ensure_ascii=False)
    if isinstance(value, Mapping):
        return {seen(name): visible(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [visible(inner) for inner in value]
    return value


def visible_template(template: Template) -> Template:
    """Every text of its file, so that nothing is left in a corner."""
    document = write_template(template)
    if not hidden_within(document):
        return template
    return msgspec.structs.replace(read_template(visible(document), template.name), name=template.name)


def hidden_within(value: Any) -> str:
    """All invisible characters of all texts."""
    return "".join(hidden_in(text) for text in _texts(value))


def _escaped_in(text: str) -> Any:
    """What a text of JSON holds, where something may stand in it as an escape."""
    if "\\" not in text or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        yield from _texts(_escaped_in(value))
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)
