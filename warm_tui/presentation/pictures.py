"""Pictures within a line, made of characters: strips of calls, and intervals on a scale."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warm_tui.presentation.lines import Line, Piece, meant
from warm_tui.reliability.profile import Judged

GLYPHS = {"ok": "✓", "benign": "~", "failed": "✗", "unknown": "?", "masked": "!"}
OUTCOMES = {"success": "ok", "failure": "failed", "unknown": "unknown"}
FAILING = ("failed", "masked")
SHADES = "·▁▂▃▄▅▆▇█"
CUT = ("┃", "mark")


def legend() -> Line:
    """The signs of calls, each in its colour and with its meaning."""
    line: Line = []
    for outcome, glyph in GLYPHS.items():
        word = f"{glyph} {outcome}"
        line += [("  " if line else "", "dim"), (glyph, meant(outcome, word)), (f" {outcome}", meant("dim", word))]
    return line[1:]


def outcome_of(call: Judged) -> str:
    """One of five words for a verdict, each with a glyph and a colour."""
    _, verdict = call
    if verdict.kind == "benign_exit":
        return "benign"
    if verdict.kind == "masked":
        return "masked"
    return OUTCOMES[verdict.outcome]


def strip_lines(parts: Sequence[Sequence[str]], width: int, lines: int) -> list[Line]:
    """A cell a call where they fit, else a cell for a few of them, its height the share that failed."""
    calls, cuts = sum(map(len, parts)), max(0, len(parts) - 1)
    if not calls:
        return [[("no calls", "dim")]]
    room = width * lines
    cells: list[Piece] = []
    if calls + cuts <= room:
        for at, part in enumerate(parts):
            cells += [CUT] if at else []
            cells += [(GLYPHS[outcome], outcome) for outcome in part]
        return _in_lines(cells, width)
    # Where even the cuts leave no room, they are not drawn, and the calls run through.
    shown = parts if cuts < room // 2 else [[outcome for part in parts for outcome in part]]
    room -= len(shown) - 1
    a_cell = calls / max(1, room - len(shown))
    for at, part in enumerate(shown):
        cells += [CUT] if at else []
        bins = max(1, int(len(part) / a_cell)) if part else 0
        cells += [shade(part[n * len(part) // bins : (n + 1) * len(part) // bins]) for n in range(bins)]
    legend = f"{a_cell:.1f} calls a cell, its height the share that failed"
    if shown is not parts:
        legend += f"; {cuts} compactions are not drawn"
    return [*_in_lines(cells, width), [(legend, "dim")]]


def shade(part: Sequence[str]) -> Piece:
    failed = sum(outcome in FAILING for outcome in part)
    level = max(1, round(failed / len(part) * (len(SHADES) - 1))) if failed else 0
    return SHADES[level], "failed" if failed else "ok"


def _in_lines(cells: Sequence[Piece], width: int) -> list[Line]:
    return [list(cells[at : at + width]) for at in range(0, len(cells), width)]


class Scale(msgspec.Struct, frozen=True):
    low: float
    high: float
    zero: float | None = None
    """Where a line is drawn: no difference."""


class Span(msgspec.Struct, frozen=True):
    """An estimate with its interval, to be drawn on a scale."""

    low: float | None
    value: float | None
    high: float | None
    style: str = ""


def span_line(span: Span, scale: Scale, width: int) -> str:
    """The estimate as a dot on its interval, the interval on the scale."""

    def cell(value: float) -> int:
        share = (value - scale.low) / (scale.high - scale.low) if scale.high > scale.low else 0.0
        return max(0, min(width - 1, int(share * width)))

    cells = ["·"] * width
    if scale.zero is not None:
        cells[cell(scale.zero)] = "│"
    if span.value is None:
        return "".join(cells)
    if span.low is not None and span.high is not None:
        for at in range(cell(span.low), cell(span.high) + 1):
            cells[at] = "┼" if cells[at] == "│" else "─"
        if span.low < scale.low:
            cells[0] = "←"
        if span.high > scale.high:
            cells[-1] = "→"
    cells[cell(span.value)] = "●"
    return "".join(cells)
