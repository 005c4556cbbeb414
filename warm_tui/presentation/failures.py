"""Why calls failed: the kinds tallied, and under each its reasons, until every failure is accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from warm_tui.presentation.lines import Line, wrapped
from warm_tui.presentation.verdicts import label, why
from warm_tui.reliability.profile import Judged
from warm_tui.sessions.text import clean_line, plural

MOST_REASONS = 5
"""Of a kind; the others are counted."""
INDENT = 9


def failure_lines(calls: Iterable[Judged], width: int) -> list[Line]:
    reasons: dict[str, Counter[str]] = {}
    for call, verdict in calls:
        if verdict.outcome == "failure" and not call.trivial:
            reasons.setdefault(label(verdict), Counter())[clean_line(why(verdict))] += 1
    kinds = sorted(reasons, key=lambda kind: (-reasons[kind].total(), kind))
    total = sum(of_kind.total() for of_kind in reasons.values())
    lines: list[Line] = [[("Why it fails", "strong"), (f"  {plural(total, 'failure')}", "dim")]] if kinds else []
    for kind in kinds:
        lines.append([(f"{reasons[kind].total():>4,} ", "failed"), (kind, "strong")])
        lines += _reasons(kind, reasons[kind], width)
    return lines


def _reasons(kind: str, reasons: Counter[str], width: int) -> list[Line]:
    lines: list[Line] = []
    ranked = reasons.most_common()
    shown = ranked if len(ranked) <= MOST_REASONS + 1 else ranked[:MOST_REASONS]
    for reason, count in shown:
        if reason.lower() == kind:
            continue
        words = wrapped(reason, max(10, width - INDENT)) if reason else ["no reason recorded"]
        for at, line in enumerate(words):
            lines.append([((f"{count}×  " if at == 0 else "").rjust(INDENT), "dim"), (line, "")])
    if left := ranked[len(shown) :]:
        rest = f"{sum(count for _, count in left):,} for {plural(len(left), 'other reason')}"
        lines.append([(" " * (INDENT - 3), ""), (rest, "dim")])
    return lines
