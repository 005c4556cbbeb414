"""The filter language: words, `field:value`, `field>n`, `-` to negate, quotes to group.

    telegram model:gpt errors>20% -tool:patch "nightly build" text:"connection reset" age<7d

A session that compaction split into several is one row; `parts:yes` tells its parts apart.

The same on the command line and in the app. Parsing is pure; a term that needs the database's text
index carries the words to look for and asks whoever has the database.
"""

from __future__ import annotations

import datetime
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from warm_tui.errors import Trouble
from warm_tui.reliability.bounds import BOUNDS_OF
from warm_tui.reliability.profile import PUBLIC_FIELDS, Profile
from warm_tui.reliability.session_outcome import read_reached
from warm_tui.reliability.written_numbers import UNITS, Kind, kind_of, read_written

# What a field of the language reads from a profile. Any profile field stands for itself besides.
TEXT_FIELDS: dict[str, Callable[[Profile], Collection[str | None]]] = {
    "id": lambda p: p.session_ids,
    "title": lambda p: (p.title, *(part.title for part in p.parts)),
    "source": lambda p: (p.source,),
    "model": lambda p: (p.model,),
    "agent": lambda p: (p.agent,),
    "home": lambda p: (p.home,),
    "machine": lambda p: (p.machine,),
    "project": lambda p: (p.project,),
    "tool": lambda p: p.tool_distribution,
    "kind": lambda p: (*p.kinds, *(kind.replace("_", " ") for kind in p.kinds)),
    "family": lambda p: p.families,
    "type": lambda p: (p.task_type, p.dominant_tool_type),
    "relation": lambda p: (p.relation,),
    "parent": lambda p: (p.parent_session_id,),
    "end": lambda p: (p.end_reason,),
    "verdict": lambda p: ("mine",) if p.own_verdicts else (),
    "outcome": lambda p: (p.outcome, *(("mine",) if p.outcome_confidence == "yours" else ())),
}
WHOLE_WORDS = ("outcome",)
"""Fields whose words mean something else where they are parts of others: `done`, and `not-done`."""
NUMBER_FIELDS: dict[str, str] = {
    "errors": "error_rate",
    "calls": "tool_call_count",
    "messages": "message_count",
    "failures": "failed_calls",
    "unknown": "unknown_calls",
    "change": "proficiency_gain",
    "cost": "cost_usd",
    "tokens": "total_tokens",
    "duration": "duration_seconds",
    "streak": "longest_failure_streak",
    "diversity": "tool_diversity",
    "learned": "learned_in_all",
}
OTHER_NAMES = {"gain": "change", "failed": "failures", "compacted": "compactions", "tools": "type", "task": "type"}
"""As a field was called before, or as its column is: read, but not offered."""
PARTS, SINCE = "parts", "since"
YES, NO = ("yes", "true", "1"), ("no", "false", "0")
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le,
}  # fmt: skip

_TERM = re.compile(
    r"""\s*(?P<not>-?)
    (?:(?P<field>[A-Za-z_]\w*)(?P<sign>>=|<=|:|>|<|=))?
    (?P<value>"(?:\\.|[^"\\])*"?|[^\s"]\S*|)""",
    re.VERBOSE,
)
_COMPARED = re.compile(r"-?([A-Za-z_]\w*)(?:>=|<=|:|>|<|=)")
_UNIT_APART = re.compile(r"\s+(%|pp|min|[shdwy])(?=\s|$)", re.IGNORECASE)
"""As the tables have it: `10 %`, `3.5 min`."""


class Term(msgspec.Struct, frozen=True):
    """One condition. `text` terms are met by the sessions whose messages hold `value`; `parts` is none, but a wish."""

    field: str
    sign: str
    value: str
    negated: bool = False
    number: float | None = None
    within: float = 0.0
    """How far from the number a value may be that is shown as it."""

    def meets(self, profile: Profile, now: float, with_text: Mapping[str, Collection[str]]) -> bool:
        return self.field == PARTS or self._holds(profile, now, with_text) != self.negated

    def _holds(self, profile: Profile, now: float, with_text: Mapping[str, Collection[str]]) -> bool:
        if self.field == "text":
            return any(session_id in with_text.get(self.value, ()) for session_id in profile.session_ids)
        if self.sign == "unknown":
            return _number_of(profile, self.field, now) is None
        if self.number is not None:
            value = _number_of(profile, self.field, now)
            if value is None or self.sign == "=":
                return value is not None and abs(value - self.number) <= self.within
            return _COMPARISONS[self.sign](value, self.number)
        wanted = self.value.casefold()
        if not self.field:
            titles = TEXT_FIELDS["title"](profile)
            texts: Collection[str | None] = (*titles, *profile.session_ids, profile.first_message)
        elif self.field in WHOLE_WORDS:
            return (read_reached(self.value) or wanted) in TEXT_FIELDS[self.field](profile)
        elif self.field in TEXT_FIELDS:
            texts = TEXT_FIELDS[self.field](profile)
        else:
            value_of_field = getattr(profile, self.field)
            texts = value_of_field if isinstance(value_of_field, dict) else (_plain(value_of_field),)
        return any(text is not None and wanted in text.casefold() for text in texts)


