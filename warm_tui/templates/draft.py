"""A template in the making, and what an operator does to it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.building import new_template
from warm_tui.templates.formats import as_version_2, read_template, write_template
from warm_tui.templates.model import FAILED, Pattern, Template, WhoseAddendum
from warm_tui.templates.outside import still_quotes
from warm_tui.templates.redaction import redacted
from warm_tui.templates.visible import visible_template


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    template: Template
    refused: tuple[str, ...] = ()
    """The placeholders of what the operator said is no secret."""
    base: str = ""
    """The template that this is an edit of, and how its file stood."""
    base_stamp: str = ""
    """By which the revision is known that it began from."""
    why: str = ""
    """What the operator said of the change."""
    suggestions: tuple[str, ...] = ()
    """Those that were accepted into it."""

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return self.template.patterns

    @property
    def name(self) -> str:
        return self.template.name


def to_document(draft: Draft) -> dict[str, Any]:
    document = write_template(draft.template)
    patterns = document.pop("patterns")
    return {
        "name": draft.name,
        "template": document,
        "patterns": patterns,
        "refused": list(draft.refused),
        "base": draft.base,
        "base_stamp": draft.base_stamp,
        "why": draft.why,
        "suggestions": list(draft.suggestions),
    }


def from_document(document: Mapping[str, Any]) -> Draft:
    name = str(document.get("name", ""))
    template = read_template({**document.get("template", {}), "patterns": list(document.get("patterns", ()))}, name)
    return Draft(
        template=template,
        refused=tuple(map(str, document.get("refused", ()))),
        base=str(document.get("base", "")),
        base_stamp=str(document.get("base_stamp", "")),
        why=str(document.get("why", "")),
        suggestions=tuple(map(str, document.get("suggestions", ()))),
    )


def empty(name: str = "") -> Draft:
    return Draft(template=Template(name=name))


def edit_of(template: Template, stamp: str) -> Draft:
    return Draft(template=as_version_2(template), base=template.name, base_stamp=stamp)


# --- what an operator does ---


def with_patterns(draft: Draft, patterns: Sequence[Pattern]) -> Draft:
    return msgspec.structs.replace(
        draft, template=msgspec.structs.replace(draft.template, patterns=_loosened(patterns))
    )


def _loosened(patterns: Sequence[Pattern]) -> tuple[Pattern, ...]:
    """The first has nothing to be joined to."""
    if patterns and patterns[0].joined:
        patterns = [msgspec.structs.replace(patterns[0], joined=False), *patterns[1:]]
    return tuple(patterns)


def picked(draft: Draft, call: tuple[str, str]) -> int | None:
    """Where the call stands, by its session and key."""
    return next((at for at, pattern in enumerate(draft.patterns) if call in calls_of(pattern)), None)


def calls_of(pattern: Pattern) -> list[tuple[str, str]]:
    """What it is made of: its call, and the failed one that it mended."""
    return [(each.origin.session_id, each.origin.call) for each in (pattern, pattern.mended) if each is not None]


def added(draft: Draft, pattern: Pattern, at: int | None = None) -> Draft:
    """Where it shall stand; else at the end."""
    before = len(draft.patterns) if at is None else at
    return with_patterns(draft, [*draft.patterns[:before], pattern, *draft.patterns[before:]])


def dropped(draft: Draft, at: int) -> Draft:
    return with_patterns(draft, [p for number, p in enumerate(draft.patterns) if number != at])


def moved(draft: Draft, at: int, to: int) -> Draft:
    patterns = list(draft.patterns)
    patterns.insert(to, patterns.pop(at))
    return with_patterns(draft, patterns)


def changed(draft: Draft, at: int, **fields: Any) -> Draft:
    patterns = list(draft.patterns)
    patterns[at] = msgspec.structs.replace(patterns[at], **fields)
    return with_patterns(draft, patterns)


def written(draft: Draft, at: int, field: str, value: Any) -> Draft:
    """As `changed`, by somebody who wrote it by hand: the words are theirs. What still repeats outside text is not."""
    pattern = draft.patterns[at]
    if field.startswith(FAILED) and pattern.mended:
        return changed(draft, at, mended=_written(pattern.mended, field.removeprefix(FAILED), value))
    patterns = list(draft.patterns)
    patterns[at] = _written(pattern, field, value)
    return with_patterns(draft, patterns)


def _written(pattern: Pattern, field: str, value: Any) -> Pattern:
    if field not in ("context", "arguments", "result"):
        return msgspec.structs.replace(pattern, **{field: value})
    before, after = (json.dumps(each) if field == "arguments" else each for each in (getattr(pattern, field), value))
    foreign = field != "context" and getattr(pattern.whose, field) in ("outside", "")
    if not foreign or not still_quotes(after, before):
        pattern = msgspec.structs.replace(pattern, whose=msgspec.structs.replace(pattern.whose, **{field: "user"}))
    return msgspec.structs.replace(pattern, **{field: value})


def described(draft: Draft, **fields: Any) -> Draft:
    """With words that somebody typed."""
    if fields.get("addendum", draft.template.addendum) != draft.template.addendum:
        fields["whose"] = WhoseAddendum(addendum="user")
    return msgspec.structs.replace(draft, template=msgspec.structs.replace(draft.template, **fields))


def finished(draft: Draft, redactor: Redactor, *, keep_invisible: bool = False) -> Template:
    """What is saved: all of it visible, and the secrets masked, unless the operator let them stand."""
    fresh = new_template(draft.name, draft.patterns)
    made = msgspec.structs.replace(
        draft.template,
        source_session_ids=fresh.source_session_ids,
        created_at=draft.template.created_at or fresh.created_at,
        task_type=fresh.task_type,
    )
    # First: what is invisible within a secret hides it.
    return redacted(made if keep_invisible else visible_template(made), redactor, frozenset(draft.refused))
