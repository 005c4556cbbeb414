"""What the Overview shows, gathered beside the keys: first from what is remembered, then from what is computed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.insights.overview import NONE_TOLD, FailuresTold, Overview
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.families import KeptFailures
from warm_tui.library.profiles import is_all_remembered, remembered_profiles, version_of
from warm_tui.library.visits import note_visit
from warm_tui.paths import Home
from warm_tui.reliability.filters import each_once, newest_last
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import Unit

if TYPE_CHECKING:
    from warm_tui.insights.answers import Insights
    from warm_tui.insights.ruled import Ruled


class Gathered(msgspec.Struct, frozen=True):
    overview: Overview
    profiles: dict[str, Profile]
    """By the session that names the life."""


SHAPE = version_of(Overview)


def last_shown(home: Home, library: Library, unit: Unit) -> Overview | None:
    """What was shown the last time of these databases."""
    sql = "SELECT told FROM overviews WHERE places = ? AND unit = ? AND shape = ?"
    row = library.connection.execute(sql, (_places(home), unit, SHAPE)).fetchone()
    with suppress(msgspec.MsgspecError):
        return msgspec.json.decode(row[0], type=Overview) if row else None
    return None


def remember_shown(home: Home, library: Library, overview: Overview) -> None:
    library.remember(
        "INSERT OR REPLACE INTO overviews (places, unit, shape, told) VALUES (?, ?, ?, ?)",
        [(_places(home), overview.trends.unit, SHAPE, msgspec.json.encode(overview))],
    )


def _places(home: Home) -> str:
    return repr([os.fsencode(path.absolute()) for path in home.databases])


class Gathering:
    """For one app: who looked in before is asked once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._since: float | None = None
        self._is_noted = False
        self._failures = KeptFailures()
        self._told = NONE_TOLD
        self._ruled: tuple[Ruled, ...] = ()
        self._whole: Unit | None = None
        """Of which unit all that there is was shown."""
        self._kept: Overview | None = None
        """What was last kept of what was shown, without the moment."""

    def overview(self, unit: Unit, total: int, *, compute: bool, show: Callable[[Gathered], None]) -> bool:
        """Whether all that there is was shown; else it is to be asked for again.

        `compute`: also what is not remembered; where others do that, what they remember will follow. Who opens it sees
        what was last shown at once; what is true now takes a moment. Of a part nothing is shown where all was before.
        """
        with Catalog(self.home) as catalog:
            if not self._is_noted and (last := last_shown(self.home, catalog.library, unit)) is not None:
                self._told, self._whole = FailuresTold(last.costly), unit
                show(Gathered(last, {}))
            found = (p for source in catalog.sources for p in remembered_profiles(source, catalog.library))
            profiles = sorted(each_once(found), key=newest_last, reverse=True)
            is_all = is_whole = all(is_all_remembered(source, catalog.library) for source in catalog.sources)
            if is_all or (profiles and self._whole != unit):
                show(self._gathered(catalog, profiles, unit, total, is_whole=is_all))
            if compute and not is_all:
                profiles, is_whole = catalog.profiles(), True
            if is_whole and (self._is_otherwise(catalog, profiles) or not is_all):
                show(self._gathered(catalog, profiles, unit, total, is_whole=True))
            return is_whole

    def _is_otherwise(self, catalog: Catalog, profiles: list[Profile]) -> bool:
        """What fails most, and what trials show, take longer to find than all else: that stands there before."""
        from warm_tui.insights.gathering import failures_told
        from warm_tui.insights.ruled import ruled_of

        self._note_visit(catalog)
        before, shown = self._told, self._ruled
        self._told = failures_told(catalog, profiles, time.time(), self._since, self._failures)
        self._ruled = ruled_of(catalog)
        return (before, shown) != (self._told, self._ruled)

    def insights(self, stopped: Callable[[], bool]) -> Insights:
        from warm_tui.insights.answers import insights_of

        with Catalog(self.home) as catalog:
            return insights_of(catalog, stopped=stopped)

    def _note_visit(self, catalog: Catalog) -> None:
        from warm_tui.insights.gathering import agents_in_words

        if not self._is_noted:
            self._is_noted = True
            with suppress(Trouble, sqlite3.Error, OSError):
                self._since = note_visit(catalog.library, time.time(), agents_in_words())

    def _gathered(
        self, catalog: Catalog, profiles: list[Profile], unit: Unit, total: int, *, is_whole: bool
    ) -> Gathered:
        """`total`: how many there are, as far as anybody has counted, where these are not all."""
        from warm_tui.insights.gathering import overview_of

        self._note_visit(catalog)
        now = time.time()
        known = self._told, self._ruled
        counted = None if is_whole else total
        overview = overview_of(
            self.home, catalog.library, profiles, unit, now, self._since, counted, *known, still_reading=not is_whole
        )
        # What is written is a change, that is followed: only what is another is written.
        lasting = replace(overview, at=0.0, new=())
        self._whole = unit if is_whole else self._whole
        if is_whole and lasting != self._kept:
            remember_shown(self.home, catalog.library, overview)
            self._kept = lasting
        return Gathered(overview, {profile.session_id: profile for profile in profiles})
