"""From recorded sessions to a template: which are read, which calls are taken, and what is masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import msgspec

from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import costs
from warm_tui.library.warmth import WarmthIndex
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.verdict import verdict_on
from warm_tui.reliability.work import task_type
from warm_tui.secrets.redactor import Redactor
from warm_tui.sessions.hermes.facts import HERMES
from warm_tui.sessions.lineage import read_life
from warm_tui.sessions.transcript import transcript
from warm_tui.templates.choosing import NO_COSTS, Choice, Costs, choose
from warm_tui.templates.mining import OF_ITS_OWN, Candidate, candidates_of, pattern_of, qualifies
from warm_tui.templates.model import Pattern, Template


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be built from what."""

    min_messages: int = 30
    max_sessions: int = 30
    source: str = ""
    sessions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    most: int = 15
    keep_invisible: bool = False


# The sessions that were looked at: they cannot tell whether the template helps.
MINED = "mined_sessions"
LEFT_OUT = "left_out_as_instructions"


class Built(msgspec.Struct, frozen=True, kw_only=True):
    patterns: tuple[Pattern, ...]
    metrics: dict[str, Any]


def build(catalog: Catalog, wanted: Wanted, redactor: Redactor) -> Built:
    """By hand, calls in the order they are named; else mined."""
    if wanted.calls:
        picked = [find_call(catalog, name, wanted.sessions) for name in wanted.calls]
        profiles = [catalog.profile(each) for each in dict.fromkeys(c.life for c in picked)]
        patterns = [
            pattern_of(c, redactor, chosen_by="operator", why="chosen by hand", keep_invisible=wanted.keep_invisible)
            for c in picked
        ]
        return _built(patterns, picked, len(profiles), profiles, {})
    scanned, qualified = sessions_to_mine(catalog, wanted)
    candidates = [each for profile in qualified for each in candidates_in(catalog, profile)]
    choices, suspect = harmless_choices(candidates, wanted.most, costs(catalog))
    patterns = [pattern_of_choice(choice, redactor, wanted.keep_invisible) for choice in choices]
    more = {"calls_seen": len(candidates), "calls_that_succeeded_for_certain": sum(c.good for c in candidates)}
    if suspect:
        more[LEFT_OUT] = suspect
    return _built(patterns, [choice.candidate for choice in choices], scanned, qualified, more)


def harmless_choices(candidates: Sequence[Candidate], most: int, known: Costs = NO_COSTS) -> tuple[list[Choice], int]:
    """What is chosen, and how many calls were left out because text from outside in them reads like instructions."""
    left_out = 0
    while True:
        choices = choose(candidates, most, known)
        suspect = {choice.candidate.shape for choice in choices if choice.candidate.signs}
        if not suspect:
            return choices, left_out
        before, candidates = len(candidates), [c for c in candidates if c.shape not in suspect or not c.signs]
        left_out += before - len(candidates)


def _built(
    patterns: list[Pattern], candidates: list[Candidate], scanned: int, profiles: list[Profile], more: dict[str, Any]
) -> Built:
    gains = [p.proficiency_gain for p in profiles if p.proficiency_gain is not None]
    return Built(
        patterns=tuple(joined(patterns, candidates)),
        metrics={
            "sessions_scanned": scanned,
            "sessions_qualified": len(profiles),
            "total_patterns": len(patterns),
            "avg_proficiency_gain": sum(gains) / len(gains) if gains else None,
            "tools": sorted({pattern.tool_name for pattern in patterns}),
            MINED: [profile.session_id for profile in profiles],
            **more,
        },
    )


def joined(patterns: Sequence[Pattern], candidates: Sequence[Candidate]) -> list[Pattern]:
    """Calls that the agent made at once stay together, where they stand together."""
    with_joins = list(patterns)
    for at, (before, here) in enumerate(pairwise(candidates), 1):
        if (before.call.session_id, before.call.message_id) == (here.call.session_id, here.call.message_id):
            with_joins[at] = msgspec.structs.replace(with_joins[at], joined=True)
    return with_joins


def pattern_of_choice(choice: Choice, redactor: Redactor, keep_invisible: bool = False) -> Pattern:
    return pattern_of(
        choice.candidate,
        redactor,
        chosen_by="mining",
        why=choice.why,
        success_count=choice.success_count,
        session_types=choice.session_types,
        keep_invisible=keep_invisible,
    )


