"""The families of failures, and what stands behind one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from warm_tui.presentation.families import STATE_STYLES, effect_style, effect_words, mend_words, tools_of, worked
from warm_tui.presentation.figures import age
from warm_tui.reliability.families import FailedCall, Mend
from warm_tui.reports.failures import speaks
from warm_tui.screens.failures.family_list import Detail, FamilyRow, Group, words_of
from warm_tui.sessions.text import clean_line
from warm_tui.templates.speaking import Speaker
from warm_tui.widgets.fields import Field, Shown
from warm_tui.widgets.line_table import LineTable


def _mend(row: FamilyRow) -> Shown:
    return (mend_words(row.mend), "") if row.mend else ("", "")


def _template(row: FamilyRow) -> Shown:
    if row.speaker is None:
        return "", ""
    effect = row.speaker.effect
    went = "" if effect is None or effect.went == "cannot tell" else f" went {effect.went}"
    return f"{clean_line(row.speaker.template)}{went}", effect_style(effect)


FAMILY_FIELDS = (
    Field("title", "failure", 48, lambda r, _: (clean_line(r.family.title), ""), min_width=24, grow=1),
    Field("state", "state", 9, lambda r, _: (r.family.state, STATE_STYLES[r.family.state])),
    Field("lost", "lost", 5, lambda r, _: (f"{r.family.lost:,}", ""), right=True),
    Field("count", "failed", 6, lambda r, _: (f"{r.family.count:,}", ""), right=True, rank=1),
    Field("sessions", "sessions", 8, lambda r, _: (f"{len(r.family.lives):,}", ""), right=True, rank=1),
    Field("mended", "mended", 6, lambda r, _: (f"{r.family.mended:,}", ""), right=True, rank=2),
    Field("last_seen", "last seen", 9, lambda r, now: (age(r.family.last_seen, now), "dim"), right=True, rank=2),
    Field("first_seen", "first seen", 10, lambda r, now: (age(r.family.first_seen, now), "dim"), right=True, rank=4),
    Field("mend", "what mended it", 30, lambda r, _: _mend(r), min_width=16, rank=3, runs_on=True),
    Field("template", "speaks to it", 22, lambda r, _: _template(r), rank=5),
    Field("tool", "tool", 10, lambda r, _: (clean_line(", ".join(tools_of(r.family))), "dim"), rank=6),
)


class FamilyTable(LineTable[FamilyRow]):
    FIELDS: ClassVar = FAMILY_FIELDS
    TERMS: ClassVar = {"state": "state of a failure"}

    def identity(self, row: FamilyRow) -> str:
        return row.family.id


def _what(detail: Detail, now: float) -> Shown:  # noqa: ARG001 - as a field shows
    if isinstance(detail, Speaker):
        said = f"{detail.template}: {effect_words(detail.effect)}; it {speaks(detail)}"
        return clean_line(said), effect_style(detail.effect)
    return ("", "") if isinstance(detail, Group) else (words_of(detail), "")


def _worked(detail: Detail) -> Shown:
    if isinstance(detail, Mend):
        return worked(detail), "ok"
    return ("mended", "ok") if isinstance(detail, FailedCall) and detail.mended else ("", "")


def _session(detail: Detail) -> Shown:
    return (clean_line(detail.session_id), "dim") if isinstance(detail, (Mend, FailedCall)) else ("", "")


def _when(detail: Detail, now: float) -> Shown:
    return (age(detail.at, now), "dim") if isinstance(detail, FailedCall) else ("", "")


class DetailTable(LineTable[Detail]):
    FIELDS: ClassVar = (
        Field("what", "call", 60, _what, min_width=30, grow=2, runs_on=True),
        Field("worked", "worked", 11, lambda d, _: _worked(d)),
        Field("at", "age", 4, _when, right=True, rank=1),
        Field("session", "session", 24, lambda d, _: _session(d), rank=2),
    )
    TERMS: ClassVar = {"at": "last seen"}

    def show(self, rows: Sequence[Detail], *, now: float) -> None:
        """Where nothing worked, the words have the room."""
        has_worked = any(_worked(row)[0] for row in rows)
        fields = tuple(field for field in self.FIELDS if has_worked or field.name != "worked")
        self.fields = self.fields if self.fields == fields else fields
        super().show(rows, now=now)

    def move(self, to: int) -> None:
        """Over headings: there is nothing to be done with them."""
        to = max(0, min(to, len(self.rows) - 1))
        down, up = range(to, len(self.rows)), range(to, -1, -1)
        places = (*down, *up) if to >= self.cursor else (*up, *down)
        super().move(next((at for at in places if not isinstance(self.rows[at], Group)), to))

    def identity(self, row: Detail) -> str:
        if isinstance(row, Speaker):
            return f"template/{row.template}"
        if isinstance(row, Group):
            return row.title.partition(":")[0]
        return f"{type(row).__name__}/{row.session_id}/{row.call}"

    def heading(self, row: Detail) -> str:
        return row.title if isinstance(row, Group) else ""
