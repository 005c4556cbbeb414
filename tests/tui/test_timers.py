"""What is put off for a moment comes to pass, also where the process got no time between two looks at the clock."""

from __future__ import annotations

import sys
from collections import Counter
from types import SimpleNamespace

import pytest
from textual import timer
from textual.message_pump import MessagePump

from tests.tui.helpers import settled
from tests.tui.test_compaction import WIDE, compaction, lives, shown
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.profile_pane import ProfilePane

LATE_SECONDS = 60


@pytest.fixture
def late_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each timer looks at the clock, gets no time, and looks again."""
    looks: Counter[object] = Counter()
    now = timer._time.get_time

    def get_time() -> float:
        looker = sys._getframe(1).f_locals["self"]
        looks[looker] += 1
        return now() + (LATE_SECONDS if looks[looker] > 1 else 0)

    monkeypatch.setattr(timer, "_time", SimpleNamespace(get_time=get_time))


@pytest.mark.usefixtures("late_at_once")
@pytest.mark.parametrize("who", ["app", "screen", "pane"])
async def test_each_that_puts_work_off_does_it(demo: Home, who: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        whose: dict[str, MessagePump] = {"app": app, "screen": app.screen, "pane": app.screen.query_one(ProfilePane)}
        done: list[str] = []
        whose[who].set_timer(0.01, lambda: done.append(who))
        await settled(pilot)
        assert done == [who]


@pytest.mark.usefixtures("late_at_once")
async def test_the_pane_tells_of_the_row_the_cursor_went_to(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        screen = await compaction(pilot)
        assert shown(screen).startswith("All sessions")
        await pilot.press("j")
        await settled(pilot)
        assert shown(screen).startswith(lives(screen)[1])
