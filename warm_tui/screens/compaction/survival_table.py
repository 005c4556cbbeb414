"""What stood before each compaction, with what became of it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import ClassVar, TypeAlias

import msgspec

from warm_tui.presentation.calls import call_line
from warm_tui.presentation.figures import shrunk
from warm_tui.presentation.glossary import explained
from warm_tui.presentation.pictures import GLYPHS, outcome_of
from warm_tui.reliability.survival import FATES, Fate, Piece, Survival
from warm_tui.screens.shared.arranging import has_words
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable

FATE_STYLES: dict[Fate, tuple[str, str]] = {
    "kept": ("= kept", ""), "shortened": ("≈ shortened", ""), "told": ("… only told", "dim"), "gone": ("  gone", "dim"),
}  # fmt: skip
"""Without the colours of outcomes, which stand beside it: what is gone has not failed."""


class CutRow(msgspec.Struct, frozen=True):
    survival: Survival
    shown: int


class PieceRow(msgspec.Struct, frozen=True):
    survival: Survival
    at: int

    @property
    def piece(self) -> Piece:
        return self.survival.pieces[self.at]


SurvivalRow: TypeAlias = CutRow | PieceRow


def _outcome(row: PieceRow) -> Shown:
    if row.piece.call is None:
        return "", ""
    outcome = outcome_of(row.piece.call)
    return GLYPHS[outcome], outcome


def _what(row: PieceRow) -> Shown:
    piece = row.piece
    if piece.call is None:
        return clean_line(piece.text[:400]), "dim"
    return call_line(piece.call[0].arguments), ""


def _who(row: PieceRow) -> Shown:
    call = row.piece.call
    return (
        (clean_line(call[0].tool_name), "mark" if row.piece.lost_success else "") if call else (row.piece.role, "dim")
    )


FIELDS = (
    Field("fate", "fate", 11, lambda r, _: FATE_STYLES[r.piece.fate]),
    Field("outcome", "", 1, lambda r, _: _outcome(r)),
    Field("who", "who", 14, lambda r, _: _who(r), min_width=8),
    Field("text", "what", 60, lambda r, _: _what(r), min_width=20),
)


class SurvivalTable(LineTable[SurvivalRow]):
    TERMS: ClassVar = {"outcome": "signs of calls"}
    FIELDS: ClassVar = FIELDS
    MARKS: ClassVar = {"picked": "●"}

    def identity(self, row: SurvivalRow) -> str:
        return f"{row.survival.index}" + (f" {row.at}" if isinstance(row, PieceRow) else "")

    def heading_explained(self, heading: str) -> str:  # noqa: ARG002 - all are of one kind
        return "\n".join(map(explained, ("kept at a compaction", "kept", "shortened", "told", "gone")))

    def heading(self, row: SurvivalRow) -> str:
        if isinstance(row, PieceRow):
            return ""
        survival = row.survival
        if not survival.recorded:
            return f"compaction {survival.index}  what stood before is not recorded"
        counts = ", ".join(f"{survival.calls(fate)} {fate}" for fate in FATES if survival.calls(fate))
        tokens = f"{shrunk(survival.tokens_before, survival.tokens_after)} tokens"
        return f"compaction {survival.index}  {tokens}; calls: {counts or 'none'}"


def arranged(survivals: Iterable[Survival], query: str, only_lost: bool, folded: Container[int]) -> list[SurvivalRow]:
    rows: list[SurvivalRow] = []
    for survival in survivals:
        pieces = [
            PieceRow(survival, at)
            for at, piece in enumerate(survival.pieces)
            if (piece.lost_success or not only_lost) and has_words(query, _searched_text(piece))
        ]
        if pieces or not (only_lost or query.split()):
            rows.append(CutRow(survival, len(pieces)))
            rows += pieces if survival.index not in folded else []
    return rows


def _searched_text(piece: Piece) -> str:
    outcome = outcome_of(piece.call) if piece.call else ""
    lost = "lost" if piece.lost_success else ""
    return f"{FATE_STYLES[piece.fate][0]} {piece.fate} {outcome} {lost} {piece.role} {piece.text}"
