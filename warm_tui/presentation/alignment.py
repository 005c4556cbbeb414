"""Recorded tables with their columns under each other: those of Markdown, and lines with tabs between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len

WIDEST = 60
"""What is wider moves only its own line."""


def aligned(lines: Sequence[str]) -> list[str]:
    """Tables within the lines have their cells padded; everything else stays as it is."""
    if not any("\t" in line or line.lstrip()[:1] == "|" for line in lines):
        return list(lines)
    out: list[str] = []
    for (mark, _), run in groupby(lines, _shape):
        rows = list(run)
        out += _padded(rows, mark) if mark and len(rows) > 1 else rows
    return out


def _shape(line: str) -> tuple[str, int]:
    """By what its cells are parted, and how often; rows of one table follow each other and have the same."""
    bare = line.strip(" ")
    if len(bare) > 2 and bare[0] == bare[-1] == "|":
        return "|", bare.count("|")
    if "\t" in line and not line.startswith("\t"):
        return "\t", line.count("\t")
    return "", 0


def _padded(rows: list[str], mark: str) -> Iterator[str]:
    table = [row.strip(" ").split(mark) for row in rows]
    if mark == "|":
        table = [[cell.strip(" ") for cell in row] for row in table]
    columns = (map(cell_len, column) for column in zip(*table, strict=True))
    widths = [max((width for width in column if width <= WIDEST), default=0) for column in columns]
    for row in table:
        cells = [_filled(cell, width) for cell, width in zip(row, widths, strict=True)]
        yield (" | ".join(cells) if mark == "|" else "  ".join(cells)).strip(" " if mark == "|" else "").rstrip(" ")


def _filled(cell: str, width: int) -> str:
    if cell and not cell.strip("-:"):
        return cell[:1] + "-" * max(0, width - 2) + cell[-1:] if len(cell) > 1 else cell
    return cell + " " * max(0, width - cell_len(cell))
