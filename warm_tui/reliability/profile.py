"""How a session went, in numbers: the profile that is listed, sorted, cached and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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


class Profile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
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

    # Known beside the contract: for filters and screens.
    kinds: dict[str, int] = {}
    first_message: str = ""


INTERNAL_FIELDS = ("kinds", "first_message")
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

    calls: int
    tools: dict[str, int]
    kinds: dict[str, int]
    known: list[tuple[str, bool]]
    """Tool and failure of each call whose verdict is known."""
    first_success: int | None
    known_of_first: int
    """How many of the first thirty are known."""


def _tally(calls: Iterable[Call], verdict_of: Callable[[Call], Verdict]) -> _Tally:
    tools: dict[str, int] = {}
    kinds: dict[str, int] = {}
    known: list[tuple[str, bool]] = []
    first_success, known_of_first, at = None, 0, 0
    for call in calls:
        tool = call.tool_name
        if tool in TRIVIAL_TOOLS:
            continue
        at += 1
        verdict = verdict_of(call)
        tools[tool] = tools.get(tool, 0) + 1
        kinds[verdict.kind] = kinds.get(verdict.kind, 0) + 1
        outcome = verdict.outcome
        if outcome == "unknown":
            continue
        known.append((tool, outcome == "failure"))
        if at <= FIRST_CALLS:
            known_of_first = len(known)
        if first_success is None and outcome == "success":
            first_success = at
    return _Tally(at, tools, kinds, known, first_success, known_of_first)


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
    if own:
        known = own
        tally = _tally(paired.calls, lambda call: known.get(call.key) or judge(call.arguments, call.result))
    else:
        tally = _tally(paired.calls, lambda call: judge(call.arguments, call.result))
    ended = session.ended_at if session.ended_at is not None else paired.last_timestamp
    tokens_in, tokens_out = _tokens(session, paired.replies)
    return Profile(
        **_basics(session),
        duration_seconds=_duration(session.started_at, ended),
        message_count=paired.messages,
        **_rates(tally),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        # A chained session begins with the cut that made it.
        compactions=paired.compactions + (relation == "compression_chain"),
        relation=_relation(relation, paired.compactions),
        first_message=plain(paired.first_user)[:FIRST_MESSAGE_LENGTH],
    )


def profile_calls(session: Session, calls: Sequence[Judged], messages: int, compactions: int) -> Profile:
    """The profile of a part of a life, from its calls. What nobody counted by parts, like tokens, is unknown."""
    verdicts = {id(call): verdict for call, verdict in calls}
    tally = _tally((call for call, _ in calls), lambda call: verdicts[id(call)])
    times = [call.timestamp for call, _ in calls if call.timestamp is not None]
    started, ended = (min(times), max(times)) if times else (None, None)
    basics = _basics(session) | {"started_at": started, "ended_at": ended, "end_reason": None, "cost_usd": None}
    return Profile(
        **basics,
        duration_seconds=_duration(started, ended),
        message_count=messages,
        compactions=compactions,
        **_rates(tally),
    )


def _rates(tally: _Tally) -> dict[str, Any]:
    failed = [failure for _, failure in tally.known]
    early, late = fifths(tally.known)
    low, high = wilson(sum(failed), len(failed)) or (None, None)
    return {
        "tool_call_count": tally.calls,
        "successful_calls": len(failed) - sum(failed),
        "failed_calls": sum(failed),
        "unknown_calls": tally.calls - len(failed),
        "error_rate": _rate(failed),
        "error_rate_low": low,
        "error_rate_high": high,
        "early_error_rate": _rate([failure for _, failure in early]),
        "late_error_rate": _rate([failure for _, failure in late]),
        "proficiency_gain": _gain(early, late),
        "adjusted_gain": adjusted_gain(early, late, tally.tools),
        "tool_distribution": _most_first(tally.tools),
        "tool_success_rates": _success_rates(tally.known, tally.tools),
        "dominant_tool_type": dominant_tool_type(tally.tools),
        "task_type": task_type(tally.tools),
        "first_30_error_rate": _rate(failed[: tally.known_of_first]),
        "calls_to_first_success": tally.first_success,
        "tool_diversity": len(tally.tools),
        "longest_failure_streak": longest_streak(failed),
        "kinds": _most_first(tally.kinds),
    }


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
    for tool, failure in known:
        calls, failures = counts.get(tool, (0, 0))
        counts[tool] = (calls + 1, failures + failure)
    return counts


def longest_streak(failed: Iterable[bool]) -> int:
    longest = running = 0
    for failure in failed:
        running = running + 1 if failure else 0
        longest = max(longest, running)
    return longest


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


def _success_rates(known: Sequence[tuple[str, bool]], tools: Mapping[str, int]) -> dict[str, float | None]:
    counts = _by_tool(known)
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


def _tokens(session: Session, replies: int) -> tuple[int | None, int | None]:
    """None where every count is zero though the model has replied: nobody counted."""
    if replies and not any(session.tokens):
        return None, None
    return session.tokens[0], session.tokens[1]
