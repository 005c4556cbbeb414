"""What compaction did, as a document: one life, or all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from warm_tui.library.compactions import Examined
from warm_tui.presentation import conclusions
from warm_tui.presentation.calls import call_words
from warm_tui.presentation.claims import ONE_LIFE, change_style
from warm_tui.presentation.figures import UNKNOWN_VALUE, and_uncounted, p_value, percent, points, shrunk, signed
from warm_tui.presentation.glossary import numbers_of, numbers_of_change
from warm_tui.presentation.lines import meant
from warm_tui.presentation.pictures import Scale, Span, outcome_of
from warm_tui.presentation.tables import Cell, Column
from warm_tui.presentation.timeline import segment_name
from warm_tui.presentation.verdicts import whole as in_words
from warm_tui.reliability.bounds import FEW_CALLS, Bounds
from warm_tui.reliability.compaction import NOTHING, Change, ChangeVerdict, Counts, Impact, Segment, merged
from warm_tui.reliability.pooled import Effect, Group, Pooled
from warm_tui.reliability.profile import Judged
from warm_tui.reliability.stats import LEVEL, holm
from warm_tui.reliability.steps import Reach
from warm_tui.reliability.survival import Piece, Survival
from warm_tui.reliability.timeline import timeline_of
from warm_tui.reports import impact_json
from warm_tui.reports.document import Block, Document, Heading, Part, Say, Table, TimelinePart
from warm_tui.sessions.text import plural

VERDICTS = ("preserved", "improved", "degraded", "inconclusive")
RATES = Scale(0.0, 1.0)
ALL = "All sessions that were compacted"
OVER_CUT = "change over a compaction"
HEADLINES: Mapping[ChangeVerdict, str] = {
    "degraded": "WORSE AFTER THAN BEFORE, which need not be the compaction's doing",
    "improved": "BETTER AFTER THAN BEFORE, which need not be the compaction's doing",
    "preserved": "NO WORSE AFTER THAN BEFORE",
    "inconclusive": "INCONCLUSIVE",
}
DRIFT = "Sessions drift: late work often differs from early work where nothing was compacted."
DRIFT_HERE = " Here a steady drift is not ruled out: it would look much like this."
METHOD = (
    "Segments are named by the compaction they came after; there the change over it stands. Told: named in the "
    "summary only. Good calls lost: succeeded, and only told or gone. pp: percentage points. "
    "Intervals: 95 %, Wilson for a rate, Newcombe for a difference. p: exact, each tool compared with itself, "
    "corrected after Holm for the number of compactions. Worse or better: also where at no other place between two "
    "calls much more changed, as failures come in runs, and the change goes beyond what a steady drift of the work "
    "explains; where it could be a drift all the same, that is said. No worse: "
    "shown to be at most 20 % worse. A session has no other to stand against: what changed over a compaction need not "
    "be its doing, and so has no colour. Only fresh calls count; carried-over copies are the same calls again. "
    "Calls of tools that are not rated (plans, questions, notes) are not counted; rated calls are those of the others "
    "whose outcome is known, and errors are of them. What was kept, told or gone is of all calls, whatever the tool."
)
POOLED_METHOD = (
    "A session counts as one with all those that compaction made of it. Each before its first compaction against "
    "after it; sessions are the units, weighed by their calls. Intervals: 95 %, over sessions. p: swaps of before and "
    "after within sessions, for the groups of a table corrected after Holm for their number. A difference is told, and "
    "coloured, where p and the interval agree. Later work differs from earlier work in other ways too: a difference "
    "here need not be the compaction's doing."
)


def life_document(examined: Examined, *, whole: bool = False) -> Document:
    """`whole`: with the summaries and the lost calls, for a report that stands alone."""
    title, impact, calls = examined.title, examined.impact, examined.calls
    survived, gaps = examined.survived, examined.life.gaps
    notes: list[Part] = [Say(f"! {gap}", "unknown") for gap in gaps]
    timeline = TimelinePart(timeline_of(examined.life, calls, survived, outcome_of))
    if impact.whole is None:
        none: list[Part] = [Say("No compaction: nothing to compare.", "strong"), *notes, timeline]
        return Document(title, none, impact_json.of_life(examined) if whole else None)
    parts: list[Part] = [
        Say(conclusions.of_change(impact.whole), _change_meant(impact.whole)),
        *notes,
        timeline,
    ]
    details: list[Part] = [
        Heading("Errors by segment, and the change over each compaction"),
        Say(headline(impact.whole), _change_meant(impact.whole, "")),
        Say(fact_line(impact, sum(call.trivial for call, _ in calls)), "dim"),
        segment_table(impact),
    ]
    if survived:
        details += [Heading("What survived each compaction"), survival_table(survived)]
    details += [Heading("By tool, before the first compaction and after it"), tool_table(impact)]
    details += _own_verdicts(calls)
    if whole:
        for survival in survived:
            details += _summary_parts(survival)
    facts = impact_json.of_life(examined) if whole else None
    return Document(title, parts, facts, [*details, Heading("How to read this"), Say(METHOD, "dim")])


def _change_meant(change: Change, style: str = "strong") -> str:
    return meant(style, OVER_CUT, partial(numbers_of_change, change))


def _own_verdicts(calls: Sequence[Judged]) -> list[Part]:
    """What somebody said otherwise than the rules: figures with it in them have to tell."""
    own = [(call, verdict) for call, verdict in calls if verdict.is_own]
    lines = [f"call {call.position + 1}, {call.tool_name}: {in_words(verdict)}" for call, verdict in own]
    return [Heading("Judged by yourself"), *(Say(line) for line in lines)] if own else []


def fact_line(impact: Impact, uncounted: int) -> str:
    calls = sum(segment.calls for segment in impact.segments)
    carried = sum(segment.carried_calls for segment in impact.segments)
    sessions = f" in {len(impact.session_ids):,} sessions" if len(impact.session_ids) > 1 else ""
    cuts = plural(len(impact.segments) - 1, "compaction")
    return f"{cuts}{sessions}, {plural(calls, 'fresh call')}{and_uncounted(uncounted)}, {carried:,} carried-over"


def headline(change: Change) -> str:
    """What came after, and where that could be taken for the compaction's doing, that it need not be."""
    return f"{HEADLINES[change.verdict]}: {sentence(change)}"


