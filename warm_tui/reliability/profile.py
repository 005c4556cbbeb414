"""How a session went, in numbers: the profile that is listed, sorted, cached and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from warm_tui.reliability.stats import wilson
from warm_tui.reliability.verdict import Verdict, judge
from warm_tui.sessions.model import TRIVIAL_TOOLS, Call, Relation, Session
from warm_tui.sessions.pairing import Paired
from warm_tui.sessions.text import plain

FIRST_CALLS = 30
FIFTH = 5

TERMINAL_TOOLS = frozenset({"terminal"})
CODE_TOOLS = frozenset({"execute_code", "skill_manage"})
FILE_TOOLS = frozenset({"read_file", "write_file", "patch", "search_files"})
RESEARCH_TOOLS = frozenset({"web_search", "web_extract", "web_fetch"})
META_TOOLS = frozenset({"warm_session"})
TASK_CODE_TOOLS = frozenset({"execute_code", "code_execution"})
TASK_SHARE = 0.6


class Profile(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One session's profile. What cannot be known is None, never a zero."""

    session_id: str
    title: str | None = None
    source: str = ""
    model: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: str | None = None
    duration_seconds: float | None = None
    message_count: int = 0
    tool_call_count: int = 0
    successful_calls: int = 0
    failed_calls: int = 0
    unknown_calls: int = 0
    error_rate: float | None = None
    error_rate_low: float | None = None
    error_rate_high: float | None = None
    early_error_rate: float | None = None
    late_error_rate: float | None = None
    proficiency_gain: float | None = None
    adjusted_gain: float | None = None
    tool_distribution: dict[str, int] = {}
    tool_success_rates: dict[str, float | None] = {}
    dominant_tool_type: str = "general"
    task_type: str = "mixed"
    first_30_error_rate: float | None = None
    calls_to_first_success: int | None = None
    tool_diversity: int = 0
    longest_failure_streak: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    compactions: int = 0
    relation: Relation = "none"
    parent_session_id: str | None = None

    # Known beside the contract: for filters, screens and comparisons.
    kinds: dict[str, int] = {}
    first_message: str = ""
    course: str = ""
    """Call by call, how it went: a letter of COURSE each, the trivial left out, as far as LONGEST_COURSE."""
    tool_failures: dict[str, tuple[int, int]] = {}
    """Failures and calls of each tool, where the verdict is known."""
    seconds_to_first_success: float | None = None


INTERNAL_FIELDS = ("kinds", "first_message", "course", "tool_failures", "seconds_to_first_success")
COURSE = {"success": ".", "failure": "x", "unknown": "?"}
LONGEST_COURSE = 200
PUBLIC_FIELDS = tuple(name for name in Profile.__struct_fields__ if name not in INTERNAL_FIELDS)
FIRST_MESSAGE_LENGTH = 500


def public(profile: Profile) -> dict[str, Any]:
    """The fields that scripts may rely on, in the order of the contract."""
    return {name: getattr(profile, name) for name in PUBLIC_FIELDS}


Judged: TypeAlias = tuple[Call, Verdict]


def judged(calls: Iterable[Call], own: Mapping[str, Verdict] | None = None) -> list[Judged]:
    """Each call with its verdict; the operator's own, by call id, wins."""
    own = own or {}
    return [(call, own.get(call.key) or judge(call.arguments, call.result)) for call in calls]


class _Tally(NamedTuple):
    """What is counted of a session's calls, trivial tools left out."""

    course: str
    """A letter of COURSE for each call."""
    tools: dict[str, int]
    kinds: dict[str, int]
    known: list[tuple[str, bool]]
    """Tool and failure of each call whose verdict is known."""
    first_success: Call | None


def _tally(calls: Sequence[Call], verdicts: Sequence[Verdict]) -> _Tally:
    # Many short loops rather than one long one: on a million messages that is felt.
    names = [call.tool_name for call in calls]
    if not TRIVIAL_TOOLS.isdisjoint(names):
        counted = [at for at, name in enumerate(names) if name not in TRIVIAL_TOOLS]
        calls, verdicts = [calls[at] for at in counted], [verdicts[at] for at in counted]
        names = [names[at] for at in counted]
    course = "".join([COURSE[verdict.outcome] for verdict in verdicts])
    first = course.find(".")
    return _Tally(
        course,
        Counter(names),
        Counter([verdict.kind for verdict in verdicts]),
        [(name, letter == "x") for name, letter in zip(names, course, strict=True) if letter != "?"],
        None if first < 0 else calls[first],
    )


