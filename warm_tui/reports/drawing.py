"""What pictures in SVG are drawn with: colours that a page may change, lines and words."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from warm_tui.sessions.text import clean_line

COLOURS: Mapping[str, str] = {
    "": "#2b2520", "strong": "#2b2520", "dim": "#6f665d", "ok": "#2e7d32", "failed": "#c62828", "unknown": "#8a5d00",
    "benign": "#01688a", "masked": "#8e24aa", "mark": "#b3541e",
    "warm": "#984514", "cold": "#2457c5",
}  # fmt: skip
PAPER = "#fbf8f4"
AXIS_COLOUR, BAND_COLOUR = "#9c9186", "#f3eee7"


def fill(style: str) -> str:
    """A colour that holds by itself, and the class by which a page gives another: its dark one."""
    name = style if style in COLOURS and style else "plain"
    return f'fill="{COLOURS.get(style, COLOURS[""])}" class="f-{name}"'


def stroke(style: str) -> str:
    name = style if style in COLOURS and style else "plain"
    return f'fill="none" stroke="{COLOURS.get(style, COLOURS[""])}" class="s-{name}"'


AXIS_STROKE = f'fill="none" stroke="{AXIS_COLOUR}" class="s-axis"'


def text(words: str) -> str:
    return escape(clean_line(words))


def label(x: float, y: float, words: str, anchor: str = "start", style: str = "dim", bold: bool = False) -> str:
    """Words beside a picture; what is recorded comes through `text` before."""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}"{weight} {fill(style)}>{words}</text>'
