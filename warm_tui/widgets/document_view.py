"""A document to scroll through, laid out again when its width changes; its details are folded below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.widget import Widget

from warm_tui.presentation.glossary import Explained, of_lines
from warm_tui.presentation.lines import Line, whole_parts
from warm_tui.reports.document import Curves, Document, Part, Say
from warm_tui.reports.lines import CURVE_HEIGHT, part_lines, title_lines
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.pieces_view import PiecesView

LEAST_WIDTH, WIDE = 40, 200
LEAST_CURVES, HIGHEST_CURVES = 4, 20


class DocumentView(PiecesView):
    class DetailsAsked(Message):
        """To be unfolded, or folded, by mouse."""

    def __init__(self, *, id: str | None = None, fills: bool = False) -> None:
        """`fills`: its curves take what room the rest leaves; its own height must not follow from what it shows."""
        super().__init__(id=id)
        self._fills = fills
        self.document: Document | None = None
        self.details_open = False
        self.details_key = self.zoom_key = ""
        self._fold: int | None = None
        """The line that tells of the details."""

    def show_document(self, document: Document, *, keep: bool = False) -> None:
        self.document = document
        self.lay_out(keep=keep)

    def fold_details(self, *, is_open: bool, key: str, zoom_key: str) -> None:
        self.details_open, self.details_key, self.zoom_key = is_open, key, zoom_key
        self.lay_out(keep=True)

    def go_to_details(self) -> None:
        """What was unfolded is what one wants to read."""
        self.go_to(self._fold if self.details_open and self._fold is not None else 0)

    def lay_out(self, *, keep: bool) -> None:
        if self.document is None:
            return
        width = max(LEAST_WIDTH, self.scrollable_content_region.width)
        details = self.details_lines(width)
        parts = self.document.parts
        lines = self._lines_of(parts, width)
        spare = self._most_lines - len(lines) - len(details)
        drawn = next((at for at, part in enumerate(parts) if isinstance(part, Curves)), None)
        is_cut = False
        if drawn is not None:
            if spare < 0 and CURVE_HEIGHT + spare < LEAST_CURVES:
                # Not all has room: then the first picture; details that are unfolded stand below it.
                above = len(self._lines_of(parts[: drawn + 1], width)) + (0 if self.details_open else len(details))
                wanted = CURVE_HEIGHT + self._most_lines - above
                is_cut = wanted < LEAST_CURVES
            else:
                wanted = CURVE_HEIGHT + spare
            if self._fills and spare > 0:
                lines = self._lines_of(parts, width, min(HIGHEST_CURVES, wanted))
            elif LEAST_CURVES <= wanted < CURVE_HEIGHT:
                # A low picture is one, half of one is none.
                lines = self._lines_of(parts, width, wanted)
                spare = self._most_lines - len(lines) - len(details)
        said = len(self._lines_of([*takewhile(lambda part: isinstance(part, Say), parts)], width))
        pictures = [*(self.way_to_all_of_it() if is_cut else ()), *lines[said:]]
        if spare < 0 and not self.details_open:
            # That there is more comes before the pictures, where they would push it out of sight.
            self.show_lines(lines[:said], details, pictures, keep=keep)
        else:
            self.show_lines([*lines[:said], *pictures], details, keep=keep)

    def way_to_all_of_it(self) -> list[Line]:
        """Above a picture that goes on below the edge."""
        if not self.zoom_key or self.screen.has_class("zoomed"):
            return []
        return [[(f"▸ {self.zoom_key}  ", "mark"), ("All of the picture, on the whole screen", "")]]

    @property
    def _most_lines(self) -> int:
        """How many lines it shows at most: where its height follows from them, as many as it may grow to."""
        own, most, around = self.styles.height, self.styles.max_height, self.parent
        if own is None or not own.is_auto or most is None or not isinstance(around, Widget):
            return self.scrollable_content_region.height
        return int(most.resolve(around.size, self.app.size)) - self.gutter.height

    def _lines_of(self, parts: Sequence[Part], width: int, curve_height: int = CURVE_HEIGHT) -> list[Line]:
        """Its title, and these."""
        lines = title_lines(self.document or Document("", []), width)
        for part in parts:
            lines += part_lines(part, width, curve_height)
        return lines

    def details_lines(self, width: int) -> list[Line]:
        """One line that tells of them and can be clicked; below it all of them, where they are unfolded."""
        if self.document is None or not self.document.details:
            return []
        if not self.details_open:
            sign = f"▸ {self.details_key}  "
            told = whole_parts(clean_line(self.document.details_told), width - cell_len(sign))
            return [[], [(sign, "mark"), (told, "")]]
        lines: list[Line] = [[], [(f"▾ {self.details_key}  ", "mark"), ("Details", "")]]
        for part in self.document.details:
            lines += part_lines(part, width)
        return lines

    def show_lines(
        self, lines: list[Line], details: list[Line], below: list[Line] | None = None, *, keep: bool
    ) -> None:
        self._fold = len(lines) + (not details[0]) if details else None
        self.show([*lines, *details, *(below or ())], keep=keep)

    def explained(self) -> list[Explained]:
        """Also of the details, where they are folded."""
        details = self.document.details if self.document and not self.details_open else ()
        return of_lines([*self.lines, *(line for part in details for line in part_lines(part, WIDE))])

    def on_resize(self) -> None:
        self.lay_out(keep=True)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.text_selection is None and offset.y + self.scroll_offset.y == self._fold:
            self.post_message(self.DetailsAsked())
