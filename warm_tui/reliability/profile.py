"""How a session went, in numbers: the profile that is listed, sorted, cached and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.stats import wilson
from warm_tui.reliability.work import dominant_tool_type, task_type
from warm_tui.sessions.lineage import Life, as_one
from warm_tui.sessions.model import Call, Relation, Session, SessionName, sign_of
from warm_tui.sessions.pairing import Paired
from warm_tui.sessions.source import AgentFacts

T = TypeVar("T")

FIRST_CALLS = 30
FIFTH = 5


class Profile(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """The profile of a life, or of one session of it. What cannot be known is None, never a zero."""

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
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    auxiliary_tokens: int | None = None
    """Of all these, what was spent beside the work: on summaries, titles, pictures."""
    cost_usd: float | None = None
    auxiliary_cost_usd: float | None = None
    """Of the cost, in the same way."""
    compactions: int = 0
    relation: Relation = "none"
    parent_session_id: str | None = None
    agent: str = ""
    home: str = ""
    """In which of the agent's homes it stands."""
    project: str | None = None
    """The folder it worked in."""
    part_of: str | None = None
    """The life that this is one session of, where sessions are told apart that compaction made of one."""

    # Known beside the contract: for filters, screens and comparisons.
    handed_on: bool = False
    """It ended by compaction: another session goes on from it."""
    kinds: dict[str, int] = {}
    first_message: str = ""
    course: str = ""
    """Call by call, how it went: a letter of COURSE each, the trivial left out, as far as LONGEST_COURSE."""
    tool_failures: dict[str, tuple[int, int]] = {}
    """Failures and calls of each tool, where the verdict is known."""
    seconds_to_first_success: float | None = None
    own_verdicts: int = 0
    """How many of its calls the operator judged for themselves."""
    parts: tuple[Profile, ...] = ()
    """A life of several sessions: the profile of each, the first first."""

    @property
    def session_ids(self) -> tuple[str, ...]:
        """All sessions of the life, the first of which names it."""
        return tuple(part.session_id for part in self.parts) or (self.session_id,)

    @property
    def name(self) -> SessionName:
        """The id is its own, also where it is shown behind its agent or its home, to tell it from another's."""
        places = (f"{place}/" for place in (self.agent, self.home) if place)
        before = next((place for place in places if self.session_id.startswith(place)), "")
        return SessionName(self.session_id.removeprefix(before), sign_of(self.agent, self.home, self.started_at))

    def holds(self, session_id: str) -> bool:
        """By its id, or where another life has that, too, by the name that tells it apart."""
        return any(name == session_id or name.endswith(f"/{session_id}") for name in self.session_ids)

    @property
    def life(self) -> str:
        return self.part_of or self.session_id

    @property
    def known_calls(self) -> int:
        """Those with a verdict: what the error rate is of."""
        return self.successful_calls + self.failed_calls

    @property
    def total_tokens(self) -> int | None:
        """As the agent's own totals are: what went through a cache is in them."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens + (self.cache_read_tokens or 0) + (self.cache_write_tokens or 0)


INTERNAL_FIELDS = (
    "handed_on", "kinds", "first_message", "course", "tool_failures", "seconds_to_first_success", "own_verdicts",
    "parts",
)  # fmt: skip
COURSE = {"success": ".", "failure": "x", "unknown": "?"}
LONGEST_COURSE = 200
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
PUBLIC_FIELDS = (
    *(name for name in Profile.__struct_fields__ if name not in INTERNAL_FIELDS),
    "total_tokens",
    "session_ids",
)
FIRST_MESSAGE_LENGTH = 500


def public(profile: Profile) -> dict[str, Any]:
    """The fields that scripts may rely on, in the order of the contract."""
    return {name: getattr(profile, name) for name in PUBLIC_FIELDS}


Judged: TypeAlias = tuple[Call, Verdict]


def judged(calls: Iterable[Call], facts: AgentFacts, own: Mapping[str, Verdict] | None = None) -> list[Judged]:
    """Each call with its verdict; the operator's own, by call id, wins."""
    from warm_tui.reliability.verdict import verdict_on

    return [(call, verdict_on(call, facts.stand_ins, own)) for call in calls]


