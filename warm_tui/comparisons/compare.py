"""Warm against cold: the metrics of two arms, their differences, and what these prove.

The unit is the session (or the task, where the same ones ran in both arms). A life that compaction
split into several sessions is one unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isnan
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from warm_tui.comparisons.confounders import Confounder, confounders_of
from warm_tui.comparisons.units import Unit
from warm_tui.reliability.rates import FIRST_CALLS
from warm_tui.reliability.stats import LEVEL, Difference, holm, newcombe
from warm_tui.sessions.text import plural

Verdict: TypeAlias = Literal["warm better", "warm worse", "no difference shown", "not enough data"]
Form: TypeAlias = Literal["rate", "number", "seconds", "money"]

MIN_TASKS = 6
MOST_FOR_BOSCHLOO = 60
TOOLS_SHOWN = 8


# --- metrics ---

Share: TypeAlias = tuple[float, float]
"""What is added above and below the line."""


class Metric(NamedTuple):
    name: str
    title: str
    of: Callable[[Unit], Share]
    """What a unit adds above and below the line; nothing to either where it has none."""
    form: Form
    better: Literal[-1, 0, 1]
    """Which way is better, if any: -1 down, 1 up."""


NONE = (0.0, 0.0)


def _first(unit: Unit) -> Share:
    first = unit.course[:FIRST_CALLS]
    return first.count("x"), len(first) - first.count("?")


def _each(value: float | None) -> Share:
    return NONE if value is None else (float(value), 1.0)


METRICS: tuple[Metric, ...] = (
    Metric("error_rate", "error rate", lambda u: (u.failures, u.known), "rate", -1),
    Metric("first_30_error_rate", "first 30 calls", _first, "rate", -1),
    Metric("calls_to_first_success", "calls to success", lambda u: _each(u.first_success), "number", -1),
    Metric("seconds_to_first_success", "time to success", lambda u: _each(u.seconds), "seconds", -1),
    Metric("errors_a_session", "errors a session", lambda u: _each(u.failures if u.known else None), "number", -1),
    Metric("tool_diversity", "tools a session", lambda u: _each(len(u.tools) if u.calls else None), "number", 0),
    Metric("longest_failure_streak", "failures in a row", lambda u: _each(u.streak if u.known else None), "number", -1),
    Metric("tokens", "tokens a session", lambda u: _each(u.tokens), "number", -1),
    Metric("cost_usd", "cost a session", lambda u: _each(u.cost_usd), "money", -1),
    Metric("sessions_done", "sessions done", lambda u: _each(None if u.done is None else float(u.done)), "rate", 1),
    Metric("task_success", "tasks done", lambda u: _each(None if u.success is None else float(u.success)), "rate", 1),
)  # fmt: skip


SUCCESSES: tuple[Callable[[Unit], bool | None], ...] = (lambda u: u.done, lambda u: u.success)
"""What the last metrics are of: it was done, or not."""


class Row(msgspec.Struct, frozen=True):
    """One metric: cold first, warm second, as the difference is counted."""

    name: str
    title: str
    form: Form
    better: int
    difference: Difference
    p_corrected: float | None
    verdict: Verdict
    same_as: str = ""
    """The row whose very figures these are (no session has more than the first calls, or one tool made all)."""


class Comparison(msgspec.Struct, frozen=True):
    warm: list[Unit]
    cold: list[Unit]
    paired: bool
    tasks: int
    """How many tasks ran in both arms, where it is paired."""
    method: str
    rows: list[Row]
    tools: list[Row]
    notes: list[str]
    in_both_arms: int = 0
    """How many sessions stood in both arms, and were left out of both."""
    withheld: str = ""
    """Why no verdict is given, whatever the figures say."""
    level: float = LEVEL
    """What the primary metric was tested at."""
    confounders: list[Confounder] = []
    """What else sets the arms apart. Where there is any, no difference is told as the template's doing."""

    @property
    def primary(self) -> Row:
        return self.rows[0]

    @property
    def verdict(self) -> Verdict:
        """Of the figures, whatever they come from."""
        return self.primary.verdict

    @property
    def announced(self) -> str:
        """Of confounded arms no verdict is announced: it would be taken for the template's."""
        return self.announced_of(self.primary)

    def announced_of(self, row: Row) -> str:
        claimed = row.verdict in ("warm better", "warm worse")
        return "confounded" if claimed and self.confounders else row.verdict


