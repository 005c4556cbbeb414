"""The sessions as they arrive: which match the filter, in what order, and how they descend from each other."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from warm_tui.library.catalog import NEWEST_FIRST
from warm_tui.library.feed import Batch
from warm_tui.reliability.filters import Filter, each_once, parse_filter, sort_profiles
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.text import clean_line

LARGE = 1_000
VALUES_OF: dict[str, Callable[[Profile], list[str]]] = {
    "source": lambda p: [p.source],
    "model": lambda p: [p.model or ""],
    "tool": lambda p: list(p.tool_distribution),
    "kind": lambda p: list(p.kinds),
    "type": lambda p: [p.task_type, p.dominant_tool_type],
    "relation": lambda p: [p.relation],
    "parts": lambda _: ["yes", "no"],
}
"""What can be completed behind `field:`."""
PARTS_WANTED = "parts:yes"
PARTS_TERM = re.compile(r"(?:^|\s)-?parts[:=]\S+", re.IGNORECASE)


class SessionList:
    def __init__(self) -> None:
        self.profiles: list[Profile] = []
        self.total = 0
        self.pending: set[str] = set()
        """The sessions that are not profiled yet."""
        self.filter_text = ""
        self.filter = Filter()
        self.sessions_with_text: dict[str, set[str]] = {}
        self.feeding = False
        """They are being read, or profiled."""
        self.stopped = False
        """The operator does not want more of them profiled."""
        self.trouble = ""
        """Why they could not be read."""
        self.looked_at = ""
        """The session under the cursor, which is profiled before the others."""
        self._places: dict[str, int] = {}
        self._life_of: dict[str, str] = {}
        """Of sessions that compaction made."""
        self._is_set_aside = False

    def take(self, batch: Batch) -> None:
        self.total, self.trouble = batch.total, ""
        if batch.rows is not None:
            self.profiles = each_once(batch.rows)
            self._places = {profile.session_id: at for at, profile in enumerate(self.profiles)}
            self._life_of = {}
            self._note_parts(self.profiles)
            self._set_aside()
        if batch.pending is not None:
            self.pending = batch.pending
        for profile in batch.profiles:
            at = self._places.get(profile.session_id)
            if at is not None and profile.message_count >= self.profiles[at].message_count:
                self.profiles[at] = profile
            self.pending.discard(profile.session_id)
        self._note_parts(batch.profiles)

    def _note_parts(self, profiles: Iterable[Profile]) -> None:
        self._life_of.update({part.session_id: p.session_id for p in profiles for part in p.parts[1:]})

    def _set_aside(self) -> None:
        """A large table stays: looked through for garbage again and again, it would hold up a key for 50 ms each time.

        Once, because what is set aside is never looked through any more.
        """
        if len(self.profiles) >= LARGE and not self._is_set_aside:
            self._is_set_aside = True
            gc.freeze()

    def __contains__(self, session_id: object) -> bool:
        return session_id in self._places

    # --- what is shown of them ---

    def set_filter(self, text: str) -> None:
        """Raises Trouble, and leaves the filter as it was, where the text is none."""
        self.filter = parse_filter(text)
        self.filter_text = text

    def shown(self, order: str, now: float) -> list[Profile]:
        """What matches, in order."""
        matching = self.profiles
        if self.filter.terms:
            matching = self.filter.matching(matching, now, self.sessions_with_text)
        return matching if order == NEWEST_FIRST else sort_profiles(matching, order)

    def is_quick(self, order: str) -> bool:
        """Whether `shown` takes no time: there are few, or they stand as they came."""
        return len(self.profiles) < LARGE or (order == NEWEST_FIRST and not self.filter.terms)

    def with_parts_or_without(self) -> str:
        """The filter that shows lives by their parts, or that shows them whole again."""
        without = PARTS_TERM.sub("", self.filter_text).strip()
        return without if self.filter.parts else f"{without} {PARTS_WANTED}".strip()

    def values_of(self, field: str) -> list[str]:
        values = VALUES_OF.get(field)
        return sorted({value for p in self.profiles for value in values(p) if value}) if values else []

    def headline(self, databases: Sequence[Path], rows: int, top: int, height: int, marks: str, order: str) -> str:
        """Where they are recorded, which of the rows are seen, and in what order, in words. `top`: the first seen."""
        first, *others = databases
        total = sum(len(p.session_ids) for p in self.profiles) if self.filter.parts else self.total
        of_all = f" (of {total:,})" if self.filter.terms else ""
        parts = [
            f"{first}" + (f" and {len(others)} more" if others else ""),
            self.trouble,
            f"{top + 1 if rows else 0:,}–{min(rows, top + height):,} of {rows:,}{of_all}",
            self.progress(),
            marks,
            order,
        ]
        return "  ·  ".join(part for part in parts if part)

    def progress(self) -> str:
        """How many are profiled, while not all are."""
        if not self.pending and not self.stopped:
            return ""
        return f"{self.total - len(self.pending):,} profiled{', stopped' if self.stopped else '…'}"

    def why_empty(self) -> str:
        if self.trouble:
            return f"{self.trouble}\n\nStart with --db FILE to name a database, or with --demo to see a sample."
        if self.feeding and not self.profiles:
            return "Reading the sessions…"
        if self.filter.terms:
            return f"No session matches {self.filter_text!r}.\n\nEscape clears the filter; / changes it."
        return "No session has been recorded yet.\n\nRun Hermes once, or start with --demo to see a sample."

    # --- lineage ---

    def parents_of(self, profile: Profile) -> list[str]:
        return [profile.parent_session_id] if profile.parent_session_id else []

    def heirs_of(self, profile: Profile) -> list[str]:
        """Where lives are told by their parts, those of this one's sessions."""
        rows = [part for p in self.profiles for part in p.parts or (p,)] if self.filter.parts else self.profiles
        members = set(profile.session_ids)
        return [p.session_id for p in rows if p.parent_session_id in members]

    def life_of(self, session_id: str) -> str:
        """The life that a session is part of, by which it is named."""
        return self._life_of.get(session_id, session_id)

    def row_of(self, session_ids: list[str], rows: Sequence[Profile]) -> int | None:
        """Where the first of these sessions stands, or the life it is part of."""
        wanted = set(session_ids)
        return next((at for at, row in enumerate(rows) if not wanted.isdisjoint(row.session_ids)), None)

    def marks_on(self, rows: Sequence[Profile], marks: Mapping[str, str]) -> dict[str, str]:
        """The mark of each row: of its life, also where only a part is shown."""
        shown = ((row.session_id, marks.get(row.life)) for row in (rows if marks else ()))
        return {session_id: mark for session_id, mark in shown if mark is not None}

    def why_not_shown(self, relatives: list[str]) -> str:
        """Why none of these sessions stands among those that are shown."""
        name = clean_line(relatives[0])
        known = relatives[0] in self or relatives[0] in self._life_of
        return f"{name} does not match the filter." if known else f"{name} is gone."
