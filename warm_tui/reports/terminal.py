"""A document on the terminal."""

from __future__ import annotations

from warm_tui.presentation.tables import paint, print_line, width_of_terminal
from warm_tui.reports.document import Document
from warm_tui.reports.lines import lines_of

COLOURS = {
    "strong": "bold", "dim": "dim", "ok": "green", "failed": "red", "unknown": "yellow", "benign": "cyan",
    "masked": "magenta", "mark": "bold",
}  # fmt: skip
WIDTH = 120


def show_document(document: Document) -> None:
    for line in lines_of(document, width_of_terminal() or WIDTH):
        print_line("".join(paint(text, COLOURS.get(style, "")) for text, style in line).rstrip())
