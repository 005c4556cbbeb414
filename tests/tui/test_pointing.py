"""By mouse alone: what one points at says what it is, and answers to a click; focus is always somewhere."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input, Tooltip

from tests.tui.helpers import settled, tab, table, until
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.sessions.table import SessionTable
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.headline import Headline
from warm_tui.widgets.key_footer import KeyFooter
from warm_tui.widgets.line_table import LineTable
from warm_tui.widgets.mode_bar import ModeBar

SIZES = [(80, 24), (120, 36), (160, 48), (200, 60)]


async def test_pointing_at_a_header_and_at_a_value_that_is_cut(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(60, 24)) as pilot:
        await settled(pilot)
        sessions = table(app)
        await pilot.hover(SessionTable, offset=(4, 0))
        assert "title" in str(sessions.tooltip)
        at = next(at for at, row in enumerate(sessions.rows) if len(row.title or "") > sessions._widths[0])
        sessions.move(at)
        await settled(pilot)
        await pilot.hover(SessionTable, offset=(4, at + 1 - sessions.scroll_offset.y))
        assert clean_line(sessions.rows[at].title or "") in str(sessions.tooltip)
        await pilot.hover(ModeBar, offset=tab(app, "Sessions"))
        assert sessions.tooltip is None
        assert app.screen.query_one(ModeBar).tooltip == "The table of sessions"


async def test_what_the_screen_shows_is_filtered_by_a_click_on_it(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.click("#header")
        await settled(pilot)
        assert isinstance(app.focused, Input)
        await pilot.press("escape")


async def test_every_header_sorts_by_a_click(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        left = 2
        for field, width in zip(table(app).fields, table(app)._widths, strict=True):
            if width:
                await pilot.click(SessionTable, offset=(left + 1, 0))
                assert table(app).order.lstrip("-") == field.name
                left += width + 2


@pytest.mark.parametrize("key", "123456")
async def test_focus_is_somewhere_and_seen_wherever_one_clicks(demo: Home, key: str) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        await pilot.press(key)
        await settled(pilot)
        divider = app.screen.query_one(Divider)
        # The last lines of a pane are where nothing stands.
        first = next(each for each in app.screen.query(LineTable) if each.display)
        for widget in (first, divider, divider.behind):
            region = widget.region
            await pilot.click(offset=(region.right - 2 if region.width > 2 else region.x, region.bottom - 1))
            assert app.focused is not None
            assert app.focused.display
            assert divider.has_class("-behind") is (divider.behind in app.focused.ancestors_with_self)


@pytest.mark.parametrize("size", SIZES)
async def test_the_footer_has_help_and_the_palette_and_cuts_no_key_and_screens_keep_their_names(
    demo: Home, size: tuple[int, int]
) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        shown = 0
        for key in "01234567":
            await pilot.press(key)
            await settled(pilot)
            keys = app.screen.query_one(KeyFooter).shown
            assert {"Help", "palette"} <= {each.title for _, each in keys}
            ends = [at + each.width for at, each in keys]
            assert all(end <= at for end, (at, _) in zip(ends, keys[1:], strict=False)), key
            assert ends[-1] == size[0]
            shown = max(shown, len(keys))
            bar = app.screen.query_one(ModeBar)
            told = bar.render_line(0).text
            named = [mode.title for mode in bar.modes if mode.title in told]
            least = {80: 2, 120: 5}.get(size[0], len(bar.modes))
            assert len(named) >= least, "as long as there is room"
            assert app.screen.query_one("#header").region.width >= 20
        assert shown >= 7


async def point(pilot: Pilot[None], x: int, y: int) -> Tooltip:
    """As a terminal tells it, and with no wait for what is said."""
    app = pilot.app
    app.post_message(events.MouseMove(None, x, y, 0, 0, 0, False, False, False, x, y, None))
    await pilot.pause()
    return app.screen.get_child_by_type(Tooltip)


def pressed(kind: type[events.MouseEvent], x: int, y: int) -> events.MouseEvent:
    return kind(None, x, y, 0, 0, 1, False, False, False, x, y, None)


@pytest.mark.parametrize(
    "what", [events.Key("d", "d"), *(pressed(kind, 20, 4) for kind in (events.MouseDown, events.MouseScrollDown))]
)
@pytest.mark.parametrize("delay", [0.0, 3_600.0])
async def test_a_tooltip_goes_at_a_key_a_click_and_a_scroll(demo: Home, what: events.InputEvent, delay: float) -> None:
    """Also one that is about to come: what is clicked on would be covered a moment later."""
    app = WarmTui(demo)
    app.TOOLTIP_DELAY = delay
    async with app.run_test(size=(120, 36), tooltips=True) as pilot:
        await settled(pilot)
        shown = await point(pilot, 20, 4)
        if not delay:
            await until(pilot, lambda: bool(shown.display))
            assert shown.region.y > 4, "it stands below what is pointed at"
            assert shown.region.x > 20, "and right of it"
        app.post_message(what)
        await pilot.pause()
        assert not shown.display
        assert app.screen._tooltip_timer is not None
        assert app.screen._tooltip_timer._task is None or app.screen._tooltip_timer._task.cancelling()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_an_order_by_what_is_known_is_said_where_one_looks(demo: Home, size: tuple[int, int]) -> None:
    """By its figures 54 % above 56 % looks like no order at all."""
    app = WarmTui(demo)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for order, sign, words in (("-error_rate", "errors≥▼", "at least"), ("error_rate", "errors≤▲", "at most")):
            app.screen.sort(order)
            await settled(pilot)
            head = table(app).render_line(0).text
            assert sign in head, "over the column"
            headline = str(app.screen.query_one(Headline).render())
            assert f"errors {sign[6:]}" in headline or f"by errors, {words}" in headline, "in place of the order before"
            await pilot.hover(SessionTable, offset=(head.index(sign), 0))
            assert words in str(table(app).tooltip)
            assert any(words in each.text for each in table(app).explained())
