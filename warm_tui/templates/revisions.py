"""The revisions of a template: what each changed, by whom and why; how two differ; back to any."""

from __future__ import annotations

import difflib
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from warm_tui.errors import NotFound, Trouble
from warm_tui.library.db import open_library
from warm_tui.library.parts import PARTS
from warm_tui.library.revisions import Note, Revision, document_of, kept_revisions
from warm_tui.paths import Home
from warm_tui.sessions.text import plural
from warm_tui.templates.changes import said
from warm_tui.templates.conversation import PROVIDERS, Message, build_conversation
from warm_tui.templates.files import Stored, TemplateFiles, parse
from warm_tui.templates.model import Template

MAKERS = {"operator": "you", "mined": "mined", "agent": "the agent", "import": "brought in", "": "elsewhere"}
UNKEPT = Note("", "changed by another program, by hand, or before revisions were kept")
SAID_OF_ALL = ("name", "usage_count", "updated_at", "whose", PARTS)


class Entry(NamedTuple):
    """A revision as it is listed. `at` is None for one that was never kept."""

    number: int
    at: float | None
    note: Note
    changed: str
    stamp: str
    current: bool

    @property
    def maker(self) -> str:
        return MAKERS.get(self.note.by, self.note.by)

    def public(self) -> dict[str, Any]:
        return {
            "number": self.number, "at": self.at, "by": self.note.by or None, "why": self.note.why or None,
            "suggestion": self.note.suggestion or None, "changed": self.changed, "current": self.current,
        }  # fmt: skip


def revisions_of(home: Home, name: str) -> list[Entry]:
    """The oldest first. What stands in the file is one of them, also where it was not kept as such."""
    stored = TemplateFiles(home).load(name)
    kept = _kept(home, name)
    entries = [
        Entry(each.number, each.at, each.note, _changed(before, each), each.stamp, each.stamp == stored.stamp)
        for before, each in zip([None, *kept], kept, strict=False)
    ]
    newest = max((at for at, entry in enumerate(entries) if entry.current), default=None)
    if newest != len(entries) - 1 or newest is None:
        count = plural(len(stored.template.patterns), "pattern")
        number = entries[-1].number + 1 if entries else 1
        entries = [entry._replace(current=False) for entry in entries]
        return [*entries, Entry(number, None, UNKEPT, count, stored.stamp, True)]
    return [entry._replace(current=at == newest) for at, entry in enumerate(entries)]


def _kept(home: Home, name: str) -> list[Revision]:
    if not home.library.exists():
        return []
    with open_library(home.library) as library:
        return kept_revisions(library, name)


def _changed(before: Revision | None, after: Revision) -> str:
    """What one revision has that the one before had not."""
    if not after.is_outlined:
        return "another format"
    if before is None or not before.is_outlined:
        return plural(len(after.patterns), "pattern")
    old, new = Counter(before.patterns), Counter(after.patterns)
    added, gone = (new - old).total(), (old - new).total()
    words = [f"+{added:,}"] * bool(added) + [f"−{gone:,}"] * bool(gone)
    words = [f"{' '.join(words)} {'pattern' if added + gone == 1 else 'patterns'}"] if words else []
    if not words and before.patterns != after.patterns:
        words = ["another order"]
    names = {*before.outline, *after.outline} - {*SAID_OF_ALL}
    other = sorted(field for field in names if before.outline.get(field) != after.outline.get(field))
    return ", ".join([*words, *(field.replace("_", " ") for field in other)]) or "nothing that is told"


def entry_numbered(entries: Sequence[Entry], name: str, number: int) -> Entry:
    entry = next((each for each in entries if each.number == number), None)
    if entry is None:
        raise NotFound(f"Template '{name}' has no revision {number}: there are {len(entries):,}.")
    return entry


def template_at(home: Home, name: str, entry: Entry) -> Template:
    files = TemplateFiles(home)
    if entry.current:
        return files.load(name).template
    with open_library(home.library) as library:
        document = document_of(library, name, entry.number)
    return parse(json.dumps(document), name, f"Revision {entry.number} of {name}", files.key)


def back_to(home: Home, name: str, number: int, why: str = "") -> Path:
    """It becomes the newest revision; those since then stay."""
    files = TemplateFiles(home)
    entry = entry_numbered(revisions_of(home, name), name, number)
    if entry.current:
        raise Trouble(f"Template '{name}' is at revision {number} already.")
    stored = files.load(name)
    note = Note(why=why or f"back to revision {number}")
    return files.save(template_at(home, name, entry), _stamp_there(files, stored), note)


def _stamp_there(files: TemplateFiles, stored: Stored) -> str | None:
    """Of the older folder, the file stays: ours stands before it."""
    return stored.stamp if stored.path.parent == files.folder else None


def changed_lines(home: Home, name: str, before: Entry, after: Entry) -> list[str]:
    """As `diff` tells it, in what a model would get."""
    old, new = (_told_lines(template_at(home, name, each)) for each in (before, after))
    return list(
        difflib.unified_diff(old, new, f"revision {before.number}", f"revision {after.number}", lineterm="", n=3)
    )


def _told_lines(template: Template) -> list[str]:
    lines: list[str] = []
    for message in build_conversation(template).messages:
        calls = [
            f"{call['function']['name']} {call['function']['arguments']}" for call in message.get("tool_calls", ())
        ]
        words = str(message.get("content") or "").split("\n")
        lines += [f"{message['role']}: {line}" for line in (*filter(None, words), *calls)]
    return lines


# --- by what was told to a model ---


def words_hash(messages: Sequence[Message]) -> str:
    """What is said in a conversation, however its calls are numbered."""
    return hashlib.sha256(json.dumps([said(each) for each in messages]).encode()).hexdigest()[:32]


def told_as(home: Home, name: str, entries: Sequence[Entry]) -> Mapping[str, list[int]]:
    """For each conversation that revisions make, for any provider, their numbers."""
    numbers: dict[str, list[int]] = {}
    for entry in entries:
        with suppress(Trouble, sqlite3.Error):
            template = template_at(home, name, entry)
            hashes = {words_hash(build_conversation(template, provider).messages) for provider in PROVIDERS}
            for each in hashes:
                numbers.setdefault(each, []).append(entry.number)
    return numbers
