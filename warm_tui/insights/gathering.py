"""How the Overview comes to what it tells: from profiles, visits, experiments, drafts and proposals."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec.structs import replace

from warm_tui.agent import installed
from warm_tui.agent.prefill import Prefill
from warm_tui.experiments import control
from warm_tui.insights.overview import NONE_TOLD, FailuresTold, Item, Overview, Target
from warm_tui.insights.ruled import Ruled, running_trials, waiting_trials
from warm_tui.library.catalog import Catalog
from warm_tui.library.db import Library
from warm_tui.library.drafts import Drafts
from warm_tui.library.experiments import Experiment, counts, experiments, runs_of
from warm_tui.library.families import KeptFailures, failed_lives, said_of_families
from warm_tui.library.suggestions import count_waiting
from warm_tui.library.uses import Window, warm_windows
from warm_tui.library.visits import Visit, visits
from warm_tui.paths import Home
from warm_tui.reliability.bounds import FEW_CALLS, rate_bounds
from warm_tui.reliability.failure_records import sign_of
from warm_tui.reliability.families import Families, Family, Said, families_of, since_then
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.trends import SCALES, Mark, Unit, trends_of
from warm_tui.sessions.text import plural
from warm_tui.templates.budget import SMALLEST_WINDOW
from warm_tui.templates.shelf import proposed

MOST_NEW, MOST_FAMILIES = 3, 5


def overview_of(
    home: Home,
    library: Library,
    profiles: Sequence[Profile],
    unit: Unit,
    now: float,
    since: float | None,
    total: int | None = None,
    failures: FailuresTold = NONE_TOLD,
    ruled: Sequence[Ruled] = (),
    *,
    still_reading: bool = False,
) -> Overview:
    """`since`: the last visit; `total`: how many sessions there are, where not all are profiled yet, which
    `still_reading` says where nobody has counted them; `ruled`: what trials show."""
    marks = [*activation_marks(warm_windows(library)), *agent_marks(visits(library))]
    end = span_end(profiles, unit, now)
    going = [(experiment, control.phase(home, experiment)) for experiment in experiments(library)]
    total = max(total or 0, len(profiles))
    return Overview(
        now,
        replace(trends_of(profiles, unit, end, marks), is_past=end < now),
        total,
        len(profiles),
        since,
        failures.costly,
        (*_new(profiles, since, now), *failures.new),
        (*running_trials(ruled), *_running(library, going)),
        (*waiting_trials(ruled), *_unread(library, going, since), *_waiting(home, library, going, profiles, now)),
        still_reading or total > len(profiles),
    )


def failures_told(
    catalog: Catalog, profiles: Iterable[Profile], now: float, since: float | None, kept: KeptFailures | None = None
) -> FailuresTold:
    """What costs most calls and goes on, and what is new. `kept`: what was read before, where somebody asks again."""
    lives, said = failed_lives(catalog, profiles, kept or KeptFailures()), said_of_families(catalog.library)
    found = families_of(lives, said, now)
    goes_on = [family for family in found.all if family.state not in ("muted", "resolved")]
    return FailuresTold(
        tuple(_costly(family) for family in goes_on[:MOST_FAMILIES]), tuple(_new_families(found, said, since))
    )


def _new_families(found: Families, said: Mapping[str, Said], since: float | None) -> Iterable[Item]:
    """Those never seen before the last visit, and those that were over then; those that cost most by name."""
    if since is None:
        return
    told = [(since_then(each, found.exposed[each.id], said.get(sign_of(each.id)), since), each) for each in found.all]
    for what, words in (("back", "failure that was over is back"), ("new", "failure never seen before")):
        those = [family for news, family in told if news == what]
        for family in those[:MOST_NEW]:
            cost = f"{plural(family.count, 'call')} in {plural(len(family.lives), 'session')}"
            yield Item(f"a {words}: {family.title} · {cost}", Target("failures", family.id), "failed")
        if len(those) > MOST_NEW:
            yield Item(f"{len(those) - MOST_NEW:,} more {what} since then", Target("failures"))


def _costly(family: Family) -> Item:
    best = family.mends[0] if family.mends else None
    mend = "no mend is known"
    if best:
        tried = f"{best.worked:,} of {best.tried:,} tries"
        mend = f"{family.mended:,} of {plural(family.count, 'failure')} mended, most often by {best.told} ({tried})"
    state = "" if family.state == "ongoing" else f"{family.state}: "
    words = f"{state}{family.title}"
    took = f"cost {plural(family.lost, 'call')} in {plural(len(family.lives), 'session')}"
    return Item(
        f"{words} · {took}, {mend}", Target("failures", family.id), "" if family.state == "ongoing" else "failed"
    )


def end_of_day(now: float) -> float:
    """The midnight that comes, where one is."""
    tomorrow = datetime.date.fromtimestamp(now) + datetime.timedelta(days=1)
    return datetime.datetime.combine(tomorrow, datetime.time()).timestamp()


def span_end(profiles: Iterable[Profile], unit: Unit, now: float) -> float:
    """Of days in which no session began nothing can be told: what is looked at then ends with the newest one."""
    end, scale = end_of_day(now), SCALES[unit]
    newest = max((p.started_at for p in profiles if p.started_at is not None and p.started_at < end), default=end)
    return end if newest >= end - scale.half * scale.seconds else end_of_day(newest)


# --- what happened, as marks on the line ---


def activation_marks(windows: Sequence[Window]) -> list[Mark]:
    """When a template began to start sessions, when it was another text under the same name, and when it ended."""
    marks, content_of = [], dict[str, str]()
    for at, window in enumerate(windows):
        revised = content_of.get(window.template, window.content) != window.content
        kind: Literal["revision", "activation"] = "revision" if revised else "activation"
        marks.append(Mark(window.start, kind, f"{window.template} {'revised' if revised else 'activated'}"))
        content_of[window.template] = window.content
        goes_on = at + 1 < len(windows) and window.end == windows[at + 1].start
        if window.end is not None and not goes_on:
            marks.append(Mark(window.end, "deactivation", f"{window.template} deactivated"))
    return marks


def agent_marks(seen: Sequence[Visit]) -> list[Mark]:
    """When the agent was seen to be another; it may have changed at any time since the visit before."""
    known = [visit for visit in seen if visit.agent]
    return [
        Mark(after.at, "agent", f"{before.agent} → {after.agent}")
        for before, after in pairwise(known)
        if before.agent != after.agent
    ]


def agents_in_words() -> str:
    return ", ".join(agent.name for agent in installed.agents_here())


# --- what is new ---


def _new(profiles: Sequence[Profile], since: float | None, now: float) -> Iterable[Item]:
    if since is None:
        return
    fresh = [p for p in profiles if p.started_at is not None and p.started_at >= since]
    query = f"age<{max(1, round((now - since) / 60))}min"
    not_done = sum(p.outcome == "not-done" for p in fresh)
    if fresh:
        failed = sum(p.failed_calls for p in fresh)
        words = f"{plural(len(fresh), 'session')}, {plural(failed, 'failed call')}"
        yield Item(f"{words}, {not_done:,} not done", Target("sessions", query))
    for profile in sorted(fresh, key=_certainly_fails, reverse=True)[:MOST_NEW]:
        if profile.known_calls >= FEW_CALLS and _certainly_fails(profile) > 0:
            name = profile.title or profile.first_message or profile.session_id
            calls = f"{profile.failed_calls:,} of {profile.known_calls:,} calls failed"
            yield Item(f"{calls}: {name}", Target("session", profile.session_id))


def _certainly_fails(profile: Profile) -> float:
    bounds = rate_bounds(profile.failed_calls, profile.known_calls)
    return bounds.low if bounds else 0.0


# --- what runs, and what waits for somebody ---

Phases: TypeAlias = "Sequence[tuple[Experiment, str]]"


def _running(library: Library, going: Phases) -> Iterable[Item]:
    totals = counts(library)
    for experiment, phase in going:
        if phase == "running" or (phase == "paused" and experiment.waits_for):
            finished, wanted = totals.get(experiment.id, (0, 0))
            words = f"{experiment.name}: {finished:,} of {plural(wanted, 'run')} finished"
            waits = f", waits: {experiment.why}" if experiment.waits_for else ""
            yield Item(words + waits, Target("experiments", str(experiment.id)))


def _unread(library: Library, going: Phases, since: float | None) -> Iterable[Item]:
    """Experiments that ended since the last visit."""
    for experiment, phase in going:
        if phase == "done":
            ended = max((run.ended_at or 0.0 for run in runs_of(library, experiment.id)), default=0.0)
            if since is None or ended >= since:
                words = f"{experiment.name} is done: {experiment.verdict or 'look at what it showed'}"
                yield Item(words, Target("experiments", str(experiment.id)), "mark")


def _waiting(home: Home, library: Library, going: Phases, profiles: Sequence[Profile], now: float) -> Iterable[Item]:
    for experiment, phase in going:
        if phase in ("paused", "interrupted") and not (phase == "paused" and experiment.waits_for):
            words = f"{experiment.name} is {phase}: go on, or cancel it"
            yield Item(words, Target("experiments", str(experiment.id)), "unknown")
    if suggested := count_waiting(library):
        words = f"{plural(suggested, 'suggestion')} of the last sessions for the templates: decide on"
        yield Item(f"{words} {'it' if suggested == 1 else 'them'}", Target("curate", "suggestions"), "mark")
    for row in proposed(home)[0]:
        yield Item(f"the agent proposes {row.name}: accept it, or put it away", Target("templates", row.identity))
    for draft in Drafts(library).all():
        name = draft.name or f"number {draft.id}"
        yield Item(f"draft {name}, touched {_days_ago(now - draft.updated_at)}: save it, or go on", Target("curate"))
    yield from _small_windows(Prefill(home), profiles)


def _small_windows(prefill: Prefill, profiles: Sequence[Profile]) -> Iterable[Item]:
    """Cron sessions have nobody who would notice that the model forgot half of what it was to do."""
    window, model = prefill.window(), prefill.model()
    timed = sum(p.source == "cron" and p.model == model for p in profiles) if model else 0
    if window is not None and window < SMALLEST_WINDOW and timed:
        words = f"{plural(timed, 'cron session')} ran on {model}, whose window of {window:,} tokens is small"
        yield Item(
            f"{words} (below {SMALLEST_WINDOW:,})", Target("sessions", f'source:cron model:"{model}"'), "unknown"
        )


def _days_ago(seconds: float) -> str:
    days = int(seconds // 86_400)
    return "today" if days < 1 else f"{plural(days, 'day')} ago"
