"""The calls an operator picks from: searched, and ranked by what they are worth, or grouped by tool."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.families import Cost, costs
from warm_tui.library.marks import kept_marks, mark_of
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.excerpt import excerpt
from warm_tui.sessions.text import plural
from warm_tui.templates.budget import Tokens, cost_of
from warm_tui.templates.building import Wanted, candidates_in, harmless_choices, sessions_to_mine
from warm_tui.templates.choosing import NO_COSTS, Costs, Rank, cost_of_mended, worth
from warm_tui.templates.mining import MOST_ARGUMENTS, Candidate, plain_pattern
from warm_tui.templates.shorten import MOST_CONTEXT, shorten

LARGE_RESULT = 20_000
OWN_VERDICT = "verdict:mine"
"""The word that finds what the operator judged, here as among the sessions."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call that could be picked."""

    candidate: Candidate
    title: str
    tokens: Tokens
    """What it takes when it is told, before secrets are masked."""
    words: str
    """What a search looks through."""
    why: str = ""
    cost: Cost | None = None
    """Of the family of failures that it mended."""
    worth: float = 0.0
    """By itself: how recent it is and how often it was seen count beside."""
    seen: int = 0
    """In how many sessions its shape succeeded, where more were looked at than are shown."""

    @property
    def call(self) -> tuple[str, str]:
        return self.candidate.name


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The calls of one tool stand under it."""

    tool: str
    shown: int
    total: int


Line: TypeAlias = Entry | Heading


def _lightened(candidate: Candidate) -> Candidate:
    """Thousands of these are held at once; what is picked would be shortened more than this."""
    result = candidate.call.result or ""
    if len(result) <= LARGE_RESULT:
        return candidate
    call = msgspec.structs.replace(candidate.call, result=shorten(excerpt(result), LARGE_RESULT))
    return msgspec.structs.replace(candidate, call=call)


def entry_of(
    candidate: Candidate,
    profile: Profile,
    provider: str,
    why: str = "",
    seen: int = 0,
    costs: Costs = NO_COSTS,
) -> Entry:
    tokens = cost_of(plain_pattern(candidate, with_failure=True), provider).alone
    candidate = _lightened(candidate)
    call = candidate.call
    if candidate.mends is not None:
        candidate = msgspec.structs.replace(candidate, mends=_lightened(candidate.mends))
    arguments, context = call.arguments[:MOST_ARGUMENTS], candidate.context[:MOST_CONTEXT]
    own = OWN_VERDICT if candidate.verdict.is_own else ""
    family = f"family:{candidate.family}" if candidate.family else ""
    return Entry(
        candidate=candidate,
        title=profile.title or profile.first_message or profile.session_id,
        tokens=tokens,
        words=f"{call.tool_name} {arguments} {context} {profile.title or ''} {call.session_id} {own} {family}".lower(),
        why=why,
        cost=cost_of_mended(candidate, costs),
        worth=worth(candidate, costs),
        seen=seen,
    )


def chosen_profiles(catalog: Catalog, source: str, here: str, query: str) -> list[Profile]:
    """The sessions to read, the newest first."""
    if source == "here":
        return [catalog.profile(here)] if here else []
    if source == "marked":
        marked = kept_marks(catalog.library)
        return [profile for profile in catalog.profiles_here() if mark_of(profile, marked)]
    if source == "shown" and query:
        return catalog.matching(parse_filter(query), catalog.profiles_here())
    return catalog.profiles_here()


def entries_of(
    catalog: Catalog, profiles: Iterable[Profile], provider: str, stopped: Callable[[], bool]
) -> Iterator[list[Entry]]:
    """The calls of these sessions, a session at a time, counted as this provider's model would get them."""
    known = costs(catalog)
    for profile in profiles:
        if stopped():
            return
        yield [entry_of(each, profile, provider, costs=known) for each in candidates_in(catalog, profile)]


def suggestions(catalog: Catalog, wanted: Wanted, provider: str) -> list[Entry]:
    """What mining would choose, with its reasons, the least surprising tools first."""
    _, profiles = sessions_to_mine(catalog, wanted)
    of_life = {profile.session_id: profile for profile in profiles}
    candidates = [candidate for profile in profiles for candidate in candidates_in(catalog, profile)]
    known = costs(catalog)
    return [
        entry_of(choice.candidate, of_life[choice.candidate.life], provider, choice.why, choice.success_count, known)
        for choice in harmless_choices(candidates, wanted.most, known)[0]
    ]


def shape_counts(entries: Iterable[Entry]) -> Counter[str]:
    """In how many sessions the same shape succeeded."""
    sessions: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.candidate.verdict.outcome == "success":
            sessions[entry.candidate.shape].add(entry.candidate.life)
    return Counter({shape: len(those) for shape, those in sessions.items()})


