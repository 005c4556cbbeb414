"""The calls an operator picks from: searched, sorted, and grouped by tool."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.marks import kept_marks, mark_of
from warm_tui.reliability.filters import parse_filter
from warm_tui.reliability.profile import Profile
from warm_tui.sessions.excerpt import excerpt
from warm_tui.sessions.tokens import estimate
from warm_tui.templates.building import Wanted, candidates_in, sessions_to_mine
from warm_tui.templates.mining import MOST_ARGUMENTS, MOST_CONTEXT, MOST_RESULT, Candidate, choose
from warm_tui.templates.shorten import shorten

LARGE_RESULT = 20_000
OWN_VERDICT = "verdict:mine"
"""The word that finds what the operator judged, here as among the sessions."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A call that could be picked."""

    candidate: Candidate
    title: str
    tokens: int
    words: str
    """What a search looks through."""
    why: str = ""
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


def entry_of(candidate: Candidate, profile: Profile, why: str = "", seen: int = 0) -> Entry:
    call = candidate.call
    result = call.result or ""
    if len(result) > LARGE_RESULT:
        # Thousands of these are held at once; what is picked would be shortened more than this.
        call = msgspec.structs.replace(call, result=shorten(excerpt(result), LARGE_RESULT))
        candidate = msgspec.structs.replace(candidate, call=call)
    arguments, context = call.arguments[:MOST_ARGUMENTS], candidate.context[:MOST_CONTEXT]
    own = OWN_VERDICT if candidate.verdict.is_own else ""
    family = f"family:{candidate.family}" if candidate.family else ""
    return Entry(
        candidate=candidate,
        title=profile.title or profile.first_message or profile.session_id,
        tokens=round(estimate(arguments) + estimate(result[:MOST_RESULT]) + estimate(context)) + 20,
        words=f"{call.tool_name} {arguments} {context} {profile.title or ''} {call.session_id} {own} {family}".lower(),
        why=why,
        seen=seen,
    )


def chosen_profiles(catalog: Catalog, source: str, here: str, query: str) -> list[Profile]:
    """The sessions to read, the newest first."""
    if source == "here":
        return [catalog.profile(here)] if here else []
    if source == "marked":
        marked = kept_marks(catalog.library)
        return [profile for profile in catalog.profiles() if mark_of(profile, marked)]
    if source == "shown" and query:
        return catalog.window(parse_filter(query)).profiles
    return catalog.profiles()


def entries_of(catalog: Catalog, profiles: Iterable[Profile], stopped: Callable[[], bool]) -> Iterator[list[Entry]]:
    """The calls of these sessions, a session at a time."""
    for profile in profiles:
        if stopped():
            return
        yield [entry_of(candidate, profile) for candidate in candidates_in(catalog, profile)]


def suggestions(catalog: Catalog, wanted: Wanted) -> list[Entry]:
    """What mining would choose, with its reasons, the least surprising tools first."""
    _, profiles = sessions_to_mine(catalog, wanted)
    of_life = {profile.session_id: profile for profile in profiles}
    candidates = [candidate for profile in profiles for candidate in candidates_in(catalog, profile)]
    return [
        entry_of(choice.candidate, of_life[choice.candidate.life], choice.why, choice.success_count)
        for choice in choose(candidates, wanted.most)
    ]


def shape_counts(entries: Iterable[Entry]) -> Counter[str]:
    """In how many sessions the same shape succeeded."""
    sessions: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.candidate.verdict.outcome == "success":
            sessions[entry.candidate.shape].add(entry.candidate.life)
    return Counter({shape: len(those) for shape, those in sessions.items()})


ORDERS: dict[str, Callable[[Entry, Counter[str]], Any]] = {
    "recorded_at": lambda e, _: e.candidate.recorded_at or 0.0,
    "arguments": lambda e, _: e.candidate.call.arguments.lower(),
    "context": lambda e, _: e.candidate.context.lower(),
    "title": lambda e, _: e.title.lower(),
    "tokens": lambda e, _: e.tokens,
    "count": lambda e, counts: e.seen or counts[e.candidate.shape],
    "kind": lambda e, _: e.candidate.kind,
    "verdict": lambda e, _: e.candidate.verdict.kind,
}


def arranged(
    entries: Sequence[Entry],
    query: str,
    order: str,
    counts: Counter[str],
    *,
    every_outcome: bool = False,
    folded: frozenset[str] = frozenset(),
) -> list[Line]:
    """What is shown: grouped by tool, the tool used most first. All words must stand in an entry, `-word` must not."""
    total = Counter(entry.candidate.call.tool_name for entry in entries)
    words = query.lower().split()
    wanted = [word for word in words if not word.startswith("-")]
    unwanted = [word[1:] for word in words if word.startswith("-") and len(word) > 1]
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if not every_outcome and entry.candidate.verdict.outcome != "success":
            continue
        text = entry.words
        if all(word in text for word in wanted) and not any(word in text for word in unwanted):
            groups[entry.candidate.call.tool_name].append(entry)
    key = ORDERS.get(order.lstrip("-"), ORDERS["recorded_at"])
    down = order.startswith("-")
    lines: list[Line] = []
    for tool in sorted(groups, key=lambda name: (-len(groups[name]), name)):
        lines.append(Heading(tool=tool, shown=len(groups[tool]), total=total[tool]))
        if tool not in folded:
            ordered: list[Entry] = sorted(groups[tool], key=lambda each: key(each, counts), reverse=down)
            lines += ordered
    return lines
