"""The Overview in words, figures and a picture: for the screen, a terminal and a file."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from warm_tui.insights.overview import Item, Overview, Target
from warm_tui.presentation.claims import change_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, moment, percent, points, rate_style, signed
from warm_tui.presentation.glossary import numbers_of
from warm_tui.presentation.lines import meant
from warm_tui.presentation.outcomes import rate_in_words
from warm_tui.presentation.tables import Cell, Column
from warm_tui.reliability.trends import ALL, Line, Mark, Sums, Trends
from warm_tui.reports.document import Curve, CurveMark, Curves, Document, Heading, Say, Table
from warm_tui.reports.linked import Block, Linked, document_of
from warm_tui.sessions.text import clean_line, plural

SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
DAYS, MOVED = "period", "change of a period"
NONE_SHOWN, TOO_FEW = "none shown", "too few sessions"
NEW, NOT_COMPARED, NOT_YET = ("new", "dim"), (UNKNOWN_VALUE, "dim"), ("still reading", "dim")
METHOD = (
    "Sessions are the units, each in the time when it began; a branch counts with what it came from. A change is "
    "called one, and coloured, only where its interval leaves out nought: 95 % over sessions, widened for the number "
    "of lines that were looked at, of which that of all has half for itself. The band about the line: 95 %, over the "
    "sessions of each point. Tokens and cost are of the sessions of which they are known. What stands at a mark need "
    "not have changed anything."
)


def overview_blocks(overview: Overview) -> list[Block]:
    """What is, and beside that what waits, is new and runs. Lists stand below what has always its height: some are
    known later, and nothing that is read already may move for them."""
    drawn, marks = [*_line(overview, Target("trends"))], [*_marks(overview)]
    head = [*_conclusion(overview), *drawn, Linked(*figures_table(overview))]
    happened = [Linked(Heading("On the way")), *marks] if drawn and marks else []
    figures = [*happened, *_changes(overview), *_costly(overview)]
    waiting, news = [*_waiting(overview)], _news(overview)
    if not overview.waiting:
        waiting, news = [], [*news, *waiting]
    return [Block(head), Block(waiting, is_beside=True), Block(figures), Block(news, is_beside=True)]


def overview_document(overview: Overview) -> Document:
    return document_of("Overview", overview_parts(overview), overview_facts(overview))


def overview_parts(overview: Overview) -> list[Linked]:
    """As a page for others, who have nothing to do at once."""
    return [
        *_conclusion(overview),
        *picture(overview, Target("trends")),
        Linked(Heading("Key figures")),
        Linked(*figures_table(overview)),
        *_changes(overview),
        *_costly(overview),
        *_waiting(overview),
        *_news(overview),
        Linked(Heading("How to read this")),
        Linked(Say(METHOD, "dim")),
    ]


def _costly(overview: Overview) -> Iterator[Linked]:
    if overview.costly and not overview.still_reading:
        yield from _list("What fails most, over all time", overview.costly)


def _waiting(overview: Overview) -> Iterator[Linked]:
    return _list("Waiting for you", overview.waiting, "Nothing waits for a decision.")


def _news(overview: Overview) -> list[Linked]:
    return [
        *_list(f"New since {moment(overview.since)[:16]}" if overview.since else "", overview.new, "Nothing new."),
        *_list("Running", overview.running, "No experiment is running."),
    ]


def _conclusion(overview: Overview) -> Iterator[Linked]:
    style = "unknown" if overview.still_reading else _conclusion_style(overview.trends)
    yield Linked(Say(conclusion(overview), style))


def _list(title: str, items: Sequence[Item], without_any: str = "") -> Iterator[Linked]:
    if title:
        yield Linked(Heading(title))
        for item in items:
            word = "lost" if item.target.place == "failures" else "what is new, runs or waits"
            yield Linked(Say(clean_line(item.words), meant(item.style, word)), (item.target,))
        if not items:
            yield Linked(Say(without_any, "dim"))


# --- the conclusion ---


def conclusion(overview: Overview) -> str:
    """Of a part of the sessions, none is drawn."""
    if not overview.still_reading:
        return headline(overview.trends)
    of_all = f" of {overview.total:,}" if overview.total > overview.profiled else ""
    return (
        f"Still reading: {overview.profiled:,}{of_all} sessions are profiled, and stand below. The rest follows; what"
        " they come to together is told then."
    )


def headline(trends: Trends) -> str:
    line, days = trends.all, _days(trends)
    told = f"No session began later than {_newest(trends)}. " if trends.is_past else ""
    if not line.now.calls:
        return f"{told}No call with a known outcome in the {span(trends)}."
    rates = f"{told}{percent(line.now.rate)} of {plural(line.now.calls, 'call')} failed in the {span(trends)}"
    if not line.before.calls:
        shorter = "" if trends.unit == "day" else " A shorter period may have something before it."
        return f"{rates}; there is nothing before to compare with.{shorter}"
    rates += f", {percent(line.before.rate)} in the {days} before"
    if line.change in ("better", "worse"):
        told_change = f"{'Fewer' if line.change == 'better' else 'More'} calls fail than before: "
        return told + told_change + rates.removeprefix(told) + "."
    return f"{rates}: {'too few sessions to tell' if line.change == 'too few' else 'that may be chance'}."


def span(trends: Trends) -> str:
    """The days that are looked at, in words."""
    return f"{_days(trends)} to {_newest(trends)}" if trends.is_past else f"last {_days(trends)}"


def _days(trends: Trends) -> str:
    return f"{trends.days} days"


def _newest(trends: Trends) -> str:
    """The day of the newest session, where that is past: what is looked at ends at its midnight."""
    return moment(trends.end - 1)[:10]


# --- key figures ---


def figures_table(overview: Overview) -> tuple[Table, list[Target | None]]:
    trends = overview.trends
    line, now, before = trends.all, trends.all.now, trends.all.before
    began = since(trends.middle)

    def share(now: float | None, before: float | None) -> Cell:
        return NOT_YET if overview.still_reading else _share(now, before)

    rows: list[tuple[Sequence[Cell], str]] = [
        (("sessions", f"{now.sessions:,}", f"{before.sessions:,}", share(now.sessions, before.sessions)), ""),
        (("judged calls", f"{now.calls:,}", f"{before.calls:,}", share(now.calls, before.calls)), "calls>0"),
        (("errors", _rate(now), _rate(before), NOT_YET if overview.still_reading else change_cell(line)), "failures>0"),
        (("done", rate_in_words(now.outcomes), rate_in_words(before.outcomes), NOT_COMPARED), "-outcome:unknown"),
        (("tokens", _count(now.tokens), _count(before.tokens), share(now.tokens, before.tokens)), "-tokens:unknown"),
        (
            ("cost", _money(now.cost_usd), _money(before.cost_usd), share(now.cost_usd, before.cost_usd)),
            "-cost:unknown",
        ),
    ]
    if now.learned or before.learned:
        rows.append((("learned", _learned(now), _learned(before), share(now.learned, before.learned)), "learned>0"))
    columns = (
        Column(""), Column(span(trends), min_width=12, means=DAYS),
        Column("before", rank=1, min_width=12, means=DAYS), Column("change", min_width=8, means=MOVED),
    )  # fmt: skip
    targets: list[Target | None] = [Target("sessions", f"{began} {query}".strip()) for _, query in rows]
    return Table(columns, [cells for cells, _ in rows]), targets


def change_cell(line: Line) -> Cell:
    if line.change == "too few":
        return TOO_FEW, "dim"
    assert line.low is not None
    assert line.high is not None
    words = f"{signed(line.difference)} ({points(line.low, line.high)})"
    return (f"{line.change}: {words}" if line.change != NONE_SHOWN else f"{NONE_SHOWN}: {words}"), _style(line) or "dim"


def _style(line: Line) -> str:
    """Coloured only where something is shown."""
    shown = line.change in ("better", "worse")
    return change_style(line.difference, shown=True) if shown else ""


def _conclusion_style(trends: Trends) -> str:
    now = trends.all.now
    return meant(_style(trends.all) or "strong", "errors", partial(numbers_of, now.failures, now.calls))


def _rate(sums: Sums) -> Cell:
    numbers = partial(numbers_of, sums.failures, sums.calls)
    return percent(sums.rate), meant(rate_style(sums.rate, sums.calls), "errors", numbers)


def _share(now: float | None, before: float | None) -> Cell:
    """More or less of it, which is neither good nor bad."""
    if now is None or before is None or not (now or before):
        return NOT_COMPARED
    if not before:
        return NEW
    return f"{round(100 * (now / before - 1)):+d}%", "dim"


def _count(count: int | None) -> str:
    return UNKNOWN_VALUE if count is None else f"{count:,}"


def _learned(sums: Sums) -> Cell:
    by_review = f", {sums.learned_by_review:,} by review" if sums.learned_by_review else ""
    return f"{sums.learned:,}{by_review}", meant("", "learned")


def _money(dollars: float | None) -> str:
    return UNKNOWN_VALUE if dollars is None else f"${dollars:,.2f}"


# --- the line ---


def picture(overview: Overview, target: Target) -> list[Linked]:
    line = [*_line(overview, target)]
    return [*line, *_marks(overview)] if line else []


def _line(overview: Overview, target: Target) -> Iterator[Linked]:
    curves = curves_of(overview.trends)
    if curves is not None:
        yield Linked(Heading(f"Errors by {overview.trends.by}"), (target,))
        yield Linked(curves, (target,))


def _marks(overview: Overview) -> Iterator[Linked]:
    """What happened, by its signs in the picture."""
    for sign, mark in zip(SIGNS, overview.trends.marks, strict=False):
        yield Linked(
            Say(f"{sign}  {moment(mark.at)[:16]}  {clean_line(mark.words)}", meant("dim", "curve")), (_of_mark(mark),)
        )


def _of_mark(mark: Mark) -> Target:
    if mark.kind in ("activation", "revision", "deactivation"):
        return Target("templates", mark.words.rpartition(" ")[0])
    if mark.kind == "model":
        return Target("sessions", f'model:"{mark.words.removeprefix("first session on ")}"')
    return Target("sessions", "")


def curves_of(trends: Trends) -> Curves | None:
    """None where there are no two points to draw a line between."""
    half = (trends.end - trends.start) / len(trends.all.points) / 2
    known = [point for point in trends.all.points if point.sums.calls]
    if len(known) < 2:
        return None
    line = [(point.start + half, point.sums.rate or 0.0) for point in known]
    band = [(p.start + half, p.low, p.high) for p in known if p.low is not None and p.high is not None]
    marks = [CurveMark(mark.at, sign) for sign, mark in zip(SIGNS, trends.marks, strict=False)]
    curve = Curve("share of calls that failed", "failed", line, band)
    return Curves("", f"by {trends.by}", [curve], marks=marks, are_times=True)


# --- where something changed ---


def _changes(overview: Overview) -> Iterator[Linked]:
    trends = overview.trends
    changed = [line for line in trends.lines if line.change in ("better", "worse") and line.by != ALL]
    yield Linked(Heading("What changed"), (Target("trends"),))
    if overview.still_reading:
        yield Linked(Say("That is told when all sessions are read.", "dim"))
        return
    if changed:
        yield Linked(*trends_table(overview, changed, with_kind=True))
        return
    looked = f"in {plural(trends.looked_at, 'line')} looked at" if trends.looked_at else TOO_FEW
    yield Linked(
        Say(f"No change is shown: {looked} (by source, model, home, agent, tool).", "dim"), (Target("trends"),)
    )


def trends_document(overview: Overview) -> Document:
    return document_of("Trends", trends_parts(overview), overview_facts(overview))


def trends_parts(overview: Overview) -> list[Linked]:
    trends = overview.trends
    if overview.still_reading:
        return [*_conclusion(overview)]
    parts = [*_conclusion(overview), *picture(overview, _sessions_within(overview))]
    for by in dict.fromkeys(line.by for line in trends.lines if line.by != ALL):
        parts += [Linked(Heading(f"By {by}")), Linked(*trends_table(overview, trends.of(by)))]
    return [*parts, Linked(Heading("How to read this")), Linked(Say(METHOD, "dim"))]


def _sessions_within(overview: Overview, query: str = "") -> Target:
    """Those of the time that is shown, and which of them."""
    return Target("sessions", f"{since(overview.trends.start)} {query}".strip())


def since(moment: float) -> str:
    """The filter for what began on that day or later: stretches of time begin at a midnight."""
    # An hour that clocks were put forward or back by does not make it the day before.
    return f"since:{datetime.datetime.fromtimestamp(moment + 2 * 3600).date().isoformat()}"


def trends_table(
    overview: Overview, lines: Sequence[Line], *, with_kind: bool = False
) -> tuple[Table, list[Target | None]]:
    """`with_kind`: lines of several kinds stand in it."""
    columns = (
        Column("", min_width=10), Column("sessions", right=True),
        Column("before", right=True, rank=3, means=DAYS), Column("calls", right=True, rank=4),
        Column("errors", right=True), Column("before", right=True, rank=1, means=DAYS),
        Column("change", min_width=8, means=MOVED), Column("tokens", right=True, rank=5),
        Column("cost", right=True, rank=6),
    )  # fmt: skip
    rows: list[list[Cell]] = [
        [
            clean_line(f"{line.by} {line.name}" if with_kind else line.name),
            f"{line.now.sessions:,}", f"{line.before.sessions:,}", f"{line.now.calls:,}",
            _rate(line.now), _rate(line.before), change_cell(line), _count(line.now.tokens), _money(line.now.cost_usd),
        ]
        for line in lines
    ]  # fmt: skip
    return Table(columns, rows), [_sessions_within(overview, f'{line.by}:"{line.name}"') for line in lines]


# --- the figures alone ---


def overview_facts(overview: Overview) -> dict[str, Any]:
    """As JSON has it: fields that are asked of each line stand there, too."""
    facts: dict[str, Any] = msgspec.to_builtins(overview)
    trends = facts["trends"]
    trends["conclusion"] = conclusion(overview)
    for told, line in zip(trends["lines"], overview.trends.lines, strict=True):
        told["change"] = line.change.replace(" ", "_")
        for half in ("before", "now"):
            told[half]["error_rate"] = getattr(line, half).rate
            told[half]["outcomes"]["rate"] = getattr(line, half).outcomes.rate
    return facts