def unprofiled(session: Session) -> Profile:
    """What is known of a session before its calls are looked at."""
    return Profile(**_basics(session))


def _basics(session: Session) -> dict[str, Any]:
    return {
        "session_id": session.id,
        "title": session.title,
        "source": session.source,
        "model": session.model,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "end_reason": session.end_reason,
        "cost_usd": session.cost_usd,
        "parent_session_id": session.parent_id,
    }


def profile_session(
    session: Session, paired: Paired, relation: Relation, own: Mapping[str, Verdict] | None = None
) -> Profile:
    """The profile of the calls made in this very session, those it inherited left out."""
    calls = paired.calls
    if own:
        verdicts = [own.get(call.key) or judge(call.arguments, call.result) for call in calls]
    else:
        verdicts = [judge(call.arguments, call.result) for call in calls]
    tally = _tally(calls, verdicts)
    ended = session.ended_at if session.ended_at is not None else paired.last_timestamp
    tokens_in, tokens_out = _tokens(session, paired.replies)
    return Profile(
        **_basics(session),
        duration_seconds=_duration(session.started_at, ended),
        message_count=paired.messages,
        **_rates(tally),
        seconds_to_first_success=_seconds(session.started_at, tally.first_success),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        # A chained session begins with the cut that made it.
        compactions=paired.compactions + (relation == "compression_chain"),
        relation=_relation(relation, paired.compactions),
        first_message=plain(paired.first_user)[:FIRST_MESSAGE_LENGTH],
    )


def profile_calls(session: Session, calls: Sequence[Judged], messages: int, compactions: int) -> Profile:
    """The profile of a part of a life, from its calls. What nobody counted by parts, like tokens, is unknown."""
    tally = _tally([call for call, _ in calls], [verdict for _, verdict in calls])
    times = [call.timestamp for call, _ in calls if call.timestamp is not None]
    started, ended = (min(times), max(times)) if times else (None, None)
    basics = _basics(session) | {"started_at": started, "ended_at": ended, "end_reason": None, "cost_usd": None}
    return Profile(
        **basics,
        duration_seconds=_duration(started, ended),
        message_count=messages,
        compactions=compactions,
        **_rates(tally),
        seconds_to_first_success=_seconds(started, tally.first_success),
    )


def _rates(tally: _Tally) -> dict[str, Any]:
    failed = [failure for _, failure in tally.known]
    early, late = fifths(tally.known)
    counts = _by_tool(tally.known)
    low, high = wilson(sum(failed), len(failed)) or (None, None)
    return {
        "tool_call_count": len(tally.course),
        "successful_calls": len(failed) - sum(failed),
        "failed_calls": sum(failed),
        "unknown_calls": len(tally.course) - len(failed),
        "error_rate": _rate(failed),
        "error_rate_low": low,
        "error_rate_high": high,
        "early_error_rate": _rate([failure for _, failure in early]),
        "late_error_rate": _rate([failure for _, failure in late]),
        "proficiency_gain": _gain(early, late),
        "adjusted_gain": adjusted_gain(early, late, tally.tools),
        "tool_distribution": _most_first(tally.tools),
        "tool_success_rates": _success_rates(counts, tally.tools),
        "dominant_tool_type": dominant_tool_type(tally.tools),
        "task_type": task_type(tally.tools),
        "first_30_error_rate": first_rate(tally.course),
        "calls_to_first_success": tally.course.find(".") + 1 or None,
        "tool_diversity": len(tally.tools),
        "longest_failure_streak": longest_streak(tally.course),
        "kinds": _most_first(tally.kinds),
        "course": tally.course[:LONGEST_COURSE],
        "tool_failures": {tool: (failures, calls) for tool, (calls, failures) in counts.items()},
    }


