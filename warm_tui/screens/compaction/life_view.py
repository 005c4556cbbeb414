"""What compaction did to the life under the cursor: the conclusion, its timeline to walk along, and the figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.message import Message

from warm_tui import actions
from warm_tui.presentation.glossary import Explained, of_lines, of_piece
from warm_tui.presentation.lines import Line
from warm_tui.presentation.timeline import AXIS, LEAST_HEIGHT, Picture, point_line, signs_lines
from warm_tui.reports.document import TimelinePart
from warm_tui.reports.lines import part_lines, title_lines
from warm_tui.sessions.model import Call
from warm_tui.widgets.document_view import LEAST_WIDTH, DocumentView

MOST_HEIGHT, ROOM_BELOW, FOLD = 20, 6, 2


class LifeView(DocumentView):
    """A document in which one may go along the timeline, call by call."""

    BINDINGS: ClassVar = [*actions.bindings("list"), *actions.bindings("timeline")]

    class CallAsked(Message):
        def __init__(self, call: Call) -> None:
            self.call = call
            super().__init__()

    class OpenAsked(Message):
        """Enter, where no call is under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor: int | None = None
        self.picture: Picture | None = None
        self._around: tuple[list[Line], list[Line]] = [], []
        """The lines above the timeline, and those below it."""
        self._details: list[Line] = []

    def lay_out(self, *, keep: bool) -> None:
        if self.document is None:
            return
        self.cursor = self.cursor if keep else None
        self.picture = None
        region = self.scrollable_content_region
        width = max(LEAST_WIDTH, region.width)
        above, below = title_lines(self.document, width), list[Line]()
        timeline = None
        for part in self.document.parts:
            if isinstance(part, TimelinePart) and part.timeline.points:
                timeline = part.timeline
                below.extend(signs_lines(width))
            else:
                (above if timeline is None else below).extend(part_lines(part, width))
        if timeline is not None:
            self.picture = Picture(timeline, width, self._height(region.height - len(above), len(below)))
        self._around = above, below
        self._details = self.details_lines(width)
        drawn = len(self.picture.lines()) if self.picture else 0
        if self.picture and len(above) + drawn > region.height:
            above += self.way_to_all_of_it()
        if not self.details_open and len(above) + drawn + len(below) + len(self._details) > region.height:
            # That there is more comes before what the signs are, which pointing at them tells, too.
            self._around, self._details = (above, []), self._details[1:]
        self._show(keep=keep)

    def _height(self, room: int, below: int) -> int:
        """All of a zoomed view; what is left where nothing is unfolded; else the figures are seen to begin below."""
        if self.screen.has_class("zoomed"):
            return max(LEAST_HEIGHT, room)
        if not self.details_open:
            return max(LEAST_HEIGHT, room - below - FOLD)
        return max(LEAST_HEIGHT, min(MOST_HEIGHT, room - ROOM_BELOW))

    def _show(self, *, keep: bool) -> None:
        above, below = self._around
        drawn = self.picture.lines(self.cursor) if self.picture else []
        self.show_lines([*above, *drawn, *below], self._details, keep=keep)

    # --- what it means ---

    def explained_here(self) -> list[Explained]:
        if self.picture is None or self.cursor is None:
            return super().explained_here()
        return of_lines((), [point_line(self.picture.timeline, self.cursor)])

    def explanation_at(self, x: int, y: int) -> str:
        row = y + self.scroll_offset.y - len(self._around[0])
        meaning = self.picture.meaning_at(x, row) if self.picture and row >= 0 else None
        found = of_piece("", meaning) if meaning is not None else None
        return found.text if found else super().explanation_at(x, y)

    # --- along the timeline ---

    def go_to_call(self, at: int) -> None:
        if self.picture is not None and 0 <= at < self.picture.places.calls:
            self.cursor = at
            self._show(keep=True)
            self.scroll_to(y=min(self.scroll_offset.y, len(self._around[0])), animate=False)

    def _go(self, step: int, wanted: Callable[[int], bool] = lambda _: True) -> None:
        """To the next call that is wanted; from nowhere, to the first or the last one."""
        if self.picture is None:
            return
        calls = self.picture.places.calls
        start = self.cursor + step if self.cursor is not None else 0 if step > 0 else calls - 1
        at = next((at for at in range(start, calls if step > 0 else -1, step) if wanted(at)), None)
        if at is not None:
            self.go_to_call(at)

    def _failed(self, at: int) -> bool:
        return self.picture is not None and bool(self.picture.timeline.points[at].failed)

    def _behind_cut(self, at: int) -> bool:
        return self.picture is not None and at in {cut.at for cut in self.picture.timeline.cuts}

    def action_next_call(self) -> None:
        self._go(1)

    def action_previous_call(self) -> None:
        self._go(-1)

    def action_next_failure(self) -> None:
        self._go(1, self._failed)

    def action_previous_failure(self) -> None:
        self._go(-1, self._failed)

    def action_next_cut(self) -> None:
        self._go(1, self._behind_cut)

    def action_previous_cut(self) -> None:
        self._go(-1, self._behind_cut)

    def action_open_call(self) -> None:
        if self.picture is not None and self.cursor is not None:
            self.post_message(self.CallAsked(self.picture.timeline.calls[self.cursor][0]))
        else:
            self.post_message(self.OpenAsked())

    def on_click(self, event: events.Click) -> None:
        """A click goes to a call of the timeline, a second one opens it."""
        offset = event.get_content_offset(self)
        if self.picture is None or offset is None or self.text_selection is not None:
            return
        line = offset.y + self.scroll_offset.y - len(self._around[0])
        at = self.picture.places.call_at(offset.x - AXIS)
        if at is not None and 0 <= line < len(self.picture.lines()):
            self.go_to_call(at)
            if event.chain > 1:
                self.action_open_call()
