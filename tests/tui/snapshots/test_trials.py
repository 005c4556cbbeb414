"""Pictures of trials, of the form of a rule, and of what is asked before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.library.db import Library
from warm_tui.library.trials import keep_rule, rules_of
from warm_tui.paths import Home
from warm_tui.trials.rules import Revision, When


@pytest.fixture
def there(with_trials: Home) -> Home:
    os.chdir(with_trials.root)
    return Home(Path(), (Path("state.db"),))


@pytest.mark.parametrize("size", SIZES)
def test_trials(snap_compare, there: Home, size: str) -> None:
    assert snap_compare(WarmTui(there), terminal_size=SIZES[size], run_before=after("7"))


def test_one_that_was_switched_off_with_its_details(snap_compare, there: Home) -> None:
    assert snap_compare(WarmTui(there), terminal_size=SIZES["wide"], run_before=after("7", "j", "d"))


def test_in_light(snap_compare, there: Home) -> None:
    Config(there.ours / "config.toml").remember(theme="warm-light")
    assert snap_compare(WarmTui(there), terminal_size=SIZES["wide"], run_before=after("7"))


@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_the_form_of_a_rule(snap_compare, there: Home, size: str) -> None:
    assert snap_compare(WarmTui(there), terminal_size=SIZES[size], run_before=after("7", "c"))


def test_of_all_sessions_or_by_rule(snap_compare, there: Home) -> None:
    assert snap_compare(WarmTui(there), terminal_size=SIZES["narrow"], run_before=after("4", "a"))


def test_long_and_hostile_names_and_several_templates(snap_compare, there: Home) -> None:
    hostile = "\x1b[31mred\x1b[0m [/bold] \u202eesrever\u202c 漢字 👩‍👩‍👧\x07 " + "long " * 30
    with Library(there.library) as library:
        helps, harms = rules_of(library.connection)
        keep_rule(library, harms._replace(when=When(hostile, hostile, hostile, hostile), why=hostile))
        keep_rule(library, helps._replace(revisions=(*helps.revisions, Revision(hostile, "other"))))
    assert snap_compare(WarmTui(there), terminal_size=SIZES["narrow"], run_before=after("7", "j"))
