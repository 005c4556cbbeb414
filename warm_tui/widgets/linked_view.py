"""Lines of which some lead somewhere: the cursor goes from one to the next, enter or a click opens it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.message import Message

from warm_tui import actions
from warm_tui.insights.overview import Target
from warm_tui.presentation.glossary import Explained, of_lines
from warm_tui.presentation.lines import Line
from warm_tui.presentation.tables import GAP as TABLE_GAP
from warm_tui.presentation.tables import natural_widths
from warm_tui.reports.document import Table
from warm_tui.reports.lines import CURVE_HEIGHT
from warm_tui.reports.linked import Block, Linked, linked_lines
from warm_tui.widgets.pieces_view import PiecesView

GUTTER, GAP = 2, 3
HERE, GOES_ON, LEADS = "▸ ", "│ ", "› "
LEAST_BESIDE, LEFT_SHARE = 56, 0.56
"""Two columns of parts stand beside each other where the tables of the first have all the room they need, and the
second, which is words, so much."""


class Link(NamedTuple):
    """Some lines that lead to one place."""

    top: int
    bottom: int
    left: int
    right: int
    target: Target


class LinkedView(PiecesView):
    BINDINGS: ClassVar = actions.bindings("overview-links")

    class Opened(Message):
        def __init__(self, target: Target) -> None:
            self.target = target
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks: Sequence[Block] = ()
        self._drawn: list[tuple[int, int, list[Line]]] = []
        """Of each column, where it begins, how wide it is, and its lines."""
        self.links: list[Link] = []
        self.cursor = 0

    def show_linked(self, blocks: Sequence[Block], *, keep: bool = False) -> None:
        """In two columns where there is room, else one block below the other."""
        self._blocks = blocks
        if not keep:
            self.cursor = 0
        self.lay_out(keep=keep)

    def on_resize(self) -> None:
        self.lay_out(keep=True)

    def lay_out(self, *, keep: bool) -> None:
        width = self.scrollable_content_region.width
        if not width:
            return
        main, beside = (_parts(each for each in self._blocks if each.is_beside is side) for side in (False, True))
        left = max(int(width * LEFT_SHARE), GUTTER + _widest_table(main))
        if beside and width - left - GAP >= LEAST_BESIDE:
            columns, places = [main, beside], [(0, left), (left + GAP, width - left - GAP)]
        else:
            columns, places = [_parts(self._blocks)], [(0, width)]
        self._drawn, self.links = [], []
        for column, (start, room) in zip(columns, places, strict=True):
            lines = linked_lines(column, room - GUTTER, self._curve_height())
            self._drawn.append((start, room, [line for line, _ in lines]))
            self.links += _links([target for _, target in lines], start, start + room)
        self.cursor = max(0, min(self.cursor, len(self.links) - 1))
        self.draw(keep=keep)

    def _curve_height(self) -> int:
        """Of a high screen a picture has a quarter; of any other so much that the figures are seen with it."""
        return max(CURVE_HEIGHT, self.size.height // 4)

    def draw(self, *, keep: bool = True) -> None:
        self.show(self._joined(), keep=keep)

    def _joined(self) -> list[Line]:
        signs = {(link.top, link.left): (LEADS, "dim") for link in self.links}
        if self.links:
            here = self.links[self.cursor]
            signs |= {(row, here.left): (GOES_ON, "mark") for row in range(here.top + 1, here.bottom + 1)}
            signs[here.top, here.left] = (HERE, "mark")
        joined: list[Line] = []
        for row, cells in enumerate(zip_longest(*(lines for _, _, lines in self._drawn), fillvalue=())):
            line: Line = []
            for (start, _, _), cell in zip(self._drawn, cells, strict=True):
                blank = start - sum(cell_len(text) for text, _ in line)
                line += [(" " * blank, "")] if blank > 0 else []
                line += [signs.get((row, start), (" " * GUTTER, "")), *cell]
            joined.append(line)
        return joined

    @property
    def under_cursor(self) -> Target | None:
        return self.links[self.cursor].target if self.links else None

    # --- from one to the next ---

    def go(self, at: int) -> None:
        if not self.links:
            return
        self.cursor = max(0, min(at, len(self.links) - 1))
        self.draw()
        link = self.links[self.cursor]
        top, height = self.scroll_offset.y, max(1, self.scrollable_content_region.height)
        if link.top < top or self.cursor == 0:
            self.scroll_to(y=0 if self.cursor == 0 else link.top, animate=False)
        elif link.bottom >= top + height:
            self.scroll_to(y=min(link.top, link.bottom - height + 1), animate=False)

    def action_cursor_down(self) -> None:
        if self.links and self.cursor == len(self.links) - 1:
            self.scroll_relative(y=1, animate=False)
        self.go(self.cursor + 1)

    def action_cursor_up(self) -> None:
        self.go(self.cursor - 1)

    def action_first(self) -> None:
        self.go(0)
        super().action_first()

    def action_last(self) -> None:
        self.go(len(self.links) - 1)
        super().action_last()

    def action_other_side(self) -> None:
        """To what stands beside it."""
        if not self.links:
            return
        here = self.links[self.cursor]
        others = [at for at, link in enumerate(self.links) if link.left != here.left]
        if others:
            self.go(min(others, key=lambda at: abs(self.links[at].top - here.top)))

    def action_open(self) -> None:
        if self.links:
            self.post_message(self.Opened(self.links[self.cursor].target))

    def explained_here(self) -> list[Explained]:
        """Not what stands beside it, in the other column."""
        if not self.links:
            return super().explained_here()
        here = self.links[self.cursor]
        column = next(lines for start, _, lines in self._drawn if start == here.left)
        return of_lines((), column[here.top : here.bottom + 1])

    def link_at(self, x: int, y: int) -> int | None:
        return next(
            (at for at, link in enumerate(self.links) if link.top <= y <= link.bottom and link.left <= x < link.right),
            None,
        )

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        at = self.link_at(offset.x, offset.y + self.scroll_offset.y)
        if at is not None:
            self.cursor = at
            self.draw()
            self.action_open()


def _parts(blocks: Iterable[Block]) -> list[Linked]:
    return [each for block in blocks for each in block.parts]


def _widest_table(parts: Sequence[Linked]) -> int:
    """Of those in it, with nothing cut or left out."""
    tables = [each.part for each in parts if isinstance(each.part, Table)]
    naturals = ([width for width in natural_widths(table.columns, table.rows) if width] for table in tables)
    return max((sum(widths) + TABLE_GAP * (len(widths) - 1) for widths in naturals), default=0)


def _links(targets: Sequence[Target | None], left: int, right: int) -> list[Link]:
    """The lines of one thing are one, not those of neighbours that lead to the same place."""
    links: list[Link] = []
    for row, target in enumerate(targets):
        if target is None:
            continue
        if links and links[-1].bottom == row - 1 and links[-1].target is target:
            links[-1] = links[-1]._replace(bottom=row)
        else:
            links.append(Link(row, row, left, right, target))
    return links
