"""Every text can be read: 4.5 to 1 at least, in every theme, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.color import Color as TerminalColor
from rich.segment import Segment
from textual.color import Color
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from tests.tui.helpers import settled
from tests.tui.snapshots.test_compare import marked
from tests.tui.test_windows import KINDS
from warm_tui import themes
from warm_tui.app import WarmTui
from warm_tui.paths import Home
from warm_tui.screens.shared.choose import ChooseOne, ChooseSome
from warm_tui.screens.shared.forms import Confirm, Form, Write

LEAST = 4.5
WIDE = (160, 48)
OURS = [theme.name for theme in themes.THEMES]
OF_OURS = "LineTable, PiecesView, DocumentView, ProfilePane, TranscriptView, Minimap, ModeBar"
WINDOWS = (ChooseOne, ChooseSome, Form, Write, Confirm)


def luminance(color: Color) -> float:
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def of_terminal(color: TerminalColor) -> Color:
    return Color.from_rich_color(color)


def texts(screen: Screen[object], within: Region) -> Iterator[tuple[str, str]]:
    """The words that stand there, as they are painted: which cannot be read, and why."""
    for y, strip in enumerate(screen._compositor.render_strips()):
        if not within.y <= y < within.bottom:
            continue
        for text, style, _ in Segment.apply_style(strip.crop(within.x, within.right)):
            if (
                style is None
                or style.color is None
                or style.bgcolor is None
                or text == "X"
                or not any(map(str.isalnum, text))
            ):
                continue
            # Of what is not ticked the X is hidden.
            front, behind = style.color, style.bgcolor
            if style.reverse:
                front, behind = behind, front
            found = contrast(of_terminal(front), of_terminal(behind))
            if found < LEAST:
                yield text.strip(), f"{found:.2f}: {of_terminal(front).hex} on {of_terminal(behind).hex}"


def colours_of(widget: Widget) -> Iterator[tuple[str, Color, Color]]:
    """Each of its component styles on the backgrounds that its lines may have."""
    names = sorted(widget._component_styles) if hasattr(widget, "_component_styles") else []
    styles = {name: widget.get_component_styles(name) for name in names}
    behind = [widget.background_colors[1], *(behind_of(widget, name) for name in names if "cursor" in name)]
    for name, style in styles.items():
        # One that is chosen by what is behind it is looked at as it is painted.
        if "cursor" not in name and style.has_rule("color") and not style.auto_color:
            for background in behind:
                own = background + style.background
                yield name, own + style.color, own


def behind_of(widget: Widget, name: str) -> Color:
    return widget.background_colors[1] + widget.get_component_styles(name).background


@pytest.mark.parametrize("theme", OURS)
async def test_whatever_is_painted_and_every_pair_of_colours_of_our_widgets(demo: Home, theme: str) -> None:
    marked(demo)
    app = WarmTui(demo)
    async with app.run_test(size=WIDE) as pilot:
        app.theme = theme
        wrong: dict[str, str] = {}
        for key in (
            "1",
            "space",
            "slash",
            "escape",
            "enter",
            "f",
            "1",
            "3",
            "space",
            "tab",
            "4",
            "tab",
            "5",
            "6",
            "7",
            "2",
            "0",
        ):
            await pilot.press(key)
            await settled(pilot)
            wrong |= {f"{text!r} after {key}": why for text, why in texts(app.screen, app.screen.region)}
            for widget in app.screen.query(OF_OURS):
                for name, front, behind in colours_of(widget):
                    if contrast(front, behind) < LEAST:
                        wrong[f"{name} of {type(widget).__name__}"] = f"{front.hex} on {behind.hex}"
        for kind in WINDOWS:
            window = KINDS[kind]("A title")
            app.push_screen(window)
            await settled(pilot)
            frame = window.query_one(".window").region
            wrong |= {f"{text!r} in {kind.__name__}": why for text, why in texts(window, frame)}
            app.pop_screen()
        assert not wrong, "\n".join(f"{text}: {why}" for text, why in wrong.items())
