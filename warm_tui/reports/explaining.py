"""The words and figures of a document, explained."""

from __future__ import annotations

from warm_tui.presentation import glossary
from warm_tui.presentation.glossary import Explained
from warm_tui.presentation.pictures import Span
from warm_tui.presentation.tables import Cell
from warm_tui.reports.document import Document, Table, TimelinePart


def explained_in(document: Document) -> list[Explained]:
    """Each row that has a name of ours with its figures, then the columns, each once."""
    found: dict[str, Explained] = {}
    for part in document.whole:
        if isinstance(part, TimelinePart):
            found |= {each.name: each for each in glossary.of_words(["running rate", "context"])}
        if isinstance(part, Table):
            for row in part.rows:
                for each in _row(part, [_text(cell) for cell in row]):
                    found.setdefault(each.name, each)
            for each in glossary.of_words(column.title for column in part.columns):
                found.setdefault(each.name, each)
    return list(found.values())


def _row(table: Table, cells: list[str]) -> list[Explained]:
    """By what stands first in it, and by a verdict that stands in it."""
    told = [f"{column.title} {cell}" for column, cell in zip(table.columns[1:], cells[1:], strict=True) if cell]
    names = [(cells[0], "  ".join(told)), *((cell, cells[0]) for cell in cells[1:])]
    return [
        Explained(term.name, value, glossary.explained(name))
        for name, value in names
        if name and (term := glossary.term(name)) is not None
    ]


def _text(cell: Cell) -> str:
    return "" if isinstance(cell, Span) else cell if isinstance(cell, str) else cell[0]
