"""Pictures of what compaction did to sessions."""

from __future__ import annotations

import pytest

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home


@pytest.mark.parametrize("size", SIZES)
def test_every_life(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("5", "g"))


@pytest.mark.parametrize("size", SIZES)
def test_one_life(snap_compare, here: Home, size: str) -> None:
    run = after("5", title="Port the test suite")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_one_life_zoomed(snap_compare, here: Home) -> None:
    run = after("5", "z", title="Rewrite the import jobs")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=run)


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_one_life_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    run = after("5", title="Rewrite the import jobs")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_what_survived(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("5", title="Reconcile the ledgers")(pilot)
        await after("enter", "j", "j")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


def test_nothing_was_compacted(snap_compare, here: Home) -> None:
    import sqlite3

    with sqlite3.connect("state.db") as connection:
        connection.execute("DELETE FROM messages")
        connection.execute("UPDATE sessions SET end_reason = NULL, parent_session_id = NULL")
    connection.close()
    assert snap_compare(WarmTui(here), terminal_size=SIZES["narrow"], run_before=after("5"))
