"""Pictures of warm sessions against cold ones."""

from __future__ import annotations

import pytest

from tests.conftest import NOW
from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import keep_marks
from warm_tui.paths import Home
from warm_tui.sessions.model import SessionName


def marked(home: Home) -> None:
    """The two models that worked most, warm and cold."""
    with Catalog(home) as catalog:
        arms = {"claude-opus-4.5": "warm", "llama-4-70b": "cold"}
        found = {p.session_id: arms[p.model] for p in catalog.profiles() if p.model in arms}
        keep_marks(catalog.library, [{SessionName(each): mark for each, mark in found.items()}])


@pytest.mark.parametrize("size", SIZES)
def test_two_arms(snap_compare, here: Home, size: str) -> None:
    marked(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6"))


def test_two_arms_zoomed(snap_compare, here: Home) -> None:
    marked(here)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("6", "z"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_two_arms_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    marked(here)
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("6"))


@pytest.mark.parametrize("size", SIZES)
def test_no_arms(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("6"))


def test_choosing_arms(snap_compare, here: Home) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=after("6", "f"))


def test_leaking_arms(snap_compare, here: Home) -> None:
    with Catalog(here) as catalog:
        catalog.library.connection.execute(
            "INSERT INTO uses (template, what, content, at, until) VALUES ('careful-work', 'activated', '', 0, ?)",
            (NOW,),
        )

    async def run(pilot) -> None:
        await after("6", "f")(pilot)
        await after("down", "down", "enter")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)
