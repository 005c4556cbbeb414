"""An experiment and its runs, as a document, as lines, and as the commands print them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from warm_tui.comparisons.makers import makers_in_words, makers_told
from warm_tui.comparisons.spec import ArmComparison
from warm_tui.errors import Trouble
from warm_tui.experiments.control import phase
from warm_tui.experiments.outages import BY_NAME
from warm_tui.experiments.progress import ExperimentProgress, progress_of, spent
from warm_tui.experiments.results import result_of
from warm_tui.experiments.starting import parallel_of, plan_of
from warm_tui.library.experiments import FINISHED, Attempt, Experiment, Run
from warm_tui.paths import Home
from warm_tui.presentation import conclusions
from warm_tui.presentation.claims import COLD, WARM, claim_style, headline_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, duration, moment, percent, rate_style
from warm_tui.presentation.outcomes import rate_in_words
from warm_tui.presentation.tables import Cell, Column
from warm_tui.reports.comparison import comparison_document
from warm_tui.reports.document import Document, Heading, Part, Say, Table
from warm_tui.sessions.text import plural

GLYPHS = {
    "queued": "·", "running": "▸", "ended": "✓", "timed out": "✗", "crashed": "✗", "not started": "!",
    "cancelled": "–", "not needed": "–",
}  # fmt: skip
STATE_STYLES = {"ended": "", "running": "mark", "timed out": "failed", "crashed": "failed", "not started": "failed"}
MAKERS = {"machine": Column("machine", rank=4), "hermes": Column("Hermes", rank=4)}
ROOM = 30
ARMS = "Of all runs that came to an end, however they did; the result is of pairs, without those that came to nothing."
NOTHING_KEPT = "Of how it went nothing was kept: an older version ran it."


def money(dollars: float | None) -> str:
    return UNKNOWN_VALUE if dollars is None else f"${dollars:,.2f}" if dollars >= 0.1 else f"${dollars:,.4f}"


def state_cell(run: Run) -> tuple[str, str]:
    return f"{GLYPHS[run.state]} {run.state}", STATE_STYLES.get(run.state, "dim")


def task_cell(run: Run) -> tuple[str, str]:
    """Whether the check says that the task was done."""
    if run.success is None:
        return ("? not known", "dim") if run.finished else ("", "")
    return ("✓ task done", "ok") if run.success else ("✗ not done", "failed")


def judged_calls(run: Run) -> int:
    return run.calls if run.judged is None else run.judged


def rate_of(run: Run) -> float | None:
    """Of the calls with a verdict: where there is none, there is no rate."""
    judged = judged_calls(run)
    return run.failures / judged if judged else None


def bar(share: float, width: int = ROOM) -> str:
    filled = round(share * width)
    return "█" * filled + "░" * (width - filled)


# --- what it is ---


def experiment_document(home: Home, experiment: Experiment, runs: Sequence[Run]) -> Document:
    now = time.time()
    standing = standing_document(
        experiment, progress_of(parallel_of(experiment), runs, now), phase(home, experiment), runs
    )
    title, with_runs = f"Experiment {experiment.id}: {experiment.name}", [Heading("The runs"), runs_table(runs, now)]
    return replace(standing, title=title, parts=[*standing.parts, *with_runs])


def latest_document(home: Home, experiment: Experiment, runs: Sequence[Run]) -> Document:
    """Its result, where there is one; else how far it is."""
    try:
        return result_document(experiment, runs, result_of(home, experiment.id))
    except Trouble:
        return experiment_document(home, experiment, runs)


def result_document(experiment: Experiment, runs: Sequence[Run], compared: ArmComparison) -> Document:
    """What was tried, what it proves, and every run behind that."""
    document = comparison_document(compared, whole=True)
    conclusion, *rest = document.parts
    *figures, reading, method = document.details
    details = [*figures, Heading("The runs"), runs_table(runs, time.time()), reading, method]
    return replace(document, parts=[conclusion, *facts_parts(experiment), *rest], details=details)


def standing_document(experiment: Experiment, how: ExperimentProgress, word: str, runs: Sequence[Run]) -> Document:
    """What it showed, or how far it is; below that what was tried, and both arms in figures."""
    conclusion = conclusions.of_experiment(experiment.verdict, word, how.finished, how.total)
    made_by = [Say(f"! {sentence}", "unknown") for sentence in makers_in_words(runs)]
    parts = [Say(conclusion, headline_style(experiment.verdict)), *progress_parts(experiment, how, word), *made_by]
    details: list[Part] = [Heading("The figures, arm by arm"), Say(ARMS, "dim"), arms_table(runs)]
    details += [Heading("What is tried"), *facts_parts(experiment)]
    return Document(experiment.name, parts, details=details)


def arms_table(runs: Sequence[Run]) -> Table:
    columns = (
        Column("arm"), Column("runs", True), Column("task done", True, rank=1), Column("calls", True, rank=3),
        Column("errors", True), Column("time a run", True, rank=2), Column("cost", True, rank=4),
    )  # fmt: skip
    return Table(columns, [_arm_row(arm, style, runs) for arm, style in (("warm", WARM), ("cold", COLD))])


def _arm_row(arm: str, style: str, runs: Sequence[Run]) -> list[Cell]:
    """Of the runs that came to an end, whatever that was."""
    ended = [run for run in runs if run.arm == arm and run.finished]
    checked = [run.success for run in ended if run.success is not None]
    judged, seconds = sum(map(judged_calls, ended)), [run.seconds for run in ended if run.seconds is not None]
    rate = sum(run.failures for run in ended) / judged if judged else None
    return [
        (arm, style),
        f"{len(ended):,}",
        f"{sum(checked):,} of {len(checked):,}" if checked else UNKNOWN_VALUE,
        f"{sum(run.calls for run in ended):,}",
        (percent(rate), rate_style(rate, judged)),
        duration(sum(seconds) / len(seconds)) if seconds else UNKNOWN_VALUE,
        money(spent(ended)),
    ]


def runs_table(runs: Sequence[Run], now: float) -> Table:
    makers = makers_told(runs)
    return Table(
        (
            Column("run", True), Column("pair", True, rank=3), Column("arm"), Column("task", min_width=10),
            Column("state"), *(MAKERS[name] for name in makers), Column("task done", rank=1),
            Column("time", True, rank=2),
            Column("calls", True, rank=4), Column("errors", True, rank=3), Column("cost", True, rank=5),
            Column("why", min_width=10, rank=2),
        ),
        [_run_row(run, now, makers) for run in runs],
    )  # fmt: skip


def facts_parts(experiment: Experiment) -> list[Part]:
    """What was tried: for a report that is read by somebody who was not there."""
    try:
        plan = plan_of(experiment.plan)
    except Trouble as trouble:
        return [Say(str(trouble), "failed")]
    checks = sorted({task.check for task in plan.tasks if task.check})
    often = plural(plan.repeats, "time")
    begun = moment(experiment.created_at)
    facts = [
        f"Template of the warm arm: {plan.template}.  Begun: {begun}.  Seed: {experiment.seed}.",
        f"{plural(len(plan.tasks), 'task')}, each {often} warm and cold, {plan.parallel} at once.",
        f"Model: {plan.model or 'as config.yaml says'}.  Flags: {' '.join(plan.flags) or 'none'}.",
        f"Done, by the exit code of: {'; '.join(checks[:3])}{' and others' if checks[3:] else ''}." if checks else "",
        f"Runs went on for {duration(experiment.worked)}." if experiment.worked else "",
    ]
    return [Say("  ".join(filter(None, facts)), "dim")]


def progress_parts(experiment: Experiment, how: ExperimentProgress, word: str) -> list[Part]:
    """How far it is, how long it will take, what it cost, and how it ended."""
    share = f"{bar(how.share)} {how.finished:,} of {plural(how.total, 'run')}"
    left = f"  ·  about {duration(how.seconds_left)} left" if how.seconds_left and word == "running" else ""
    so_far = " so far" if word in ("running", "paused", "interrupted") else ""
    cost = f"  ·  {money(how.cost_usd)}{so_far}" if how.cost_usd is not None else ""
    parts: list[Part] = [Say(f"{share}{left}{cost}", "mark" if word == "running" else "")]
    other = [f"{how.states[state]:,} {state}" for state in ("running", *FINISHED, "cancelled", "not needed")]
    counted = ", ".join(each for each in other if not each.startswith("0 ")) or "no run yet"
    parts.append(Say("  ·  ".join(filter(None, (word.upper(), experiment.verdict, counted)))))
    if any(rate.known for rate in how.done.values()):
        arms = ", ".join(f"{arm} {rate_in_words(rate)}" for arm, rate in how.done.items())
        parts.append(Say(f"Tasks done, as their checks say: {arms}."))
    if how.set_aside:
        parts.append(Say(f"{plural(how.set_aside, 'attempt')} came to nothing, or was half of such a pair.", "unknown"))
    if word == "interrupted":
        parts.append(Say("Nobody works at it any more. Going on does the runs again that were cut off.", "failed"))
    if experiment.why:
        parts.append(Say(experiment.why, "unknown" if word != "done" else ""))
    return [*parts, *(Say(f"! {note}", "unknown") for note in experiment.notes)]


def _run_row(run: Run, now: float, makers: Sequence[str]) -> list[Cell]:
    seconds = run.seconds if run.finished else now - run.started_at if run.started_at else None
    rate = rate_of(run)
    return [
        f"{run.position + 1}",
        f"{run.pair + 1}",
        (run.arm, WARM if run.arm == "warm" else COLD),
        run.task,
        state_cell(run),
        *(getattr(run, name) for name in makers),
        task_cell(run),
        duration(seconds) if seconds is not None else "",
        f"{run.calls:,}" if run.finished else "",
        (percent(rate), rate_style(rate, judged_calls(run))) if run.finished else "",
        money(run.cost_usd) if run.finished else "",
        (run.reason, "dim"),
    ]


def run_document(run: Run, attempts: Sequence[Attempt]) -> Document:
    """Every time that a run was tried, with what Hermes wrote beside its answer."""
    parts: list[Part] = [Say(f"{run.arm}, {run.task}: {run.state}. {run.reason}".strip())]
    for attempt in attempts:
        is_last = attempt.number == run.attempts and run.finished
        parts.append(Heading(f"Attempt {attempt.number}: {attempt.state}{'' if is_last else ', set aside'}"))
        began = f"{moment(attempt.started_at)}.  " if attempt.started_at is not None else ""
        parts.append(Say(f"{began}{f'Session {attempt.session_id}.  ' if attempt.session_id else ''}{attempt.reason}"))
        if attempt.outage:
            parts.append(Say(f"{BY_NAME[attempt.outage].is_so}: it is no result.", "unknown"))
        lines = attempt.errors.split("\n") if attempt.errors else []
        said = f"What Hermes wrote beside its answer, the last {plural(len(lines), 'line')}:"
        parts.append(Say(said if lines else "Hermes wrote nothing beside its answer.", "dim"))
        parts += [Say(line, "dim") for line in lines]
    if not attempts:
        parts.append(Say(NOTHING_KEPT if run.finished else "It was not tried yet.", "dim"))
    return Document(f"Run {run.position + 1}", parts)


def experiments_document(home: Home, with_runs: Sequence[tuple[Experiment, Sequence[Run]]]) -> Document:
    rows: list[list[Cell]] = []
    for experiment, runs in with_runs:
        how = progress_of(parallel_of(experiment), runs, time.time())
        verdict = (experiment.verdict, claim_style(experiment.verdict))
        rows.append(
            [
                str(experiment.id),
                experiment.name,
                phase(home, experiment),
                f"{how.finished:,}/{how.total:,}",
                verdict,
                experiment.template,
            ]
        )
    columns = (
        Column("id", True), Column("experiment", min_width=12), Column("state"), Column("runs", True), Column("result"),
        Column("template", min_width=8),
    )  # fmt: skip
    return Document("Experiments", [Table(columns, rows)])


def experiment_facts(home: Home, experiment: Experiment, runs: Sequence[Run]) -> dict[str, Any]:
    how = progress_of(parallel_of(experiment), runs, time.time())
    return {
        "id": experiment.id,
        "name": experiment.name,
        "template": experiment.template,
        "state": phase(home, experiment),
        "why": experiment.why or None,
        "waits_for": experiment.waits_for or None,
        "verdict": experiment.verdict or None,
        "total": how.total,
        "finished": how.finished,
        "states": dict(how.states),
        "seconds_left": how.seconds_left,
        "cost_usd": how.cost_usd,
        "set_aside": how.set_aside,
        "tasks_done": {
            arm: {"done": each.done, "not_done": each.not_done, "unknown": each.unknown, "rate": each.rate}
            for arm, each in how.done.items()
        },
        "seed": experiment.seed,
        "created_at": experiment.created_at,
        "worked_seconds": experiment.worked,
        "pairs_told": experiment.pairs_told,
        "level": experiment.level,
        "notes": [*experiment.notes, *makers_in_words(runs)],
        "archive": str(home.archive),
    }


def run_facts(run: Run, attempts: Sequence[Attempt]) -> dict[str, Any]:
    return {
        "run": run.position + 1,
        "pair": run.pair + 1,
        "task": run.task,
        "repeat": run.repeat,
        "arm": run.arm,
        "state": run.state,
        "machine": run.machine or None,
        "hermes": run.hermes or None,
        "reason": run.reason or None,
        "outage": run.outage or None,
        "session_id": run.session_id or None,
        "task_success": run.success,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "seconds": run.seconds,
        "calls": run.calls,
        "judged": run.judged,
        "failures": run.failures,
        "error_rate": rate_of(run),
        "cost_usd": run.cost_usd,
        "attempts": [_attempt_facts(attempt) for attempt in attempts],
    }


def _attempt_facts(attempt: Attempt) -> dict[str, Any]:
    return {
        "attempt": attempt.number,
        "state": attempt.state,
        "reason": attempt.reason or None,
        "outage": attempt.outage or None,
        "session_id": attempt.session_id or None,
        "started_at": attempt.started_at,
        "ended_at": attempt.ended_at,
        "cost_usd": attempt.cost_usd,
        "errors": attempt.errors.split("\n") if attempt.errors else [],
    }
