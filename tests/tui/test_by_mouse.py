"""What people come for, by mouse alone: only words that nobody can click are typed."""

from __future__ import annotations

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button, Input, OptionList

from tests.tui.helpers import click_in_footer, foot, settled, table, until
from tests.tui.test_experiments import agent as agent
from tests.tui.test_experiments import cache as cache
from warm_tui.app import WarmTui
from warm_tui.library.catalog import Catalog
from warm_tui.library.overrides import overrides
from warm_tui.paths import Home
from warm_tui.presentation.pictures import outcome_of
from warm_tui.screens.compaction.screen import CompactionScreen
from warm_tui.screens.compare.screen import CompareScreen
from warm_tui.screens.experiments.screen import ExperimentsScreen
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.screens.shared.forms import Confirm, Form, Write
from warm_tui.screens.shared.written import Written
from warm_tui.screens.templates.screen import TemplatesScreen
from warm_tui.screens.transcript.screen import TranscriptScreen
from warm_tui.widgets.mode_bar import ModeBar

NARROW, USUAL, WIDE, WIDEST = (80, 24), (120, 36), (160, 48), (200, 60)


class Mouse:
    """A hand that has no keyboard."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> Screen[object]:
        return self.pilot.app.screen

    async def click(self, widget: object, x: int = 0, y: int = 0, times: int = 1) -> None:
        await self.pilot.click(widget, offset=(x, y), times=times)  # type: ignore[arg-type]
        await settled(self.pilot)

    async def go_to(self, title: str) -> None:
        """By the names at the top: where the terminal is narrow, short ones behind their numbers."""
        bar = self.screen.query_one(ModeBar)
        (mode,) = (mode for mode in bar.modes if mode.title == title)
        await self.click(bar, bar.render_line(0).text.index(f" {mode.keys} ") + 1)

    async def foot(self, title: str) -> None:
        """A key of the footer, or of the palette where that has no room for it."""
        if title in foot(self.pilot.app):
            await click_in_footer(self.pilot, title)
        else:
            await self.palette(title)

    async def column(self, name: str) -> None:
        sessions = table(self.pilot.app)  # type: ignore[arg-type]
        left = 2
        for field, width in zip(sessions.fields, sessions._widths, strict=True):
            if field.name == name:
                await self.click(sessions, left)
                return
            left += width + 2 if width else 0
        raise AssertionError(name)

    async def choose(self, words: str) -> None:
        """Of a list, the one that begins with these words, or behind "…" has them; the wheel brings it into view."""
        options = self.screen.query_one(OptionList)
        at = next(
            at
            for at, each in enumerate(options.options)
            if str(each.prompt).startswith(words) or (words[0] == "…" and words[1:] in str(each.prompt))
        )
        line = next(line for line, (option, _) in enumerate(options._lines) if option == at)
        options.scroll_to(y=line, animate=False)
        await settled(self.pilot)
        border = options.content_region.y - options.region.y
        await self.click(options, 4, border + line - options.scroll_offset.y)

    async def palette(self, title: str) -> None:
        """An action for which the footer has no room."""
        there = [each for each in self.pilot.app.get_system_commands(self.screen) if each.discover]
        await self.foot("palette")
        await until(self.pilot, lambda: isinstance(self.screen, CommandPalette))
        found = self.screen.query_one(OptionList)
        await until(self.pilot, lambda: found.option_count == len(there))
        await settled(self.pilot)
        await self.choose(f"…: {title}\n")

    async def button(self, action: str) -> None:
        await self.click(self.screen.query_one(f"#{action}", Button), 1)


async def test_the_worst_sessions_and_a_verdict_of_ones_own(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        mouse = Mouse(pilot)
        await mouse.column("error_rate")
        assert table(app).rows[0].title == "Bad day: still nothing builds"  # type: ignore[union-attr]
        await mouse.click(SessionTable, 10, 1, times=2)
        assert isinstance(app.screen, TranscriptScreen)
        await mouse.foot("Failure")
        await mouse.foot("Verdict")
        await mouse.choose("…It succeeded")
        await mouse.button("take")
        await until(pilot, lambda: "yours" in "".join(text for text, _ in app.screen.view.head(app.screen.view.cursor)))  # type: ignore[attr-defined]
    with Catalog(demo) as catalog:
        assert [own.verdict.outcome for own in overrides(catalog)] == ["success"]


async def test_compaction_explained_with_a_report(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        mouse = Mouse(pilot)
        await mouse.go_to("Compaction")
        screen = app.screen
        assert isinstance(screen, CompactionScreen)
        await until(pilot, lambda: screen.done)
        await mouse.click("#lives", 10, 3)
        await pilot.hover("#lives", offset=(screen.table.render_line(0).text.index("verdict"), 3))
        assert screen.table.tooltip
        await mouse.foot("Report")
        await mouse.choose("HTML")
        await until(pilot, lambda: isinstance(app.screen, Written))
        await settled(pilot)
        await mouse.button("close")
        assert app.screen is screen
    (report,) = (demo.ours / "reports").glob("*.html")
    assert "compaction" in report.read_text()


async def test_a_comparison_three_ways(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDEST) as pilot:
        await settled(pilot)
        mouse = Mouse(pilot)
        for arm, first in (("Warm", 2), ("Cold", 8)):
            await pilot.mouse_down(SessionTable, offset=(0, first))
            await pilot.hover(SessionTable, offset=(0, first + 4))
            await pilot.mouse_up(SessionTable, offset=(0, first + 4))
            await settled(pilot)
            await mouse.palette(arm)
        assert sorted(table(app).marks.values()) == ["cold"] * 5 + ["warm"] * 5
        await mouse.go_to("Compare")
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await until(pilot, lambda: screen.compared is not None)
        assert screen.spec.kind == "marks"
        await mouse.foot("From")
        await mouse.choose("Warm by the template")
        await until(pilot, lambda: screen.compared is not None and screen.compared.spec.kind == "template")
        await settled(pilot)
        await mouse.foot("From")
        await mouse.choose("…two filters")
        assert isinstance(app.screen, Form)
        app.screen.query(Input).first().value = "model:opus"
        await mouse.button("take")
        await until(pilot, lambda: screen.compared is not None and screen.compared.spec.kind == "filters")


@pytest.mark.usefixtures("agent")
async def test_an_experiment_planned_like_another(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        mouse = Mouse(pilot)
        await mouse.go_to("Templates")
        shelf = app.screen
        assert isinstance(shelf, TemplatesScreen)
        await until(pilot, lambda: len(shelf.table.rows) == 3)
        await mouse.click(shelf.table, 10, 2)
        await mouse.palette("From outside")
        await mouse.button("take")
        await mouse.go_to("Experiments")
        screen = app.screen
        assert isinstance(screen, ExperimentsScreen)
        await until(pilot, lambda: len(screen.rows) > 0)
        await mouse.click("#experiments", 10, 1)
        await mouse.palette("Again")
        await until(pilot, lambda: isinstance(app.screen, Write))
        await settled(pilot)
        await mouse.button("take")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await settled(pilot)
        await mouse.button("close")
        assert len(screen.rows) == 2, "it is planned, and not begun"


async def test_a_failure_followed_to_what_went_well(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=USUAL) as pilot:
        await settled(pilot)
        mouse = Mouse(pilot)
        await mouse.column("error_rate")
        await mouse.click(SessionTable, 10, 3, times=2)
        screen = app.screen
        assert isinstance(screen, TranscriptScreen)
        await mouse.foot("Failure")
        failed = screen.view.under_cursor
        assert failed is not None
        assert failed.call is not None
        for _ in range(30):
            await mouse.palette("Next of this tool")
            here = screen.view.under_cursor
            assert here is not None
            assert here.call is not None
            assert here.call.tool_name == failed.call.tool_name
            verdict = screen.view.verdict(screen.view.cursor)
            if verdict is not None and outcome_of((here.call, verdict)) == "ok":
                break
        await mouse.foot("Pick")
        await until(pilot, lambda: len(app.drafting.draft.patterns) == 1)
