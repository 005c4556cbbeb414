"""The calls to pick from: where they come from, which have arrived, and which of them are shown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from warm_tui.agent.prefill import Prefill
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import kept_marks
from warm_tui.paths import Home
from warm_tui.screens.shared.arranging import no_match
from warm_tui.sessions.text import plural
from warm_tui.templates.building import Wanted
from warm_tui.templates.shortlist import (
    Entry,
    Line,
    arranged,
    chosen_profiles,
    entries_of,
    shape_counts,
    suggestions,
)

SOURCES = {
    "marked": "The marked sessions",
    "here": "The session under the cursor on the sessions screen",
    "shown": "The sessions that match the filter of the sessions screen",
    "all": "All sessions",
    "mined": "Suggestions: what mining would choose, and why",
}
SHORT = {
    "marked": "marked sessions", "here": "one session", "shown": "sessions filtered", "all": "all sessions",
    "mined": "suggestions",
}  # fmt: skip
SUGGESTED = 40
BATCH_SECONDS = 0.15


class Batch(NamedTuple):
    """Some of the calls, and how far it has come."""

    entries: list[Entry]
    progress: str
    first: bool
    """They take the place of what was there."""
    done: bool = True


def read_calls(home: Home, source: str, here: str, query: str, stopped: Callable[[], bool]) -> Iterator[Batch]:
    """`here` and `query`: the session under the cursor of the sessions screen, and its filter. For a worker."""
    provider = Prefill(home).provider()
    try:
        with Catalog(home) as catalog:
            if source == "mined":
                wanted = Wanted(min_messages=10, max_sessions=200, most=SUGGESTED)
                yield Batch(suggestions(catalog, wanted, provider), SHORT[source], first=True)
            else:
                yield from _by_session(catalog, source, here, query, provider, stopped)
    except Trouble as trouble:
        yield Batch([], str(trouble), first=True)


def _by_session(
    catalog: Catalog, source: str, here: str, query: str, provider: str, stopped: Callable[[], bool]
) -> Iterator[Batch]:
    profiles = chosen_profiles(catalog, source, here, query)
    pending: list[Entry] = []
    first, handed_over = True, time.monotonic()
    for number, entries in enumerate(entries_of(catalog, profiles, provider, stopped), 1):
        pending += entries
        if time.monotonic() - handed_over > BATCH_SECONDS:
            yield Batch(pending, f"{SHORT[source]}: {number:,} of {len(profiles):,} read…", first, done=False)
            pending, first, handed_over = [], False, time.monotonic()
    yield Batch(pending, f"{SHORT[source]}: {plural(len(profiles), 'session')}", first)


def first_source(home: Home) -> str:
    """The marked sessions, if there are any; else what mining suggests. For a worker."""
    try:
        with Catalog(home) as catalog:
            return "marked" if kept_marks(catalog.library) else "mined"
    except Trouble:
        return "mined"


class CallList:
    def __init__(self) -> None:
        self.source = ""
        self.entries: list[Entry] = []
        self.progress = ""
        """How far the reading has come; empty before the first batch."""
        self.reading = False
        self.stopped = False
        """The operator does not want more of them read."""
        self.every_outcome = False
        """Whether calls that did not succeed are shown, too."""
        self.folded: frozenset[str] = frozenset()
        """The tools whose calls are not shown."""
        self.shape_counts: Counter[str] = Counter()

    def begin(self, source: str) -> None:
        self.source, self.entries = source, []
        self.reading, self.stopped = True, False

    def take(self, batch: Batch) -> None:
        self.entries = batch.entries if batch.first else self.entries + batch.entries
        self.progress = batch.progress
        self.reading = not batch.done
        self.shape_counts = shape_counts(self.entries)

    def fold(self, tool: str) -> None:
        """Hide the calls of a tool, or show them again."""
        self.folded ^= {tool}

    def lines(self, filter_text: str, order: str) -> list[Line]:
        return arranged(
            self.entries,
            filter_text,
            order,
            self.shape_counts,
            every_outcome=self.every_outcome,
            folded=self.folded,
        )

    def header(self, lines: Iterable[Line], filter_text: str) -> str:
        shown = sum(isinstance(line, Entry) for line in lines)
        parts = [f"{shown:,} of {plural(len(self.entries), 'call')}", self.progress or "Reading…"]
        if filter_text:
            parts.append(f"with {filter_text!r}")
        return "  ·  ".join(parts)

    def why_empty(self, filter_text: str = "") -> str:
        if not self.progress or self.reading:
            return "Reading the calls…"
        if self.entries:
            return f"{no_match('call', filter_text)}\nt shows calls that failed, too."
        if self.source == "marked":
            return "No session is marked.\n\nMark some with space on screen 1,\nor choose with f where calls come from."
        if self.progress.endswith("."):
            return self.progress
        return f"There are no calls: {self.progress}.\n\nChoose with f where they come from."


def exported(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [
        {
            "session_id": line.call[0],
            "call": line.call[1],
            "tool_name": line.candidate.call.tool_name,
            "arguments": line.candidate.arguments,
            "kind": line.candidate.verdict.kind,
            "why": line.why,
        }
        for line in lines
        if isinstance(line, Entry)
    ]
