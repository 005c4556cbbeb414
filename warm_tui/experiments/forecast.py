"""What a plan would do, before it does it: how long, how much, and how small an effect it can find."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, median, pvariance

import msgspec

from warm_tui.comparisons.compare import MIN_TASKS
from warm_tui.experiments.looks import Look, looks_of
from warm_tui.experiments.plan import Plan, Task
from warm_tui.library.catalog import Catalog
from warm_tui.library.experiments import NO_RESULT, experiments, runs_of
from warm_tui.paths import Home
from warm_tui.reliability.profile import Profile
from warm_tui.reliability.stats import POWER
from warm_tui.sessions.text import plural

WITHIN_TASK = 0.32
"""Of the variance of error rates between sessions, the share that trials of one task still have among them."""
MIN_SESSIONS = 8
MIN_CALLS = 3


class Forecast(msgspec.Struct, frozen=True):
    runs: int
    pairs: int
    seconds: float | None
    """How long it takes, by the runs of earlier experiments; None where there were none."""
    seconds_a_run: float | None
    """The middle one of those."""
    seconds_at_most: float
    dollars: float | None
    dollars_a_run: float | None
    smallest_effect: float | None
    """The smallest difference of error rates that is found four times in five."""
    by: str
    """What the estimates rest on."""
    looks: list[Look]
    notes: list[str]


def forecast_of(home: Home, plan: Plan) -> Forecast:
    with Catalog(home.present) as catalog:
        if not home.archive.exists():
            return forecast(catalog, None, plan)
        with Catalog(home.archived) as archived:
            return forecast(catalog, archived, plan)


def forecast(catalog: Catalog, archived: Catalog | None, plan: Plan) -> Forecast:
    """`archived` holds the sessions of earlier experiments, if there were any."""
    earlier = [
        run
        for experiment in experiments(catalog.library)
        for run in runs_of(catalog.library, experiment.id)
        if run.finished and run.state not in NO_RESULT
    ]
    tasks = {task.id for task in plan.tasks}
    same = [run for run in earlier if run.task in tasks] or earlier
    took = [run.seconds for run in same if run.seconds is not None]
    costs = [run.cost_usd for run in same if run.cost_usd is not None]
    runs = plan.runs if plan.budget.runs is None else min(plan.runs, plan.budget.runs)
    at_once = min(plan.parallel, runs)
    profiles = _like(catalog.profiles(), plan) + (archived.profiles() if archived else [])
    effect, notes = smallest_effect(plan, profiles)
    notes += _blind_looks(plan)
    notes += [few] if (few := few_tasks(plan)) else []
    if plan.budget.dollars is not None and not costs:
        notes.append("What a run costs is not known: the budget in dollars holds only if Hermes records costs.")
    by = f"{plural(len(took), 'run')} of earlier experiments" if took else "no run: there was no experiment yet"
    seconds, dollars = median(took) if took else None, fmean(costs) if costs else None
    return Forecast(
        runs,
        plan.pairs,
        seconds * runs / at_once if seconds is not None else None,
        seconds,
        _at_most(plan, runs, at_once),
        dollars * runs if dollars is not None else None,
        dollars,
        effect,
        by,
        looks_of(plan.looks, plan.pairs),
        notes,
    )


def few_tasks(plan: Plan) -> str:
    if len(plan.tasks) >= MIN_TASKS:
        return ""
    return f"With fewer than {MIN_TASKS} tasks nothing can be shown, however often they are repeated."


def limit_of(task: Task) -> float:
    """Seconds that a run of it may take: the setup, the agent and the check as long as each other."""
    return 60 * task.minutes * (1 + bool(task.setup) + bool(task.check))


def _at_most(plan: Plan, runs: int, at_once: int) -> float:
    """Seconds until the last run has ended, should each take all that it may."""
    limits = [limit_of(task) for task in plan.tasks]
    longest = sorted(2 * plan.repeats * limits, reverse=True)[:runs]
    most = sum(longest) / at_once + longest[0] * (1 - 1 / at_once)
    return most if plan.budget.minutes is None else min(most, 60 * plan.budget.minutes + longest[0])


def _blind_looks(plan: Plan) -> list[str]:
    """Swapping the arms of a few tasks has few outcomes: the least p may be above what the look may spend."""
    return [
        f"The look after {plural(look.pairs, 'pair')} can show nothing, however large the effect: "
        "leave it out, or look later."
        for look in looks_of(plan.looks, plan.pairs)[:-1]
        if 2 / 2 ** min(look.pairs, len(plan.tasks)) >= look.level
    ]


def _like(profiles: Sequence[Profile], plan: Plan) -> list[Profile]:
    return [p for p in profiles if not plan.model or p.model == plan.model]


def smallest_effect(plan: Plan, profiles: Sequence[Profile]) -> tuple[float | None, list[str]]:
    """By how much the error rates of recorded sessions differ; what a task adds to that goes when it is paired."""
    rates = [p.error_rate for p in profiles if p.error_rate is not None and p.tool_call_count >= MIN_CALLS]
    tasks = len(plan.tasks)
    if len(rates) < MIN_SESSIONS or tasks < MIN_TASKS:
        few = len(rates) < MIN_SESSIONS
        return None, [
            f"Too few sessions are recorded ({len(rates)}) to say how small an effect it finds."
        ] if few else []
    difference = 2 * pvariance(rates) * WITHIN_TASK / plan.repeats
    level = looks_of(plan.looks, plan.pairs)[-1].level
    normal = NormalDist()
    smallest = (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)) * math.sqrt(difference / tasks)
    # So few tasks have heavier tails than the normal curve: the usual correction.
    return min(1.0, smallest * math.sqrt(1 + 1 / max(1, tasks - 2))), []
