"""No figure without its meaning: whatever has a number or a sign in it says what that is, wherever one points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from rich.cells import cell_len
from textual.widget import Widget
from textual.widgets._footer import FooterKey

from tests.tui.helpers import settled, table, titles
from tests.tui.snapshots.test_approvals import ASKED
from tests.tui.snapshots.test_compare import marked
from warm_tui.app import WarmTui
from warm_tui.approvals import store
from warm_tui.approvals.asking import Prepared
from warm_tui.approvals.model import Answer, Submission
from warm_tui.approvals.place import make_folder
from warm_tui.paths import Home
from warm_tui.screens.shared.window import Window
from warm_tui.widgets.minimap import Minimap
from warm_tui.widgets.mode_bar import ModeBar
from warm_tui.widgets.selectable import SelectableLines

FIGURE = re.compile(r"(?<!\S)[≈≥≤+\-$(]*\d[\d,.–:/]*(?<![.:])[%kMGdhmsy×)…]*(?!\S)|[✓✗]")
"""A number that stands by itself, whatever it is of, or a sign: names have numbers in them, too."""
SCREENS = {
    "overview": ("", "0"),
    "trends": ("", "0 t"),
    "questions": ("", "0 i"),
    "sessions": ("split the monolith", ""),
    "groups": ("", "B down enter"),
    "transcript": ("Make a release", "enter f"),
    "curate": ("", "2 space space"),
    "templates": ("", "4"),
    "compaction": ("Rewrite the import jobs", "4 d"),
    "all compactions": ("", "4 g d"),
    "survival": ("Reconcile the ledgers", "4 enter j"),
    "compare": ("", "5 d"),
    "experiments": ("", "6 j d"),
    "failures": ("", "7 j"),
    "trials": ("", "7"),
    "a trial": ("", "6 j d"),
    "approvals": ("", "8"),
    "log of approvals": ("", "8 tab tab j"),
    "suggestions": ("", "2 i"),
    "revisions": ("", "3 R"),
}
OF_TRIALS = {"trials", "a trial", "approvals", "log of approvals"}
"""Where the sample has trials, and requests that wait."""
RECORDED = ("preview", "detail", "conversation", "piece", "transcript")
"""Panes in which what was recorded stands as it is."""


def figures(app: WarmTui) -> Iterator[tuple[str, int, int, Widget]]:
    """What stands on the screen with a number or a sign in it, and where."""
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        for found in FIGURE.finditer(strip.text):
            x = cell_len(strip.text[: found.start()])
            yield found.group(), x, y, app.screen.get_widget_at(x, y)[0]


def means(text: str, x: int, y: int, widget: Widget) -> str:
    """What is told of a place of the screen when one points at it."""
    if isinstance(widget, (ModeBar, FooterKey)) or (widget.id in RECORDED and text not in "✓✗"):
        return "it names a key, or stands as it was recorded"
    if isinstance(widget, (SelectableLines, Minimap)):
        left, top = widget.content_region.offset
        return widget.explanation_at(x - left, y - top)
    return next(
        (str(each.tooltip) for each in widget.ancestors_with_self if isinstance(each, Widget) and each.tooltip), ""
    )


def ask_for_approval(home: Home) -> None:
    with closing(store.Store(make_folder(home).database, b"")) as kept:
        first, _ = (kept.submit(Prepared(Submission(**each), "", False)) for each in ASKED[:2])
        kept.answer(first.id, Answer(approve=False, by="ada", reason="not on a Friday"))


@pytest.mark.parametrize("size", [(160, 48), (80, 24)], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", SCREENS)
async def test_every_figure_on_every_screen_says_what_it_means(
    name: str, size: tuple[int, int], request: pytest.FixtureRequest
) -> None:
    title, keys = SCREENS[name]
    home: Home = request.getfixturevalue("with_trials" if name in OF_TRIALS else "demo")
    marked(home)
    if name in OF_TRIALS:
        ask_for_approval(home)
    app = WarmTui(home)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        table(app).move(next(at for at, found in enumerate(titles(app)) if title in found))
        await settled(pilot)
        for key in keys.split():
            await pilot.press(key)
            await settled(pilot)
        found = list(figures(app))
        if isinstance(app.screen, Window):
            # Its title, its buttons and what is below it are told elsewhere.
            inside = app.screen.query_one(".window-body").region
            found = [each for each in found if inside.contains(each[1], each[2])]
        assert len(found) > (2 if isinstance(app.screen, Window) else 5)
        unexplained = [
            f"{text} at {x}, {y} of {widget!r}" for text, x, y, widget in found if not means(text, x, y, widget)
        ]
        assert not unexplained, "\n" + "\n".join(unexplained)
