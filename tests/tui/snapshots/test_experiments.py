"""Pictures of experiments, their plans, runs and results."""

from __future__ import annotations

import json

import pytest

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.experiments.workspace import Workspace
from warm_tui.library.db import open_library
from warm_tui.library.experiments import change_experiment, change_run
from warm_tui.paths import Home


@pytest.mark.parametrize("size", SIZES)
def test_experiments(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("7", "j"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_experiments_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("7", "j"))


@pytest.mark.parametrize("size", SIZES)
def test_an_experiment_that_goes_on(snap_compare, here: Home, size: str) -> None:
    """A run in each state that a run can be in."""
    states = ("ended", "running", "timed out", "crashed", "not started", "cancelled", "not needed")
    with open_library(here.library) as library:
        change_experiment(library, 2, state="running", why="", notes='["The copy of the home was gone."]')
        for position, state in enumerate(states, 5):
            change_run(
                library, 2, position, state=state, started_at=NOW - 65, reason="Why it is so." if position > 6 else "",
                ended_at=None if state == "running" else NOW - 5,
            )  # fmt: skip
    with Workspace(here, 2).alone():
        assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("7"))


def test_the_runs_zoomed(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("7", "j", "z"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_no_experiment(snap_compare, here: Home, size: str) -> None:
    with open_library(here.library) as library:
        library.connection.execute("DELETE FROM experiments")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("7"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_making_a_plan(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("7", "n"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_what_a_plan_would_do(snap_compare, here: Home, size: str) -> None:
    run = after("7", "j", "c", "ctrl+s")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_the_result_of_an_experiment(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("7", "j", "o"))


def test_hostile_words_in_an_experiment(snap_compare, here: Home) -> None:
    with open_library(here.library) as library:
        hostile = "\x1b[31mred\x1b[0m [/bold] \u202eesrever\u202c 漢字 👩‍👩‍👧\x07"
        change_experiment(library, 2, name=hostile, why=hostile, template=hostile, notes=json.dumps([hostile]))
        change_run(library, 2, 0, reason=hostile, task=hostile)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("7"))
