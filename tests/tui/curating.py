"""What the tests of Curate and of the draft share."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.helpers import settled
from warm_tui.app import WarmTui
from warm_tui.library.db import open_library
from warm_tui.library.drafts import Drafts
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.templates.draft import from_document

WIDE = (160, 48)


async def curate(pilot: Pilot[None]) -> CurateScreen:
    await settled(pilot)
    await pilot.press("3")
    await settled(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, CurateScreen)
    return screen


def picked(screen: CurateScreen) -> list[str]:
    return [pattern.origin.call for pattern in screen.drafting.draft.patterns]


def calls_of(app: WarmTui) -> list[str]:
    return [pattern.origin.call for pattern in app.drafting.draft.patterns]


def kept(home: Home) -> list[list[str]]:
    """What is on disk: the calls of every draft, the last one first."""
    with open_library(home.library) as library:
        drafts = Drafts(library)
        found = [drafts.open(each.id) for each in drafts.all()]
    return [[p.origin.call for p in from_document(each[1]).patterns] for each in found if each]
