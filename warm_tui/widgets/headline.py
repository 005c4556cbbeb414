"""What a screen tells of itself in the line of the screens' names: parts that have no room are left out whole."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static

from warm_tui.presentation.lines import whole_parts


class Headline(Static):
    """The first part matters most. Pointing at it tells all of them."""

    def __init__(self, means: str) -> None:
        super().__init__("", id="header", markup=False)
        self._means = self.tooltip = means

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        super().update(content, layout=layout)
        self.tooltip = f"{content}\n{self._means}"

    def render(self) -> str:
        return whole_parts(str(self.content), self.size.width)
