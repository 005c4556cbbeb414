"""The four questions, each with an answer in a sentence, its picture and table, and the caution that belongs to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from warm_tui.insights.answers import Insights, Trial
from warm_tui.insights.overview import Target
from warm_tui.insights.ruled import Ruled
from warm_tui.presentation import conclusions
from warm_tui.presentation.claims import CLAIMS, change_style, claim_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, p_value, percent, points, rate_style, signed
from warm_tui.presentation.lines import meant
from warm_tui.presentation.pictures import Scale, Span
from warm_tui.presentation.tables import Cell, Column
from warm_tui.reliability.pooled import Group as Lives
from warm_tui.reliability.questions import Change, Group
from warm_tui.reports.document import Document, Heading, Say, Table
from warm_tui.reports.linked import Linked, document_of
from warm_tui.sessions.text import clean_line, plural

QUESTIONS = (
    "1. Are long sessions more reliable?",
    "2. Do sessions that begin with code improve, those with files degrade?",
    "3. Does compaction cost proficiency?",
    "4. Do warm sessions fail less?",
)
CAUTIONS = (
    (
        "Sessions that go badly end early: long ones are survivors, and other work. Within the same sessions each tool "
        "is compared with itself, as often as it was used at both places; who got as far as a later place is a "
        "survivor, too."
    ),
    (
        "What a session begins with is the kind of most of its first 30 calls, whatever its task came to in all; a "
        "command counts as code, whatever it did. Late work differs from early work, also at equal tool mix."
    ),
    "What came after a compaction also came late: work drifts where nothing is compacted, too.",
    (
        "Only an experiment gives both arms the same work; each line is one, and several lines are several chances to "
        "be misled."
    ),
)
METHOD = (
    "Sessions are the units, with all that compaction made of them. Intervals: 95 %, over sessions, and so wider than "
    "that of a single session, which only counts its calls: how much sessions differ has to be told by sessions. Where "
    "three changes stand beside each other, they are as wide as three ask for. pp: percentage points, below nought "
    "fewer calls fail. A change has a colour only where its interval leaves out nought."
)
RATES = Scale(0.0, 0.5)
CHANGES = Scale(-0.3, 0.3, 0.0)
FEW = "too few sessions to tell"


def insights_document(insights: Insights) -> Document:
    return document_of("Four questions, asked of your own sessions", insights_parts(insights), insights_facts(insights))


def insights_parts(insights: Insights) -> list[Linked]:
    answers = (_lengths(insights), _beginnings(insights), _compaction(insights), _trials(insights))
    parts = [Linked(Say(conclusion(insights), "strong"))]
    for question, answer, caution in zip(QUESTIONS, answers, CAUTIONS, strict=True):
        parts += [Linked(Heading(question)), *answer, Linked(Say(f"But: {caution}", "dim"))]
    return [*parts, Linked(Heading("How to read this")), Linked(Say(METHOD, "dim"))]


def conclusion(insights: Insights) -> str:
    """What is shown, before what each answer rests on."""
    verdicts: set[str] = {each.verdict for each in insights.ruled}
    verdicts |= {trial.result.verdict for trial in insights.trials if trial.result is not None}
    shown = {
        "length": any(each.is_shown for each in (insights.lengths.difference, *insights.lengths.within)),
        "how they begin": any(each.is_shown for each in insights.beginnings.changes),
        "compaction": _lives_shown(insights.compaction.all),
        "warmth": bool(verdicts & {"helps", "harms", *CLAIMS}),
    }
    by = _listed([topic for topic in shown if shown[topic]], " and ")
    not_by = _listed([topic for topic in shown if not shown[topic]], " or ")
    of = f"In {plural(insights.sessions, 'session')}"
    if not by:
        return f"{of} no difference is shown by {not_by}."
    return f"{of} a difference is shown by {by}{f'; none by {not_by}' if not_by else ''}."


def _listed(topics: Sequence[str], last: str) -> str:
    return last.join(filter(None, (", ".join(topics[:-1]), *topics[-1:])))


def sentences(insights: Insights) -> list[str]:
    """The answers alone."""
    return [_of_lengths(insights), _of_beginnings(insights), _of_compaction(insights), _of_trials(insights)]


# --- 1 ---


def _lengths(insights: Insights) -> Iterator[Linked]:
    lengths = insights.lengths
    targets = [Target("sessions", query) for query in ("messages<20", "messages>=20 messages<100", "messages>=100")]
    yield Linked(Say(_of_lengths(insights), _style(lengths.difference)))
    yield Linked(_rates("messages", lengths.bands), targets)
    yield Linked(Say("Within the same sessions, by place of the call:", "dim"))
    yield Linked(_rates("place", lengths.places), [Target("sessions", "calls>10")] * len(lengths.places))
    yield Linked(_at_equal_mix("The same, each place less the first one"))
    yield Linked(_changes("place", lengths.within), [Target("sessions", "calls>10")] * len(lengths.within))


def _of_lengths(insights: Insights) -> str:
    difference, within = insights.lengths.difference, [each for each in insights.lengths.within if each.is_shown]
    if difference.value is None or difference.low is None:
        first = f"Long against middling sessions: {FEW}"
    elif difference.is_shown:
        way = "fewer" if difference.value < 0 else "more"
        first = f"In sessions of 100 and more messages {way} calls fail than in those of 20 to 99: {_told(difference)}"
    else:
        first = f"Long and middling sessions cannot be told apart: {_told(difference)}"
    shown = "; ".join(f"{each.name}: {_told(each)}" for each in within)
    if shown:
        return f"{first}. Within the same sessions, at equal tool mix, {shown}."
    known = any(each.low is not None for each in insights.lengths.within)
    return f"{first}. Within the same sessions {'no change by place is shown' if known else FEW}."


# --- 2 ---


def _beginnings(insights: Insights) -> Iterator[Linked]:
    began = insights.beginnings
    yield Linked(Say(_of_beginnings(insights), "strong"))
    yield Linked(_rates("begin with", began.groups))
    if others := insights.sessions - sum(group.sessions for group in began.groups):
        yield Linked(Say(f"{plural(others, 'session')} more began with tools of another kind, or with none.", "dim"))
    yield Linked(_at_equal_mix("From early to late within the same sessions"))
    yield Linked(_changes("begin with", began.changes))


def _of_beginnings(insights: Insights) -> str:
    told = []
    for change in insights.beginnings.changes:
        if change.low is None:
            continue
        verb = "show no change" if not change.is_shown else "improve" if (change.value or 0) < 0 else "degrade"
        told.append(f"that begin with {change.name} {verb} ({_told(change)})")
    return f"Sessions {'; those '.join(told)}." if told else f"What a session begins with: {FEW}."


# --- 3 ---


def _compaction(insights: Insights) -> Iterator[Linked]:
    pooled = insights.compaction
    there = Target("compaction")
    yield Linked(Say(_of_compaction(insights), _lives_style(pooled.all)), (there,))
    by_model = [group for group in pooled.by_model if group.lives]
    # What one model did is what all did.
    rows = [_lives_row(group) for group in (pooled.all, *(by_model if len(by_model) > 1 else ())) if group.lives]
    columns = (
        Column("", min_width=10), Column("sessions", right=True), Column("before", right=True, rank=2),
        Column("after", right=True, rank=3), Column("change", right=True), Column("worse →", scale=CHANGES, rank=4),
        Column("95 %", rank=1),
    )  # fmt: skip
    if rows:
        yield Linked(Table(columns, rows), [there] * len(rows))


def _of_compaction(insights: Insights) -> str:
    group = insights.compaction.all
    if not group.lives:
        return "No session was compacted with calls before and after it."
    return conclusions.of_group(group, shown=_lives_shown(group))


def _lives_shown(group: Lives) -> bool:
    """Where p and the interval agree, as on the Compaction screen."""
    told = group.difference
    excluded = told.low is not None and told.high is not None and (told.low > 0 or told.high < 0)
    return excluded and told.p_value is not None and told.p_value < 0.05


def _lives_style(group: Lives) -> str:
    shown = _lives_shown(group)
    return change_style(group.difference.difference, shown=True) if shown else "strong"


def _lives_row(group: Lives) -> list[Cell]:
    told = group.difference
    style = change_style(told.difference, shown=_lives_shown(group))
    if told.p_value is None:
        rates = (percent(group.before.rate), percent(group.after.rate), (signed(told.difference), style))
        return [clean_line(group.name), f"{group.lives:,}", *rates, "", (FEW, "dim")]
    return [
        clean_line(group.name), f"{group.lives:,}", percent(group.before.rate), percent(group.after.rate),
        (signed(told.difference), style), Span(told.low, told.difference, told.high, style),
        _between(told.low, told.high),
    ]  # fmt: skip


# --- 4 ---


def _trials(insights: Insights) -> Iterator[Linked]:
    trials = insights.trials
    yield Linked(Say(_of_trials(insights), "strong"), (Target("experiments"),))
    if insights.ruled:
        targets = [Target("trials", str(each.rule)) for each in insights.ruled]
        yield Linked(_ruled_table(insights.ruled), targets)
    columns = (
        Column("experiment", min_width=12), Column("template", rank=5), Column("warm", right=True, rank=2),
        Column("cold", right=True, rank=2), Column("change", right=True), Column("worse →", scale=CHANGES, rank=3),
        Column("95 %", rank=1), Column("p", rank=4), Column("what it showed", min_width=12),
    )  # fmt: skip
    if trials:
        targets = [Target("experiments", str(trial.number)) for trial in trials]
        yield Linked(Table(columns, [_trial_row(trial) for trial in trials]), targets)
    if any(_lacks_interval(trial) for trial in trials):
        yield Linked(Say("Where no interval stands, it was not kept with the result: the experiment shows it.", "dim"))


def _ruled_table(ruled: Sequence[Ruled]) -> Table:
    """One may look at these at any time, and at an experiment at its end."""
    columns = (
        Column("trial", min_width=12), Column("template", rank=5), Column("warm", right=True, rank=2),
        Column("cold", right=True, rank=2), Column("worse →", scale=CHANGES, rank=3), Column("95 %", rank=1),
        Column("state", rank=4), Column("what it shows", min_width=12),
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for each in ruled:
        style = {"helps": "ok", "harms": "failed"}.get(each.verdict, "dim")
        middle = (each.low + each.high) / 2 if each.low is not None and each.high is not None else None
        rows.append([
            clean_line(f"{each.rule}. {each.when}"), clean_line(each.template),
            f"{percent(each.warm_rate)} of {each.warm:,}", f"{percent(each.cold_rate)} of {each.cold:,}",
            Span(each.low, middle, each.high, style), _between(each.low, each.high), each.state, (each.verdict, style),
        ])  # fmt: skip
    return Table(columns, rows)


def _lacks_interval(trial: Trial) -> bool:
    result = trial.result
    return result is not None and result.p_value is not None and result.low is None


def _of_trials(insights: Insights) -> str:
    told = _of_ruled(insights.ruled)
    results = [trial.result for trial in insights.trials if trial.result is not None]
    if not results:
        return told or "No experiment has a result yet: n on the Experiments screen makes one."
    better, worse = (sum(each.verdict == verdict for each in results) for verdict in ("warm better", "warm worse"))
    counted = {"showed warm better": better, "worse": worse, "neither": len(results) - better - worse}
    return f"{told} Of {plural(len(results), 'experiment')} with a result {_counts(counted)}.".strip()


def _of_ruled(ruled: Sequence[Ruled]) -> str:
    if not ruled:
        return ""
    helps, harms = (sum(each.verdict == verdict for each in ruled) for verdict in ("helps", "harms"))
    counted = {"helps": helps, "harms": harms, "shows nothing yet": len(ruled) - helps - harms}
    return f"Of {plural(len(ruled), 'template')} in trials {_counts(counted)}."


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counted.items() if count)


def _trial_row(trial: Trial) -> list[Cell]:
    name, template, result = clean_line(trial.name), clean_line(trial.template), trial.result
    if result is None:
        unknown = UNKNOWN_VALUE
        return [name, template, unknown, unknown, unknown, Span(None, None, None), unknown, "", (trial.state, "dim")]
    style = claim_style(result.verdict)
    return [
        name,
        template,
        f"{percent(result.warm_error_rate)} of {result.warm_sessions:,}",
        f"{percent(result.cold_error_rate)} of {result.cold_sessions:,}",
        (signed(result.difference), style),
        Span(result.low, result.difference, result.high, style),
        _between(result.low, result.high),
        p_value(result.p_value).removeprefix("= "),
        (result.verdict, style),
    ]


# --- tables ---


def _at_equal_mix(what: str) -> Say:
    return Say(f"{what}, at equal tool mix:", meant("dim", "at equal tool mix"))


def _rates(what: str, groups: Sequence[Group]) -> Table:
    columns = (
        Column(what, min_width=10), Column("sessions", right=True, rank=3), Column("calls", right=True, rank=4),
        Column("errors", right=True), Column("0 % to 50 %", scale=RATES, rank=2), Column("95 %", rank=1),
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for group in groups:
        style = rate_style(group.rate, group.calls)
        low_high = f"{group.low:.0%}–{group.high:.0%}" if group.low is not None and group.high is not None else ""
        rows.append([
            group.name, f"{group.sessions:,}", f"{group.calls:,}", (percent(group.rate), style),
            Span(group.low, group.rate, group.high, style), low_high,
        ])  # fmt: skip
    return Table(columns, rows)


def _changes(what: str, changes: Sequence[Change]) -> Table:
    columns = (
        Column(what, min_width=14), Column("sessions", right=True, rank=3), Column("change", right=True),
        Column("worse →", scale=CHANGES, rank=2), Column("between", rank=1),
    )  # fmt: skip
    rows: list[list[Cell]] = []
    for change in changes:
        style = change_style(change.value, shown=change.is_shown)
        # What each is compared with is said above the table, once.
        rows.append([
            change.name.partition(", less ")[0], f"{change.sessions:,}", (signed(change.value), style),
            Span(change.low, change.value, change.high, style), _between(change.low, change.high),
        ])  # fmt: skip
    return Table(columns, rows)


def _between(low: float | None, high: float | None) -> str:
    # A rate cannot change by more than all of it, whatever the interval of two sessions says.
    return UNKNOWN_VALUE if low is None or high is None else points(max(-1.0, low), min(1.0, high))


def _told(change: Change) -> str:
    assert change.low is not None
    assert change.high is not None
    return f"{signed(change.value)}, {points(change.low, change.high)}"


def _style(change: Change) -> str:
    return change_style(change.value, shown=True) if change.is_shown else "strong"


# --- the figures alone ---


def insights_facts(insights: Insights) -> dict[str, Any]:
    """By question: its answer and the figures behind it."""
    told = msgspec.to_builtins(insights)
    figures = (
        told["lengths"],
        told["beginnings"],
        told["compaction"],
        {"experiments": told["trials"], "trials": told["ruled"]},
    )
    return {
        "sessions": insights.sessions,
        "questions": [
            {"question": question, "answer": answer, "caution": caution, **each}
            for question, answer, caution, each in zip(QUESTIONS, sentences(insights), CAUTIONS, figures, strict=True)
        ],
    }
