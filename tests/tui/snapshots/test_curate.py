"""Pictures of curating calls into a draft."""

from __future__ import annotations

import pytest

from tests.tui.snapshots.taking import SIZES, after
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.secrets.redactor import Redactor
from warm_tui.templates.draft import from_document, to_document


@pytest.mark.parametrize("size", SIZES)
def test_curate(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3", "space", "space", "j", "space"))


@pytest.mark.parametrize("theme", ["warm-light", "warm-safe"])
def test_curate_in_other_themes(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=after("3", "space"))


@pytest.mark.parametrize("size", SIZES)
def test_curate_with_nothing_marked(snap_compare, here: Home, size: str) -> None:
    keys = ("3", "f", "home", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


@pytest.mark.parametrize("size", SIZES)
def test_the_draft_with_what_is_to_be_said_of_it(
    snap_compare, here: Home, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each home has its own: the pictures are of none.
    monkeypatch.setattr(Redactor, "placeholder", lambda *_: "<secret-0123abcd>")

    async def run(pilot) -> None:
        await after("3", "space", "space")(pilot)
        screen = pilot.app.screen
        document = to_document(screen.drafting.draft)
        first, second = document["patterns"]
        leaking = {**second, "arguments": {"command": "deploy --token q8Zr" + "41LmPx0"}, "joined": True}
        screen.pane.change(
            from_document({**document, "patterns": [first, first, leaking, {**first, "arguments": "{"}]})
        )
        await after("tab")(pilot)

    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_saving_a_draft(snap_compare, here: Home, size: str) -> None:
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after("3", "space", "w"))


def test_editing_a_result(snap_compare, here: Home) -> None:
    run = after("3", "space", "tab", "o", "down", "down", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["middling"], run_before=run)


@pytest.mark.parametrize("size", SIZES)
def test_the_workbench(snap_compare, here: Home, size: str) -> None:
    """The draft with a pair and a joined pattern, the conversation that it makes, and what the last step changed."""
    keys = ["3", "space", "space", "space", "tab", "j", "b", *(["v"] if size == "narrow" else [])]
    assert snap_compare(WarmTui(here), terminal_size=SIZES[size], run_before=after(*keys))


@pytest.mark.parametrize("theme", ["warm-light", "warm-dark"])
def test_words_written_in_their_row(snap_compare, here: Home, theme: str) -> None:
    Config(here.ours / "config.toml").remember(theme=theme)
    run = after("3", "space", "space", "tab", "enter")
    assert snap_compare(WarmTui(here), terminal_size=SIZES["wide"], run_before=run)