def sentence(change: Change) -> str:
    """What may be said of a change, for somebody who has no time."""
    before, after = change.before, change.after
    if change.difference is None:
        side = "before the compaction" if not before.calls else "after it"
        return f"there is no call with a verdict {side}, so nothing can be compared."
    if change.why == "no failures":
        return f"no failure among {plural(before.calls, 'call')} before and {after.calls:,} after: nothing to compare."
    moved = f"{signed(change.difference)} ({_range(change)})"
    p = f"p {p_value(change.p_corrected)} at equal tool mix"
    return f"{_rate(before)} before, {_rate(after)} after: {moved}, {p}.{_reason(change)}"


def _reason(change: Change) -> str:
    if change.why == "within tolerance":
        return " Worse, but perhaps by no more than 20 %."
    if change.why == "other tools":
        return " Other tools were used: each compared with itself, the change is not shown."
    if change.why == "no step":
        return " Runs of failures, or a steady drift of the work, would look like this too."
    if change.why == "too few":
        return f" Too few calls to tell: {_would_have_shown(change.detectable)}"
    if change.verdict in ("degraded", "improved"):
        return f" {DRIFT}{DRIFT_HERE}" if change.why == "drift" else f" {DRIFT}"
    return ""


def _would_have_shown(reach: Reach) -> str:
    if reach.worse is None and reach.better is None:
        return "no change could have been shown."
    worse = "no worsening" if reach.worse is None else f"only a worsening of {signed(reach.worse).lstrip('+')} or more"
    better = (
        "no improvement" if reach.better is None else f"an improvement of {signed(reach.better).lstrip('+')} or more"
    )
    return f"{worse} would have been shown four times in five, and {better}."


def segment_table(impact: Impact) -> Table:
    columns: tuple[Column, ...] = (
        Column("segment"), Column("calls", True), Column("carried-over", True, rank=3), Column("failed", True),
        Column("errors", True), Column("0 % to 100 %", scale=RATES), Column("change", True, rank=1, means=OVER_CUT),
        Column("95 %", rank=4), Column("p", True, rank=5), Column("verdict", rank=2),
    )  # fmt: skip
    changes: list[Change | None] = [None, *impact.changes]
    rows = [_segment_row(segment, change) for segment, change in zip(impact.segments, changes, strict=True)]
    if len(impact.session_ids) > 1:
        columns = (*columns, Column("session", min_width=10, rank=6))
        rows = [[*row, (segment.session_id, "dim")] for row, segment in zip(rows, impact.segments, strict=True)]
    return Table(columns, rows)


