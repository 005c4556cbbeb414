"""What every table does with its rows: those with all the words are shown, in the order of a column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from warm_tui.reliability.bounds import Bounds

Row = TypeVar("Row")


def has_words(query: str, text: str) -> bool:
    """Whether all the words stand in the text, in whatever order."""
    text = text.lower()
    return all(word in text for word in query.lower().split())


def no_match(what: str, query: str) -> str:
    """In place of rows of which none has the words."""
    return f"No {what} matches {query!r}.\n\nEscape clears the filter; / changes it."


def ordered(rows: Iterable[Row], order: str, value_of: Callable[[Row, str], Any]) -> list[Row]:
    """By the named column, with `-` before it from the largest down; where a value is unknown, last.

    Of what lies within bounds, by what is known of it. Without a name the rows stay as they are.
    """
    rows, name, down = list(rows), order.lstrip("-"), order.startswith("-")
    if not name:
        return rows
    values = [value_of(row, name) for row in rows]
    values = [value.sorted_by(down) if isinstance(value, Bounds) else value for value in values]
    known = [at for at, value in enumerate(values) if value is not None]
    known.sort(key=values.__getitem__, reverse=down)
    return [rows[at] for at in known] + [row for row, value in zip(rows, values, strict=True) if value is None]
