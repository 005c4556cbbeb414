"""Sessions that came to their end are read once, off the agent's way, and give suggestions."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from warm_tui.comparisons.trials import ended_at, trials_of
from warm_tui.errors import Trouble
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import KeptFailures, failed_lives, said_of_families
from warm_tui.library.profiles import is_all_remembered
from warm_tui.library.suggestions import Kept, keep_suggestions, noted_ends, reviewed_sessions
from warm_tui.reliability.families import families_of
from warm_tui.reliability.profile import Profile
from warm_tui.review.suggesting import Answer, Facts, Suggestion, Unhelpful, call_of, suggested
from warm_tui.secrets.redactor import redactor_of
from warm_tui.sessions.text import plural
from warm_tui.templates.budget import cost_of
from warm_tui.templates.building import candidates_in, find_call, harmless_choices
from warm_tui.templates.files import TemplateFiles
from warm_tui.templates.mining import Candidate, plain_pattern, qualifies
from warm_tui.templates.model import Template

MOST_READ = 20
"""Of the sessions, so many of the newest are read for calls that work: of the others what is kept of each tells."""
MOST_CHOICES = 8
MIN_MESSAGES = 10


class Review(NamedTuple):
    sessions: int
    """How many were new, and at their end."""
    fresh: list[Suggestion]
    going_on: int = 0
    """How many may yet be gone on with: nothing says that they are over, and they are not quiet for long enough."""

    @property
    def waits(self) -> str:
        """Why nothing of them is read yet; nothing where there are none."""
        if not self.going_on:
            return ""
        are = "is" if self.going_on == 1 else "are"
        when = "at its end, or an hour after its last message"
        return f"{plural(self.going_on, 'session')} {are} not over yet: a session is read {when}."


def review(catalog: Catalog, now: float | None = None) -> Review:
    now = time.time() if now is None else now
    ends = noted_ends(catalog.library)
    profiles = catalog.profiles_here()
    finished = [each for each in profiles if _is_over(each, ends, now)]
    going_on = len(profiles) - len(finished)
    known = reviewed_sessions(catalog.library)
    new = [each for each in finished if _name(each) not in known]
    if not new:
        return Review(0, [], going_on)
    found = _harmless(catalog, suggested(_facts(catalog, finished, now)))
    fresh = keep_suggestions(
        catalog.library, map(_name, new), [(each.id, msgspec.json.encode(each)) for each in found]
    )  # fmt: skip
    return Review(len(new), [each for each in found if each.id in fresh], going_on)


def review_what_is_profiled(catalog: Catalog) -> Review:
    """For whoever looks by the way: where profiles are still to be made, that is left to who shows them."""
    if not all(is_all_remembered(source, catalog.library) for source in catalog.sources):
        return Review(0, [])
    return review(catalog)


def _is_over(profile: Profile, ends: Mapping[str, float], now: float) -> bool:
    """By its end, as the agent recorded or noted it, or because nothing was added for long."""
    last = (profile.started_at or 0.0) + (profile.duration_seconds or 0.0)
    noted = ends.get(profile.name.id if not profile.parts else profile.parts[-1].name.id, 0.0)
    return last <= noted <= now or ended_at(profile, now) <= now


def _name(profile: Profile) -> str:
    return "/".join((profile.agent, profile.home, profile.session_id, str(profile.started_at)))


def _facts(catalog: Catalog, finished: list[Profile], now: float) -> Facts:
    lives = failed_lives(catalog, finished, KeptFailures())
    stored, _ = TemplateFiles(catalog.home).all()
    newest = sorted(finished, key=lambda each: -(each.started_at or 0.0))
    # Not the new ones alone: sessions come to their end one by one, and what is true of one proves little.
    worth_reading = [each for each in newest if qualifies(each, MIN_MESSAGES)][:MOST_READ]
    candidates = [each for profile in worth_reading for each in candidates_in(catalog, profile)]
    templates = [each.template for each in stored]
    return Facts(
        templates,
        families_of(lives, said_of_families(catalog.library), now).all,
        newest,
        harmless_choices(candidates, MOST_CHOICES)[0],
        _unhelpful(catalog, now),
        _answers(catalog, templates, candidates),
    )


def _unhelpful(catalog: Catalog, now: float) -> dict[str, Unhelpful]:
    found = {}
    for trial in trials_of(catalog, now):
        content_of = {each.template: each.content for each in trial.rule.revisions}
        for shown in trial.shown:
            harms = shown.verdict == "harms"
            if harms or (shown.verdict == "nothing shown yet" and shown.wanted == 0):
                found[shown.template] = Unhelpful(content_of.get(shown.template, ""), harms, shown.told)
    return found


def _answers(
    catalog: Catalog, templates: Sequence[Template], candidates: Sequence[Candidate]
) -> dict[str, list[Answer]]:
    """Shortened and masked as patterns are, so that they can be compared."""
    wanted = {call_of(each.tool_name, each.arguments) for template in templates for each in template.patterns}
    found: dict[str, list[Answer]] = {}
    redactor = None
    for each in candidates:
        call = call_of(each.tool, each.arguments)
        if call in wanted and each.good:
            redactor = redactor or redactor_of(catalog.home)
            result = plain_pattern(each, redactor).result
            found.setdefault(call, []).append(Answer(each.recorded_at or 0.0, redactor.redact(result), each.name))
    for answers in found.values():
        answers.sort()
    return found


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
