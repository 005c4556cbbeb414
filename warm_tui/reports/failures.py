"""Families of failures, all and one by one, as documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from warm_tui.presentation.families import (
    STATE_STYLES,
    as_of,
    cost_sentence,
    effect_style,
    effect_words,
    mend_words,
    state_sentence,
    tools_in_words,
    why_failed,
    worked,
)
from warm_tui.presentation.figures import age, moment
from warm_tui.presentation.lines import cropped
from warm_tui.presentation.tables import Cell, Column
from warm_tui.reliability.families import DAY, NEWS_DAYS, FailedCall, Families, Family, State
from warm_tui.reliability.stats import wilson
from warm_tui.reports.document import Curve, Curves, Document, Heading, Part, Say, Table
from warm_tui.sessions.text import clean_line, plural
from warm_tui.templates.speaking import Speaker

DRAWN = 3
"""So many lines lie over one another."""
LINE_STYLES = ("failed", "masked", "benign")
MOST_CALLS = 50
LONGEST_NAME = 40
MOST_FAMILIES = 200
HOW_TO_READ = (
    "Failures are one family where the tool, the kind, the program that failed and the words that decided are the "
    "same; numbers, paths, ids and quoted names are taken out of the words. Lost are the calls that failed and those "
    "made until one with the same aim worked. Sessions like these are those that used the tool, of the homes and "
    "sources in which it was ever seen. A family is over where the last of these had it not, and chance would leave so "
    "long a silence between so many less than once in 20 times, counted for as many gaps as it has; new and back are "
    f"said for {NEWS_DAYS} days. Whether it went down since a template was "
    "used compares the cold sessions before with those that began with it (Newcombe's interval); they were not dealt "
    "by lot."
)
TITLE = "What fails most"


def families_document(
    families: Families, spoken: Mapping[str, Sequence[Speaker]], now: float, *, query: str = ""
) -> Document:
    parts: list[Part] = [Say(conclusion(families), "strong" if families.all else "ok")]
    if then := as_of(families.newest, now):
        parts.append(Say(f"All states are{then}: what goes on since nobody recorded.", "dim"))
    if query:
        parts.append(Say(f"Of the sessions that match {query}; a state is that of all sessions.", "dim"))
    costly = [family for family in families.all if family.state != "muted"][:DRAWN]
    curves = [
        curve
        for family, style in zip(costly, LINE_STYLES, strict=False)
        if (curve := trend_curve(family, style, banded=False))
    ]
    if curves:
        title = "Of the sessions that could have had it, how many did"
        parts += [Heading("Since when"), Curves(title, stretches(costly), curves, are_times=True)]
    if families.all:
        parts += [Heading("The families, those that cost most first"), family_table(families.all[:MOST_FAMILIES], now)]
    parts += [Heading("How to read this"), Say(HOW_TO_READ, "dim")]
    listed = [facts_of(family, spoken.get(family.id, ())) for family in families.all]
    return Document(TITLE, parts, {"total": len(listed), "count": len(listed), "families": listed})


def conclusion(families: Families) -> str:
    """What to look at first, in a sentence or two."""
    if not families.all:
        return "No call failed."
    states = Counter(family.state for family in families.all)
    news = [f"{states[state]:,} {words}{_named(state, families.all)}" for state, words in NEWS if states[state]]
    first, others = _costliest(families.all)
    told = f"{plural(families.failures, 'failure')} in {plural(len(families.all), 'family', 'families')}"
    told += f": {', '.join(news)}." if news else "."
    if first is None:
        return told
    return f"{told} What costs most: {first.title} ({_lost(first, others)}). {_how(first, families.all)}"


def _how(first: Family, families: Sequence[Family]) -> str:
    """What mended it; where nothing is known, where one can begin instead."""
    if first.mends:
        return f"What mended it most often, in {worked(first.mends[0])} tries: {mend_words(first.mends[0])}."
    instead = _mended_instead(families)
    return f"Nothing is known that mended it{f'; {instead}' if instead else ''}."


def _costliest(families: Sequence[Family], *, mended: bool = False) -> tuple[Family | None, int]:
    """Of those that go on, and how many others cost as much. `mended`: of those that something mended."""
    goes_on = [each for each in families if each.state not in ("muted", "resolved") and (each.mends or not mended)]
    alike = sum(each.lost == goes_on[0].lost for each in goes_on)
    return (goes_on[0], alike - 1) if goes_on else (None, 0)


def _as_much(others: int) -> str:
    return f", as much as {plural(others, 'other')}" if others else ""


def _lost(family: Family, others: int) -> str:
    return f"{plural(family.lost, 'call')} lost{_as_much(others)}"


def _mended_instead(families: Sequence[Family]) -> str:
    family, others = _costliest(families, mended=True)
    if family is None:
        return ""
    mend = family.mends[0]
    return (
        f"of those that something mended, {clean_line(family.title)} costs most ({_lost(family, others)}):"
        f" {mend_words(mend)} ({worked(mend)})"
    )


def _cost(family: Family, families: Sequence[Family], then: str) -> str:
    """What it cost; of what costs most also how it is mended, or where one can begin instead. `then`: as of when."""
    cost = cost_sentence(family)
    if not costs_most(family, families):
        return cost
    most = f"It costs most of what goes on{then}{_as_much(_costliest(families)[1])}"
    if family.mends:
        return f"{cost} {most}. {_how(family, families)}"
    instead = _mended_instead(families)
    return f"{cost} {most}{f'; {instead}' if instead else ''}."


def costs_most(family: Family, families: Sequence[Family]) -> bool:
    """Also where others cost as much."""
    first, _ = _costliest(families)
    return first is not None and family.state not in ("muted", "resolved") and first.lost == family.lost


NEWS: Sequence[tuple[State, str]] = (
    ("new", "new"), ("regressed", "back"), ("ongoing", "ongoing"), ("resolved", "over"), ("muted", "muted"),
)  # fmt: skip


def _named(state: State, families: Sequence[Family]) -> str:
    """What is news is told by its name, the one that costs most."""
    named = next((family.title for family in families if family.state == state), "")
    return f" ({clean_line(named)})" if state in ("new", "regressed") else ""


def family_table(families: Sequence[Family], now: float) -> Table:
    columns = (
        Column("failure", min_width=20), Column("state"), Column("failed", right=True), Column("lost", right=True),
        Column("sessions", right=True, rank=1), Column("mended", right=True, rank=2),
        Column("last seen", right=True, rank=3),
        Column("what mended it", min_width=16, rank=5), Column("family", rank=4),
    )  # fmt: skip
    return Table(columns, [_family_row(family, now) for family in families])


def _family_row(family: Family, now: float) -> list[Cell]:
    return [
        clean_line(family.title),
        (family.state, STATE_STYLES[family.state]),
        f"{family.count:,}",
        f"{family.lost:,}",
        f"{len(family.lives):,}",
        f"{family.mended:,}",
        age(family.last_seen, now),
        mend_words(family.mends[0]) if family.mends else "",
        (family.id, "dim"),
    ]


# --- one of them ---


def family_document(
    family: Family, families: Families, spoken: Sequence[Speaker], now: float, *, whole: bool = False
) -> Document:
    """`whole`: with its mends, templates and calls, for a report that stands alone."""
    exposed = len(families.exposed[family.id].starts)
    parts: list[Part] = [
        Say(state_sentence(family, exposed, now, families.newest), STATE_STYLES[family.state] or "strong"),
        Say(_cost(family, families.all, as_of(families.newest, now))),
    ]
    curve = trend_curve(family, "failed")
    if curve is not None:
        used = tools_in_words(family).removeprefix("the tool ")
        title = f"Of the sessions that used {used}, and so could have had it, how many did"
        parts.append(Curves(title, stretches([family]), [curve], are_times=True))
    parts += [
        Say(f"Template {each.template}: {effect_words(each.effect)}; it {speaks(each)}.", effect_style(each.effect))
        for each in spoken
    ]
    if whole:
        parts += _tables(family)
    return Document(family.title, parts, facts_of(family, spoken, whole=True) if whole else None)


def trend_curve(family: Family, style: str, *, banded: bool = True) -> Curve | None:
    """Nothing where there are no two stretches of time to draw a line between."""
    points: list[tuple[float, float]] = []
    band: list[tuple[float, float, float]] = []
    for bucket in family.trend:
        bounds = wilson(bucket.sessions, bucket.exposed)
        if bounds is not None:
            x = bucket.start + _width(family) / 2
            points.append((x, bucket.sessions / bucket.exposed))
            band.append((x, *bounds))
    if len(points) < 2:
        return None
    return Curve(cropped(clean_line(family.title), LONGEST_NAME), style, points, band if banded else ())


def stretches(families: Sequence[Family]) -> str:
    """How long a stretch of the line is: all families have the same."""
    days = max(round(_width(family) / DAY) for family in families)
    return {1: "by day", 7: "by week"}.get(days, f"by {days} days")


def _width(family: Family) -> float:
    return family.trend[1].start - family.trend[0].start if len(family.trend) > 1 else DAY


def speaks(speaker: Speaker) -> str:
    if speaker.mends:
        return f"shows what mended it ({plural(speaker.mends, 'pattern')})"
    return f"asks for the same, and it worked ({plural(speaker.same_aim, 'pattern')})"


def _tables(family: Family) -> list[Part]:
    parts: list[Part] = []
    if family.mends:
        rows: list[list[Cell]] = [
            [mend_words(mend), worked(mend), clean_line(mend.session_id), clean_line(mend.call)]
            for mend in family.mends
        ]
        parts += [Heading("What was tried after it, with the same aim"), Table(MEND_COLUMNS, rows)]
    shown = family.calls[:MOST_CALLS]
    left = len(family.calls) - len(shown)
    parts += [Heading(f"The calls, the newest first{f' ({left:,} older ones left out)' if left else ''}")]
    return [*parts, Table(CALL_COLUMNS, [_call_row(call) for call in shown])]


def _call_row(call: FailedCall) -> list[Cell]:
    session, key = clean_line(call.session_id), clean_line(call.call)
    return [moment(call.at), session, key, "yes" if call.mended else "", why_failed(call)]


MEND_COLUMNS = Column("what mended it", min_width=20), Column("worked", right=True), Column("session"), Column("call")
CALL_COLUMNS = Column("when"), Column("session"), Column("call"), Column("mended"), Column("why", min_width=20)


# --- for programs ---


def facts_of(family: Family, spoken: Sequence[Speaker], *, whole: bool = False) -> dict[str, Any]:
    """`whole`: with every call."""
    facts: dict[str, Any] = {
        "family_id": family.id,
        "title": family.title,
        "kind": family.kind,
        "tool": family.tool,
        "program": family.print.program,
        "count": family.count,
        "lost": family.lost,
        "mended": family.mended,
        "sessions": len(family.lives),
        "session_ids": list(family.lives),
        "homes": list(family.homes),
        "models": list(family.models),
        "first_seen": family.first_seen,
        "last_seen": family.last_seen,
        "state": family.state,
        "why": family.why,
        "trend": [
            {"start": each.start, "failures": each.failures, "sessions": each.sessions, "of_sessions": each.exposed}
            for each in family.trend
        ],
        "mends": [
            {"words": each.words, "shape": each.shape, "worked": each.worked, "tried": each.tried,
             "session_id": each.session_id, "tool_call_id": each.call, "then_the_same_again": each.again}
            for each in family.mends
        ],
        "templates": [_template(each) for each in spoken],
    }  # fmt: skip
    if whole:
        facts["calls"] = [
            {"session_id": each.session_id, "tool_call_id": each.call, "at": each.at, "tool_name": each.tool,
             "reason": each.reason, "mended": each.mended, "ours": each.ours or None}
            for each in family.calls
        ]  # fmt: skip
    return facts


def _template(speaker: Speaker) -> dict[str, Any]:
    effect = speaker.effect
    return {
        "name": speaker.template,
        "mends": speaker.mends,
        "same_aim": speaker.same_aim,
        "since": effect.since if effect else None,
        "before": list(effect.before) if effect else None,
        "after": list(effect.after) if effect else None,
        "low": effect.low if effect else None,
        "high": effect.high if effect else None,
        "went": effect.went if effect else "cannot tell",
    }
