"""What a plan would do, in words that say how each figure is reckoned from what the plan itself says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from warm_tui.experiments.forecast import Forecast, limit_of
from warm_tui.experiments.plan import Plan
from warm_tui.presentation.figures import duration
from warm_tui.presentation.lines import Line, meant
from warm_tui.reports.experiment import money
from warm_tui.sessions.text import plural


def forecast_lines(plan: Plan, forecast: Forecast) -> list[Line]:
    """What a dry run says; each figure carries its meaning."""
    lines = [
        _plain(f"{plan.name}: {plural(len(plan.tasks), 'task')}, each {plural(plan.repeats, 'time')} warm and cold."),
        _meaning("runs to come", f"Runs: {forecast.runs:,}, {_runs_reckoned(plan, forecast)}."),
        _plain(f"Warm with: {plan.template}.  Model: {plan.model or 'as config.yaml says'}."),
        _meaning("time expected", f"Time: {_time_told(plan, forecast)}."),
        _meaning("longest time", f"At most {duration(forecast.seconds_at_most)}: {_most_reckoned(plan, forecast)}."),
        _meaning("cost expected", f"Cost: {_cost_told(forecast)}."),
        _meaning("budget", f"Budget: {_budget(plan) or 'none, but for the limits of the tasks'}."),
    ]
    for look in forecast.looks[:-1]:
        told = f"After {plural(look.pairs, 'pair')} it is looked at, and may end if p is below {look.level:.4f}."
        lines.append(_meaning("p", told))
    lines.append(_meaning("p", f"At the end a difference is claimed if p is below {forecast.looks[-1].level:.4f}."))
    if (effect := forecast.smallest_effect) is not None:
        told = f"A difference of error rates of {100 * effect:.1f} points or more is found four times in five."
        lines.append(_meaning("smallest difference found", told))
    checked = sum(bool(task.check) for task in plan.tasks)
    told = f"Whether a task was done is checked for {checked:,} of {plural(len(plan.tasks), 'task')}."
    lines.append(_meaning("checked", told))
    return [*lines, *(_plain(f"! {note}") for note in forecast.notes)]


def _plain(text: str) -> Line:
    return [(text, "")]


def _meaning(word: str, text: str) -> Line:
    """With itself as its own numbers: that is how it is reckoned."""
    return [(text, meant("", word, partial(_as_told, text)))]


def _as_told(text: str) -> Mapping[str, str]:
    return {"told": text}


def _runs_reckoned(plan: Plan, forecast: Forecast) -> str:
    at_once = f"{min(plan.parallel, forecast.runs)} at once"
    reckoned = f"{plural(len(plan.tasks), 'task')} × {plan.repeats} × 2 arms"
    if forecast.runs < plan.runs:
        return f"as the budget says, of {plan.runs:,} ({reckoned}), {at_once}"
    return f"{reckoned}, in {plural(forecast.pairs, 'pair')}, {at_once}"


def _time_told(plan: Plan, forecast: Forecast) -> str:
    if forecast.seconds is None or forecast.seconds_a_run is None:
        return f"not known yet, by {forecast.by}"
    return (
        f"about {duration(forecast.seconds)}: the middle one of {forecast.by} took {duration(forecast.seconds_a_run)},"
        f" × {plural(forecast.runs, 'run')}{_shared(plan, forecast)}"
    )


def _most_reckoned(plan: Plan, forecast: Forecast) -> str:
    limits = [limit_of(task) for task in plan.tasks]
    longest, budget = max(limits), plan.budget.minutes
    if budget is not None and forecast.seconds_at_most >= 60 * budget + longest:
        return f"the budget lets none begin after {duration(60 * budget)}, and a run may take {duration(longest)}"
    each = duration(longest) if min(limits) == longest else f"{duration(min(limits))} to {duration(longest)}"
    at_once = min(plan.parallel, forecast.runs)
    waits = f", + {duration(longest * (1 - 1 / at_once))} as the longest may begin last" if at_once > 1 else ""
    return f"{plural(forecast.runs, 'run')} × {each}{_limit_told(plan)}{_shared(plan, forecast)}{waits}"


def _limit_told(plan: Plan) -> str:
    """What is within a limit, where that is more than the agent's work."""
    beside = ["its setup"] * any(task.setup for task in plan.tasks)
    beside += ["its check"] * any(task.check for task in plan.tasks)
    agent = {60 * task.minutes for task in plan.tasks}
    each = duration(agent.pop()) if len(agent) == 1 else "its limit"
    return f" ({each} for the agent, as much for {' and for '.join(beside)})" if beside else ""


def _shared(plan: Plan, forecast: Forecast) -> str:
    at_once = min(plan.parallel, forecast.runs)
    return f" ÷ {at_once} at once" if at_once > 1 else ""


def _cost_told(forecast: Forecast) -> str:
    if forecast.dollars is None or forecast.dollars_a_run is None:
        return "not known"
    each = f"those runs cost {money(forecast.dollars_a_run)} each, on average"
    return f"about {money(forecast.dollars)}: {each}, × {plural(forecast.runs, 'run')}"


def _budget(plan: Plan) -> str:
    budget = plan.budget
    limits = [plural(budget.runs, "run")] if budget.runs is not None else []
    limits += [f"${budget.dollars:,.2f}"] if budget.dollars is not None else []
    limits += [f"{budget.minutes:g} minute{'s' * (budget.minutes != 1)}"] if budget.minutes is not None else []
    return ", ".join(limits)
