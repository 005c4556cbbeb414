"""A task as people do it, by keys alone and by mouse alone: a template of six from three sessions, and back again."""

from __future__ import annotations

from collections import Counter

from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.widgets import Button

from tests.tui.curating import WIDE
from tests.tui.helpers import click_in_footer, notes, settled, tab, table
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.curate.screen import CurateScreen
from warm_tui.screens.curate.table import evidence
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.shortlist import Entry
from warm_tui.widgets.mode_bar import ModeBar

SESSIONS, EACH = 3, 2


def with_work(app: WarmTui) -> list[int]:
    """Where sessions stand that have calls enough to pick from."""
    rows = list(table(app).rows)
    return [at for at, row in enumerate(rows) if row.successful_calls >= 20 and row.source != "cron"][:SESSIONS]


def two_of_each(screen: CurateScreen) -> list[int]:
    """Where the first two of each session stand that nobody has to read before they are used."""
    seen: Counter[str] = Counter()
    places = []
    for at, row in enumerate(screen.table.rows):
        assert isinstance(row, Entry)
        if "◂" in evidence(row)[0]:
            continue
        seen[row.call[0]] += 1
        if seen[row.call[0]] <= EACH:
            places.append(at)
    assert len(places) == SESSIONS * EACH
    return places


def check_saved(home: Home) -> str:
    """Its name."""
    (stored,) = [each for each in TemplateFiles(home).all()[0] if each.template.name == "terminal-1"]
    patterns = stored.template.patterns
    assert len(patterns) == SESSIONS * EACH
    assert len({pattern.origin.session_id for pattern in patterns}) == SESSIONS
    return stored.template.name


async def test_by_mouse_alone(demo: Home) -> None:
    config = demo.root / "config.yaml"
    before = config.read_bytes()
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for at in with_work(app):
            await pilot.click(SessionTable, offset=(0, at + 1))
        await pilot.click(ModeBar, offset=tab(app, "Curate"))
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        assert screen.calls.source == "marked"
        for at in two_of_each(screen):
            await scroll_to(pilot, screen, at)
            await pilot.click("#candidates", offset=(0, at + 1 - screen.table.scroll_offset.y))
            await settled(pilot)
        await click_in_footer(pilot, "Save")
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert isinstance(app.screen, TemplatesScreen)
        name = check_saved(demo)
        await click_in_footer(pilot, "Activate")
        await pilot.click(app.screen.query_one("#choose", Button))
        await settled(pilot)
        told = str(app.screen.query_one(".window-body").children[0].render())
        assert "for claude-opus-4.5, which config.yaml names" in " ".join(told.split())
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
        assert f"{name} is active" in notes(app)
        assert "as anthropic takes it" in notes(app)
        assert config.read_bytes() != before
        await click_in_footer(pilot, "Deactivate")
        await pilot.click(app.screen.query_one("#take", Button))
        await settled(pilot)
    assert config.read_bytes() == before


async def scroll_to(pilot: Pilot[None], screen: CurateScreen, row: int) -> None:
    """By the wheel."""
    for _ in range(100):
        top, height = screen.table.scroll_offset.y, screen.table.size.height
        if top <= row < top + height - 1:
            return
        wheel = MouseScrollDown if row >= top else MouseScrollUp
        await pilot._post_mouse_events([wheel], "#candidates", offset=(5, 5))
        await settled(pilot)
    raise AssertionError(row)


async def test_by_keys_alone(demo: Home) -> None:
    config = demo.root / "config.yaml"
    before = config.read_bytes()
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        at = 0
        for place in with_work(app):
            await pilot.press(*["j"] * (place - at), "space")
            at = place + 1
        await pilot.press("3")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, CurateScreen)
        at = 0
        for place in two_of_each(screen):
            await pilot.press(*["j"] * (place - at), "space")
            await settled(pilot)
            at = place + 1
        await pilot.press("w")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        name = check_saved(demo)
        await pilot.press("a", "enter")
        await settled(pilot)
        assert not notes(app), "nothing lies over what is asked"
        await pilot.press("enter")
        await settled(pilot)
        assert f"{name} is active" in notes(app)
        await pilot.press("x")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert f"{name} is active" not in notes(app), "which is so no more"
        assert "start cold" in notes(app)
    assert config.read_bytes() == before
