"""What the Failures screen shows: the families that match, and of one its mends, its templates and its calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, families
from warm_tui.presentation.families import SEVERITY, mend_words, tools_of, why_failed
from warm_tui.reliability.families import FailedCall, Families, Family, Mend
from warm_tui.reliability.filters import Filter, Term, parse_filter
from warm_tui.screens.shared.arranging import has_words, ordered
from warm_tui.templates.speaking import KeptShapes, Speaker, speakers


class FamilyRow(msgspec.Struct, frozen=True):
    family: Family
    spoken: Sequence[Speaker] = ()

    @property
    def mend(self) -> Mend | None:
        return self.family.mends[0] if self.family.mends else None

    @property
    def speaker(self) -> Speaker | None:
        """Of the templates, the one of which most is known."""
        return max(self.spoken, key=lambda each: each.effect is not None, default=None)


class FamiliesRead(NamedTuple):
    """Which families there are; templates are looked at after that."""

    query: str
    families: Families
    spoken: Mapping[str, Sequence[Speaker]]
    done: bool


STATE = "state"


class Wanted(NamedTuple):
    """What is typed into the filter: words and `state:` are looked for in the families, any other field chooses the
    sessions."""

    words: str
    states: tuple[Term, ...]
    sessions: Filter

    @classmethod
    def read(cls, text: str) -> Wanted:
        terms = parse_filter(text, own=(STATE,)).terms
        words = " ".join(term.value for term in terms if not term.field and not term.negated)
        states = tuple(term for term in terms if term.field == STATE)
        rest = (term for term in terms if term not in states and (term.field or term.negated))
        return cls(words, states, Filter(tuple(rest)))

    def has(self, row: FamilyRow) -> bool:
        right = all((term.value.casefold() in row.family.state) != term.negated for term in self.states)
        return right and has_words(self.words, _searched_text(row))

    @property
    def sessions_told(self) -> str:
        """Of which sessions the failures are, where that was typed."""
        terms = " ".join(map(_as_typed, self.sessions.terms))
        return f"only in sessions with {terms}" if terms else ""


def _as_typed(term: Term) -> str:
    value = f'"{term.value}"' if " " in term.value else term.value
    sign = ":" if term.sign == "unknown" else term.sign
    return f"{'-' * term.negated}{term.field}{sign}{value}"


def readings(
    home_catalog: Catalog, query: str, kept: KeptFailures, shapes: KeptShapes, now: float
) -> Iterator[FamiliesRead]:
    """First the families, then with what templates say to them. For a worker."""
    found = families(home_catalog, Wanted.read(query).sessions, now=now, kept=kept)
    yield FamiliesRead(query, found, {}, done=False)
    spoken: Mapping[str, Sequence[Speaker]] = {}
    with suppress(Trouble):
        spoken = speakers(home_catalog, found, shapes)
    yield FamiliesRead(query, found, spoken, done=True)


def arranged(read: FamiliesRead, wanted: Wanted, order: str) -> list[FamilyRow]:
    rows = [FamilyRow(family, read.spoken.get(family.id, ())) for family in read.families.all]
    return ordered(filter(wanted.has, rows), order, _value)


def _searched_text(row: FamilyRow) -> str:
    family = row.family
    names = " ".join((*tools_of(family), *family.homes, *family.models, *(each.template for each in row.spoken)))
    return f"{family.title} {family.tool} {family.kind} {family.state} {family.why} {family.id} {names}"


def _value(row: FamilyRow, name: str) -> Any:
    family = row.family
    if name == "state":
        return SEVERITY.index(family.state)
    if name == "sessions":
        return len(family.lives)
    if name == "mend":
        return row.mend.worked if row.mend else None
    if name == "template":
        return row.speaker.template if row.speaker else None
    return getattr(family, name or "title")


# --- what stands behind one of them ---


class Group(msgspec.Struct, frozen=True):
    """Heads the rows below it."""

    title: str


Detail: TypeAlias = Group | Mend | Speaker | FailedCall


def details_of(row: FamilyRow) -> list[Detail]:
    family = row.family
    groups: tuple[tuple[str, Sequence[Detail]], ...] = (
        ("What mended it", family.mends),
        ("Templates that speak to it", row.spoken),
        ("The calls, the newest first", family.calls),
    )
    return [each for title, rows in groups if rows for each in (Group(f"{title}: {len(rows):,}"), *rows)]


def words_of(detail: Mend | FailedCall) -> str:
    return mend_words(detail) if isinstance(detail, Mend) else why_failed(detail)