class Filter(msgspec.Struct, frozen=True):
    """All terms must be met."""

    terms: tuple[Term, ...] = ()

    @property
    def texts(self) -> list[str]:
        """What has to be looked up in the messages before `meets` can be asked."""
        return [term.value for term in self.terms if term.field == "text"]

    @property
    def parts(self) -> bool:
        """Whether lives are wanted session by session."""
        return any((term.value.casefold() in YES) != term.negated for term in self.terms if term.field == PARTS)

    def matching(
        self, profiles: list[Profile], now: float, with_text: Mapping[str, Collection[str]] = {}
    ) -> list[Profile]:
        """Which of these lives match; where their parts are wanted, which of those, the newest first."""
        if self.parts:
            parts = (part for profile in profiles for part in profile.parts or (profile,))
            profiles = sorted(parts, key=newest_last, reverse=True)
        return [profile for profile in profiles if self.meets(profile, now, with_text)]

    def meets(self, profile: Profile, now: float, with_text: Mapping[str, Collection[str]] = {}) -> bool:
        return all(term.meets(profile, now, with_text) for term in self.terms)


def parse_filter(query: str, own: Collection[str] = ()) -> Filter:
    """Read a query, or say in one sentence what is wrong with it.

    `own`: fields of text that are of no session, for those who look at something else besides.
    """
    terms: list[Term] = []
    query = query.strip()
    at = 0
    while at < len(query):
        match = _TERM.match(query, at)
        if match is None or match.end() == at:
            raise Trouble(f"The filter cannot be read from {query[at:]!r} on.")
        at = match.end()
        unit = _unit_apart(query, at, _field_of(match))
        terms.append(_term(match, unit.strip(), own))
        at += len(unit)
    return Filter(tuple(terms))


def only_words(query: str, knows: Collection[str] = ()) -> None:
    """For a filter that looks for words: a comparison would be looked for as a word, and not be found.

    `knows`: fields that can be looked for all the same.
    """
    for word in query.split():
        compared = _COMPARED.match(word)
        if compared and (field := compared[1].lower()) not in knows and field in {*field_names(), *PUBLIC_FIELDS}:
            raise Trouble(
                f"{word!r} compares a field, and this filter looks for words alone:"
                " fields are for Sessions and Failures."
            )


def field_names() -> list[str]:
    return [*TEXT_FIELDS, *NUMBER_FIELDS, "age", SINCE, "text", PARTS]


def _field_of(match: re.Match[str]) -> str:
    field = (match["field"] or "").lower()
    return OTHER_NAMES.get(field, field)


def _unit_apart(query: str, at: int, field: str) -> str:
    """What stands behind the value of a number, where it is a unit of such numbers and no word to look for."""
    apart = _UNIT_APART.match(query, at) if field in (*NUMBER_FIELDS, "age") else None
    return apart[0] if apart and apart[1].lower() in UNITS[_kind_of(field)] else ""


def _kind_of(field: str) -> Kind:
    return kind_of(NUMBER_FIELDS.get(field, field))


def _term(match: re.Match[str], unit: str, own: Collection[str]) -> Term:
    """`unit`: what stands behind the value, apart from it."""
    field, sign, value = _field_of(match), match["sign"] or "", match["value"]
    if value.startswith('"'):
        if len(value) < 2 or not value.endswith('"'):
            raise Trouble(f"A quote is not closed in {value!r}.")
        value = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    negated = match["not"] == "-"
    if not sign:
        if not value:
            raise Trouble(
                "A word or a field has to stand here: there is only a minus sign, or an empty pair of quotes."
            )
        return Term("", "", value, negated)
    if field not in {*own, *field_names(), *PUBLIC_FIELDS}:
        raise Trouble(f"There is no field {field!r} to filter by; there are {', '.join([*own, *field_names()])}.")
    if not value:
        raise Trouble(f"A value has to follow {field}{sign}")
    if field == PARTS and (sign not in ":=" or value.casefold() not in (*YES, *NO)):
        raise Trouble("parts:yes shows each session of a life by itself, parts:no a life as one.")
    if field == SINCE:
        return Term("started_at", ">=", value, negated, _begin_of_day(value, sign))
    numeric = field in NUMBER_FIELDS or field == "age"
    if numeric and sign in ":=" and value.casefold() == "unknown":
        return Term(field, "unknown", value, negated)
    if not numeric and (sign == ":" or (field in (*TEXT_FIELDS, *own, PARTS) and sign == "=")):
        return Term(field, ":", value, negated)
    if field in (*TEXT_FIELDS, *own, "text"):
        raise Trouble(f"{field} is text: write {field}:{value}")
    sign = "=" if sign == ":" else sign
    written = read_written(field, sign, value + unit, _kind_of(field))
    return Term(field, sign, value + unit, negated, written.number, written.within)


def _begin_of_day(value: str, sign: str) -> float:
    try:
        day = datetime.date.fromisoformat(value) if sign in ":=" else None
        return datetime.datetime.combine(day, datetime.time()).timestamp() if day else _no_day(value)
    except (ValueError, OverflowError, OSError):
        return _no_day(value)


