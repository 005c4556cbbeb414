"""The sample's weeks hold a family that appears, one that a template made go down, and one that comes back."""

from __future__ import annotations

from tests.conftest import NOW
from warm_tui.demo.home import DAY
from warm_tui.demo.nightly import TEMPLATE, add_nightly_reports
from warm_tui.insights.gathering import failures_told
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import families
from warm_tui.paths import Home
from warm_tui.templates.speaking import speakers


def test_what_fails_in_the_nights(demo: Home) -> None:
    home = Home(demo.root, (*demo.databases, add_nightly_reports(demo, NOW)))
    with Catalog(home) as catalog:
        found = families(catalog, now=NOW)
        spoken = speakers(catalog, found)
        profiles = catalog.profiles()
        last_week, yesterday = (failures_told(catalog, profiles, NOW, NOW - ago * DAY).new for ago in (7, 1.5))
    nights = {family.print.program: family for family in found.all if family.homes == ("reports",)}
    assert {program: family.state for program, family in nights.items()} == {
        "docker": "regressed", "psql": "resolved", "npm": "new",
    }  # fmt: skip
    (speaker,) = spoken[nights["psql"].id]
    assert speaker.template == TEMPLATE
    assert speaker.effect is not None
    assert (speaker.effect.before, speaker.effect.after, speaker.effect.went) == ((5, 5), (0, 5), "down")
    assert last_week[0].words.startswith("a failure never seen before: npm: Error: Cannot find module canvas")
    assert yesterday[0].words.startswith("a failure that was over is back: docker: Error response from daemon")
