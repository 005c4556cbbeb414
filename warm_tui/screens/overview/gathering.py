"""What the Overview shows, gathered beside the keys: first from what is remembered, then from what is computed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from warm_tui.errors import Trouble
from warm_tui.insights.answers import Insights, insights_of
from warm_tui.insights.overview import Overview, agents_in_words, overview_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.profiles import remembered_profiles
from warm_tui.library.visits import note_visit
from warm_tui.paths import Home
from warm_tui.reliability.filters import newest_last
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import Unit


class Gathered(msgspec.Struct, frozen=True):
    overview: Overview
    profiles: dict[str, Profile]
    """By the session that names the life."""


class Gathering:
    """For one app: who looked in before is asked once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._since: float | None = None
        self._is_noted = False

    def overview(self, unit: Unit, total: int, *, compute: bool, show: Callable[[Gathered], None]) -> None:
        """`compute`: also what is not remembered; where others do that, what they remember will follow."""
        with Catalog(self.home) as catalog:
            remembered = [p for source in catalog.sources for p in remembered_profiles(source, catalog.library)]
            if remembered:
                show(self._gathered(catalog, remembered, unit, total))
            if not compute:
                return
            profiles = catalog.profiles()
            if not remembered or profiles != sorted(remembered, key=newest_last, reverse=True):
                show(self._gathered(catalog, profiles, unit, len(profiles)))

    def insights(self, stopped: Callable[[], bool]) -> Insights:
        with Catalog(self.home) as catalog:
            return insights_of(catalog, stopped=stopped)

    def _gathered(self, catalog: Catalog, profiles: list[Profile], unit: Unit, total: int) -> Gathered:
        now = time.time()
        if not self._is_noted:
            self._is_noted = True
            with suppress(Trouble, sqlite3.Error, OSError):
                self._since = note_visit(catalog.library, now, agents_in_words())
        overview = overview_of(self.home, catalog.library, profiles, unit, now, self._since, total)
        return Gathered(overview, {profile.session_id: profile for profile in profiles})