class _Tally(NamedTuple):
    """What is counted of a session's calls, trivial tools left out."""

    course: str
    """A letter of COURSE for each call."""
    tools: list[str]
    """The tool of each call."""
    kinds: list[str]
    first_success: Call | None


def _tally(calls: Sequence[Call], verdicts: Sequence[Verdict]) -> _Tally:
    # Many short loops rather than one long one: on a million messages that is felt.
    if any([call.trivial for call in calls]):  # noqa: C419 - a list is faster
        counted = [at for at, call in enumerate(calls) if not call.trivial]
        calls, verdicts = [calls[at] for at in counted], [verdicts[at] for at in counted]
    course = "".join([COURSE[verdict.outcome] for verdict in verdicts])
    first = course.find(".")
    return _Tally(
        course,
        [call.tool_name for call in calls],
        [verdict.kind for verdict in verdicts],
        None if first < 0 else calls[first],
    )


def unprofiled(life: Sequence[Session]) -> Profile:
    """What is known of a life before its calls are looked at."""
    return Profile(**_basics(as_one(life)))


def _basics(session: Session) -> dict[str, Any]:
    return {
        "session_id": session.id,
        "title": session.title,
        "source": session.source,
        "model": session.model,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "end_reason": session.end_reason,
        "handed_on": session.handed_on,
        "cost_usd": session.cost_usd,
        "auxiliary_cost_usd": None if session.cost_usd is None else session.auxiliary_cost_usd,
        "parent_session_id": session.parent_id,
        "agent": session.agent,
        "home": session.home,
        "project": session.project,
    }


