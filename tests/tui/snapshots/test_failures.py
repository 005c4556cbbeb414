"""Pictures of what fails most."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.demo.nightly import add_nightly_reports
from warm_tui.paths import Home


@pytest.fixture
def weeks(here: Home) -> Home:
    """With the job of a timer, in which families come, go, and come back."""
    return Home(Path(), (*here.databases, add_nightly_reports(here, NOW)))


@pytest.mark.parametrize("size", SIZES)
def test_what_fails_most(snap_compare, weeks: Home, size: str) -> None:
    assert snap_compare(WarmTui(weeks), terminal_size=SIZES[size], run_before=after("2"))


@pytest.mark.parametrize("size", SIZES)
def test_one_that_a_template_made_go_down(snap_compare, weeks: Home, size: str) -> None:
    run = after("2", "slash", *"psql", "enter", "tab", "j")
    assert snap_compare(WarmTui(weeks), terminal_size=SIZES[size], run_before=run)


def test_one_zoomed(snap_compare, weeks: Home) -> None:
    run = after("2", "slash", *"space", "enter", "z")
    assert snap_compare(WarmTui(weeks), terminal_size=SIZES["narrow"], run_before=run)


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_in_other_themes(snap_compare, weeks: Home, theme: str) -> None:
    Config(weeks.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(weeks), terminal_size=SIZES["wide"], run_before=after("2", "j"))


def test_nothing_failed(snap_compare, here: Home) -> None:
    run = after("2", "slash", *"id:none", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)