Pairing: TypeAlias = Literal["auto", "order", "none"]


def without_verdict(comparison: Comparison, why: str) -> Comparison:
    """The figures, and nothing claimed of them."""
    rows = [replace(comparison.primary, verdict="not enough data"), *comparison.rows[1:]]
    return replace(comparison, rows=rows, withheld=why)


def compare(warm: Sequence[Unit], cold: Sequence[Unit], pairing: Pairing = "auto", level: float = LEVEL) -> Comparison:
    """The comparison of two arms. `order`: the nth warm session is paired with the nth cold one.

    `level` is what the primary metric is tested at: less than the whole where some of it went to an earlier look.
    """
    notes: list[str] = []
    warm, cold, in_both_arms = _apart(warm, cold, notes)
    pairs = _pairs(warm, cold, pairing, notes)
    tools = _most_used([*warm, *cold])
    measures = [metric.of for metric in METRICS] + [_tool(name) for name in tools]
    if pairs is not None:
        sides = [[_sums(units, measures) for units in side] for side in zip(*pairs, strict=True)] or [[], []]
        differences = _paired(sides[1], sides[0])
    else:
        differences = _independent([_sums([u], measures) for u in cold], [_sums([u], measures) for u in warm])
    differences += [Difference(None, None, (0, 0))] * (len(measures) - len(differences))
    differences = _alone(differences, warm, cold) if len(warm) == len(cold) == 1 else differences
    differences = _with_never(differences, warm, cold, notes)
    for at, said in enumerate(SUCCESSES, len(METRICS) - len(SUCCESSES)):
        differences[at] = _exact_success(differences[at], said, warm, cold, pairs)
    for arm, units in (("warm", warm), ("cold", cold)):
        notes += [f"The {arm} arm is empty."] if not units else []
        silent = sum(not unit.known for unit in units)
        notes += [f"No call with a verdict: {silent:,} of {plural(len(units), f'{arm} session')}."] if silent else []
    rows = rows_of(METRICS, differences[: len(METRICS)], level=level)
    by_tool = rows_of(
        [Metric(name, name, _tool(name), "rate", -1) for name in tools], differences[len(METRICS) :], rows[0]
    )
    warm, cold = _of_pairs(pairs, notes) if pairs else (warm, cold)
    return Comparison(
        warm=list(warm),
        cold=list(cold),
        paired=pairs is not None,
        tasks=len(pairs or ()),
        method=_method(pairs, warm, cold),
        rows=rows,
        tools=by_tool,
        notes=notes,
        in_both_arms=in_both_arms,
        level=level,
        confounders=confounders_of(warm, cold),
    )


def _apart(warm: Sequence[Unit], cold: Sequence[Unit], notes: list[str]) -> tuple[list[Unit], list[Unit], int]:
    """The arms without those that are in both, and how many these were."""
    both = {unit.life for unit in warm} & {unit.life for unit in cold}
    if both:
        notes.append(
            f"{plural(len(both), 'session')} (with what compaction made of it) in both arms and left out of both."
        )
    return [u for u in warm if u.life not in both], [u for u in cold if u.life not in both], len(both)


Pairs: TypeAlias = "list[tuple[list[Unit], list[Unit]]]"


