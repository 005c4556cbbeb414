"""Pictures of the shelf, activating, and two templates side by side."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from textual.widgets import Static

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.templates.files import Proposals, TemplateFiles


@pytest.mark.parametrize("size", SIZES)
def test_templates(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_templates_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("4"))


@pytest.mark.parametrize("size", SIZES)
def test_a_template_as_json(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4", "J"))


@pytest.mark.parametrize("size", SIZES)
def test_a_template_with_problems(snap_compare, here: Home, size: str) -> None:
    leaking = {"patterns": [{"tool_name": "terminal", "arguments": "{", "result_summary": ""}]}
    leaking["patterns"].append({"tool_name": "env", "arguments": {}, "result_summary": "DB_PASSWORD=q8Zr" + "41LmPx0"})
    (here.root / "warm_sessions" / "a-leak.json").write_text(json.dumps(leaking))
    (here.root / "warm_sessions" / "half.json").write_text("{")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4"))


@pytest.mark.parametrize("size", SIZES)
def test_activating(snap_compare, here: Home, size: str) -> None:
    async def run(pilot) -> None:
        await after("4", "a", "enter")(pilot)
        told = pilot.app.screen.query_one(".confirm Static", Static)
        told.update(str(told.content).replace(os.getcwd(), "/home/user/.hermes"))
        await pilot.pause()

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_two_templates_side_by_side(snap_compare, here: Home, size: str) -> None:
    keys = ("4", "space", "space", "equals_sign")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_no_templates(snap_compare, size: str) -> None:
    home = Home(Path(), (Path("state.db"),))
    assert snap_compare(WarmTui(home), terminal_size=SIZES[size], run_before=after("4"))


@pytest.mark.parametrize("size", SIZES)
def test_text_from_outside(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4", "j", "a", "enter"))


@pytest.mark.parametrize("size", SIZES)
def test_a_proposal(snap_compare, here: Home, size: str) -> None:
    Proposals(here).save(TemplateFiles(here).load("careful-work").template)
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("4", "j"))
