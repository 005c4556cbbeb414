"""The three formats of templates, as tables: which of our fields stands where, and how it is read and written.

A file is written as it was read, but for what has changed, so nothing of it is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from warm_tui.errors import Trouble
from warm_tui.templates.model import Format, Origin, Pattern, Template, Whose, WhoseAddendum

Read = Callable[[Any], Any]


class Place(NamedTuple):
    """Where a field stands in a format's objects, and how its value is read."""

    key: str
    read: Read
    default: Any


def text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def texts(value: Any) -> tuple[str, ...]:
    return tuple(text(item) for item in value) if isinstance(value, list) else ()


def count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**12 else 1


def truth(value: Any) -> bool:
    return value is not False


def arguments(value: Any) -> Mapping[str, Any] | None:
    """An object, or the JSON of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else {} if value is None else None


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


T = TypeVar("T", Origin, Whose, WhoseAddendum)


def struct(kind: type[T]) -> Callable[[Any], T]:
    """Empty where it is none."""

    def read(value: Any) -> T:
        try:
            return msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            return kind()

    return read


OURS = {
    "tool_name": Place("tool_name", text, ""),
    "arguments": Place("arguments", arguments, None),
    "kind": Place("pattern_type", text, "sequence"),
    "success_count": Place("success_count", count, 1),
    "session_types": Place("session_types", texts, ()),
    "joined": Place("joined", lambda value: value is True, False),
    "origin": Place("origin", struct(Origin), Origin()),
    "whose": Place("whose", struct(Whose), Whose()),
}
PATTERNS: dict[Format, dict[str, Place]] = {
    "version 2": OURS
    | {
        "result": Place("result_summary", text, ""),
        "context": Place("preceding_context", text, ""),
        "succeeded": Place("succeeded", truth, True),
        "mended": Place("mended", lambda value: _failed(value), None),
    },
    "version 1": OURS
    | {
        "result": Place("result_summary", text, ""),
        "context": Place("context_hint", text, ""),
        "succeeded": Place("result_success", truth, True),
    },
    "code-first": OURS
    | {
        "result": Place("result", text, ""),
        "context": Place("context", text, ""),
        "succeeded": Place("success", truth, True),
        "success_count": Place("usage_count", count, 1),
    },
}
LISTS: dict[Format, str] = {"version 2": "patterns", "version 1": "examples", "code-first": "examples"}
TEMPLATE = {
    "description": Place("description", text, ""),
    "addendum": Place("system_prompt_addendum", text, ""),
    "tags": Place("tags", texts, ()),
    "source_session_ids": Place("source_session_ids", texts, ()),
    "created_at": Place("created_at", text, ""),
    "metrics": Place("metrics", mapping, {}),
    "task_type": Place("task_type", text, ""),
    "whose": Place("whose", struct(WhoseAddendum), WhoseAddendum()),
}


def format_of(document: Mapping[str, Any]) -> Format:
    if isinstance(document.get("patterns"), list):
        return "version 2"
    examples = document.get("examples")
    if not isinstance(examples, list):
        raise Trouble("It has neither patterns nor examples: it is no template.")
    kinds = {key for example in examples if isinstance(example, dict) for key in example}
    marks = {"result", "success", "turn_number", "usage_count", "source_session_id"}
    return "code-first" if kinds & marks or ("task_type" in document and not kinds) else "version 1"


def read_template(document: Any, name: str) -> Template:
    """The template of a decoded JSON document."""
    if not isinstance(document, dict):
        raise Trouble("It is no JSON object: it is no template.")
    shape = format_of(document)
    patterns = tuple(_pattern(each, shape) for each in document[LISTS[shape]] if isinstance(each, dict))
    fields = {field: _get(document, place) for field, place in TEMPLATE.items()}
    return Template(name=name, patterns=patterns, format=shape, read=document, **fields)


def _get(document: Mapping[str, Any], place: Place) -> Any:
    return place.read(document[place.key]) if place.key in document else place.default


def _pattern(document: Mapping[str, Any], shape: Format) -> Pattern:
    fields = {field: _get(document, place) for field, place in PATTERNS[shape].items()}
    if shape == "code-first" and "origin" not in document:
        turn = document.get("turn_number")
        fields["origin"] = Origin(
            session_id=text(document.get("source_session_id")),
            position=turn if isinstance(turn, int) else None,
        )
    return Pattern(**fields, read=document)


def _failed(document: Any) -> Pattern | None:
    """A failed call that another one mended; none of its own."""
    if not isinstance(document, dict):
        return None
    return _pattern({key: value for key, value in document.items() if key != "mended"}, "version 2")


def write_template(template: Template) -> dict[str, Any]:
    """The document of a template, in the format it has."""
    document = dict(template.read)
    document.setdefault("name", template.name)
    shape = template.format
    if shape == "version 2":
        document.setdefault("version", 2)
    was = {field: _get(template.read, place) for field, place in TEMPLATE.items()} if template.read else {}
    document |= _changed(template, was, TEMPLATE)
    patterns = [_write_pattern(pattern, shape) for pattern in template.patterns]
    before = template.read.get(LISTS[shape])
    known = [each for each in before if isinstance(each, dict)] if isinstance(before, list) else None
    document[LISTS[shape]] = before if patterns == known else patterns
    return document


def _write_pattern(pattern: Pattern, shape: Format) -> dict[str, Any]:
    if pattern.read is not None:
        was = msgspec.structs.asdict(_pattern(pattern.read, shape))
        return dict(pattern.read) | _changed(pattern, was, PATTERNS[shape])
    return _changed(pattern, {}, PATTERNS[shape])


# What is not written where it says no more than that.
OPTIONAL: Mapping[str, tuple[Any, ...]] = {
    "joined": (False,), "succeeded": (True,), "task_type": ("",), "origin": (Origin(),),
    "whose": (Whose(), WhoseAddendum()), "mended": (None,),
}  # fmt: skip


def _changed(thing: Pattern | Template, was: Mapping[str, Any], places: Mapping[str, Place]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for field, place in places.items():
        value = getattr(thing, field)
        if (field in was and was[field] == value) or (field not in was and value in OPTIONAL.get(field, ())):
            continue
        if isinstance(value, Pattern):
            changes[place.key] = _write_pattern(value, "version 2")
        else:
            changes[place.key] = list(value) if isinstance(value, tuple) else msgspec.to_builtins(value)
    return changes


def as_version_2(template: Template) -> Template:
    """The same in our own format; what only another format has is left behind, what nobody knows is kept."""
    if template.format == "version 2":
        return template
    shape = template.format
    theirs = {place.key for place in PATTERNS[shape].values()} | {"turn_number", "source_session_id"}
    patterns = tuple(
        msgspec.structs.replace(p, read={key: value for key, value in (p.read or {}).items() if key not in theirs})
        for p in template.patterns
    )
    known = {LISTS[shape], "version", *(place.key for place in TEMPLATE.values())}
    unknown_fields = {key: value for key, value in template.read.items() if key not in known}
    return msgspec.structs.replace(template, patterns=patterns, format="version 2", read=unknown_fields)
