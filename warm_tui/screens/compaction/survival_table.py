"""What stood before each compaction, with what became of it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import ClassVar, TypeAlias

import msgspec

from warm_tui.presentation.pictures import GLYPHS, outcome_of
from warm_tui.reliability.survival import FATES, Fate, Piece, Survival
from warm_tui.screens.curate.table import told_call
from warm_tui.sessions.text import clean_line
from warm_tui.widgets.line_table import Field, LineTable, Shown

FATE_STYLES: dict[Fate, tuple[str, str]] = {
    "kept": ("= kept", "ok"), "shortened": ("≈ shortened", "unknown"), "told": ("… only told", "unknown"),
    "gone": ("  gone", "failed"),
}  # fmt: skip


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
    return GLYPHS[outcome], outcome if outcome in ("ok", "failed", "unknown") else "dim"


def _told(row: PieceRow) -> Shown:
    piece = row.piece
    if piece.call is None:
        return clean_line(piece.text[:400]), "dim"
    return told_call(piece.call[0].arguments), ""


def _who(row: PieceRow) -> Shown:
    call = row.piece.call
    return (
        (clean_line(call[0].tool_name), "mark" if row.piece.lost_success else "") if call else (row.piece.role, "dim")
    )


FIELDS = (
    Field("fate", "fate", 11, lambda r, _: FATE_STYLES[r.piece.fate]),
    Field("outcome", "", 1, lambda r, _: _outcome(r)),
    Field("who", "who", 14, lambda r, _: _who(r), least=8),
    Field("text", "what", 100, lambda r, _: _told(r), least=20),
)


class SurvivalTable(LineTable[SurvivalRow]):
    FIELDS: ClassVar = FIELDS
    MARKS: ClassVar = {"picked": "●"}

    def identity(self, row: SurvivalRow) -> str:
        return f"{row.survival.index}" + (f" {row.at}" if isinstance(row, PieceRow) else "")

    def heading(self, row: SurvivalRow) -> str:
        if isinstance(row, PieceRow):
            return ""
        one = row.survival
        if not one.recorded:
            return f"compaction {one.index}  what stood before is not recorded"
        counts = ", ".join(f"{one.calls(fate)} {fate}" for fate in FATES if one.calls(fate))
        return (
            f"compaction {one.index}  ≈{one.tokens_before:,} → {one.tokens_after:,} tokens; calls: {counts or 'none'}"
        )


def arranged(survived: Iterable[Survival], words: str, only_lost: bool, folded: Container[int]) -> list[SurvivalRow]:
    wanted = words.lower().split()
    rows: list[SurvivalRow] = []
    for one in survived:
        pieces = [
            PieceRow(one, at)
            for at, piece in enumerate(one.pieces)
            if (piece.lost_success or not only_lost) and all(word in _searched(piece) for word in wanted)
        ]
        if pieces or not (only_lost or wanted):
            rows.append(CutRow(one, len(pieces)))
            rows += pieces if one.index not in folded else []
    return rows


def _searched(piece: Piece) -> str:
    outcome = outcome_of(piece.call) if piece.call else ""
    lost = "lost" if piece.lost_success else ""
    return f"{FATE_STYLES[piece.fate][0]} {piece.fate} {outcome} {lost} {piece.role} {piece.text}".lower()