def _segment_row(segment: Segment, change: Change | None) -> list[Cell]:
    low, high = segment.interval or (None, None)
    style = "dim" if segment.counts.calls < FEW_CALLS else ""
    numbers = partial(numbers_of, segment.counts.failures, segment.counts.calls)
    row: list[Cell] = [
        segment_name(segment.index),
        f"{segment.calls:,}",
        (f"{segment.carried_calls:,}", "dim"),
        (f"{segment.counts.failures:,}", style),
        (percent(segment.counts.rate), meant(style, "errors", numbers)),
        Span(low, segment.counts.rate, high, style),
    ]
    if change is None or change.difference is None:
        why = "nothing before" if change is None else "no judged calls"
        return [*row, (why, "dim"), "", "", ""]
    return [
        *row,
        (signed(change.difference), _change_meant(change, "dim")),
        (_range(change), "dim"),
        (_p(change.p_corrected), "dim"),
        (ONE_LIFE[change.verdict], "dim" if change.verdict == "inconclusive" else ""),
    ]


def survival_table(survived: Sequence[Survival]) -> Table:
    columns = (
        Column("compaction", True), Column("tokens", True), Column("calls kept", True),
        Column("shortened", True, rank=2), Column("told", True), Column("gone", True),
        Column("messages kept", True, rank=3),
        Column("told", True, rank=5), Column("gone", True, rank=4), Column("good calls lost", True, rank=1),
    )  # fmt: skip
    return Table(columns, [_survival_row(survival) for survival in survived])


def _survival_row(survival: Survival) -> list[Cell]:
    name = str(survival.index)
    if not survival.recorded:
        return [name, ("what stood before is not recorded", "dim"), *[""] * 8]
    lost = sum(piece.lost_success for piece in survival.pieces)
    return [
        name,
        shrunk(survival.tokens_before, survival.tokens_after),
        f"{survival.calls('kept'):,}",
        f"{survival.calls('shortened'):,}",
        f"{survival.calls('told'):,}",
        f"{survival.calls('gone'):,}",
        f"{survival.messages('kept'):,}",
        f"{survival.messages('told'):,}",
        f"{survival.messages('gone'):,}",
        (f"{lost:,}", "mark" if lost else ""),
    ]


def tool_table(impact: Impact) -> Table:
    first, rest = impact.segments[0].tools, impact.segments[1:]
    after = merged(segment.tools for segment in rest)
    calls = {tool: (first.get(tool, NOTHING) + after.get(tool, NOTHING)).calls for tool in {**first, **after}}
    names = sorted(calls, key=lambda tool: (-calls[tool], tool))
    columns = (
        Column("tool", min_width=8),
        Column("before", True),
        Column("after", True),
        Column("change", True, means=OVER_CUT),
    )
    rows: list[list[Cell]] = []
    for tool in names:
        counts_before, counts_after = first.get(tool, NOTHING), after.get(tool, NOTHING)
        rows.append([tool, _rate(counts_before), _rate(counts_after), (_moved(counts_before, counts_after), "dim")])
    return Table(columns, rows)


def _moved(before: Counts, after: Counts) -> str:
    """Or on which side there is nothing to compare with."""
    if before.rate is None or after.rate is None:
        return "none before" if before.rate is None else "none after"
    return signed(after.rate - before.rate)


def _summary_parts(survival: Survival) -> list[Part]:
    parts: list[Part] = [Heading(f"Compaction {survival.index}: the summary")]
    parts.append(Block(survival.summary) if survival.summary else Say("No summary was recorded.", "unknown"))
    lost = [piece for piece in survival.pieces if piece.lost_success]
    if lost:
        parts.append(Heading(f"Compaction {survival.index}: good calls that were lost"))
        rows: list[list[Cell]] = [[piece.fate, _words_of(piece)] for piece in lost]
        parts.append(Table((Column("fate"), Column("call", min_width=20)), rows))
    return parts


def _words_of(piece: Piece) -> str:
    return call_words(piece.call[0].tool_name, piece.call[0].arguments) if piece.call else piece.text


# --- all lives ---


def pooled_document(pooled: Pooled, effects: Sequence[Effect]) -> Document:
    compactions = sum(effect.compactions for effect in effects)
    sentence = f"{plural(compactions, 'compaction')} in {plural(len(effects), 'session')}"
    left = len(effects) - pooled.all.lives
    sentence += f"; {plural(left, 'session')} without a verdict on both sides left out below" if left else ""
    if not effects:
        none = Say("No session was compacted yet.", "strong")
        return Document(ALL, [none], impact_json.of_all(pooled, effects))
    verdicts = [effect.impact.whole.verdict for effect in effects if effect.impact.whole]
    counted = ", ".join(f"{verdicts.count(name):,} {ONE_LIFE[name]}" for name in VERDICTS if name in verdicts)
    shown = _is_shown(pooled.all, pooled.all.difference.p_value)
    parts: list[Part] = [
        Say(conclusions.of_group(pooled.all, shown=shown), "strong"),
        Say(f"One by one: {counted}."),
        Say(sentence, "dim"),
        Heading("What changed, tool by tool"),
        group_picture(_with_lives(pooled, pooled.by_tool)),
    ]
    details: list[Part] = [Heading("The figures"), Say(pooled_sentence(pooled.all))]
    for heading, groups in (
        ("By tool, where it hurts most for certain first", pooled.by_tool),
        ("By model", pooled.by_model),
        ("By how much of the context was cut", pooled.by_share),
    ):
        apart = _with_lives(pooled, groups)
        details += [Heading(heading), group_table(apart) if len(apart) > 1 else Say(f"All of it: {apart[0].name}.")]
    details += [Heading("How to read this"), Say(POOLED_METHOD, "dim")]
    return Document(ALL, parts, impact_json.of_all(pooled, effects), details)