def _no_day(value: str) -> float:
    raise Trouble(f"{value!r} is not a day since when sessions began, like since:2026-11-05.")


def _number_of(profile: Profile, field: str, now: float) -> float | None:
    if field == "age":
        return now - profile.started_at if profile.started_at is not None else None
    value = getattr(profile, NUMBER_FIELDS.get(field, field))
    if isinstance(value, dict):
        return float(len(value))
    return float(value) if isinstance(value, (int, float)) else None


def _plain(value: object) -> str | None:
    return None if value is None else str(value)


ORDER_NAMES = {
    **NUMBER_FIELDS,
    "age": "started_at", "failed": "failed_calls", "interval": "error_rate_high", "trend": "late_error_rate",
    "tools": "dominant_tool_type", "task": "task_type", "id": "session_id",
    # As columns were headed before, and those of the command line.
    "fail": "failed_calls", "msgs": "message_count", "cuts": "compactions", "compacted": "compactions",
    "e→l": "late_error_rate", "95 %": "error_rate_high", "early → late": "late_error_rate", "session": "session_id",
}  # fmt: skip
"""What stands over a column, or in the filter, and the field of a profile that it shows."""
OFFERED_ORDERS = (
    "title", "agent", "home", "machine", "project", "source", "model", "age", "messages", "calls", "failed", "errors",
    "interval", "trend", "change", "tools", "task", "tokens", "cost", "compactions", "relation", "duration", "streak",
    "unknown", "diversity", "outcome",
)  # fmt: skip


def check_order(order: str) -> str:
    """`FIELD` sorts up, `-FIELD` down, by its own name or a column's; anything else is told in one sentence.

    Behind a comma stands what decides between those that are alike. What is young in age began late: `age` is
    `started_at` turned round.
    """
    checked: dict[str, str] = {}
    for each in order.split(","):
        by = _checked(each.strip())
        checked.setdefault(by.removeprefix("-"), by)
    return ",".join(checked.values())


def _checked(order: str) -> str:
    name, down = order.removeprefix("-"), order.startswith("-")
    field = name if name in PUBLIC_FIELDS else ORDER_NAMES.get(name.casefold(), name)
    if field not in PUBLIC_FIELDS:
        raise Trouble(f"There is no field {name!r} to sort by; there are {', '.join(OFFERED_ORDERS)}.")
    return f"{'-' * (down != (name.casefold() == 'age'))}{field}"


class SortKey(NamedTuple):
    """What a profile is sorted by, None where that is not known, and whether the greatest stands first."""

    value_of: Callable[[Profile], Any]
    down: bool


def sort_keys(order: str) -> list[SortKey]:
    return [_sort_key(each) for each in check_order(order).split(",")]


def sort_profiles(profiles: list[Profile], order: str) -> list[Profile]:
    """Rates by what is known of them. What is not known stands last, either way; ties keep the order they came in."""
    for value_of, down in reversed(sort_keys(order)):
        values = [value_of(profile) for profile in profiles]
        known = [at for at, value in enumerate(values) if value is not None]
        known.sort(key=values.__getitem__, reverse=down)
        unknown = [profile for profile, value in zip(profiles, values, strict=True) if value is None]
        profiles = [profiles[at] for at in known] + unknown
    return profiles


def _sort_key(order: str) -> SortKey:
    field, down = order.removeprefix("-"), order.startswith("-")
    bounds_of = BOUNDS_OF.get(field)

    def bound(profile: Profile) -> float | None:
        bounds = bounds_of(profile) if bounds_of else None
        return bounds.sorted_by(down) if bounds else None

    def value(profile: Profile) -> Any:
        plain = getattr(profile, field)
        return len(plain) if isinstance(plain, dict) else plain.casefold() if isinstance(plain, str) else plain

    return SortKey(bound if bounds_of else value, down)


def newest_last(profile: Profile) -> tuple[float, str]:
    return profile.started_at or 0.0, profile.session_id


def each_once(profiles: Iterable[Profile]) -> list[Profile]:
    """Of a life that several places have, as where it was gone on with elsewhere, the one with the most in it.

    Another life of the same id gets a name of its own.
    """
    kept: dict[str, Profile] = {}
    for profile in profiles:
        own, other = profile, kept.get(profile.session_id)
        if other is not None and not is_copy(profile, other):
            own = told_apart(profile, other)
            other = kept.get(own.session_id)
        if other is None or own.message_count > other.message_count:
            kept[own.session_id] = own
    return list(kept.values())


def is_copy(profile: Profile, other: Profile) -> bool:
    """Two of one id: sessions that began at the same moment are one, wherever they stand."""
    return profile.name.sign == other.name.sign


def told_apart(profile: Profile, other: Profile) -> Profile:
    """Under the name by which it can be asked for, beside another life of the same id."""
    places = (profile.machine, other.machine), (profile.agent, other.agent), (profile.home, other.home)
    before = next((own for own, others in places if own and own != others), profile.home)
    return replace(profile, session_id=f"{before}/{profile.session_id}")