# Sorted by the tool, they stand in groups; by anything else, all together.
BY_TOOL = "tool"
ORDERS: dict[str, Callable[[Entry, Counter[str]], Any]] = {
    "recorded_at": lambda e, _: e.candidate.recorded_at or 0.0,
    "arguments": lambda e, _: e.candidate.call.arguments.lower(),
    "context": lambda e, _: e.candidate.context.lower(),
    "title": lambda e, _: e.title.lower(),
    "tokens": lambda e, _: e.tokens.total,
    "count": lambda e, counts: e.seen or counts[e.candidate.shape],
    "verdict": lambda e, _: e.candidate.verdict.kind,
}


def reason(entry: Entry, counts: Counter[str]) -> str:
    """Its own, in a few words: what it mended, what all of that family cost, where it worked, and where that led."""
    candidate = entry.candidate
    if candidate.verdict.outcome != "success":
        return candidate.verdict.reason
    seen = entry.seen or counts[candidate.shape]
    mended = [_mended(entry)] if candidate.mends else []
    mended += ["its session reached its goal"] if mended and candidate.outcome == "done" else []
    worked = [f"worked in {plural(seen, 'session')}"] if seen > 1 or not candidate.mends else []
    place = {"init": ["the first of its session"], "final": ["the last of its session"]}.get(candidate.kind, [])
    return "; ".join([*mended, *worked, *place])


def _mended(entry: Entry) -> str:
    if entry.cost is not None:
        return f"mends {entry.cost.title} (its family cost {plural(entry.cost.lost, 'call')})"
    return f"mended {entry.candidate.fixed}"


def by_value(entries: Sequence[Entry], counts: Counter[str]) -> Callable[[Entry], float]:
    """How much a call is worth picking: by itself, by how recent it is, and by how often calls like it worked."""
    times = [entry.candidate.recorded_at or 0.0 for entry in entries]
    rank = Rank(min(times, default=0.0), max(times, default=0.0))
    of_many = {count: rank.of_many(count) for count in {entry.seen for entry in entries} | set(counts.values()) | {0}}

    def value(entry: Entry) -> float:
        candidate = entry.candidate
        return entry.worth + rank.of_age(candidate.recorded_at) + of_many[entry.seen or counts[candidate.shape]]

    return value


def arranged(
    entries: Sequence[Entry],
    query: str,
    order: str,
    counts: Counter[str],
    *,
    every_outcome: bool = False,
    folded: frozenset[str] = frozenset(),
) -> list[Line]:
    """What is shown: all words must stand in an entry, `-word` must not. By tool, the tool used most comes first."""
    shown = list(_matching(entries, query, every_outcome=every_outcome))
    name, down = order.lstrip("-"), order.startswith("-")
    if name in ORDERS:
        key = ORDERS[name]
        return [*sorted(shown, key=lambda each: key(each, counts), reverse=down)]
    ranked = repeats_behind(sorted(shown, key=by_value(entries, counts), reverse=True))
    if name != BY_TOOL:
        return [*(ranked if down else reversed(ranked))]
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in ranked:
        groups[entry.candidate.call.tool_name].append(entry)
    total = Counter(entry.candidate.call.tool_name for entry in entries)
    lines: list[Line] = []
    for tool in sorted(groups, key=lambda each: (-len(groups[each]), each), reverse=not down):
        lines.append(Heading(tool=tool, shown=len(groups[tool]), total=total[tool]))
        lines += [] if tool in folded else groups[tool]
    return lines


def repeats_behind(ranked: Iterable[Entry]) -> list[Entry]:
    """Of calls that are the same, the best one stands where it is worth to stand, the second behind all first ones:
    once it is picked, they would tell nothing more."""
    seen: Counter[tuple[str, str, bool]] = Counter()
    rounds: dict[int, list[Entry]] = defaultdict(list)
    for entry in ranked:
        call = entry.candidate.call
        same = (call.tool_name, call.arguments, entry.candidate.mends is not None)
        rounds[seen[same]].append(entry)
        seen[same] += 1
    return [entry for nth in sorted(rounds) for entry in rounds[nth]]


def _matching(entries: Sequence[Entry], query: str, *, every_outcome: bool) -> Iterator[Entry]:
    words = query.lower().split()
    wanted = [word for word in words if not word.startswith("-")]
    unwanted = [word[1:] for word in words if word.startswith("-") and len(word) > 1]
    for entry in entries:
        if every_outcome or entry.candidate.verdict.outcome == "success":
            text = entry.words
            if all(word in text for word in wanted) and not any(word in text for word in unwanted):
                yield entry