def _with_lives(pooled: Pooled, groups: Sequence[Group]) -> list[Group]:
    """With all before them, unless one of them is all there is."""
    apart = [group for group in groups if group.lives]
    sides = pooled.all.before, pooled.all.after
    return apart if len(apart) == 1 and (apart[0].before, apart[0].after) == sides else [pooled.all, *apart]


def pooled_sentence(group: Group) -> str:
    difference = group.difference
    if difference.difference is None:
        return "No session has calls with a verdict both before and after a compaction."
    sentence = f"On average {signed(difference.difference)}: {_rate(group.before)} before, {_rate(group.after)} after"
    if difference.low is None or difference.high is None:
        return f"{sentence}. One session proves nothing."
    sentence += f" ({points(difference.low, difference.high)}"
    if difference.p_value is None:
        return f"{sentence}). Fewer than six sessions cannot show a difference."
    shown = "more errors after compaction" if difference.difference > 0 else "fewer errors after compaction"
    verdict = shown if _is_shown(group, difference.p_value) else "no difference shown"
    return f"{sentence}, p {p_value(difference.p_value)}): {verdict}."


def group_table(groups: Sequence[Group]) -> Table:
    columns = (
        Column("", min_width=12), Column("sessions", True), Column("compactions", True, rank=3),
        Column("before", True, rank=2), Column("after", True, rank=2),
        Column("change", True, means=OVER_CUT), Column("better  │  worse", scale=_scale(groups)),
        Column("p", True, rank=1),
    )  # fmt: skip
    return Table(columns, [_group_row(group, p) for group, p in _with_p(groups)])


def group_picture(groups: Sequence[Group]) -> Table:
    """The changes alone, drawn."""
    columns = (
        Column("", min_width=12), Column("change", True, means=OVER_CUT),
        Column("better  │  worse", scale=_scale(groups)),
    )  # fmt: skip
    return Table(columns, [[group.name, *_changed(group, p)] for group, p in _with_p(groups)])


def _scale(groups: Sequence[Group]) -> Scale:
    ends = (end for group in groups for end in (group.difference.low, group.difference.high) if end is not None)
    reach = min(1.0, max([0.1, *map(abs, ends)]))
    return Scale(-reach, reach, 0.0)


def _with_p(groups: Sequence[Group]) -> list[tuple[Group, float | None]]:
    first, *others = groups
    return [(first, first.difference.p_value), *zip(others, _corrected(others), strict=True)]


def _is_shown(group: Group, p_corrected: float | None) -> bool:
    """Where the test and the interval agree: of few lives, each alone finds what is not there."""
    low, high = group.difference.low, group.difference.high
    if p_corrected is None or low is None or high is None:
        return False
    return p_corrected < LEVEL and Bounds(low, high).exclude_zero


def _corrected(groups: Sequence[Group]) -> list[float | None]:
    """All lives are tested alone; of their groups some would differ by chance, the more the more there are."""
    p_values = [group.difference.p_value for group in groups]
    corrected = iter(holm([p_value for p_value in p_values if p_value is not None]))
    return [None if p_value is None else next(corrected) for p_value in p_values]


def _group_row(group: Group, p_corrected: float | None) -> list[Cell]:
    return [
        group.name,
        f"{group.lives:,}",
        f"{group.compactions:,}",
        _rate(group.before),
        _rate(group.after),
        *_changed(group, p_corrected),
        (_p(p_corrected), "dim"),
    ]


def _changed(group: Group, p_corrected: float | None) -> list[Cell]:
    difference = group.difference
    style = change_style(difference.difference, shown=_is_shown(group, p_corrected))
    return [
        (signed(difference.difference), style),
        Span(difference.low, difference.difference, difference.high, style),
    ]


def _rate(counts: Counts) -> str:
    return f"{percent(counts.rate)} of {counts.calls:,}" if counts.calls else UNKNOWN_VALUE


def _range(change: Change) -> str:
    return "" if change.low is None or change.high is None else points(change.low, change.high)


def _p(value: float | None) -> str:
    return p_value(value).removeprefix("= ").replace("< ", "<")