def profile_life(life: Life, relation: Relation, own: Mapping[str, Mapping[str, Verdict]]) -> Profile:
    """The profile of all that was done in a life: the same whether it was compacted in place or chained.

    `relation`: how its first session came to be; `own`: the operator's verdicts, by session.
    """
    facts = life.facts
    verdicts = [_verdicts(part.calls, facts, own.get(member.id)) for member, part, _ in life.walk()]
    relations: list[Relation] = [relation, *["compression_chain"] * (len(life.parts) - 1)]  # type: ignore[list-item]
    parts = [
        profile_session(member, part, how, facts, own.get(member.id), judged_so)
        for member, part, judged_so, how in zip(life.sessions, life.parts, verdicts, relations, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    name, together = life.sessions[0].id, [verdict for each in verdicts for verdict in each]
    whole = profile_session(as_one(life.sessions), life.as_one, relation, facts, verdicts=together)
    return replace(
        whole,
        relation="compression_chain" if relation == "none" else relation,
        own_verdicts=sum(part.own_verdicts for part in parts),
        parts=tuple(replace(part, part_of=name) for part in parts),
    )


def profile_session(
    session: Session,
    paired: Paired,
    relation: Relation,
    facts: AgentFacts,
    own: Mapping[str, Verdict] | None = None,
    verdicts: Sequence[Verdict] | None = None,
) -> Profile:
    """The profile of the calls made in this very session, those it inherited left out."""
    calls = paired.calls
    tally = _tally(calls, _verdicts(calls, facts, own) if verdicts is None else verdicts)
    return Profile(
        **_basics(session),
        duration_seconds=_worked(session, paired),
        message_count=paired.message_count,
        **_rates(tally, facts),
        seconds_to_first_success=_seconds(session.started_at, tally.first_success),
        **_tokens(session, paired.replies),
        # A chained session begins with the cut that made it.
        compactions=paired.compactions + (relation == "compression_chain"),
        relation=_relation(relation, paired.compactions),
        first_message=paired.first_user[:FIRST_MESSAGE_LENGTH],
        own_verdicts=sum(call.key in own for call in calls) if own else 0,
    )


def _verdicts(calls: Sequence[Call], facts: AgentFacts, own: Mapping[str, Verdict] | None) -> list[Verdict]:
    from warm_tui.reliability.verdict import judge, verdict_on

    stand_ins = facts.stand_ins
    if own or any([call.rewound for call in calls]):  # noqa: C419 - a list is faster
        return [verdict_on(call, stand_ins, own) for call in calls]
    return [judge(call.arguments, call.result, stand_ins, call.report) for call in calls]


def profile_calls(
    session: Session, calls: Sequence[Judged], messages: int, compactions: int, facts: AgentFacts
) -> Profile:
    """The profile of a part of a life, from its calls. What nobody counted by parts, like tokens, is unknown."""
    tally = _tally([call for call, _ in calls], [verdict for _, verdict in calls])
    times = [call.timestamp for call, _ in calls if call.timestamp is not None]
    started, ended = (min(times), max(times)) if times else (None, None)
    basics = _basics(session) | {"started_at": started, "ended_at": ended, "end_reason": None, "cost_usd": None}
    basics["auxiliary_cost_usd"] = None
    basics["handed_on"] = False
    return Profile(
        **basics,
        duration_seconds=_duration(started, ended),
        message_count=messages,
        compactions=compactions,
        **_rates(tally, facts),
        seconds_to_first_success=_seconds(started, tally.first_success),
    )


def fifth_of(calls: int) -> int:
    """How many calls are early, and how many are late."""
    return max(1, calls // FIFTH)


def _rates(tally: _Tally, facts: AgentFacts) -> dict[str, Any]:
    course, tools = tally.course, _counted(tally.tools)
    known = course.replace("?", "")
    failures = known.count("x")
    low, high = wilson(failures, len(known)) or (None, None)
    size = fifth_of(len(known))
    early, late = known[:size], known[-size:]
    counts, most_first = _by_tool(tally.tools, course), _most_first(tools)
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
        "kinds": _most_first(_counted(tally.kinds)),
        "course": course[:LONGEST_COURSE],
        "tool_failures": {tool: (failed, calls) for tool, (calls, failed) in counts.items()},
    }


def _adjusted_gain(tally: _Tally, known: str, size: int, tools: Mapping[str, int]) -> float | None:
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


def _by_tool(tools: Sequence[str], course: str) -> dict[str, tuple[int, int]]:
    """Calls and failures of each tool, where the verdict is known."""
    counts: dict[str, tuple[int, int]] = {}
    for (tool, letter), count in _counted(zip(tools, course, strict=True)).items():
        if letter != "?":
            calls, failures = counts.get(tool, (0, 0))
            counts[tool] = (calls + count, failures + count * (letter == "x"))
    return counts


def _counted(things: Iterable[T]) -> dict[T, int]:
    """As a Counter has it; making one takes longer than counting a session's few things."""
    counts: dict[T, int] = {}
    for thing in things:
        counts[thing] = counts.get(thing, 0) + 1
    return counts


def first_rate(course: str) -> float | None:
    """The error rate of the first thirty calls."""
    return _rate(course[:FIRST_CALLS].replace("?", ""))


def _relation(relation: Relation, compactions: int) -> Relation:
    return "compression_in_place" if relation == "none" and compactions else relation


def longest_streak(course: str) -> int:
    """The most failures in a row, calls whose verdict is unknown left out."""
    return max(map(len, course.replace("?", "").split(".")))


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return {thing: counts[thing] for thing in sorted(counts, key=counts.__getitem__, reverse=True)}


def _rate(known: str) -> float | None:
    return known.count("x") / len(known) if known else None


def _worked(session: Session, paired: Paired) -> float | None:
    """From the first message to the last: sessions are opened before, and closed long after, the work.

    Where nobody noted when messages were written, from the session's start to its end.
    """
    if not paired.message_count:
        return None
    began = session.started_at if paired.first_timestamp is None else paired.first_timestamp
    return _duration(began, session.ended_at if paired.last_timestamp is None else paired.last_timestamp)


def _duration(started: float | None, ended: float | None) -> float | None:
    """Clocks step back, but time does not."""
    return max(0.0, ended - started) if started is not None and ended is not None else None


def _seconds(started: float | None, call: Call | None) -> float | None:
    return _duration(started, call.timestamp) if call is not None else None


def _tokens(session: Session, replies: int) -> dict[str, Any]:
    """None where nothing was counted of the work though the model has replied: nobody counted."""
    if replies and sum(session.tokens[: len(TOKENS)]) <= session.auxiliary_tokens:
        return {"auxiliary_tokens": session.auxiliary_tokens or None}
    return {**dict(zip(TOKENS, session.tokens, strict=False)), "auxiliary_tokens": session.auxiliary_tokens}
