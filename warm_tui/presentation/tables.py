"""Tables for a terminal: as wide as it is, the least wanted columns gone first, colour only where shown."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import click
from rich.cells import cell_len, set_cell_size

GAP = 2

Cell: TypeAlias = "str | tuple[str, str]"
"""Text, or text and its colour."""


class Column(NamedTuple):
    name: str
    right: bool = False
    least: int = 0
    """How far it may shrink; 0: not at all."""
    rank: int = 0
    """The higher, the sooner it is left out where there is no room; 0: never."""


def width_of_terminal() -> int | None:
    """None where nobody is looking: then nothing is cut."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    return None


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], header: bool = True) -> None:
    texts = [[cell if isinstance(cell, str) else cell[0] for cell in row] for row in rows]
    natural = [
        max([cell_len(column.name) if header else 0, *(cell_len(row[at]) for row in texts)])
        for at, column in enumerate(columns)
    ]
    widths = fit(columns, natural, width_of_terminal())
    shown = [at for at, width in enumerate(widths) if width]
    if header:
        print_line(_line(columns, widths, shown, [(column.name, "bold") for column in columns]))
    for row in rows:
        print_line(_line(columns, widths, shown, row))


def fit(columns: Sequence[Column], natural: list[int], room: int | None) -> list[int]:
    """The width of each column; 0 for one that is left out."""
    widths = [
        width if column.least == 0 else max(width, column.least) for column, width in zip(columns, natural, strict=True)
    ]
    if room is None:
        return natural
    kept = [at for at, width in enumerate(natural) if width]

    def excess(least: bool) -> int:
        used = sum((columns[at].least or widths[at]) if least else widths[at] for at in kept)
        return used + GAP * (len(kept) - 1) - room

    while excess(least=True) > 0:
        leaving = max(kept, key=lambda at: columns[at].rank)
        if columns[leaving].rank == 0:
            break
        kept.remove(leaving)
    over = excess(least=False)
    while over > 0:
        shrinking = [at for at in kept if columns[at].least and widths[at] > columns[at].least]
        if not shrinking:
            break
        widths[max(shrinking, key=lambda at: widths[at])] -= 1
        over -= 1
    return [width if at in kept else 0 for at, width in enumerate(widths)]


def _line(columns: Sequence[Column], widths: list[int], shown: list[int], row: Sequence[Cell]) -> str:
    parts = []
    for at in shown:
        cell = row[at]
        text, colour = (cell, "") if isinstance(cell, str) else cell
        length, width = cell_len(text), widths[at]
        if length > width:
            text = set_cell_size(text, width - 1) + "…"
        padding = " " * max(0, width - length)
        painted = paint(text, colour)
        last = at == shown[-1]
        parts.append(padding + painted if columns[at].right else painted + ("" if last else padding))
    return (" " * GAP).join(parts)


def paint(text: str, colour: str) -> str:
    if not colour or os.environ.get("NO_COLOR"):
        return text
    if colour == "bold":
        return click.style(text, bold=True)
    if colour == "dim":
        return click.style(text, dim=True)
    return click.style(text, fg=colour)


def print_line(text: str, colour: str = "") -> None:
    """click takes the colours out where stdout is no terminal."""
    click.echo(paint(text, colour))