def _pairs(warm: Sequence[Unit], cold: Sequence[Unit], pairing: Pairing, notes: list[str]) -> Pairs | None:
    """By task, where tasks are shared; by order only where none is, and only when asked."""
    if pairing == "none":
        return None
    tasks: dict[str, tuple[list[Unit], list[Unit]]] = {}
    for at, units in enumerate((warm, cold)):
        for unit in units:
            if unit.task:
                tasks.setdefault(unit.task, ([], []))[at].append(unit)
    both = [sides for sides in tasks.values() if all(sides)]
    left = len(warm) + len(cold) - sum(len(side) for sides in both for side in sides)
    if pairing == "auto":
        if len(both) >= MIN_TASKS and left:
            ran = plural(left, "session")
            notes.append(
                f"{len(both):,} tasks ran in both arms, but {ran} had others, so nothing is paired unless asked."
            )
        return both if len(both) >= MIN_TASKS and not left else None
    if both:
        notes += [f"{plural(left, 'session')} whose task did not run in both arms left out."] if left else []
        return both
    if len(warm) != len(cold):
        notes.append("The arms are of different length and share no tasks, so nothing is paired.")
        return None
    notes.append("No task is shared: the nth warm session is paired with the nth cold one.")
    return [([warm_unit], [cold_unit]) for warm_unit, cold_unit in zip(warm, cold, strict=True)]


def _of_pairs(pairs: Pairs, notes: list[str]) -> tuple[list[Unit], list[Unit]]:
    """The sessions that the rates are of, so that counts are of the same."""
    told = [sides for sides in pairs if all(any(unit.known for unit in side) for side in sides)]
    if left := len(pairs) - len(told) if told else 0:
        notes.append(f"No call with a verdict in one arm of {plural(left, 'pair')}: left out of rates and counts.")
    warm, cold = ([unit for sides in told or pairs for unit in sides[at]] for at in (0, 1))
    return warm, cold


def _sums(units: Iterable[Unit], measures: Sequence[Callable[[Unit], Share]]) -> list[Share]:
    each = [[measure(unit) for measure in measures] for unit in units]
    return [
        (sum(above for above, _ in column), sum(below for _, below in column)) for column in zip(*each, strict=True)
    ]


def _tool(name: str) -> Callable[[Unit], Share]:
    return lambda unit: unit.tools.get(name, NONE)


def _most_used(units: Iterable[Unit]) -> list[str]:
    calls: dict[str, int] = {}
    for unit in units:
        for tool, (_, count) in unit.tools.items():
            calls[tool] = calls.get(tool, 0) + count
    return sorted(calls, key=lambda tool: (-calls[tool], tool))[:TOOLS_SHOWN]


def _paired(first: list[list[Share]], second: list[list[Share]]) -> list[Difference]:
    from warm_tui.reliability.clusters import paired

    return paired(first, second)


def _independent(first: list[list[Share]], second: list[list[Share]]) -> list[Difference]:
    from warm_tui.reliability.clusters import independent

    return independent(first, second, planned=1)


def _alone(differences: list[Difference], warm: Sequence[Unit], cold: Sequence[Unit]) -> list[Difference]:
    """One session against one other: the interval of their calls is all there is."""
    cold_unit, warm_unit = cold[0], warm[0]
    interval = newcombe((cold_unit.failures, cold_unit.known), (warm_unit.failures, warm_unit.known))
    if interval is None:
        return differences
    return [replace(differences[0], low=interval[0], high=interval[1]), *differences[1:]]


def _with_never(
    differences: list[Difference], warm: Sequence[Unit], cold: Sequence[Unit], notes: list[str]
) -> list[Difference]:
    """Of sessions that never succeeded the time to the first success is not known, only that it is long."""
    never = [
        (arm, sum(u.known > 0 and u.first_success is None for u in units))
        for arm, units in (("warm", warm), ("cold", cold))
    ]
    if not any(count for _, count in never):
        return differences
    counts = " and ".join(f"{count:,} {arm}" for arm, count in never if count)
    notes.append(f"Calls and time to success are of the sessions that had one; {counts} never did, so no p is given.")
    late = ("calls_to_first_success", "seconds_to_first_success")
    return [
        replace(difference, p_value=None) if at < len(METRICS) and METRICS[at].name in late else difference
        for at, difference in enumerate(differences)
    ]


