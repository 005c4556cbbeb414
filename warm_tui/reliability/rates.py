"""What is counted of a session's calls: rates, by time, by place, by tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.stats import wilson
from warm_tui.reliability.work import dominant_tool_type, task_type
from warm_tui.sessions.model import Call
from warm_tui.sessions.source import AgentFacts

T = TypeVar("T")

FIRST_CALLS = 30
FIFTH = 5
COURSE = {"success": ".", "failure": "x", "unknown": "?"}
LONGEST_COURSE = 200
FIRST_LETTER = 0x30


class Tally(NamedTuple):
    """What is counted of a session's calls, trivial tools left out."""

    course: str
    """A letter of COURSE for each call."""
    tools: list[str]
    """The tool of each call."""
    kinds: list[str]
    first_success: Call | None


def tally_of(calls: Sequence[Call], verdicts: Sequence[Verdict]) -> Tally:
    # Many short loops rather than one long one: on a million messages that is felt.
    if True in [call.trivial for call in calls]:
        counted = [at for at, call in enumerate(calls) if not call.trivial]
        calls, verdicts = [calls[at] for at in counted], [verdicts[at] for at in counted]
    course = "".join([COURSE[verdict.outcome] for verdict in verdicts])
    first = course.find(".")
    return Tally(
        course,
        [call.tool_name for call in calls],
        [verdict.kind for verdict in verdicts],
        None if first < 0 else calls[first],
    )


def fifth_of(calls: int) -> int:
    """How many calls are early, and how many are late."""
    return max(1, calls // FIFTH)


def rates_of(tally: Tally, facts: AgentFacts) -> dict[str, Any]:
    course, (tools, counts, kinds) = tally.course, _counts_of(tally)
    known = course.replace("?", "")
    failures = known.count("x")
    low, high = wilson(failures, len(known)) or (None, None)
    size = fifth_of(len(known))
    early, late = known[:size], known[-size:]
    most_first = _most_first(tools)
    return {
        "tool_call_count": len(course),
        "successful_calls": len(known) - failures,
        "failed_calls": failures,
        "unknown_calls": len(course) - len(known),
        "error_rate": _rate(known),
        "error_rate_low": low,
        "error_rate_high": high,
        "early_error_rate": _rate(early),
        "late_error_rate": _rate(late),
        "proficiency_gain": late.count("x") / size - early.count("x") / size if known else None,
        "adjusted_gain": _adjusted_gain(tally, known, size, tools),
        "tool_distribution": most_first,
        "tool_success_rates": {
            tool: 1 - counts[tool][1] / counts[tool][0] if tool in counts else None for tool in most_first
        },
        "dominant_tool_type": dominant_tool_type(tools, facts),
        "task_type": task_type(tools, facts),
        "first_30_error_rate": first_rate(course),
        "calls_to_first_success": course.find(".") + 1 or None,
        "tool_diversity": len(tools),
        "longest_failure_streak": longest_streak(course),
        "kinds": _most_first(kinds),
        "course": course[:LONGEST_COURSE],
        "first_tool_type": dominant_tool_type(_counted(tally.tools[:FIRST_CALLS]), facts),
        "course_tools": _letters(tally.tools[:LONGEST_COURSE], most_first),
        "tool_failures": {tool: (failed, calls) for tool, (calls, failed) in counts.items()},
    }


def _counted(things: Iterable[T]) -> dict[T, int]:
    """As a Counter has it; making one takes longer than counting a session's few things."""
    counts: dict[T, int] = {}
    for thing in things:
        counts[thing] = counts.get(thing, 0) + 1
    return counts


def _letters(tools: Sequence[str], names: Iterable[str]) -> str:
    letters = {name: chr(FIRST_LETTER + at) for at, name in enumerate(names)}
    return "".join(map(letters.__getitem__, tools))


def _adjusted_gain(tally: Tally, known: str, size: int, tools: Mapping[str, int]) -> float | None:
    """The change at equal tool mix: each tool late minus early, weighted by its share of the session.

    Only tools that were used both early and late can be compared; None where there is no such tool.
    """
    names = tally.tools
    if len(known) < len(names):
        names = [name for name, letter in zip(names, tally.course, strict=True) if letter != "?"]
    before, after = _by_tool(names[:size], known[:size]), _by_tool(names[-size:], known[-size:])
    total = weight = 0.0
    for tool in [tool for tool in before if tool in after]:
        (calls, failures), (late_calls, late_failures) = before[tool], after[tool]
        total += tools[tool] * (late_failures / late_calls - failures / calls)
        weight += tools[tool]
    return total / weight if weight else None


class _Counts(NamedTuple):
    tools: dict[str, int]
    known: dict[str, tuple[int, int]]
    """Calls and failures of each tool, where the verdict is known."""
    kinds: dict[str, int]


def _counts_of(tally: Tally) -> _Counts:
    """All that is counted of each call, from one look at it."""
    tools: dict[str, int] = {}
    known: dict[str, tuple[int, int]] = {}
    kinds: dict[str, int] = {}
    for (tool, letter, kind), count in _counted(zip(tally.tools, tally.course, tally.kinds, strict=True)).items():
        tools[tool] = tools.get(tool, 0) + count
        kinds[kind] = kinds.get(kind, 0) + count
        if letter != "?":
            calls, failures = known.get(tool, (0, 0))
            known[tool] = (calls + count, failures + count * (letter == "x"))
    return _Counts(tools, known, kinds)


def _by_tool(tools: Sequence[str], known: str) -> dict[str, tuple[int, int]]:
    """Calls and failures of each tool, of a few calls whose verdicts are known."""
    counts: dict[str, tuple[int, int]] = {}
    for tool, letter in zip(tools, known, strict=True):
        calls, failures = counts.get(tool, (0, 0))
        counts[tool] = (calls + 1, failures + (letter == "x"))
    return counts


def first_rate(course: str) -> float | None:
    """The error rate of the first thirty calls."""
    return _rate(course[:FIRST_CALLS].replace("?", ""))


def longest_streak(course: str) -> int:
    """The most failures in a row, calls whose verdict is unknown left out."""
    return max(map(len, _FAILURES.findall(course.replace("?", ""))), default=0)


_FAILURES = re.compile("x+")


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return {thing: counts[thing] for thing in sorted(counts, key=counts.__getitem__, reverse=True)}


def _rate(known: str) -> float | None:
    return known.count("x") / len(known) if known else None
