"""Sessions that came to their end are read once, off the agent's way, and give suggestions."""

from __future__ import annotations

import time
from typing import NamedTuple

import msgspec

from warm_tui.comparisons.trials import ended_at, trials_of
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, failed_lives, said_of_families
from warm_tui.library.suggestions import Kept, keep_suggestions, reviewed_sessions
from warm_tui.reliability.families import families_of
from warm_tui.reliability.profile import Profile
from warm_tui.review.suggesting import Facts, Suggestion, suggested
from warm_tui.templates.budget import cost_of
from warm_tui.templates.building import candidates_in, find_call, harmless_choices
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.mining import Candidate, plain_pattern, qualifies

MOST_READ = 20
"""Of the new sessions, so many of the newest are read for calls that work: of the others what is kept of each tells."""
MOST_CHOICES = 8
MIN_MESSAGES = 10


class Review(NamedTuple):
    sessions: int
    """How many were new, and at their end."""
    fresh: list[Suggestion]


def review(catalog: Catalog, now: float | None = None) -> Review:
    now = time.time() if now is None else now
    finished = [each for each in catalog.profiles_here() if ended_at(each, now) <= now]
    known = reviewed_sessions(catalog.library)
    new = [each for each in finished if _name(each) not in known]
    if not new:
        return Review(0, [])
    found = _harmless(catalog, suggested(_facts(catalog, finished, new, now)))
    fresh = keep_suggestions(
        catalog.library, map(_name, new), [(each.id, msgspec.json.encode(each)) for each in found]
    )  # fmt: skip
    return Review(len(new), [each for each in found if each.id in fresh])


def _name(profile: Profile) -> str:
    return "/".join((profile.agent, profile.home, profile.session_id, str(profile.started_at)))


def _facts(catalog: Catalog, finished: list[Profile], new: list[Profile], now: float) -> Facts:
    lives = failed_lives(catalog, finished, KeptFailures())
    stored, _ = TemplateFiles(catalog.home).all()
    worth_reading = [each for each in new if qualifies(each, MIN_MESSAGES)][:MOST_READ]
    candidates = [each for profile in worth_reading for each in candidates_in(catalog, profile)]
    harming = {
        shown.template: shown.told
        for trial in trials_of(catalog, now)
        for shown in trial.shown
        if shown.verdict == "harms"
    }
    return Facts(
        [each.template for each in stored],
        families_of(lives, said_of_families(catalog.library), now).all,
        sorted(finished, key=lambda each: -(each.started_at or 0.0)),
        harmless_choices(candidates, MOST_CHOICES)[0],
        harming,
    )


def _harmless(catalog: Catalog, found: list[Suggestion]) -> list[Suggestion]:
    """Those whose calls can be picked, and do not tell the agent what to do; with what they cost."""
    told = []
    for suggestion in found:
        named = (call_named(catalog, name) for name in suggestion.calls)
        picked = [call for call in named if call is not None and not call.signs]
        if suggestion.calls and not picked:
            continue
        if picked:
            tokens = sum(cost_of(plain_pattern(call, with_failure=True), "any").alone.total for call in picked)
            calls, effect = tuple(call.name for call in picked), (*suggestion.effect, f"takes about {tokens:,} tokens")
            suggestion = msgspec.structs.replace(suggestion, calls=calls, effect=effect)
        told.append(suggestion)
    return told


def call_named(catalog: Catalog, name: tuple[str, str]) -> Candidate | None:
    """None where it is not there any more, or cannot be picked."""
    try:
        return find_call(catalog, name[1], (name[0],))
    except Trouble:
        return None


def as_suggestion(kept: Kept) -> Suggestion | None:
    try:
        return msgspec.json.decode(kept.body, type=Suggestion)
    except msgspec.MsgspecError:
        return None