def _exact_success(
    difference: Difference,
    said: Callable[[Unit], bool | None],
    warm: Sequence[Unit],
    cold: Sequence[Unit],
    pairs: Pairs | None,
) -> Difference:
    """Done or not done has exact tests: McNemar's for pairs, Boschloo's (Fisher's for many) for arms."""
    if difference.p_value is None:
        return difference
    from scipy.stats import binomtest, boschloo_exact, fisher_exact

    if pairs is not None:
        if any(len(side) != 1 or said(side[0]) is None for sides in pairs for side in sides):
            return difference
        better = sum(bool(said(w)) and not said(c) for (w,), (c,) in pairs)
        worse = sum(bool(said(c)) and not said(w) for (w,), (c,) in pairs)
        p_value = float(binomtest(better, better + worse).pvalue) if better + worse else 1.0
    else:
        table = [[sum(said(u) is True for u in units), sum(said(u) is False for u in units)] for units in (warm, cold)]
        done = [(arm[0], sum(arm)) for arm in table]
        low, high = newcombe(done[1], done[0]) or (None, None)
        difference = replace(difference, low=low, high=high)
        few = max(map(sum, table)) <= MOST_FOR_BOSCHLOO
        p_value = float((boschloo_exact if few else fisher_exact)(table).pvalue)
        # Where all were done, or none, scipy has no answer: the arms are alike.
        p_value = 1.0 if isnan(p_value) else p_value
    return replace(difference, p_value=p_value)


def rows_of(
    metrics: Sequence[Metric], differences: Sequence[Difference], primary: Row | None = None, level: float = LEVEL
) -> list[Row]:
    """The primary metric, the first if none is given, is tested alone; the others are corrected for their number.

    Rows of the primary metric's very figures say what it says: they are not tested again, and do not count.
    """
    if primary is None:
        first = _row(metrics[0], differences[0], differences[0].p_value, level)
        return [first, *rows_of(metrics[1:], differences[1:], first)]
    figures = _figures(primary.form, primary.difference)
    repeats = [
        difference.difference is not None and _figures(metric.form, _possible(difference, metric.form)) == figures
        for metric, difference in zip(metrics, differences, strict=True)
    ]
    tested = zip(differences, repeats, strict=True)
    p_values = [one.p_value for one, repeated in tested if one.p_value is not None and not repeated]
    corrected = iter(holm(p_values))
    return [
        replace(primary, name=metric.name, title=metric.title, same_as=primary.name)
        if repeated
        else _row(metric, difference, None if difference.p_value is None else next(corrected))
        for metric, difference, repeated in zip(metrics, differences, repeats, strict=True)
    ]


def _row(metric: Metric, difference: Difference, p_corrected: float | None, level: float = LEVEL) -> Row:
    verdict = verdict_of(difference, p_corrected, metric.better, level)
    return Row(
        metric.name, metric.title, metric.form, metric.better, _possible(difference, metric.form), p_corrected, verdict
    )


def _figures(form: Form, one: Difference) -> tuple[object, ...]:
    return form, one.first, one.second, one.units, one.low, one.high, one.p_value


def _holds_zero(difference: Difference) -> bool:
    return difference.low is not None and difference.high is not None and difference.low <= 0 <= difference.high


def _possible(difference: Difference, form: Form) -> Difference:
    """Rates cannot differ by more than the whole."""
    if form != "rate" or difference.low is None or difference.high is None:
        return difference
    return replace(difference, low=max(-1.0, difference.low), high=min(1.0, difference.high))


def verdict_of(difference: Difference, p_corrected: float | None, better: int, level: float = LEVEL) -> Verdict:
    """Told only where the test and the interval agree: of few sessions, each alone finds what is not there."""
    if p_corrected is None or difference.difference is None:
        return "not enough data"
    if p_corrected >= level or not difference.difference or not better or _holds_zero(difference):
        return "no difference shown"
    return "warm better" if difference.difference * better > 0 else "warm worse"


def _method(pairs: Pairs | None, warm: Sequence[Unit], cold: Sequence[Unit]) -> str:
    if not warm or not cold:
        return "none"
    if len(warm) == len(cold) == 1:
        return "two sessions"
    return "paired by task, sign flips" if pairs is not None else "sessions as units, permutation"
