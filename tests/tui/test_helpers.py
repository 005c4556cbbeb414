"""What helpers did stands folded below the call that gave them work, and one key leads to their sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.helpers import settled, table, until
from warm_tui.app import WarmTui
from warm_tui.demo.other_agents import Claude
from warm_tui.paths import Home
from warm_tui.presentation.lines import text_of
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.minimap import Minimap


@asynccontextmanager
async def opened(tmp_path: Path) -> AsyncIterator[tuple[Pilot[Any], TranscriptScreen]]:
    """A session whose second call gave work to a helper, one call of which failed."""
    told = Claude("c1").says("Look at it").runs("k1", code=2)
    told.calls("k2", "Task", description="Look", prompt="Find the bug").agent_does("a1b2c3d4", "k3", "a needle")
    told.gets("k2", "It is in line 3.\nagentId: a1b2c3d4").runs("k4", "thread").write(tmp_path)
    app = WarmTui(Home(tmp_path / "home", (tmp_path / "projects",)))
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        table(app).move(next(at for at, row in enumerate(table(app).rows) if row.session_id == "c1"))
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TranscriptScreen)
        yield pilot, app.screen


def names(screen: TranscriptScreen) -> list[str]:
    return [item.call.key if item.call else item.kind for item in screen.view.items]


def header(screen: TranscriptScreen) -> str:
    return str(screen.query_one("#header", Static).render())


def put_cursor(screen: TranscriptScreen, name: str) -> None:
    screen.view.move(names(screen).index(name))


FOLDED = ["user", "k1", "k2", "helper", "k4"]
UNFOLDED = ["user", "k1", "k2", "helper", "k3", "k4"]


async def test_it_is_folded_until_it_is_asked_for_and_counts_where_it_was_done(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, screen):
        assert names(screen) == FOLDED
        assert "3 calls, 1 failed" in header(screen)
        put_cursor(screen, "helper")
        assert "helper     1 call" in text_of(screen.view.head(screen.view.cursor))
        await pilot.press("enter")
        assert names(screen) == UNFOLDED
        assert text_of(screen.view.head(4)).startswith("┊ ▸ ✓ ok")
        assert "3 calls, 1 failed" in header(screen)
        assert screen.query_one(Minimap).cells[-1].end == len(UNFOLDED)
        await pilot.press("enter")
        assert names(screen) == FOLDED
        assert names(screen)[screen.view.cursor] == "helper"


async def test_a_search_finds_what_is_folded_away_and_unfolds_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, screen):
        await pilot.press("slash", *"needle", "enter")
        await settled(pilot)
        assert "match 1 of 1" in header(screen)
        assert names(screen) == UNFOLDED
        assert names(screen)[screen.view.cursor] == "k3"


async def test_what_a_helper_did_is_judged_and_picked_as_anywhere(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, screen):
        put_cursor(screen, "helper")
        await pilot.press("enter", "j", "v")
        await pilot.press("enter", "enter")
        await settled(pilot)
        verdict = screen.view.verdict(screen.view.cursor)
        assert verdict is not None
        assert verdict.is_own
        await pilot.press("p")
        await settled(pilot)
        (pattern,) = screen.drafting.draft.patterns
        assert (pattern.origin.session_id, pattern.origin.call) == ("c1.a1b2c3d4", "k3")


async def test_what_is_unfolded_stays_so_while_the_session_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, screen):
        put_cursor(screen, "helper")
        await pilot.press("enter", "j")
        path = next((tmp_path / "projects").rglob("c1.jsonl"))
        more = Claude("c2").runs("k5")
        more.records[0]["sessionId"] = more.records[1]["sessionId"] = "c1"
        more.write(tmp_path / "other")
        with path.open("a") as file:
            file.write(next((tmp_path / "other").rglob("c2.jsonl")).read_text())
        screen.load()
        await until(pilot, lambda: names(screen) == [*UNFOLDED, "k5"])
        assert names(screen)[screen.view.cursor] == "k3"
        assert "1 new one below" not in header(screen), "it is on the screen"


async def test_the_session_of_a_helper_is_opened_from_the_call_that_began_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as (pilot, first):
        put_cursor(first, "k1")
        await pilot.press("s")
        await settled(pilot)
        assert pilot.app.screen is first, "an ordinary call began none"
        for name in ("k2", "helper"):
            put_cursor(first, name)
            await pilot.press("s")
            await until(pilot, lambda: pilot.app.screen is not first)
            await settled(pilot)
            helper = pilot.app.screen
            assert isinstance(helper, TranscriptScreen)
            assert helper.profile.session_id == "c1.a1b2c3d4"
            assert [item.call.key for item in helper.view.items if item.call] == ["k3"]
            await pilot.press("q")
            assert pilot.app.screen is first
