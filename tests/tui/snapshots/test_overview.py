"""Pictures of all sessions together."""

from __future__ import annotations

import pytest

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from tests.tui.test_fleet import three_machines
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.library.db import open_library
from warm_tui.paths import Home

DAY = 86_400.0


def visited(home: Home) -> None:
    with open_library(home.library) as library:
        library.connection.execute("INSERT INTO visits (at, agent) VALUES (?, 'Hermes 0.18.2')", (NOW - 2 * DAY,))


@pytest.mark.parametrize("size", SIZES)
def test_overview(snap_compare, here: Home, size: str) -> None:
    visited(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("0"))


def test_overview_in_light(snap_compare, here: Home) -> None:
    Config(here.ours / "config.toml").remember(theme="warm-light")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("0"))


@pytest.mark.parametrize("size", SIZES)
def test_trends(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("0", "t"))


@pytest.mark.parametrize("size", ["middling", "narrow"])
def test_four_questions(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("0", "i"))


def test_overview_by_week(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("0", "p"))


@pytest.mark.parametrize("size", ["middling", "narrow"])
def test_the_fleet(snap_compare, here: Home, size: str) -> None:
    three_machines(here, NOW)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("0", "m"))
