"""The templates of a home with what is known of them: how large, how often used, which is active."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.db import open_library
from warm_tui.library.uses import usage
from warm_tui.paths import Home
from warm_tui.templates.budget import Tokens
from warm_tui.templates.building import type_of
from warm_tui.templates.files import Known, Proposals, Stored, TemplateFiles, Unreadable
from warm_tui.templates.foreign import count_foreign


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A template on the shelf."""

    stored: Stored
    task_type: str
    usage_count: int
    proposal: bool = False
    """Made by the agent, and not accepted yet."""
    outside: int = 0
    """How many of its texts came from outside."""
    active: bool = False
    begun_warm: int = 0
    """How many sessions began with it."""
    tokens: Tokens = Tokens(0, exact=False)
    showed: str = ""
    """The verdict of its latest saved comparison."""

    @property
    def name(self) -> str:
        return self.stored.template.name

    @property
    def identity(self) -> str:
        """A proposal may be called like a template."""
        return f"proposal/{self.name}" if self.proposal else self.name

    @property
    def pattern_count(self) -> int:
        return len(self.stored.template.patterns)

    def fits(self, task_type: str, tag: str) -> bool:
        return (not task_type or self.task_type == task_type) and (not tag or tag in self.stored.template.tags)

    def public(self) -> dict[str, Any]:
        template = self.stored.template
        return {
            "name": template.name,
            "description": template.description,
            "tags": list(template.tags),
            "pattern_count": self.pattern_count,
            "created_at": template.read.get("created_at") or None,
            "version": template.read.get("version", {"version 1": 1, "version 2": 2}.get(template.format)),
            "format": template.format,
            "task_type": self.task_type,
            "usage_count": self.usage_count,
            "path": str(self.stored.path),
        }


ORDERS: dict[str, Callable[[Row], Any]] = {
    "name": lambda row: row.name.lower(),
    "active": lambda row: (row.active, row.proposal),
    "outside": lambda row: row.outside,
    "pattern_count": lambda row: row.pattern_count,
    "tokens": lambda row: row.tokens,
    "task_type": lambda row: row.task_type,
    "usage_count": lambda row: row.usage_count,
    "begun_warm": lambda row: row.begun_warm,
    "showed": lambda row: row.showed,
    "created_at": lambda row: row.stored.template.created_at,
    "tags": lambda row: row.stored.template.tags,
    "format": lambda row: row.stored.template.format,
    "description": lambda row: row.stored.template.description.lower(),
}


def arranged(rows: Iterable[Row], query: str, order: str) -> list[Row]:
    """Those with all the words, in order."""
    words = query.lower().split()
    matching = [] if words else list(rows)
    for row in rows if words else ():
        template = row.stored.template
        text = " ".join((row.name, template.description, row.task_type, *template.tags, *_tools(row))).lower()
        if all(word in text for word in words):
            matching.append(row)
    return sorted(matching, key=ORDERS.get(order.lstrip("-"), ORDERS["name"]), reverse=order.startswith("-"))


def _tools(row: Row) -> set[str]:
    return {pattern.tool_name for pattern in row.stored.template.patterns}


def shelf(
    home: Home, verdicts: Mapping[str, str] | None = None, known: Known | None = None
) -> tuple[list[Row], list[Unreadable]]:
    """`verdicts`: for each template what its latest comparison showed, where that is to be seen."""
    stored, bad = TemplateFiles(home).all(known)
    used: Counter[str] = Counter()
    if home.library.exists():
        with suppress(sqlite3.Error, Trouble), open_library(home.library) as library:
            bad += [Unreadable(home.library, note) for note in library.notes]
            used = usage(library)
    rows = []
    for each in stored:
        recorded = each.template.read.get("usage_count")
        before = recorded if isinstance(recorded, int) and 0 <= recorded < 10**12 else 0
        name = each.template.name
        rows.append(
            Row(
                stored=each,
                task_type=type_of(each.template),
                usage_count=used[name] + before,
                outside=count_foreign(each.template),
                showed=(verdicts or {}).get(name, ""),
            )
        )
    return rows, bad


def proposed(home: Home) -> tuple[list[Row], list[Unreadable]]:
    """What the agent would like to be templates."""
    stored, bad = Proposals(home).all()
    rows = [
        Row(
            stored=each,
            task_type=type_of(each.template),
            usage_count=0,
            outside=count_foreign(each.template),
            proposal=True,
        )
        for each in stored
    ]
    return rows, bad
