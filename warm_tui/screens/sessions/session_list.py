"""The sessions as they arrive: which match the filter, in what order, and how they descend from each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from warm_tui.errors import HOW_TO_BEGIN
from warm_tui.library.catalog import NEWEST_FIRST
from warm_tui.library.feed import Batch
from warm_tui.library.grouped_rows import GroupedRows
from warm_tui.library.rows import Chosen, Grouping, Rows
from warm_tui.reliability.filters import PARTS, Filter, SortKey, newest_last, parse_filter, sort_keys
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.session_outcome import REACHED
from warm_tui.reliability.totals import GROUPINGS, check_grouping, groups_in_order
from warm_tui.screens.shared.arranging import no_match
from warm_tui.sessions.text import clean_line, plural

LARGE = 1_000
PARTS_WANTED = "parts:yes"
PARTS_TERM = re.compile(r"(?:^|\s)-?parts[:=]\S+", re.IGNORECASE)


class SessionList:
    def __init__(self) -> None:
        self.profiles = Rows()
        self.total = 0
        self.pending: set[str] = set()
        """The sessions that are not profiled yet."""
        self.filter_text = ""
        self.filter = Filter()
        self.grouping = ""
        self.folded: set[str] = set()
        """The groups of which only the name is shown."""
        self.sessions_with_text: dict[str, set[str]] = {}
        self.feeding = False
        """They are being read, or profiled."""
        self.stopped = False
        """The operator does not want more of them profiled."""
        self.left = False
        """Nobody looks at them any more."""
        self.trouble = ""
        """Why they could not be read."""
        self.unread = ""
        """Why a place is not among those that are shown, the first of several."""
        self.away = ""
        """Which machines are, so that their sessions are told as they last were."""
        self.looked_at = ""
        """The session under the cursor, which is profiled before the others."""

    def take(self, batch: Batch) -> None:
        self.total, self.trouble = batch.total, ""
        if batch.rows is not None:
            self.profiles = batch.rows
        if batch.pending is not None:
            self.pending = batch.pending
        self.pending.difference_update(batch.profiled)

    def __contains__(self, session_id: object) -> bool:
        return isinstance(session_id, str) and self.profiles.names_life(session_id)

    # --- what is shown of them ---

    def set_filter(self, text: str) -> None:
        """Raises Trouble, and leaves the filter as it was, where the text is none."""
        self.filter = parse_filter(text)
        self.filter_text = text

    def shown(self, order: str, now: float, left: Callable[[], bool] = bool) -> Rows | Chosen:
        """What matches, in order. `left`: nobody waits for it."""
        query, with_text, by = self.filter, self.sessions_with_text, self.grouping
        if self.stand_as_they_came(order):
            return self.profiles
        return self.profiles.chosen(
            (lambda profile: query.meets(profile, now, with_text)) if query.terms else None,
            [SortKey(newest_last, True)] if order == NEWEST_FIRST else sort_keys(order),
            parts=query.parts,
            grouping=Grouping(GROUPINGS[by], lambda found: groups_in_order(found, order)) if by else None,
            left=lambda: self.left or left(),
        )

    def with_headings(self, rows: Rows | Chosen) -> Rows | Chosen | GroupedRows:
        return GroupedRows(rows, self.folded) if isinstance(rows, Chosen) and rows.groups else rows

    def stand_as_they_came(self, order: str) -> bool:
        return order == NEWEST_FIRST and not self.filter.terms and not self.grouping

    def group_by(self, grouping: str) -> None:
        """Raises Trouble, and leaves the groups as they were, where there are none such."""
        self.grouping = check_grouping(grouping)
        self.folded = set()

    def is_quick(self, order: str) -> bool:
        """Whether `shown` takes no time: there are few, or they stand as they came."""
        return len(self.profiles) < LARGE or self.stand_as_they_came(order)

    def with_parts_or_without(self) -> str:
        """The filter that shows lives by their parts, or that shows them whole again."""
        without = PARTS_TERM.sub("", self.filter_text).strip()
        return without if self.filter.parts else f"{without} {PARTS_WANTED}".strip()

    def values_of(self, field: str) -> list[str]:
        if field == "outcome":
            return [*REACHED, "mine"]
        return ["no", "yes"] if field == PARTS else sorted(self.profiles.words.get(field, ()))

    def headline(
        self, databases: Sequence[Path], rows: Rows | Chosen | GroupedRows, top: int, height: int, *words: str
    ) -> str:
        """Which of the rows are seen, and last where they are recorded: that is long. `top`: the first line that is."""
        first, *others = databases
        total = self.profiles.sessions if self.filter.parts else self.total
        of_all = f" (of {total:,})" if self.filter.terms else ""
        bottom = min(len(rows), top + height)
        above, until, count, groups = top, bottom, len(rows), ""
        if isinstance(rows, GroupedRows):
            above, until = rows.sessions_above(top), rows.sessions_above(bottom)
            count, groups = rows.totals.sessions, f" in {plural(len(rows.chosen.groups), 'group')}"
        seen = f"{above + 1:,}–{until:,} of {count:,}" if until > above else f"{count:,}" if groups else "0"
        parts = [
            self.trouble or self.unread,
            f"{seen}{of_all}{groups}",
            self.progress(),
            self.away,
            *words,
            f"{first}" + (f" and {len(others)} more" if others else ""),
        ]
        return "  ·  ".join(part for part in parts if part)

    @property
    def away_in_short(self) -> str:
        """Where there is no room for more, it still comes first: what is shown is older than it seems."""
        return f"{self.away.partition(' home')[0]} away"

    def progress(self) -> str:
        """How many are profiled, while not all are."""
        if not self.pending and not self.stopped:
            return ""
        return f"{self.total - len(self.pending):,} profiled{', stopped' if self.stopped else '…'}"

    def why_empty(self) -> str:
        if self.trouble:
            return f"{self.trouble}\n\n{HOW_TO_BEGIN}"
        if self.feeding and not self.profiles:
            return "Reading the sessions…"
        if self.filter.terms:
            return no_match("session", self.filter_text)
        return "No session has been recorded yet.\n\nRun Hermes once, or start with --demo to see a sample."

    # --- lineage ---

    def parents_of(self, profile: Profile) -> list[str]:
        return [profile.parent_session_id] if profile.parent_session_id else []

    def heirs_of(self, profile: Profile) -> list[str]:
        """Where lives are told by their parts, those of this one's sessions."""
        heirs = self.profiles.heirs_of(profile.session_ids)
        return heirs if self.filter.parts else [heir for heir in heirs if heir in self]

    def row_of(self, session_ids: Sequence[str], rows: Rows | Chosen | GroupedRows) -> int | None:
        """Where the first of these sessions stands, or the life it is part of."""
        places = (rows.place_of(session_id) for session_id in session_ids)
        return min((place for place in places if place is not None), default=None)

    def why_not_shown(self, relatives: list[str]) -> str:
        """Why none of these sessions stands among those that are shown."""
        name = clean_line(relatives[0])
        known = self.profiles.life_of(relatives[0]) in self
        return f"{name} does not match the filter." if known else f"{name} is gone."
