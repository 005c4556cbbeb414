"""Tasks as people do them, by keys alone, in terminals of four sizes; by mouse alone they stand in `test_by_mouse.py`."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from tests.tui.helpers import settled, table, until
from tests.tui.test_by_mouse import NARROW, USUAL, WIDE, WIDEST
from tests.tui.test_experiments import agent as agent
from tests.tui.test_experiments import cache as cache
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.overrides import overrides
from warm_tui.paths import Home
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.failures.screen import FailuresScreen
from warm_tui.screens.shared.forms import Confirm, Form, Write
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.screens.transcript.screen import TranscriptScreen


class Keys:
    """A hand that has no mouse."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> Screen[object]:
        return self.pilot.app.screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await settled(self.pilot)

    async def choose(self, words: str) -> None:
        """Of a list, the one with these words."""
        options = self.screen.query_one(OptionList)
        (at,) = (at for at, each in enumerate(options.options) if words in str(each.prompt))
        while options.highlighted != at:
            await self.press("down")
        await self.press("enter")


async def test_the_worst_sessions_and_a_verdict_of_ones_own(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        keys = Keys(pilot)
        await keys.press("s")
        await keys.choose("errors")
        assert table(app).rows[0].title == "Bad day: still nothing builds"
        await keys.press("enter")
        assert isinstance(app.screen, TranscriptScreen)
        await keys.press("f", "v")
        await keys.choose("It succeeded")
        await keys.press("enter")
        view = app.screen.view
        await until(pilot, lambda: "yours" in "".join(text for text, _ in view.head(view.cursor)))
    with Catalog(demo) as catalog:
        assert [own.verdict.outcome for own in overrides(catalog)] == ["success"]


async def test_compaction_explained_with_a_report(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDEST) as pilot:
        await settled(pilot)
        keys = Keys(pilot)
        await keys.press("5")
        screen = app.screen
        assert isinstance(screen, CompactionScreen)
        await until(pilot, lambda: screen.done)
        await keys.press("w")
        await keys.press("e")
        await keys.choose("HTML")
        await until(pilot, lambda: isinstance(app.screen, Written))
        await keys.press("escape")
        assert app.screen is screen
    (report,) = (demo.ours / "reports").glob("*.html")
    assert "compaction" in report.read_text()


async def test_a_comparison_three_ways(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        keys = Keys(pilot)
        for arm in "wc":
            await keys.press("space", *["shift+down"] * 4, arm)
            await keys.press("down")
        assert sorted(table(app).marks.values()) == ["cold"] * 5 + ["warm"] * 5
        await keys.press("6")
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await until(pilot, lambda: screen.compared is not None)
        assert screen.spec.kind == "marks"
        await keys.press("f")
        await keys.choose("Warm by the template")
        await until(pilot, lambda: screen.compared is not None and screen.compared.spec.kind == "template")
        await keys.press("f")
        await keys.choose("two filters")
        assert isinstance(app.screen, Form)
        await keys.press(*"model:opus", "tab", "enter")
        await until(pilot, lambda: screen.compared is not None and screen.compared.spec.kind == "filters")


@pytest.mark.usefixtures("agent")
async def test_an_experiment_planned_like_another(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        keys = Keys(pilot)
        await keys.press("4")
        shelf = app.screen
        assert isinstance(shelf, TemplatesScreen)
        await until(pilot, lambda: len(shelf.table.rows) == 3)
        await keys.press("down", "o")
        await keys.press("enter")
        await keys.press("7")
        screen = app.screen
        assert isinstance(screen, ExperimentsScreen)
        await until(pilot, lambda: len(screen.rows) > 0)
        await keys.press("c")
        await until(pilot, lambda: isinstance(app.screen, Write))
        await keys.press("ctrl+s")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await keys.press("escape", "escape")
        assert len(screen.rows) == 2, "it is planned, and not begun"


async def test_a_failure_followed_to_its_mend(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        keys = Keys(pilot)
        await keys.press("2")
        screen = app.screen
        assert isinstance(screen, FailuresScreen)
        await until(pilot, lambda: bool(screen.table.rows))
        await keys.press("tab", "p")
        await until(pilot, lambda: len(app.drafting.draft.patterns) == 1)
