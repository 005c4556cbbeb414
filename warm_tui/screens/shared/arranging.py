"""What every table does with its rows: those with all the words are shown, in the order of a column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Row = TypeVar("Row")


def has_words(query: str, text: str) -> bool:
    """Whether all the words stand in the text, in whatever order."""
    text = text.lower()
    return all(word in text for word in query.lower().split())


def ordered(rows: Iterable[Row], order: str, value_of: Callable[[Row, str], Any]) -> list[Row]:
    """By the named column, with `-` before it from the largest down; where a value is unknown, last.

    Without a name the rows stay as they are.
    """
    rows, name = list(rows), order.lstrip("-")
    if not name:
        return rows
    known = [row for row in rows if value_of(row, name) is not None]
    known.sort(key=lambda row: value_of(row, name), reverse=order.startswith("-"))
    return [*known, *(row for row in rows if value_of(row, name) is None)]