def sessions_to_mine(catalog: Catalog, wanted: Wanted) -> tuple[int, list[Profile]]:
    """How many were looked at, and the newest that qualify; those named, whatever they are."""
    if wanted.sessions:
        named = [catalog.profile(session_id) for session_id in wanted.sessions]
        return len(named), named
    warmed, roots = WarmthIndex(catalog.library), catalog.roots()
    profiles = catalog.profiles_here()
    by_id = {profile.session_id: profile for profile in profiles}

    def began_warm(profile: Profile) -> bool:
        root = by_id.get(roots.get(profile.session_id, ""), profile)
        return bool(warmed.of(root.session_id, root.started_at).template)

    fit = [
        profile
        for profile in profiles
        if qualifies(profile, wanted.min_messages, wanted.source) and not began_warm(profile)
    ]
    return len(profiles), fit[: wanted.max_sessions]


def candidates_in(catalog: Catalog, profile: Profile) -> list[Candidate]:
    """Every call of a life, or of the one part that is asked for, each with its verdict, the operator's own first."""
    source, session = catalog.find(profile.session_id)
    items = transcript(read_life(source, session), session if profile.part_of else None)
    calls = [item.call for item in items if item.call is not None]
    names = dict.fromkeys(call.session_id for call in calls)
    own = {name: catalog.own(member) for name in names if (member := source.session(name)) is not None}
    verdicts = {
        (call.session_id, call.key): verdict_on(call, source.facts.stand_ins, own.get(call.session_id))
        for call in calls
    }
    return candidates_of(items, verdicts, profile, source.facts)


def find_call(catalog: Catalog, name: str, sessions: Sequence[str] = ()) -> Candidate:
    """A call by its id; `SESSION:CALL` where one id stands in several sessions."""
    session_ids, call_id = _places_of(catalog, name, sessions)
    candidates = list(_named(catalog, session_ids, call_id))
    if not candidates:
        made = (call for session_id in session_ids for call in catalog.life(session_id)[1].calls)
        trivial = any(call.trivial for call in made if call_id in (call.id, call.key))
        raise Trouble(f"Call '{name}' {OF_ITS_OWN}" if trivial else f"Call '{name}' not found.")
    several = dict.fromkeys(candidate.call.session_id for candidate in candidates)
    if len(several) > 1:
        choices = ", ".join(f"{session_id}:{name}" for session_id in list(several)[:3])
        raise Trouble(f"Call '{name}' stands in {len(several)} sessions. Say which: {choices}")
    candidate = candidates[0]
    if not candidate.good and candidate.tool:
        verdict = candidate.verdict
        words = {"failure": "failed", "unknown": "has no known outcome"}
        outcome = words.get(verdict.outcome, "did not succeed for certain")
        reason = f" ({verdict.reason})" if verdict.reason else ""
        raise Trouble(f"Call '{name}' {outcome}{reason}: it is not picked. Set a verdict of your own to pick it.")
    return candidate


def _places_of(catalog: Catalog, name: str, sessions: Sequence[str]) -> tuple[Sequence[str], str]:
    """The sessions in which it may be, and its id."""
    if sessions:
        return sessions, name
    colons = [at for at, character in enumerate(name) if character == ":"]
    split = next((at for at in colons if any(source.session(name[:at]) for source in catalog.sources)), None)
    if split is not None:
        return (name[:split],), name[split + 1 :]
    return [session_id for source in catalog.sources for session_id in source.sessions_with_call(name)], name


def _named(catalog: Catalog, session_ids: Iterable[str], call_id: str) -> Iterator[Candidate]:
    lives: dict[str, list[Candidate]] = {}
    for session_id in session_ids:
        profile = catalog.profile(session_id)
        if profile.life not in lives:
            lives[profile.life] = candidates_in(catalog, profile)
        called_so = [each for each in lives[profile.life] if call_id in (each.call.id, each.call.key)]
        yield from [each for each in called_so if each.call.session_id == session_id] or called_so


def new_template(name: str, patterns: Sequence[Pattern], **fields: Any) -> Template:
    """With what its patterns tell of it."""
    return Template(
        name=name,
        patterns=tuple(patterns),
        source_session_ids=tuple(dict.fromkeys(p.origin.session_id for p in patterns if p.origin.session_id)),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        task_type=task_type(Counter(pattern.tool_name for pattern in patterns), HERMES),
        **fields,
    )


def type_of(template: Template) -> str:
    """What kind of work it is for: as it says, else as its tools tell."""
    return template.task_type or task_type(Counter(pattern.tool_name for pattern in template.patterns), HERMES)
