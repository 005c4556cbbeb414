"""The pictures in which the names of all screens stand: a screen that is added changes these."""

from __future__ import annotations

import pytest

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.paths import Home


@pytest.fixture(autouse=True)
def mode_bar() -> None:
    """There."""


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_mode_bar(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3"))


def test_help(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("question_mark"))
