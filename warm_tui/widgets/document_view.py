"""A document to scroll through, laid out again when its width changes."""

from __future__ import annotations

from warm_tui.reports.document import Document
from warm_tui.reports.lines import lines_of
from warm_tui.widgets.pieces_view import PiecesView

LEAST_WIDTH = 40


class DocumentView(PiecesView):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.document: Document | None = None

    def show_document(self, document: Document, *, keep: bool = False) -> None:
        self.document = document
        self.lay_out(keep=keep)

    def lay_out(self, *, keep: bool) -> None:
        if self.document is not None:
            width = max(LEAST_WIDTH, self.scrollable_content_region.width)
            self.show(lines_of(self.document, width), keep=keep)

    def on_resize(self) -> None:
        self.lay_out(keep=True)
