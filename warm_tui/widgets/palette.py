"""The styles of outcomes under the current theme, by name."""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget

NAMES = ("ok", "failed", "unknown", "benign", "masked", "dim", "strong", "mark", "warm", "cold")


class Palette:
    """Reads a widget's component classes once; a theme change makes a new one."""

    def __init__(self, widget: Widget) -> None:
        self._styles = {name: _foreground(widget, f"palette--{name}") for name in NAMES}
        self._styles["found"] = self._styles["mark"] + Style(reverse=True)

    def style(self, name: str) -> Style:
        return self._styles.get(name, Style())


CLASSES = {f"palette--{name}" for name in NAMES}


def _foreground(widget: Widget, name: str) -> Style:
    style = widget.get_component_rich_style(name, partial=True)
    return Style(color=style.color, bold=style.bold, dim=style.dim)
