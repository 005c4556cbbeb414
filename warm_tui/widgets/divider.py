"""The line between two panes: dragged, or moved by keys, it gives one what it takes from the other."""

from __future__ import annotations

from textual import events
from textual.css.scalar import Scalar, Unit
from textual.message import Message
from textual.widget import Widget

LEAST = {True: 24, False: 3}
"""Columns, or lines, that each pane keeps."""
STEP = {True: 4, False: 2}


class Divider(Widget):
    """Shares what the widget before it and the one behind it have: in columns where they stand beside each other."""

    ALLOW_SELECT = False

    class Moved(Message):
        """To a share of the first pane, in percent; without one, back to where it stood."""

        def __init__(self, beside: bool, share: float | None) -> None:
            self.beside, self.share = beside, share
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.shares: dict[bool, float] = {}
        self.tooltip = "Drag it to give a pane more room, or press < and >; a double click puts it back."

    def render(self) -> str:
        """Where colours tell nothing, a line; a heavy one, where what is behind it has the focus."""
        if not (self.app.native_ansi_color or self.app.no_color):
            return ""
        is_behind = self.has_class("-behind")
        if self.is_beside:
            return "\n".join(("┃" if is_behind else "│") * self.size.height)
        return ("━" if is_behind else "─") * self.size.width

    @property
    def is_beside(self) -> bool:
        return not self.screen.has_class("-narrow")

    @property
    def first(self) -> Widget:
        assert self.parent is not None
        siblings = self.parent.children
        return siblings[siblings.index(self) - 1]

    @property
    def behind(self) -> Widget:
        assert self.parent is not None
        siblings = self.parent.children
        return siblings[siblings.index(self) + 1]

    @property
    def whole(self) -> int:
        """The cells that both panes have together."""
        assert isinstance(self.parent, Widget)
        size = self.parent.content_size
        return size.width if self.is_beside else size.height

    def put(self, beside: bool, share: float | None) -> None:
        self.shares.pop(beside, None)
        if share is not None:
            self.shares[beside] = share
        self.apply()

    def apply(self) -> None:
        """What the stylesheet says holds where nothing was chosen."""
        share, wanted = self.shares.get(self.is_beside), dict[str, object]()
        if share is not None and self.is_beside:
            wanted = {"width": Scalar(share, Unit.PERCENT, Unit.WIDTH)}
        elif share is not None:
            height = Scalar(share, Unit.PERCENT, Unit.HEIGHT)
            wanted = {"height": height, "max_height": height}
        for rule in ("width", "height", "max_height"):
            setattr(self.first.styles, rule, wanted.get(rule))

    def on_resize(self) -> None:
        self.apply()

    def move_to(self, cells: int) -> None:
        """So many for the first pane."""
        least, whole = LEAST[self.is_beside], self.whole
        if whole > 2 * least:
            cells = max(least, min(whole - least - 1, cells))
            # A little more, for what is laid out is rounded down.
            self.put(self.is_beside, round(cells * 100 / whole + 0.005, 2))

    def step(self, steps: int) -> None:
        size, share = self.first.outer_size, self.shares.get(self.is_beside)
        cells = size.width if self.is_beside else size.height
        # It may not have been laid out yet since the key before.
        cells = cells if share is None else round(share * self.whole / 100)
        self.move_to(cells + steps * STEP[self.is_beside])
        self.tell()

    def tell(self) -> None:
        self.post_message(self.Moved(self.is_beside, self.shares.get(self.is_beside)))

    def on_mouse_down(self) -> None:
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.app.mouse_captured is self:
            place = self.first.region
            self.move_to(event.screen_x - place.x if self.is_beside else event.screen_y - place.y)

    def on_mouse_up(self) -> None:
        if self.app.mouse_captured is self:
            self.release_mouse()
            self.tell()

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1:
            self.put(self.is_beside, None)
            self.tell()
