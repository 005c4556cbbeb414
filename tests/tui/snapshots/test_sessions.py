"""Pictures of the sessions, with profiles, filters, marks and help."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.library import feed
from warm_tui.paths import Home


@pytest.mark.parametrize("size", SIZES)
def test_sessions(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("j"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["warm-light", "warm-safe", "ansi-dark"])
def test_sessions_in_other_themes(snap_compare, here: Home, theme: str, size: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("j"))


def test_a_marathon(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(title="split the monolith"))


def test_a_chain(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(title="Port the test suite"))


def test_a_chain_by_its_parts(snap_compare, here: Home) -> None:
    keys = ("slash", *"suite parts:yes", "enter", "j")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(*keys))


def test_hostile_text_stays_in_its_cell(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after(title="Hostile"))


def test_a_filter_with_a_mistake(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("slash", *"errors>"))


def test_marks_and_a_filter(snap_compare, here: Home) -> None:
    keys = ("slash", *"calls>40", "enter", "space", "space", "w", "j", "c")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after(*keys))


def test_choosing_the_order(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("s"))


def test_nothing_there(snap_compare) -> None:
    home = Home(Path("home"), (Path("home/state.db"),))
    assert snap_compare(WarmTui(home), terminal_size=SIZES["narrow"], run_before=after())


def test_no_match(snap_compare, here: Home) -> None:
    keys = ("slash", *"nowhere", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after(*keys))


def test_still_loading(snap_compare, unread_demo: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first window is there, the rest is on its way."""
    monkeypatch.chdir(unread_demo.root)
    here = Home(Path(), (Path("state.db"),))
    monkeypatch.setattr(feed, "FIRST_WINDOW", 60)
    monkeypatch.setattr(feed, "perform", lambda *_: iter(()))
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("j", "j", "j", "j", "j"))


def test_too_small(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=(50, 12), run_before=after())


def test_groups_some_of_them_folded(snap_compare, here: Home) -> None:
    Config(here.ours / "config.toml").remember(group="source", sort="-failed_calls,title")
    keys = ("enter", "j", "space")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after(*keys))
