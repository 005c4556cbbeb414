"""Pictures are of what was done, not of when: nothing moves by itself, and no path of this machine is in them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from textual.timer import Timer

from tests.conftest import NOW
from tests.tui.helpers import SHORT_SECONDS
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.experiments import plans
from warm_tui.screens.shared.first_time import NUMBERS, note_told


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks stand; cursors do not blink, tooltips do not come, notices do not go, and no screen follows its files."""
    monkeypatch.setattr("time.time", lambda: NOW)
    run = Timer._run

    async def run_if_short(timer: Timer) -> None:
        if timer._interval < SHORT_SECONDS:
            await run(timer)
        else:
            await asyncio.Event().wait()

    monkeypatch.setattr(Timer, "_run", run_if_short)


@pytest.fixture(autouse=True)
def anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    note_told(NUMBERS)
    monkeypatch.setattr(plans, "find_hermes", lambda: Path("hermes"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def mode_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not there: a screen that is added shall change no picture but its own."""
    monkeypatch.setattr(WarmTui, "CSS", "ModeBar { display: none; }")


@pytest.fixture
def here(demo: Home) -> Home:
    os.chdir(demo.root)
    return Home(Path(), (Path("state.db"),))
