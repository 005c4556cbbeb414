"""How trials stand: the sessions as they were drawn, what came of them, and what that shows.

A session counts in the arm that it drew, whatever became of it (intention to treat), with all that compaction and
branching made of it as one, in the order in which they came to an end: what has been counted is not counted anew.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from warm_tui.comparisons.units import units_of
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.trial_figures import (
    Counted,
    Drawings,
    drawings_of,
    figures_seen,
    finished_of,
    keep_counted,
    keep_standings,
    kept_standings,
    uncounted,
)
from warm_tui.library.trials import drawn_roots, draws_of, rules_of, switch_off
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.rates import FIRST_CALLS
from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.lineage import ONE_UNIT
from warm_tui.sessions.text import clean_line
from warm_tui.trials.figures import Drawn, Figures, Finished, InArm, arms
from warm_tui.trials.rules import DEFAULT_HOLDOUT, Rule
from warm_tui.trials.verdict import Shown, shown, with_secondary

if TYPE_CHECKING:
    from warm_tui.trials.course import Course

RECKONING = 1
"""Raised when `Standing` is reckoned otherwise: what was kept is then told no more."""
QUIET_SECONDS = 3_600.0
"""A session that nobody has closed is taken for done when nothing was added for so long."""
DAY = 86_400.0
HARM = "switched off: harm was shown"
FEW = 300
"""So many sessions are looked up one by one."""


class Standing(msgspec.Struct, frozen=True):
    """What the counted sessions of a rule show."""

    finished: int
    telling: int
    """Those with a call that can be judged."""
    shown: list[Shown]


class Trial(msgspec.Struct, frozen=True):
    """A rule, and how it goes."""

    rule: Rule
    drawn: int
    going_on: int
    """Not at their end yet, or not recorded."""
    without_calls: int
    """At their end without a call that can be judged: they have no error rate."""
    shown: list[Shown]
    """For each template of the rule, as it stands under it."""

    @property
    def harms(self) -> bool:
        return any(each.verdict == "harms" for each in self.shown)


def trials_of(catalog: Catalog, now: float | None = None) -> list[Trial]:
    rules = rules_of(catalog.library.connection)
    if not rules:
        return []
    count_finished(catalog, time.time() if now is None else now)
    drawings, standings = drawings_of(catalog.library), _standings(catalog.library, rules)
    return [_trial(rule, drawings.get(rule.number, Drawings()), standings[rule.number]) for rule in rules]


def _standings(library: Library, rules: Sequence[Rule]) -> dict[int, Standing]:
    """As it was reckoned last, where nothing was counted since: that takes longer than all else one waits for."""
    kept, seen = kept_standings(library), figures_seen(library)
    marks = {rule.number: repr((RECKONING, *seen, rule.revisions, rule.since)) for rule in rules}
    found: dict[int, Standing] = {}
    for rule in rules:
        mark, told = kept.get(rule.number, ("", b""))
        if mark == marks[rule.number]:
            with suppress(msgspec.MsgspecError):
                found[rule.number] = msgspec.msgpack.decode(told, type=Standing)
    missing = [rule for rule in rules if rule.number not in found]
    finished = finished_of(library) if missing else {}
    reckoned = {rule.number: _standing(rule, finished.get(rule.number, [])) for rule in missing}
    keep_standings(library, [(at, marks[at], msgspec.msgpack.encode(one)) for at, one in reckoned.items()])
    return found | reckoned


def shown_states(catalog: Catalog, template: str, now: float | None = None) -> list[tuple[int, str, Shown]]:
    """For each state in which a template was drawn, also a former one of its rule, what every rule has shown."""
    decisions = [draw.decision for draw in draws_of(catalog.library) if draw.decision.drawn]
    here = [(each.rule, each.content) for each in decisions if each.rule is not None and each.template == template]
    states = dict.fromkeys(here)
    if not states:
        return []
    count_finished(catalog, time.time() if now is None else now)
    finished = finished_of(catalog.library)
    return [
        (rule, content, shown(template, _drawn(arms(content, _telling(finished.get(rule, []))))))
        for rule, content in states
    ]


def shown_by_content(catalog: Catalog, template: str, now: float | None = None) -> dict[str, list[str]]:
    """The same in words, by the conversation that was drawn."""
    told: dict[str, list[str]] = {}
    for rule, content, of in shown_states(catalog, template, now):
        told.setdefault(content, []).append(f"trial {rule}: {of.told[:1].lower()}{of.told[1:]}")
    return told


def guard(catalog: Catalog, trials: Sequence[Trial]) -> list[Trial]:
    """A rule that does harm is switched off at once, and that is due to be told."""
    found = []
    for trial in trials:
        if trial.harms and trial.rule.running:
            harmful = [each for each in trial.shown if each.verdict == "harms"]
            why = f"{HARM} of {', '.join(each.template for each in harmful)}"
            switch_off(catalog.library, trial.rule.number, why, _notice(trial.rule, harmful))
            trial = msgspec.structs.replace(trial, rule=trial.rule._replace(running=False, why=why))
        found.append(trial)
    return found


def _notice(rule: Rule, harmful: Sequence[Shown]) -> str:
    what = " ".join(f"{each.template}: {each.told}" for each in harmful)
    return clean_line(f"Warm TUI switched off rule {rule.number} of its trials ({rule.when.told}). {what}")


def proposed(trial: Trial) -> Rule | None:
    """Where templates help: these alone for all sessions but a holdout, without which nobody would know for how long
    they do. None where it is so already."""
    rule, helping = trial.rule, [each.template for each in trial.shown if each.verdict == "helps"]
    revisions = tuple(each for each in rule.revisions if each.template in helping)
    holdout = rule.holdout or DEFAULT_HOLDOUT
    larger = rule._replace(revisions=revisions, share=1.0 - holdout, holdout=holdout)
    wins = larger.warm_share > rule.warm_share or len(revisions) < len(rule.revisions)
    return larger if rule.running and revisions and wins else None


def count_finished(catalog: Catalog, now: float) -> None:
    """Those that came to their end since this was last asked."""
    waiting = dict.fromkeys(uncounted(catalog.library))
    if not waiting:
        return
    roots = drawn_roots(catalog.library)
    lives: dict[str, dict[str, Profile]] = {}
    for profile in _profiles(catalog, [*waiting, *(name for name, root in roots.items() if root in waiting)]):
        # What helpers did is theirs: a helper is as warm as who gave it work, but no session of the trial.
        root = profile.session_id
        if profile.relation in ONE_UNIT:
            root = roots.get(root, root)
        if root in waiting:
            lives.setdefault(root, {})[profile.session_id] = profile
    ended = {root: max(ended_at(part, now) for part in parts.values()) for root, parts in lives.items()}
    counted = [
        Counted(root, ended[root], _figures(root, list(parts.values())))
        for root, parts in lives.items()
        if ended[root] <= now
    ]
    gone = [] if catalog.unread else [root for root in waiting if root not in lives]
    keep_counted(catalog.library, counted, gone)


def _profiles(catalog: Catalog, names: Sequence[str]) -> list[Profile]:
    if len(names) > FEW:
        return catalog.profiles_here()
    return [profile for name in names if (profile := catalog.profile_called(name)) is not None]


def _figures(root: str, parts: Sequence[Profile]) -> Figures:
    (unit,) = units_of(parts, {part.session_id: root for part in parts})
    first = unit.course[:FIRST_CALLS]
    return Figures(
        unit.failures,
        unit.known,
        first.count("x"),
        len(first) - first.count("?"),
        unit.first_success,
        None if unit.done is None else int(unit.done),
        unit.tokens,
        unit.cost_usd,
    )


def ended_at(profile: Profile, now: float) -> float:
    """When it may be counted from; where it goes on, later than now."""
    last = (profile.started_at or 0.0) + (profile.duration_seconds or 0.0)
    if profile.ended_at is not None:
        return max(last, profile.ended_at)
    quiet = last + QUIET_SECONDS
    return quiet if quiet <= now else now + 1.0


def _standing(rule: Rule, finished: Sequence[Finished]) -> Standing:
    telling = _telling(finished)
    found = []
    for revision in rule.revisions:
        sessions = arms(revision.content, telling)
        of = shown(revision.template, _drawn(sessions), len(rule.revisions))
        found.append(with_secondary(of, sessions))
    return Standing(len(finished), len(telling), found)


def _trial(rule: Rule, drawings: Drawings, standing: Standing) -> Trial:
    per_day = _per_day(drawings)
    going_on, without_calls = drawings.sessions - standing.finished, standing.finished - standing.telling
    return Trial(
        rule, drawings.sessions, going_on, without_calls, [each.at_a_rate_of(per_day) for each in standing.shown]
    )


def _telling(finished: Sequence[Finished]) -> list[Finished]:
    return [each for each in finished if each.figures.known]


def _drawn(sessions: Sequence[InArm]) -> list[Drawn]:
    return [Drawn(each.warm, each.chance, each.figures.failures, each.figures.known) for each in sessions]


def _per_day(drawings: Drawings) -> float | None:
    """As they came so far; of less than a day nothing is said."""
    days = (drawings.last - drawings.first) / DAY
    return drawings.sessions / days if drawings.sessions > 1 and days >= 1 else None


def courses_of(catalog: Catalog, rule: Rule, now: float | None = None) -> list[Course]:
    """How the difference went on, for each template of the rule."""
    from warm_tui.trials.course import course_of

    count_finished(catalog, time.time() if now is None else now)
    telling = _telling(finished_of(catalog.library).get(rule.number, []))
    level = LEVEL / len(rule.revisions)
    return [
        course_of([(each.at, one) for each in telling for one in _drawn(arms(revision.content, [each]))], level)
        for revision in rule.revisions
    ]
