"""From the call that gave work to a helper one key leads to the helper's session, and back."""

from __future__ import annotations

from pathlib import Path

from tests.tui.helpers import settled, table, until
from warm_tui.app import WarmTui
from warm_tui.demo.other_agents import Claude
from warm_tui.paths import Home
from warm_tui.screens.transcript.screen import TranscriptScreen


async def test_the_session_of_a_helper_is_opened_from_the_call_that_began_it(tmp_path: Path) -> None:
    told = Claude("c1").says("Look at it").runs("k1")
    told.calls("k2", "Task", description="Look", prompt="Find the bug").agent_does("a1b2c3d4", "k3", "found")
    told.gets("k2", "It is in line 3.\nagentId: a1b2c3d4").write(tmp_path)
    app = WarmTui(Home(tmp_path / "home", (tmp_path / "projects",)))
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        row = next(at for at, row in enumerate(table(app).rows) if row.session_id == "c1")
        table(app).move(row)
        await pilot.press("enter")
        await settled(pilot)
        first = app.screen
        assert isinstance(first, TranscriptScreen)
        calls = [at for at, item in enumerate(first.view.items) if item.call]
        first.view.move(calls[0])
        await pilot.press("s")
        await settled(pilot)
        assert app.screen is first, "an ordinary call began none"
        first.view.move(calls[1])
        await pilot.press("s")
        await until(pilot, lambda: app.screen is not first)
        await settled(pilot)
        helper = app.screen
        assert isinstance(helper, TranscriptScreen)
        assert helper.profile.session_id == "c1.a1b2c3d4"
        assert [item.call.key for item in helper.view.items if item.call] == ["k3"]
        await pilot.press("q")
        assert app.screen is first
