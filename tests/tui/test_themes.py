"""Themes: another one repaints everything, wherever one is."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widgets import OptionList

from tests.tui.helpers import notes, settled, table
from warm_tui import themes
from warm_tui.app import WarmTui
from warm_tui.config import Config
from warm_tui.paths import Home
from warm_tui.widgets.divider import Divider
from warm_tui.widgets.transcript_view import TranscriptView

WIDE = (160, 48)


def painted(app: WarmTui) -> list[list[Segment]]:
    return [list(strip.simplify()) for strip in app.screen._compositor.render_strips()]


async def go_through(pilot: Pilot[None]) -> None:
    await settled(pilot)
    for key in "123456":
        await pilot.press(key)
        await settled(pilot)


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ages are the same whenever they are told."""
    monkeypatch.setattr("time.time", lambda: 1_794_990_000.0)


@pytest.mark.parametrize("theme", themes.THEMES, ids=lambda theme: theme.name)
def test_scroll_bars_run_in_a_track_of_their_theme(theme: Theme) -> None:
    track = theme.to_color_system().generate()["scrollbar-background"]
    lightness = [sum(Color.parse(colour).rgb) for colour in (track, theme.surface or "")]
    assert abs(lightness[0] - lightness[1]) < 60, "Textual's own is black, whatever the theme"


async def test_another_theme_repaints_every_screen_also_those_below(demo: Home) -> None:
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await go_through(pilot)
        app.theme = "warm-light"
        await settled(pilot)
        changed = []
        for key in "654321":
            await pilot.press(key)
            await settled(pilot)
            changed.append(painted(app))
    Config(demo.ours / "config.toml").remember(theme="warm-light")
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        await go_through(pilot)
        for key, before in zip("654321", changed, strict=True):
            await pilot.press(key)
            await settled(pilot)
            after = painted(app)
            other = [at for at, (one, two) in enumerate(zip(before, after, strict=True)) if one != two]
            assert not other, f"screen {key}, lines {other}"


@pytest.mark.parametrize(
    ("colours", "theme"), [("standard", "ansi-dark"), ("256", "warm-light"), ("truecolor", "warm-light")]
)
async def test_sixteen_colours_are_the_terminals_own(demo: Home, colours: str, theme: str) -> None:
    """In others the line under the cursor would be red on grey; what was chosen stays chosen for other terminals."""
    Config(demo.ours / "config.toml").remember(theme="warm-light")
    app = WarmTui(demo)
    app.console = Console(color_system=colours, file=StringIO(), force_terminal=True)  # type: ignore[arg-type]
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        assert app.theme == theme
        assert app.choices.text("theme") == "warm-light"
        await pilot.press("T", "home")
        assert app.theme == ("warm-dark" if theme == "warm-light" else theme), "seen before it is chosen"
        await pilot.press("enter")
        await settled(pilot)
        assert app.theme == ("warm-dark" if theme == "warm-light" else theme)
        assert app.choices.text("theme", "") == "warm-dark"
        assert ("16 colours" in notes(app)) == (colours == "standard")


@pytest.mark.parametrize("theme", [themes.DEFAULT, themes.TERMINAL])
async def test_without_colours_words_stand_out_from_what_they_stand_on(
    demo: Home, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    Config(demo.ours / "config.toml").remember(theme=theme)
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        segments = [segment for line in painted(app) for segment in line]
        styles = [style for text, style, _ in segments if text.strip() and style is not None]
        assert styles
        for style in styles:
            colour = style.color
            assert colour is None or colour.is_default or colour.triplet not in (None, (0, 0, 0))


@pytest.mark.parametrize("key", ["s", "E", "T", "ctrl+p"])
async def test_in_the_terminals_own_colours_the_chosen_row_of_a_window_can_be_read(demo: Home, key: str) -> None:
    """What the terminal writes with need not be seen on what it calls white."""
    Config(demo.ours / "config.toml").remember(theme=themes.TERMINAL)
    app = WarmTui(demo)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        await pilot.press(key)
        await settled(pilot)
        chosen = app.screen.query_one(OptionList)
        row = [piece for piece in chosen.render_line(chosen.highlighted or 0) if piece.text.strip()]
        styles = [piece.style for piece in row if piece.style and not piece.style.reverse]
        pairs = [(style.color, style.bgcolor) for style in styles if style.color and style.bgcolor]
        assert not any(colour.is_default and not behind.is_default for colour, behind in pairs)


@pytest.mark.parametrize("theme", [themes.DEFAULT, themes.TERMINAL])
async def test_without_colours_it_is_seen_in_which_row_and_which_pane_one_is(
    demo: Home, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    Config(demo.ours / "config.toml").remember(theme=theme)
    app = WarmTui(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        divider = app.screen.query_one(Divider)

        def styles(row: int) -> list[Style]:
            return [piece.style for piece in table(app).strip_of(row) if piece.text.strip() and piece.style]

        assert all(style.reverse for style in styles(0))
        assert not any(style.reverse or style.underline for style in styles(1))
        assert set(divider.render_line(0).text) == {"─"}
        await pilot.press("tab")
        await settled(pilot)
        assert all(style.underline and not style.reverse for style in styles(0))
        assert set(divider.render_line(0).text) == {"━"}
        await pilot.resize_terminal(160, 48)
        await settled(pilot)
        assert {divider.render_line(y).text for y in range(divider.size.height)} == {"┃"}
        await pilot.press("tab", "enter")
        await settled(pilot)
        transcript = app.screen.query_one(TranscriptView)
        drawn = [piece for y in range(transcript.size.height) for piece in transcript.render_line(y)]
        assert any(piece.style and piece.style.reverse for piece in drawn)
