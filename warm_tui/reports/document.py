"""A document: what is said and shown, before anybody knows on what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.presentation.pictures import Span
from warm_tui.presentation.tables import Cell, Column

if TYPE_CHECKING:
    from warm_tui.reliability.timeline import Timeline
    from warm_tui.secrets.redactor import Redactor


class Say(msgspec.Struct, frozen=True):
    """A paragraph. The style is a name of the palette: strong, dim, ok, failed, unknown, mark."""

    text: str
    style: str = ""


class Heading(msgspec.Struct, frozen=True):
    text: str


class Strip(msgspec.Struct, frozen=True):
    """Every call of a life by its outcome; between the parts stands a cut."""

    parts: Sequence[Sequence[str]]


class TimelinePart(msgspec.Struct, frozen=True):
    """A life's errors and context, call by call."""

    timeline: Timeline


class Table(msgspec.Struct, frozen=True):
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


class Curve(msgspec.Struct, frozen=True):
    """A line through points."""

    name: str
    style: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    """Where the line may well lie: at each point its lower and its upper end."""


class CurveMark(msgspec.Struct, frozen=True):
    """Where on the axis something happened; what that was is told beside the picture, by its sign."""

    x: float
    sign: str


class Curves(msgspec.Struct, frozen=True):
    """Curves over one another, on the same axes."""

    title: str
    across: str
    curves: Sequence[Curve]
    percent: bool = True
    marks: Sequence[CurveMark] = ()
    are_times: bool = False
    """What is across are moments, shown as their days."""
    are_changes: bool = False
    """Of rates: values lie about nought, where a line is drawn."""


class Rank(msgspec.Struct, frozen=True):
    name: str
    style: str
    values: Sequence[float]


class Histograms(msgspec.Struct, frozen=True):
    """How many have which value, one row a group above the other; values from 0 to 1."""

    across: str
    ranks: Sequence[Rank]


class Block(msgspec.Struct, frozen=True):
    """Text to be kept as it stands, such as a summary."""

    text: str


Part: TypeAlias = "Say | Heading | Strip | TimelinePart | Table | Curves | Histograms | Block"


class Document(msgspec.Struct, frozen=True):
    title: str
    parts: Sequence[Part]
    """What is seen first: the conclusion, and its picture."""
    facts: dict[str, Any] | None = None
    """The figures alone, for a report that a program reads."""
    details: Sequence[Part] = ()
    """What the conclusion rests on, figures and method: below it, folded where there is something to unfold it with."""

    @property
    def whole(self) -> Sequence[Part]:
        return [*self.parts, *self.details]

    @property
    def details_told(self) -> str:
        """What is folded, by its headings."""
        return "Details: " + " · ".join(part.text for part in self.details if isinstance(part, Heading))


def with_origin(document: Document, origin: str) -> Document:
    """What a page for others says below its conclusion: when it was made, and of what."""
    first, *rest = document.parts or [Say("")]
    head = [first, Say(origin, "dim")] if isinstance(first, Say) else [Say(origin, "dim"), first]
    return replace(document, parts=[*head, *rest])


LONGEST_CELL = 300
"""In a report; on a screen, a cell ends where its column does."""


def changed(document: Document, change: Callable[[str], str]) -> Document:
    """The same, with every text in it changed."""

    def cell(original: Cell) -> Cell:
        if isinstance(original, str):
            return change(original)
        return original if isinstance(original, Span) else (change(original[0]), original[1])

    def part(original: Part) -> Part:
        if isinstance(original, (Say, Heading, Block)):
            return replace(original, text=change(original.text))
        if isinstance(original, Table):
            columns = [replace(column, title=change(column.title)) for column in original.columns]
            return replace(original, columns=columns, rows=[[cell(each) for each in row] for row in original.rows])
        return original

    details = [part(each) for each in document.details]
    return Document(change(document.title), [part(each) for each in document.parts], document.facts, details)


def masked(document: Document, redactor: Redactor) -> Document:
    """Without secrets: one that is known from one place is masked in all."""
    secrets: set[str] = set()

    def look(text: str) -> str:
        secrets.update(secret.value for secret in redactor.secrets_in(text))
        return text

    changed(document, look)
    secrets.update(secret.value for secret in redactor.secrets_within(document.facts))
    masking = redactor.masking(secrets)
    return replace(changed(document, masking.text), facts=masking.within(document.facts))