def first_rate(course: str) -> float | None:
    """The error rate of the first thirty calls."""
    first = course[:FIRST_CALLS]
    known = len(first) - first.count("?")
    return first.count("x") / known if known else None


def _relation(relation: Relation, compactions: int) -> Relation:
    return "compression_in_place" if relation == "none" and compactions else relation


def fifths(
    known: Sequence[tuple[str, bool]],
) -> tuple[Sequence[tuple[str, bool]], Sequence[tuple[str, bool]]]:
    """The first and the last fifth of the calls whose verdict is known, at least one call each."""
    if not known:
        return (), ()
    size = max(1, len(known) // FIFTH)
    return known[:size], known[-size:]


def adjusted_gain(
    early: Sequence[tuple[str, bool]], late: Sequence[tuple[str, bool]], tools: Mapping[str, int]
) -> float | None:
    """The gain at equal tool mix: each tool late minus early, weighted by its share of the session.

    Only tools that were used both early and late can be compared; None where there is no such tool.
    """
    before, after = _by_tool(early), _by_tool(late)
    total = weight = 0.0
    for tool in before.keys() & after.keys():
        (calls, failures), (late_calls, late_failures) = before[tool], after[tool]
        total += tools[tool] * (late_failures / late_calls - failures / calls)
        weight += tools[tool]
    return total / weight if weight else None


def _by_tool(known: Iterable[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    """Calls and failures of each tool."""
    counts: dict[str, tuple[int, int]] = {}
    for (tool, failure), count in Counter(known).items():
        calls, failures = counts.get(tool, (0, 0))
        counts[tool] = (calls + count, failures + count * failure)
    return counts


def longest_streak(course: str) -> int:
    """The most failures in a row, calls whose verdict is unknown left out."""
    return max(map(len, course.replace("?", "").split(".")))


def tool_type(tool: str) -> str:
    """What kind of tool this is, in the words of the earlier tool."""
    if tool in TERMINAL_TOOLS:
        return "terminal"
    if tool in CODE_TOOLS:
        return "code"
    if tool in FILE_TOOLS:
        return "file"
    if tool in RESEARCH_TOOLS or tool.startswith("browser"):
        return "research"
    return "meta" if tool in META_TOOLS else "general"


def dominant_tool_type(tools: Mapping[str, int]) -> str:
    counts: Counter[str] = Counter()
    for tool, count in tools.items():
        counts[tool_type(tool)] += count
    return counts.most_common(1)[0][0] if counts else "general"


def task_type(tools: Mapping[str, int]) -> str:
    """What the session worked at, where more than 60 % of its calls agree."""
    total = sum(tools.values())
    shares = {
        "code": sum(count for tool, count in tools.items() if tool in TASK_CODE_TOOLS),
        "file": sum(count for tool, count in tools.items() if tool in FILE_TOOLS),
        "research": sum(count for tool, count in tools.items() if tool in RESEARCH_TOOLS or tool.startswith("browser")),
    }
    return next((kind for kind, count in shares.items() if total and count / total > TASK_SHARE), "mixed")


def _success_rates(counts: Mapping[str, tuple[int, int]], tools: Mapping[str, int]) -> dict[str, float | None]:
    return {tool: 1 - counts[tool][1] / counts[tool][0] if tool in counts else None for tool in _most_first(tools)}


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: -item[1]))


def _rate(failed: Sequence[bool]) -> float | None:
    return sum(failed) / len(failed) if failed else None


def _gain(early: Sequence[tuple[str, bool]], late: Sequence[tuple[str, bool]]) -> float | None:
    if not early:
        return None
    return sum(f for _, f in late) / len(late) - sum(f for _, f in early) / len(early)


def _duration(started: float | None, ended: float | None) -> float | None:
    """From start to end, or to the last message; clocks step back, but time does not."""
    return max(0.0, ended - started) if started is not None and ended is not None else None


def _seconds(started: float | None, call: Call | None) -> float | None:
    return _duration(started, call.timestamp) if call is not None else None


def _tokens(session: Session, replies: int) -> tuple[int | None, int | None]:
    """None where every count is zero though the model has replied: nobody counted."""
    if replies and not any(session.tokens):
        return None, None
    return session.tokens[0], session.tokens[1]
