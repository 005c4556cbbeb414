"""The texts of a template that came from outside, and which of them somebody has read and let stand.

A text that was read is known by its hash: a changed one is another, and is asked about again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from warm_tui.errors import Trouble, Unread
from warm_tui.library.db import open_library
from warm_tui.library.reviews import keep_reviews, reviewed
from warm_tui.paths import Home
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates.conversation import PROVIDERS, Conversation
from warm_tui.templates.injection import read_like_instructions, signs_of_injection
from warm_tui.templates.model import FAILED, Pattern, Speaker, Template

FIELDS = ("context", "arguments", "result")
NAMED = 5


class Foreign(NamedTuple):
    """A text that nobody here wrote. The pattern is None where it is the template's own words."""

    pattern: int | None
    field: str
    speaker: Speaker
    brought_by: str
    text: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(json.dumps([self.field, self.text]).encode()).hexdigest()[:32]

    @property
    def is_silent(self) -> bool:
        """Words of which nobody knows that the user said them are told to no model."""
        return self.field in ("context", f"{FAILED}context")

    @property
    def told(self) -> str:
        """Where it stands and how it came there."""
        where = f"pattern {self.pattern + 1}, {self.field}" if self.pattern is not None else self.field
        return f"{where}: {self.came}"

    @property
    def came(self) -> str:
        """From where, and whether it would tell the model what to do."""
        from_where = "from outside" if self.speaker == "outside" else "nobody knows from where"
        if self.speaker == "outside" and self.brought_by:
            from_where = clean_line(f"from outside by {self.brought_by}"[:80])
        return ", ".join(filter(None, (from_where, read_like_instructions(self.signs))))

    @property
    def signs(self) -> tuple[str, ...]:
        return signs_of_injection(self.text)


def foreign_in(pattern: Pattern, at: int) -> list[Foreign]:
    found: list[Foreign] = []
    for each, before in _with_failure(pattern):
        for field in _foreign_fields(each):
            speaker: Speaker = getattr(each.whose, field)
            text = getattr(each, field)
            words = text if isinstance(text, str) else f"{each.tool_name} {json.dumps(text, default=str)}"
            found.append(Foreign(at, before + field, speaker, each.whose.brought_by, words))
    return found


def _with_failure(pattern: Pattern) -> list[tuple[Pattern, str]]:
    """Its call, and the failed one before it; each with what its fields are called by."""
    return [(pattern, ""), *([(pattern.mended, FAILED)] if pattern.mended else [])]


def _foreign_fields(pattern: Pattern) -> list[str]:
    whose = pattern.whose
    return [field for field in FIELDS if getattr(whose, field) in ("outside", "") and getattr(pattern, field)]


def foreign_of(template: Template) -> list[Foreign]:
    found = [each for at, pattern in enumerate(template.patterns) for each in foreign_in(pattern, at)]
    if template.addendum and template.whose.addendum != "user":
        found.insert(0, Foreign(None, "the words before the patterns", template.whose.addendum, "", template.addendum))
    return found


def count_foreign(template: Template) -> int:
    """As many as `foreign_of` finds, without writing them out."""
    texts = sum(len(_foreign_fields(each)) for p in template.patterns for each, _ in _with_failure(p))
    return texts + bool(template.addendum and template.whose.addendum != "user")


# --- what somebody has read ---


def unread(home: Home, template: Template) -> list[Foreign]:
    """Of its foreign texts that are told those that nobody has let stand."""
    found = [each for each in foreign_of(template) if not each.is_silent]
    if not found or not home.library.exists():
        return found
    try:
        with open_library(home.library) as library:
            known = reviewed(library, [each.hash for each in found])
    except (sqlite3.Error, Trouble):
        return found
    return [each for each in found if each.hash not in known]


def let_stand(home: Home, texts: Iterable[Foreign]) -> None:
    """Somebody has read them."""
    with open_library(home.library) as library:
        keep_reviews(library, {each.hash for each in texts})


def refuse_unread(home: Home, template: Template) -> None:
    """Raises Unread where it has foreign text that nobody has let stand."""
    if found := unread(home, template):
        raise Unread(
            f"Template '{template.name}' holds {plural(len(found), 'text')} from outside that nobody has read: "
            f"{named(found)}. Read it with `warm-tui load {template.name} --full`, or on the Templates screen with o; "
            "then say --allow-outside."
        )


def named(texts: Sequence[Foreign]) -> str:
    """Those of one pattern that came alike together."""
    groups = [list(group) for _, group in groupby(texts, key=lambda each: (each.pattern, each.came))]
    told = [group[-1]._replace(field=" and ".join(each.field for each in group)).told for group in groups[:NAMED]]
    return "; ".join(told) + ("; …" if groups[NAMED:] else "")


# --- where it stands in a conversation ---


def marks_of(template: Template, conversation: Conversation) -> dict[int, str]:
    """The messages in which foreign text is told, each with how it came."""
    marks: dict[int, str] = {}
    texts = {(each.pattern, each.field): each.came for each in foreign_of(template)}
    for number, (message, at) in enumerate(zip(conversation.messages, conversation.of_message, strict=True)):
        field = {"assistant": "arguments", "tool": "result"}.get(message["role"], "")
        told_calls = message["role"] != "assistant" or message.get("tool_calls")
        if number in conversation.failed:
            field = FAILED + field
        if message["role"] == "system":
            field = "the words before the patterns"
        if told_calls and (at, field) in texts:
            marks[number] = texts[at, field]
    return marks


def notes_of(template: Template, provider: str, waiting: Sequence[Foreign]) -> list[str]:
    """What is to be said of it: which texts nobody has read, and which are therefore not told as the user's."""
    notes: list[str] = []
    silent = [each for each in foreign_of(template) if each.field == "context"]
    if silent:
        numbers = ", ".join(str((each.pattern or 0) + 1) for each in silent[:NAMED]) + (", …" if silent[NAMED:] else "")
        sentence = (
            f"It is not known that the user said the words of {plural(len(silent), 'pattern')} ({numbers}): "
            "they are not told. Edit them to make them yours."
        )
        notes.append(sentence)
    if template.addendum and template.whose.addendum != "user" and not PROVIDERS[provider].system:
        sentence = f"Nobody knows whose the words before the patterns are. With {provider} they would be the user's"
        notes.append(f"{sentence}: they are not told.")
    if waiting:
        notes.append(f"{plural(len(waiting), 'text')} from outside that nobody has read: {named(waiting)}.")
    return notes


def as_document(template: Template, waiting: Sequence[Foreign]) -> list[dict[str, Any]]:
    hashes = {each.hash for each in waiting}
    return [
        {
            "pattern": each.pattern, "field": each.field, "from": each.speaker or "unknown",
            "by": each.brought_by or None, "told": not each.is_silent,
            "read": not each.is_silent and each.hash not in hashes,
            **({"reads_like_instructions": list(each.signs)} if each.signs else {}),
        }
        for each in foreign_of(template)
    ]  # fmt: skip
