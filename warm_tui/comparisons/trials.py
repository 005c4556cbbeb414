"""How trials stand: the sessions as they were drawn, what came of them, and what that shows.

A session counts in the arm that it drew, whatever became of it (intention to treat), with all that compaction and
branching made of it as one, in the order in which they came to an end: what has been counted is not counted anew.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from warm_tui.library.catalog import Catalog
from warm_tui.library.trials import Draw, drawn_roots, draws_of, keep_rule, rules_of
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.stats import LEVEL
from warm_tui.sessions.lineage import ONE_UNIT
from warm_tui.trials.betting import Drawn
from warm_tui.trials.rules import DEFAULT_HOLDOUT, Rule
from warm_tui.trials.verdict import Shown, shown

if TYPE_CHECKING:
    from warm_tui.trials.course import Course

QUIET_SECONDS = 3_600.0
"""A session that nobody has closed is taken for done when nothing was added for so long."""
DAY = 86_400.0
HARM = "switched off: harm was shown"


class Finished(NamedTuple):
    """A drawn session that came to an end, with all that was made of it."""

    draw: Draw
    failures: int
    known: int
    at: float


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
    rules, draws = rules_of(catalog.library.connection), draws_of(catalog.library)
    if not rules:
        return []
    drawn = [draw for draw in draws if draw.decision.drawn]
    finished = _finished(catalog, drawn, time.time() if now is None else now) if drawn else []
    return [_trial(rule, drawn, finished) for rule in rules]


def reasons_not_drawn(catalog: Catalog) -> dict[str, int]:
    """Of the sessions that a rule was for and that could not be drawn, how many there are of each reason."""
    draws = draws_of(catalog.library)
    return dict(Counter(draw.decision.reason for draw in draws if not draw.decision.drawn).most_common())


def guard(catalog: Catalog, trials: Sequence[Trial]) -> list[Trial]:
    """A rule that does harm is switched off at once."""
    found = []
    for trial in trials:
        if trial.harms and trial.rule.running:
            harmful = ", ".join(each.template for each in trial.shown if each.verdict == "harms")
            rule = keep_rule(catalog.library, trial.rule._replace(running=False, why=f"{HARM} of {harmful}"))
            trial = msgspec.structs.replace(trial, rule=rule)
        found.append(trial)
    return found


def _finished(catalog: Catalog, drawn: Sequence[Draw], now: float) -> list[Finished]:
    by_session = {draw.decision.session_id: draw for draw in drawn}
    roots = drawn_roots(catalog.library)
    lives: dict[str, list[Profile]] = {}
    for profile in catalog.profiles():
        # What helpers did is theirs: a helper is as warm as who gave it work, but no session of the trial.
        root = profile.session_id
        if profile.relation in ONE_UNIT:
            root = roots.get(root, root)
        if root in by_session:
            lives.setdefault(root, []).append(profile)
    found = [
        Finished(
            by_session[root],
            sum(part.failed_calls for part in parts),
            sum(part.failed_calls + part.successful_calls for part in parts),
            max(_end(part, now) for part in parts),
        )
        for root, parts in lives.items()
    ]
    ended = (each for each in found if each.at <= now)
    return sorted(ended, key=lambda each: (each.at, each.draw.decision.session_id))


def _end(profile: Profile, now: float) -> float:
    """When it may be counted from; where it goes on, later than now."""
    last = (profile.started_at or 0.0) + (profile.duration_seconds or 0.0)
    if profile.ended_at is not None:
        return max(last, profile.ended_at)
    quiet = last + QUIET_SECONDS
    return quiet if quiet <= now else now + 1.0


def _trial(rule: Rule, drawn: Sequence[Draw], finished: Sequence[Finished]) -> Trial:
    of_rule = [draw for draw in drawn if draw.decision.rule == rule.number]
    ended = [each for each in finished if each.draw.decision.rule == rule.number]
    telling = [each for each in ended if each.known]
    per_day = _per_day([draw.circumstances.at for draw in of_rule])
    return Trial(
        rule,
        len(of_rule),
        len(of_rule) - len(ended),
        len(ended) - len(telling),
        [
            shown(each.template, _arms(each.content, telling), len(rule.revisions), per_day)
            for each in rule.revisions
        ],
    )  # fmt: skip


def _arms(content: str, finished: Sequence[Finished]) -> list[Drawn]:
    """Those that drew this revision, and those that drew cold while they could have drawn it."""
    sessions = []
    for each in finished:
        decision = each.draw.decision
        chances: Mapping[str, float] = decision.chances
        if decision.content not in (content, "") or content not in chances:
            continue
        warm, cold = chances[content], 1.0 - sum(chances.values())
        chance = warm / (warm + cold) if warm + cold > 0 else 0.0
        sessions.append(Drawn(bool(decision.content), chance, each.failures, each.known))
    return sessions


def _per_day(times: Sequence[float]) -> float | None:
    """As they came so far; of less than a day nothing is said."""
    if len(times) < 2 or max(times) - min(times) < DAY:
        return None
    return len(times) / ((max(times) - min(times)) / DAY)


def courses_of(catalog: Catalog, rule: Rule, now: float | None = None) -> list[Course]:
    """How the difference went on, for each template of the rule."""
    from warm_tui.trials.course import course_of

    drawn = [draw for draw in draws_of(catalog.library) if draw.decision.rule == rule.number]
    finished = _finished(catalog, drawn, time.time() if now is None else now) if drawn else []
    telling = [each for each in finished if each.known]
    level = LEVEL / len(rule.revisions)
    return [
        course_of([(each.at, one) for each in telling for one in _arms(revision.content, [each])], level)
        for revision in rule.revisions
    ]


def proposed(trial: Trial) -> Rule | None:
    """Where templates help: these alone for all sessions but a holdout, without which nobody would know for how long
    they do. None where it is so already."""
    rule, helping = trial.rule, [each.template for each in trial.shown if each.verdict == "helps"]
    revisions = tuple(each for each in rule.revisions if each.template in helping)
    holdout = rule.holdout or DEFAULT_HOLDOUT
    larger = rule._replace(revisions=revisions, share=1.0 - holdout, holdout=holdout)
    wins = larger.warm_share > rule.warm_share or len(revisions) < len(rule.revisions)
    return larger if rule.running and revisions and wins else None
