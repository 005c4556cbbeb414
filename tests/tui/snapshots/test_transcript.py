"""Pictures of a transcript."""

from __future__ import annotations

import pytest

from tests.tui.snapshots.taking import SIZES, after
from tests.tui.test_transcript_bodies import recorded as recorded
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home


@pytest.mark.parametrize("size", SIZES)
def test_transcript(snap_compare, here: Home, size: str) -> None:
    run = after("enter", "f", "f", title="Make a release")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_a_transcript_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("enter"))


def test_transcript_of_a_compaction_in_place(snap_compare, here: Home) -> None:
    run = after("enter", "c", "enter", title="Crunch all")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=run)


def test_transcript_of_hostile_text(snap_compare, here: Home) -> None:
    run = after("enter", "j", "enter", "j", "enter", "j", "enter", title="Hostile")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


def test_a_verdict_of_ones_own(snap_compare, here: Home) -> None:
    run = after("enter", "f", "v", title="Make a release")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_searching_a_long_transcript(snap_compare, here: Home, size: str) -> None:
    run = after("enter", "slash", *"test", "enter", "n", title="Crunch all")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("theme", ["warm-dark", "warm-light"])
def test_results_shown_for_what_they_are(snap_compare, recorded: Home, theme: str) -> None:
    Config(recorded.ours / "config.toml").remember(theme=theme)
    run = after("enter", "j", "enter", "j", "enter", "j", "enter", "G", "enter", "g")
    assert snap_compare(WarmTui(recorded), terminal_size=SIZES["wide"], run_before=run)
