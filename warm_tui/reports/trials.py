"""A trial in words, figures and a picture: what it has shown so far, for a screen and a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from warm_tui.presentation.figures import moment, percent, points, signed
from warm_tui.presentation.lines import cropped
from warm_tui.presentation.pictures import Scale, Span
from warm_tui.presentation.tables import Cell, Column
from warm_tui.reports.document import Curve, Curves, Document, Heading, Part, Say, Table
from warm_tui.sessions.text import clean_line, plural

if TYPE_CHECKING:
    from warm_tui.comparisons.trials import Trial
    from warm_tui.trials.course import Course
    from warm_tui.trials.rules import Rule
    from warm_tui.trials.verdict import Shown

STYLES = {"helps": "ok", "harms": "failed"}
"""What a verdict looks like; any other one shows nothing."""
LONGEST_NAMED = 120
CURVE_STYLES = ("warm", "mark", "cold", "unknown")
METHOD = (
    (
        "Sessions were randomised: each was drawn warm or cold by chance, before anything was known of it, and counts"
        " as it was drawn, whatever became of it. Of a session counts the share of its calls that failed; more than"
        " half counts as half. What compaction made of one counts with it."
    ),
    (
        "It is counted when it first comes to rest: closed, or quiet for an hour. What is done in it later changes"
        " nothing, for what was looked at once may not become something else."
    ),
    (
        "One may look at any time, and stop at any time: the interval holds at all looks together, in 95 of 100 trials."
        " For that it is wider than one that holds for a single look. Several templates under a rule share the 5 %."
    ),
    "Each session is weighted by how likely it was drawn, so shares may be changed while a trial runs.",
)


def trial_document(trial: Trial, courses: Sequence[Course], larger: Rule | None, accept: str = "") -> Document:
    """`larger`: what is proposed, and `accept`: by which key it is taken."""
    parts: list[Part] = [Say(sentence, style) for sentence, style in verdicts(trial)]
    if larger is not None:
        parts.append(Say(f"{proposal(trial.rule, larger)}{f' ({accept})' if accept else ''}", "mark"))
    parts += [
        Say(standing(trial), "dim"),
        Say(guard_told(trial, courses), state(trial.rule)[1] if trial.rule.why else "dim"),
    ]
    drawn = _curves(trial.rule, courses)
    if drawn:
        title = "Share of a session's calls that failed, warm less cold: below 0 it helps"
        parts.append(Curves(title, "when sessions ended", drawn, are_times=True, are_changes=True))
    method = [Say(sentence) for sentence in METHOD]
    details: list[Part] = [Heading("Arms"), arms_table(trial, courses), Heading("How to read this"), *method]
    return Document(title_of(trial.rule), parts, trial_facts(trial, courses), details)


def _curves(rule: Rule, courses: Sequence[Course]) -> list[Curve]:
    """Of each template of which more than one session is known."""
    curves = []
    for nth, (each, course) in enumerate(zip(rule.revisions, courses, strict=True)):
        line = [(point.at, point.value) for point in course.points]
        band = [(point.at, point.low, point.high) for point in course.points]
        if len(line) > 1:
            curves.append(Curve(each.template, CURVE_STYLES[nth % len(CURVE_STYLES)], line, band))
    return curves


def title_of(rule: Rule) -> str:
    names = ", ".join(each.template for each in rule.revisions)
    return f"Rule {rule.number}: {_short(names)}, for {_short(rule.when.told)}"


def _short(text: str) -> str:
    return cropped(clean_line(text), LONGEST_NAMED)


def verdicts(trial: Trial) -> list[tuple[str, str]]:
    """In words, with a style; of several templates each by its name."""
    named = len(trial.shown) > 1
    return [
        (f"{each.template}: {each.told}" if named else each.told, STYLES.get(each.verdict, "strong"))
        for each in trial.shown
    ]


def shows(trial: Trial) -> tuple[str, str]:
    """All its verdicts in a word or two."""
    found = [each.verdict for each in trial.shown]
    for verdict in ("harms", "helps", "nothing shown yet"):
        if count := found.count(verdict):
            many = len(found) > 1 and verdict != "nothing shown yet"
            return (f"{count} of {len(found)} {verdict[:-1]}" if many else verdict), STYLES.get(verdict, "dim")
    return (found[0] if found else ""), "dim"


def state(rule: Rule) -> tuple[str, str]:
    return rule.state, {"running": "ok", "paused": "unknown"}.get(rule.state, "failed")


def proposal(rule: Rule, larger: Rule) -> str:
    alone = ""
    if len(larger.revisions) < len(rule.revisions):
        alone = f" with {', '.join(each.template for each in larger.revisions)} alone"
    return (
        f"Proposed: {larger.warm_share:.0%} warm{alone} in place of {rule.warm_share:.0%}. {larger.holdout:.0%} go on"
        " cold, so that it is known for how long it helps."
    )


def standing(trial: Trial) -> str:
    rule = trial.rule
    aside = [f"{trial.going_on:,} of them going on, or quiet for less than an hour"] if trial.going_on else []
    aside += [f"{trial.without_calls:,} without a call to judge"] if trial.without_calls else []
    each = f", {rule.warm_share / len(rule.revisions):.0%} with each template" if len(rule.revisions) > 1 else ""
    share = f"{rule.warm_share:.0%} are drawn warm{each}, {1 - rule.warm_share:.0%} cold"
    drawn = ", ".join([f"{plural(trial.drawn, 'session')} drawn", *aside])
    return f"{share}. {drawn}."


def guard_told(trial: Trial, courses: Sequence[Course]) -> str:
    """Whether somebody watches over it, and when and why it was switched off."""
    rule = trial.rule
    if rule.running:
        return "Guard: on. As soon as harm is shown, the rule is switched off."
    if not rule.why:
        told = _short(rule.paused_told)
        again = " It can go on once that has ended." if rule.paused_for else ""
        begun = "no session is drawn by it, and those that have begun go on as they began."
        return f"{told[:1].upper()}{told[1:]}: {begun}{again}"
    harmed = [course for course in courses if course.harm_at is not None]
    first = min(harmed, key=lambda course: course.harm_at or 0.0, default=None)
    when = ""
    if first is not None:
        when = f", first on {moment(first.harm_at)[:16]}, after {plural(first.harm_after, 'session')}"
    why = _short(rule.why)
    return f"{why[:1].upper()}{why[1:]}{when}. Sessions that have begun go on as they began."


def arms_table(trial: Trial, courses: Sequence[Course]) -> Table:
    ends = [abs(end) for each in trial.shown for end in (each.low, each.high) if end is not None]
    reach = max([0.05, *ends])
    columns = (
        Column("template", min_width=12), Column("warm", right=True), Column("cold", right=True),
        Column("difference", right=True), Column("95 %", rank=2),
        Column("lower │ higher", scale=Scale(-1.0, 1.0, 0.0), rank=3), Column("verdict", rank=1),
    )  # fmt: skip
    rows = [_arm_row(each, course, reach) for each, course in zip(trial.shown, courses, strict=True)]
    return Table(columns, rows)


def _arm_row(each: Shown, course: Course, reach: float) -> list[Cell]:
    style = STYLES.get(each.verdict, "dim")
    value = course.points[-1].value if course.points else None
    between = points(each.low, each.high) if each.low is not None and each.high is not None else ""
    low, middle, high = (end / reach if end is not None else None for end in (each.low, value, each.high))
    return [
        each.template, f"{percent(each.warm_rate)} of {each.warm:,}", f"{percent(each.cold_rate)} of {each.cold:,}",
        (signed(value), style), (between, "dim"), Span(low, middle, high, style), (each.verdict, style),
    ]  # fmt: skip


def trial_facts(trial: Trial, courses: Sequence[Course]) -> dict[str, Any]:
    facts: dict[str, Any] = msgspec.to_builtins(trial)
    for told, each, course in zip(facts["shown"], trial.shown, courses, strict=True):
        told["sentence"] = each.told
        told["course"] = [point._asdict() for point in course.points]
    return facts
