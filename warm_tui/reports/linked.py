"""Parts of a document with what stands behind them: on a screen they are opened, in a file they are read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warm_tui.insights.overview import Target
from warm_tui.presentation.lines import Line, text_of
from warm_tui.reports.document import Document, Part, Table
from warm_tui.reports.lines import CURVE_HEIGHT, part_lines


class Linked(msgspec.Struct, frozen=True):
    part: Part
    targets: Sequence[Target | None] = ()
    """Of a table by row; of anything else one for all of it."""


class Block(msgspec.Struct, frozen=True):
    """Parts that stay together; where there is room, they stand beside the others."""

    parts: Sequence[Linked]
    is_beside: bool = False


def document_of(title: str, linked: Sequence[Linked], facts: dict[str, object] | None = None) -> Document:
    return Document(title, [each.part for each in linked], facts)


def linked_lines(
    linked: Sequence[Linked], width: int, curve_height: int = CURVE_HEIGHT
) -> list[tuple[Line, Target | None]]:
    """The lines of all, each with what it leads to."""
    found: list[tuple[Line, Target | None]] = []
    for each in linked:
        lines = part_lines(each.part, width, curve_height)
        if isinstance(each.part, Table) and each.targets:
            head = len(lines) - len(each.part.rows)
            targets = [*[None] * head, *each.targets]
        else:
            targets = [each.targets[0] if each.targets else None] * len(lines)
        # A blank line above a heading leads nowhere.
        found += [
            (line, target if text_of(line).strip() else None) for line, target in zip(lines, targets, strict=True)
        ]
    return found
