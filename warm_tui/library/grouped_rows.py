"""Chosen rows under the names of their groups. Of a group that is folded, only its name stands there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import TypeAlias, overload

from warm_tui.library.rows import Chosen, Group
from warm_tui.reliability.profile import Profile

Line: TypeAlias = "Profile | Group"


class GroupedRows(Sequence[Line]):
    def __init__(self, chosen: Chosen, folded: Collection[str]) -> None:
        self.chosen, self.folded = chosen, folded
        self.totals = chosen.totals
        self._headings: list[int] = []
        """The line on which each group's name stands."""
        line = 0
        for group in chosen.groups:
            self._headings.append(line)
            line += 1 + (0 if group.name in folded else group.totals.sessions)
        self._length = line

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> list[Line]: ...
    def __getitem__(self, at: int | slice) -> Line | list[Line]:
        if isinstance(at, slice):
            return [self[line] for line in range(*at.indices(self._length))]
        line = range(self._length)[at]
        number = bisect_right(self._headings, line) - 1
        group, below = self.chosen.groups[number], line - self._headings[number]
        return self.chosen[group.start + below - 1] if below else group

    @property
    def lives(self) -> Sequence[str]:
        """Also of those that are folded."""
        return self.chosen.lives

    def lives_of(self, group: Group) -> Sequence[str]:
        return self.chosen.lives[group.start : group.start + group.totals.sessions]

    def place_of(self, session_id: str) -> int | None:
        """The line of a session, or of its group where that is folded."""
        at = self.chosen.place_of(session_id)
        if at is None:
            return None
        number = bisect_right([group.start for group in self.chosen.groups], at) - 1
        group, heading = self.chosen.groups[number], self._headings[number]
        return heading if group.name in self.folded else heading + 1 + at - group.start

    def heading_of(self, name: str) -> int | None:
        """The line on which a group's name stands."""
        found = (line for group, line in zip(self.chosen.groups, self._headings, strict=True) if group.name == name)
        return next(found, None)

    def sessions_above(self, line: int) -> int:
        """How many sessions stand above a line."""
        above = bisect_right(self._headings, line - 1)
        return line - above
